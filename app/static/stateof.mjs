// Asking a figure where it is, whether it has come to life or not.

/** The state that a figure is in; before it has come to life, the one that its HTML shows. */
export function stateOf(root) {
  let state = JSON.parse(root.querySelector("[data-config]").textContent).state;
  const listen = ({ detail }) => (state = detail.state);
  root.addEventListener("figure-state", listen);
  root.dispatchEvent(new CustomEvent("figure-ask"));
  root.removeEventListener("figure-state", listen);
  return state;
}
