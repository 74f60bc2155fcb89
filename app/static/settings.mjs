// What a reader set of the page itself, kept in their own browser where it allows that: colours, shortcuts.
// early.js reads the colours before the first paint.

const KEY = "attention-lessons/settings";

function kept() {
  try {
    const value = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {}; // storage is refused, or somebody else wrote there
  }
}

export const setting = (name) => kept()[name];

export function keepSetting(name, value) {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...kept(), [name]: value }));
  } catch {
    // It counts until the page is left.
  }
}
