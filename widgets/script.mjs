// "Copy as NumPy": the script for the state on screen, filled in from parts that Python wrote.

import { fill, write } from "text";

const python = (value) => {
  if (typeof value === "boolean") return value ? "True" : "False";
  return typeof value === "string" ? JSON.stringify(value) : value; // a JSON string is a Python string here
};

/** Fill in a script as widgets/scripts does: `by` names the state that chooses among the parts, `extra` goes in as it is. */
export function numpyScript({ template, parts, by }, state, extra = {}) {
  const key = by.map((name) => Number(state[name]) || state[name] || 0).join(".");
  const values = Object.entries(state).map(([name, value]) => [name, python(value)]);
  return fill(template, { ...Object.fromEntries(values), ...parts[key], ...extra });
}

export async function copyScript({ figure, say }) {
  const { config, part, state, words } = figure;
  const script = numpyScript(config.script, state);
  const details = part("[data-script]");
  const pre = details.querySelector("pre");
  details.hidden = false;
  write(pre, script);
  try {
    await navigator.clipboard.writeText(script);
    say(words["control.copy.done"]);
  } catch {
    details.open = true;
    getSelection().selectAllChildren(pre);
    pre.focus();
    say(words["control.copy.refused"]);
  }
}
