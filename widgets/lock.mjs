// Controls that the page around a figure holds fast: shown, not changeable, and they say so.

/** What a control changes: its own name in the state, or those in data-sets. */
const changes = (control) => control.dataset.sets?.split(" ") ?? [control.name];

/** Show which names of the state are locked. */
export function showLocks(root, locked, words) {
  for (const control of root.querySelectorAll("[data-control], [data-choice], [data-sets]")) {
    const isLocked = changes(control).some((name) => locked.has(name));
    if (isLocked === "locked" in control.dataset && (!isLocked || control.disabled)) continue;
    control.disabled = isLocked;
    if (isLocked) {
      control.dataset.locked = "";
      control.setAttribute("aria-description", words["control.locked"]);
    } else {
      delete control.dataset.locked;
      control.removeAttribute("aria-description");
    }
  }
  for (const piece of root.querySelectorAll("[data-lockable]")) {
    const mark = piece.querySelector(".lock-mark");
    const isLocked = locked.has(piece.dataset.lockable);
    if (isLocked === Boolean(mark)) continue;
    if (mark) mark.remove();
    else piece.append(Object.assign(document.createElement("span"), { className: "lock-mark", textContent: ` ${words["control.locked"]}` }));
  }
}
