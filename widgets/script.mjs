// "Copy as NumPy": the script for the state on screen, filled in from parts that Python wrote.

import { fill, write } from "text";

export function numpyScript({ template, parts }, state) {
  return fill(template, {
    ...parts[`${state.fault}.${Number(state.scaled)}`],
    d_k: state.d_k,
    row: state.row,
    seed: state.seed,
    text: JSON.stringify(state.text), // a JSON string is a Python string here
  });
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
