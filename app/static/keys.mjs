// Shortcuts: single keys that act on the figure in use, and the dialog that lists them. Each can be switched off there.

import { keepSetting, setting } from "settings";
import { chooseTheme, THEMES } from "theme";
import { fill } from "text";

const figures = () => [...document.querySelectorAll("[data-mount]")];

/** The figure with the focus, else the one that fills most of the window. */
function current() {
  const focused = document.activeElement.closest?.("[data-mount]");
  if (focused) return focused;
  const seen = (el) => {
    const { top, bottom } = el.getBoundingClientRect();
    return Math.min(bottom, innerHeight) - Math.max(top, 0);
  };
  return figures().reduce((most, el) => (seen(el) > seen(most) ? el : most));
}

function goTo(distance) {
  const all = figures();
  const next = all[all.indexOf(current()) + distance];
  if (!next) return;
  scrollTo({ top: next.getBoundingClientRect().top + scrollY - 60, behavior: "instant" });
  [...next.querySelectorAll("[data-control]")].find((control) => !control.disabled)?.focus({ preventScroll: true });
}

function tell(text) {
  document.querySelector("[data-keys-said]").textContent = text;
}

/** Press a button of the current figure; says so where it has none. */
function press(selector, words) {
  const button = current().querySelector(selector);
  if (button) button.click();
  else tell(words["keys.none"]);
}

/** Follow the keys; words are the page's. */
export function followKeys(words) {
  const dialog = document.querySelector("[data-keys]");
  const boxes = [...dialog.querySelectorAll("[data-key]")];
  const off = new Set(Array.isArray(setting("keysOff")) ? setting("keysOff") : []);
  const open = () => dialog.open || dialog.showModal();
  const actions = {
    help: open,
    next: () => goTo(1),
    previous: () => goTo(-1),
    scale: () => press('button[name="scaled"]', words),
    play: () => press('[data-action="play"]', words),
    theme() {
      const theme = THEMES[(THEMES.indexOf(document.documentElement.dataset.theme) + 1) % THEMES.length];
      chooseTheme(theme);
      tell(fill(words["keys.theme.said"], { theme: words[`tools.theme.${theme}`] }));
    },
  };
  for (const box of boxes) {
    box.checked = !off.has(box.value);
    box.addEventListener("change", () => {
      if (box.checked) off.delete(box.value);
      else off.add(box.value);
      keepSetting("keysOff", [...off]);
    });
  }
  document.querySelector("[data-keys-open]")?.addEventListener("click", open);
  dialog.addEventListener("click", ({ target }) => target === dialog && dialog.close());
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing || dialog.open) return;
    // Letters that are typed, or that find an entry of a list, are no shortcuts.
    if (event.target.closest?.('input:is([type="text"], :not([type])), textarea, select, [contenteditable]')) return;
    const box = boxes.find((candidate) => candidate.dataset.key === event.key);
    if (!box || off.has(box.value)) return;
    event.preventDefault();
    actions[box.value]();
  });
}
