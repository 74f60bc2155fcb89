// Inside one score: components, products, running sum, the way to the weight, and the blend.

import { createFigure } from "figure";
import { drawBlend, drawComponents, exactCells } from "inside-one-score-tables";
import { joinStrips } from "inside-one-score-strips";
import { at, one } from "table";
import { fill, fixed, write } from "text";

const TOKEN_NAMES = ["query", "key"];

/** See figure.mjs for what a host passes in. */
export function mount(host) {
  let strips = null;
  let pointed = null; // the component under the pointer, counted from 0

  /** Every text that depends on the state; inside_one_score_view.py writes the same for the first state. */
  function describe(state, { arrays, meta }) {
    const { config, words } = figure;
    const { query: i, key: j, d_k } = state;
    const scaled = Number(state.scaled);
    const width = d_k - config.d_k.min;
    const row = (name) => at(arrays[name], width, scaled, i);
    const shown = (name) => fixed(row(name)[j], 4);
    // Where the shown score is the row's largest, nothing is left of it after the subtraction.
    const peak = row("shown_shifted").indexOf(0);
    const largest = fixed(row("shown_scores")[peak], 4);
    const values = {
      query: meta.tokens[i],
      key: meta.tokens[j],
      peak: meta.tokens[peak],
      d_k,
      dot: fixed(one(arrays.shown_running_sum, i, j, d_k - 1)),
      raw: fixed(one(arrays.shown_raw, width, i, j), 4),
      divisor: fixed(one(arrays.divisor, width, scaled), 4),
      score: shown("shown_scores"),
      largest: bracketed(largest),
      shifted: shown("shown_shifted"),
      exponential: shown("shown_exponentials"),
      total: fixed(one(arrays.shown_row_sum, width, scaled, i), 4),
      weight: shown("shown_weights"),
      scale: words[`control.scaled.${scaled}`],
    };
    const texts = {
      "d_k-value": String(d_k),
      "scaled-value": values.scale,
      "d_k-spoken": words["inside.spoken"],
      sentence: words["inside.sentence"],
      "sum-note": words["inside.sums.end"],
      "dot-how": words["inside.dot.how"],
      dot: values.dot,
      divide: words[`inside.divide.${scaled}`],
      "divide-how": "{raw} ÷ {divisor}",
      score: values.score,
      "shift-how": "{score} − {largest}",
      "shift-note": words["inside.shift.note"],
      shifted: values.shifted,
      exponent: values.shifted,
      exponential: values.exponential,
      total: values.total,
      "weight-how": "{exponential} ÷ {total}",
      weight: values.weight,
      "blend-title": words["inside.blend.title"],
      "blend-note": words[d_k > config.columns ? "inside.blend.some" : "inside.blend.all"],
      summary: words["inside.summary"],
    };
    for (const place in texts) texts[place] = fill(texts[place], values);
    texts.component = tellComponent(state, arrays);
    return texts;
  }

  function tellComponent({ query: i, key: j, d_k }, arrays) {
    if (pointed === null || pointed >= d_k) return figure.words["inside.component.hint"];
    return fill(figure.words["inside.component"], {
      c: pointed + 1,
      q: fixed(one(arrays.Q, i, pointed)),
      k: bracketed(fixed(one(arrays.K, j, pointed))),
      product: fixed(one(arrays.shown_products, i, j, pointed)),
      sum: fixed(one(arrays.shown_running_sum, i, j, pointed)),
    });
  }

  const bracketed = (text) => (text.startsWith("−") ? `(${text})` : text);

  function draw(state, data) {
    drawComponents(figure, state, data);
    drawBlend(figure, state, data);
    strips?.draw(state, data);
  }

  function point(c) {
    pointed = c;
    write(figure.part('[data-text="component"]'), tellComponent(figure.state, figure.data.arrays));
  }

  const figure = createFigure({
    ...host,
    name: "inside-one-score",
    describe,
    draw,
    settle(next, { meta }) {
      const settled = { ...next, text: meta.text, seed: meta.seed };
      for (const name of TOKEN_NAMES) settled[name] = Math.min(settled[name], meta.tokens.length - 1);
      return settled;
    },
    async joinPlots(items) {
      strips = await joinStrips({ figure, items, onComponent: point });
    },
    recolour: () => strips?.recolour(),
    take: (state, data) => ({ cells: exactCells(figure, state, data) }),
  });

  // Any key of the row can be opened from the blend; the list of keys does the same by keyboard.
  figure.on(figure.part('[data-part="blend"]'), "click", ({ target }) => {
    const row = target.closest("tr[data-k]");
    if (row) figure.choose({ key: Number(row.dataset.k) });
  });
  figure.render();
  return figure.handle;
}
