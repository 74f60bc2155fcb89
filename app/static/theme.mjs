// The page's colours, changed at once: from the list, by a key, or by a host. Plots follow.

import { recolourAll, setMain } from "figures";
import { keepSetting } from "settings";

export const THEMES = ["auto", "light", "dark", "projector"];
const root = document.documentElement;
const list = document.querySelector("[data-theme-choice]");

/** Show a theme; the learner's own choice is kept and put into the address. */
export function applyTheme(theme) {
  if (list) list.value = theme;
  if (root.dataset.theme === theme) return;
  root.dataset.theme = theme;
  recolourAll();
}

export function chooseTheme(theme) {
  applyTheme(theme);
  keepSetting("theme", theme);
  setMain({ theme });
}

/** Follow the list of themes. */
export function followTheme() {
  if (!list) return;
  list.value = root.dataset.theme; // early.js may have taken another from storage
  list.addEventListener("change", () => chooseTheme(list.value));
}
