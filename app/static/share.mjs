// "Copy link": to what is on screen. The main figure's state is in the page's own address; another figure's is
// behind its name, as #variance-law?d_k=64.

import { addressOf } from "address";
import { writeQuery } from "link";
import { stateOf } from "stateof";

/** The link to a figure in a state. */
export function linkTo(el, state) {
  if (!("eager" in el.dataset)) return `${location.href.split("#")[0]}#${el.dataset.mount}?${writeQuery(state)}`;
  const isLesson = el.id === el.dataset.mount;
  return addressOf(state, isLesson ? `#${el.id}` : "");
}

/** "Open it alone" and "Embed it" take the state along. */
function carryState(link, state) {
  const url = new URL(link.href);
  for (const [name, value] of writeQuery(state)) url.searchParams.set(name, value);
  link.href = url.href;
}

/** "Take it along": what makes the files is fetched when the first learner asks for one. */
function followTakeaway(page) {
  const opened = ({ target }) => target.matches?.("[data-takeaway][open]");
  const open = async (event) => {
    if (!opened(event)) return;
    try {
      await (await import("takeaway")).openMenu(event.target, page);
    } catch {
      event.target.querySelector("[data-taken]").textContent = page.words["take.failed"];
    }
  };
  addEventListener("toggle", open, true);
  addEventListener("keydown", ({ key, target }) => {
    const details = key === "Escape" && target.closest?.("[data-takeaway][open]");
    if (!details) return;
    details.open = false;
    details.querySelector("summary").focus({ preventScroll: true });
  });
}

export function followShare(page) {
  const { words } = page;
  followTakeaway(page);
  addEventListener("click", async ({ target }) => {
    const taken = target.closest?.("[data-share], [data-alone], [data-embed]");
    if (!taken) return;
    const el = taken.closest("[data-mount]");
    const state = stateOf(el.querySelector("[data-figure]"));
    if (!taken.matches("[data-share]")) return carryState(taken, state);
    const link = linkTo(el, state);
    const place = el.querySelector("[data-shared]");
    try {
      await navigator.clipboard.writeText(link);
      place.textContent = words["share.done"];
    } catch {
      // No right to the clipboard, as in many frames: the link is shown, ready to be copied.
      const field = Object.assign(document.createElement("input"), { readOnly: true, value: link, type: "text" });
      field.setAttribute("aria-label", words["share.refused"]);
      place.replaceChildren(words["share.refused"], " ", field);
      field.focus({ preventScroll: true });
      field.select();
    }
  });
}
