// What the whole operation says of a state; operation_view.py writes the same for the first one.

import { SLOTS } from "operation-matrices";
import { fill, fixed } from "text";

/** `.T` would turn the batch axis too; `.mT` turns the last two alone. */
export const shownName = (name, { batch }) => (name === "K.T" && batch ? "K.mT" : name);

/** The shapes of a line of code: (6, 16) @ (16, 8) → (6, 8). */
function lineShapes(names, matrices) {
  const [left, right, result] = names.map((name) => name && matrices.shape(name));
  return right ? `${left} @ ${right} → ${result}` : left ? `${left} → ${result}` : result;
}

/** Every text that depends on the state, by its place; `row` is the row that is followed. */
export function operationTexts({ config, words, state, matrices, row }) {
  const { step, batch } = state;
  const scaled = Number(state.scaled);
  const variant = step === 4 ? `.${scaled}` : "";
  const texts = {
    "code-turn": shownName("K.T", state),
    "code-scale": words[`operation.code.scale.${scaled}`],
    line: words[step === 0 ? "operation.line.0" : "operation.line"],
    sentence: words[`operation.sentence.${step}${variant}`],
    "batch-note": words[`operation.batch.${Number(batch)}`],
    "d_k-value": String(state.d_k),
    "scaled-value": words[`control.scaled.${scaled}`],
    "batch-value": words[`control.scaled.${Number(batch)}`],
    "sign-right": words[`operation.sign.${step}${variant}`],
    "d_k-spoken": words["operation.spoken"],
  };
  config.steps.forEach((names, line) => (texts[`shape-${line}`] = lineShapes(names, matrices)));
  SLOTS.forEach((slot, i) => {
    const name = config.steps[step][i];
    const which = name === "scores" ? `.${scaled}` : "";
    texts[`${slot}-name`] = shownName(name, state);
    texts[`${slot}-shape`] = name && matrices.shape(name);
    texts[`${slot}-word`] = name && words[`operation.matrix.${name}${which}`];
  });
  const shapes = texts[`shape-${step}`];
  const [T, token] = [matrices.tokens.length, matrices.tokens[state.row]];
  const values = { T, d_k: state.d_k, step, token, result: texts["result-name"], shape: texts["result-shape"] };
  for (const place in texts) texts[place] = fill(texts[place], values);
  texts.made = fill(words[`operation.made.${step}${step === 4 && batch ? ".batch" : ""}`], { token: matrices.tokens[row] });
  const { line, sentence } = texts;
  texts.summary = fill(words["operation.summary"], { line, names: texts["result-name"], shapes, sentence });
  return texts;
}

/** A cell in words; `cell` is [slot, row, column]. */
export function tellCell({ config, words, state, matrices, cell: [slot, row, column] }) {
  const name = config.steps[state.step][SLOTS.indexOf(slot)];
  const kind = { dk: "plain", kT: "turned" }[config.matrices[name].axes] ?? "tokens";
  const told = { scores: `scores.${Number(state.scaled)}`, weights: "weights" }[name] ?? kind;
  return fill(words[`operation.cell.${told}`], {
    name: shownName(name, state),
    row: matrices.heads(name, 0)[row],
    column: matrices.heads(name, 1)[column],
    value: fixed(matrices.value(name, row, column)),
    raw: name === "scores" ? fixed(matrices.raw(row, column)) : "",
    d_k: state.d_k,
  });
}
