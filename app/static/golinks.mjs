// Links that act on a figure: [data-go] with href="#attention-lab?d_k=64&scaled=0". Values that the
// link does not name stay as they are. The last link that acted has an Undo button beside it.
// With data-go="stay" the learner stays where they are; else the figure is brought into view.

import { stateOf } from "stateof";

let undo = null; // the one button that is on the page

const figureOf = (name) => document.querySelector(`[data-mount="${CSS.escape(name)}"] [data-figure]`);

/** A link's values, typed as the figure's own are. */
function typed(query, state) {
  const values = Object.fromEntries(new URLSearchParams(query));
  for (const [name, text] of Object.entries(values)) {
    if (typeof state[name] === "boolean") values[name] = text === "1";
    else if (typeof state[name] === "number") values[name] = Number(text);
  }
  return values;
}

const ask = (figure, state, stay) => dispatchEvent(new CustomEvent("figure-go", { detail: { figure, state, stay } }));

/** Forget the way back: its button goes. */
export function dropUndo() {
  undo?.remove();
  undo = null;
}

/**
 * Bring a figure into a state, and put a way back behind an element.
 *
 * figure, query   as in a link: "attention-lab", "d_k=64&scaled=0"
 * behind          the link or button that acted
 * stay            whether the learner stays where they are
 */
export function act({ figure, query, behind, stay = false }) {
  const root = figureOf(figure);
  dropUndo();
  if (!root) return ask(figure, Object.fromEntries(new URLSearchParams(query)), stay);
  const before = stateOf(root);
  ask(figure, typed(query, before), stay);
  const made = document.querySelector("template[data-undo]")?.content.cloneNode(true);
  if (!made) return;
  undo = made.querySelector("button");
  undo.setAttribute("aria-label", `${undo.textContent}: ${behind.textContent.trim()}`);
  undo.addEventListener("click", () => {
    dropUndo();
    behind.focus({ preventScroll: true });
    ask(figure, before, true);
  });
  behind.after(" ", undo);
}

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[data-go]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  const [figure, query] = link.getAttribute("href").slice(1).split("?");
  act({ figure, query, behind: link, stay: link.dataset.go === "stay" });
});
