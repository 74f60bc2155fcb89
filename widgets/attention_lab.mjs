// The attention lab: d_k, scale, faults and rows; read-outs, heatmap and table follow.

import { followDraw } from "draw";
import { createFigure } from "figure";
import { followGrid } from "grid";
import { joinHeatmap } from "heatmap";
import { copyScript } from "script";
import { at, one } from "table";
import { fill, fixed, write } from "text";

const TOKEN_NAMES = ["row"];

/** See figure.mjs for what a host passes in. */
export function mount(host) {
  let heatmap = null;
  let shown = null; // the table that the fields belong to
  let cell = null; // the cell that is told in words, [q, k]
  let chosen = null; // the cell that a click or Enter chose last, [q, k]

  const index = ({ d_k, fault, scaled }) => [
    d_k - figure.config.d_k.min,
    figure.config.faults.indexOf(fault),
    Number(scaled),
  ];

  /** Every text that depends on the state; lab_view.py writes the same for the first state. */
  function describe(state, { arrays, meta }) {
    const { config, words } = figure;
    const here = index(state);
    const of = (name) => one(arrays[name], ...here, state.row);
    const code = of("state");
    const dead = one(arrays.dead_rows, ...here);
    const scaled = Number(state.scaled);
    const expected = state.fault === "divide_by_d_k" ? "by_d_k" : scaled ? "scaled" : "raw";
    let expectation = fill(words[`expect.${expected}`], { value: fixed(one(arrays.expected_spread, ...here)) });
    if (state.fault === "shared_projection") expectation = fill(words["expect.shared"], { expected: expectation });
    const [asks, answers] = scoreToOpen(state, arrays);
    const blended = { blend_embeddings: "embeddings", shared_projection: "queries" }[state.fault] ?? "values";
    const values = {
      query: meta.tokens[state.row],
      key: meta.tokens[of("peak_key")],
      asks: meta.tokens[asks],
      answers: meta.tokens[answers],
      weight: fixed(of("peak")),
      sum: fixed(of("row_sum")),
      d_k: state.d_k,
      n: state.fault === "blend_embeddings" ? config.d_model : state.d_k,
      norm: fixed(of("context_norm")),
      dead,
      rows: meta.tokens.length,
    };
    const texts = {
      "score-spread": fixed(one(arrays.spread, ...here)),
      "peak-weight": values.weight,
      "softmax-state": words[`state.${code}`],
      "dead-rows": words[dead < 0 ? "dead.none" : "dead.count"],
      expectation,
      "peak-label": words["kpi.peak-weight"],
      "state-label": words["kpi.softmax-state"],
      "peak-note": words["peak.note"],
      "state-note": words[`state.note.${code}`],
      sentence: words[`sentence.${code}`],
      context: words[`context.${blended}`],
      "fault-note": words[`fault.note.${state.fault}`],
      "inside-note": words[state.fault === "none" ? "lab.inside.note" : "lab.inside.fault"],
      "d_k-value": String(state.d_k),
      "scaled-value": words[`control.scaled.${scaled}`],
      "d_k-spoken": words["d_k.spoken"],
    };
    for (const place in texts) {
      texts[place] = fill(texts[place], { ...values, scale: texts["scaled-value"], state: texts["softmax-state"] });
    }
    texts.summary = fill(words.summary, {
      d_k: state.d_k,
      scale: texts["scaled-value"],
      spread: texts["score-spread"],
      sentence: texts.sentence,
    });
    texts.cell = cell ? tellCell(...cell) : words["cell.hint"];
    return texts;
  }

  /** The score to look inside: the cell that was chosen in this row, or the row's peak. */
  function scoreToOpen(state, arrays) {
    return chosen?.[0] === state.row ? chosen : [state.row, one(arrays.peak_key, ...index(state), state.row)];
  }

  function lookInside() {
    const { d_k, scaled, fault, text, seed } = figure.state;
    if (fault !== "none") return; // the button says why
    const [query, key] = scoreToOpen(figure.state, figure.data.arrays);
    const detail = { figure: "inside-one-score", state: { query, key, d_k, scaled, text, seed } };
    figure.root.dispatchEvent(new CustomEvent("figure-go", { bubbles: true, composed: true, detail }));
  }

  function chooseCell(row, key) {
    chosen = [row, key];
    figure.choose({ row });
  }

  function tellCell(q, k) {
    const { arrays, meta } = figure.data;
    const here = [...index(figure.state), q, k];
    return fill(figure.words.cell, {
      query: meta.tokens[q],
      key: meta.tokens[k],
      score: fixed(one(arrays.scores, ...here)),
      weight: fixed(one(arrays.weights, ...here)),
    });
  }

  function draw(state, { arrays, meta }) {
    const here = index(state);
    const weights = at(arrays.weights, ...here);
    const sums = at(arrays.row_sum, ...here);
    const T = meta.tokens.length;
    [...figure.part("tbody").rows].forEach((tr, q) => {
      tr.setAttribute("aria-selected", String(q === state.row));
      for (let k = 0; k < T; k++) write(tr.cells[k + 1], fixed(weights[q * T + k]));
      write(tr.cells[T + 1], fixed(sums[q]));
    });
    figure.part(".kpi-state").dataset.state = one(arrays.state, ...here, state.row);
    figure.part('[data-action="inside"]').setAttribute("aria-disabled", String(state.fault !== "none"));
    if (shown && shown !== figure.data) drawing.showFields();
    shown = figure.data;
    heatmap?.draw({ tokens: meta.tokens, values: weights, row: state.row, cell });
  }

  function point(next) {
    cell = next;
    write(figure.part('[data-text="cell"]'), cell ? tellCell(...cell) : figure.words["cell.hint"]);
    heatmap?.point(cell);
  }

  const figure = createFigure({
    ...host,
    name: "attention-lab",
    describe,
    draw,
    // What the checkpoint and the checklist of a lesson follow.
    facts: (state, { arrays }) => ({
      softmax: one(arrays.state, ...index(state), state.row),
      checks: [...at(arrays.checks, ...index(state))],
    }),
    settle(next, { meta }) {
      const settled = { ...next, text: meta.text, seed: meta.seed };
      for (const name of TOKEN_NAMES) settled[name] = Math.min(settled[name], meta.tokens.length - 1);
      if (cell?.some((i) => i >= meta.tokens.length)) cell = null;
      if (chosen?.some((i) => i >= meta.tokens.length)) chosen = null;
      return settled;
    },
    async joinPlots(items) {
      heatmap = await joinHeatmap(figure.part('[data-canvas="heatmap"]'), items.heatmap, {
        isDark: (weight) => weight >= figure.config.light_ink_from,
        onRow: chooseCell,
        onCell: (q, k) => point([q, k]),
        onLeave: () => point(null),
      });
    },
    recolour: () => heatmap?.recolour(),
    take(state, { arrays, meta }) {
      const [weights, sums] = [at(arrays.weights, ...index(state)), at(arrays.row_sum, ...index(state))];
      const T = meta.tokens.length;
      return { cells: { '[data-table="weights"]': (q, k) => (k < 0 ? undefined : k < T ? weights[q * T + k] : sums[q]) } };
    },
  });

  const drawing = followDraw({ figure, requestTable: host.requestTable });
  const actions = {
    ...drawing.actions,
    inside: lookInside,
    reset: () => figure.choose(figure.config.reset),
    copy: () => copyScript({ figure, say: (text) => drawing.say("copy", text) }),
  };
  figure.on(figure.root, "click", ({ target }) => actions[target.closest?.("[data-action]")?.dataset.action]?.());
  followGrid({
    grid: figure.part('[data-part="table"]'),
    on: figure.on,
    onCell: point,
    onRow: (row) => (cell ? chooseCell(row, cell[1]) : figure.choose({ row })),
  });
  figure.part("[data-inside]").hidden = !host.opens?.("inside-one-score");
  figure.render();
  return figure.handle;
}
