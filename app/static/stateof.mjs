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

const CONTROLS = 'input[type="range"], input[type="text"], select, button.toggle[data-control]';

/** The state in words, as its controls have it: "d_k 64 · ÷√d_k off · Highlighted row 2 · journey". */
export function stateLine(root) {
  const text = (el) => el?.textContent.trim().replace(/\s+/g, " ") ?? "";
  const told = [...root.querySelectorAll(CONTROLS)].map((control) => {
    if (control.matches("button")) return `${text(control.querySelector(".toggle-name"))} ${text(control.querySelector(".toggle-state"))}`;
    const name = control.getAttribute("aria-label") ?? text(control.labels[0]?.firstChild);
    if (control.matches("select")) return `${name} ${text(control.selectedOptions[0])}`;
    if (control.type === "text") return `${name} ${control.value}`;
    return `${name} ${text(root.querySelector(`[data-text="${control.name}-value"]`)) || control.value}`;
  });
  return told.join(" · ");
}
