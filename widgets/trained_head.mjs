// A trained head: choose one of 72, take its scale away; weights, read-outs and the picture of all heads follow.

import { createFigure } from "figure";
import { followGrid } from "grid";
import { joinHeatmap } from "heatmap";
import { followAtlas } from "heads-atlas";
import { at, one } from "table";
import { fill, fixed, write } from "text";

const exact = (value) => Number(value.toPrecision(9)); // enough for a float32
const ofHead = ({ layer, head, scaled }) => [layer - 1, head - 1, Number(scaled)];

/** How a key stands to the query that looks at it. */
function whom(row, key, tokens) {
  if (key === row) return "self";
  if (key === 0 || key === tokens - 1) return key === 0 ? "first" : "last";
  return { 1: "after", [-1]: "before" }[key - row] ?? "other";
}

/** See figure.mjs for what a host passes in. */
export function mount(host) {
  let heatmap = null;
  let cell = null; // the cell that is told in words, [q, k]

  /** Every text that depends on the state; trained_head_view.py writes the same for the first state. */
  function describe(state, { arrays, meta }) {
    const { words } = figure;
    const { row } = state;
    const here = ofHead(state);
    const scaled = Number(state.scaled);
    const [code, key] = [one(arrays.state, ...here, row), one(arrays.peak_key, ...here, row)];
    const values = {
      layer: state.layer,
      head: state.head,
      query: meta.tokens[row],
      key: meta.tokens[key],
      weight: fixed(one(arrays.peak, ...here, row), 3),
      median: fixed(one(arrays.median_spread, scaled)),
      saturated: one(arrays.saturated_rows, ...here),
      dead: one(arrays.dead_rows, ...here),
      rows: meta.tokens.length,
      scale: words[`control.scaled.${scaled}`],
    };
    values.whom = fill(words[`trained.whom.${whom(row, key, meta.tokens.length)}`], values);
    const texts = {
      "layer-value": String(state.layer),
      "head-value": String(state.head),
      "scaled-value": values.scale,
      "layer-spoken": words["trained.spoken"],
      "head-spoken": words["trained.spoken"],
      "score-spread": fixed(one(arrays.spread, ...here)),
      "spread-note": words["trained.spread.note"],
      "peak-label": words["trained.peak"],
      "peak-weight": values.weight,
      "peak-note": words["trained.peak.note"],
      "state-label": words["trained.state"],
      "softmax-state": words[`trained.state.${code}`],
      "state-note": words[`trained.state.note.${code}`],
      "saturated-rows": words["trained.saturated.count"],
      "dead-rows": words["trained.dead.count"],
      "norm-label": words["trained.norm"],
      "row-norm": fixed(one(arrays.norm, ...here, row), 4),
      sentence: words[`trained.sentence.${code}`],
      reply: words[`trained.reply.${scaled}`],
      "atlas-title": words[`trained.atlas.${scaled}`],
    };
    for (const place in texts) texts[place] = fill(texts[place], values);
    texts.summary = fill(words["trained.summary"], { ...values, sentence: texts.sentence });
    texts.cell = cell ? tellCell(...cell) : words["trained.cell.hint"];
    return texts;
  }

  function tellCell(q, k) {
    const { arrays, meta } = figure.data;
    const here = [...ofHead(figure.state), q, k];
    return fill(figure.words["trained.cell"], {
      query: meta.tokens[q],
      key: meta.tokens[k],
      score: fixed(one(arrays.scores, ...here)),
      weight: fixed(one(arrays.weights, ...here)),
    });
  }

  function draw(state, { arrays, meta }) {
    const here = ofHead(state);
    const scaled = Number(state.scaled);
    const weights = at(arrays.weights, ...here);
    const sums = at(arrays.row_sum, ...here);
    const T = meta.tokens.length;
    [...figure.part('[data-part="table"] tbody').rows].forEach((tr, q) => {
      tr.setAttribute("aria-selected", String(q === state.row));
      for (let k = 0; k < T; k++) write(tr.cells[k + 1], fixed(weights[q * T + k]));
      write(tr.cells[T + 1], fixed(sums[q]));
    });
    figure.part(".kpi-state").dataset.state = one(arrays.state, ...here, state.row);
    atlas.draw({
      // Every second count: with and without the scale take turns.
      counts: arrays.saturated_rows.data.filter((_, i) => i % 2 === scaled),
      layer: state.layer,
      head: state.head,
    });
    for (const tr of figure.root.querySelectorAll(".heads-bars tbody tr")) {
      const count = one(arrays.saturated_rows, here[0], here[1], Number(tr.dataset.setting));
      tr.querySelectorAll("td").forEach((td, rows) => td.setAttribute("aria-current", String(rows === count)));
    }
    for (const part of figure.root.querySelectorAll("[data-setting]")) {
      part.toggleAttribute("data-now", Number(part.dataset.setting) === scaled);
    }
    heatmap?.draw({ tokens: meta.tokens, values: weights, row: state.row, cell });
  }

  function point(next) {
    cell = next;
    write(figure.part('[data-text="cell"]'), cell ? tellCell(...cell) : figure.words["trained.cell.hint"]);
    heatmap?.point(cell);
  }

  const figure = createFigure({
    ...host,
    name: "trained-head",
    describe,
    draw,
    async joinPlots(items) {
      heatmap = await joinHeatmap(figure.part('[data-canvas="heatmap"]'), items.heatmap, {
        isDark: (weight) => weight >= figure.config.light_ink_from,
        onRow: (row) => figure.choose({ row }),
        onCell: (q, k) => point([q, k]),
        onLeave: () => point(null),
      });
    },
    recolour: () => heatmap?.recolour(),
    take(state, { arrays, meta }) {
      const here = ofHead(state);
      const [weights, sums] = [at(arrays.weights, ...here), at(arrays.row_sum, ...here)];
      const T = meta.tokens.length;
      const raw = at(arrays.scores, here[0], here[1], 0);
      const rows = meta.tokens.map((_, q) => `        [${Array.from(raw.subarray(q * T, (q + 1) * T), exact).join(", ")}],`).join("\n");
      return {
        cells: { '[data-table="weights"]': (q, k) => (k < 0 ? undefined : k < T ? weights[q * T + k] : sums[q]) },
        script: { tokens: JSON.stringify(meta.tokens), rows },
      };
    },
  });

  const atlas = followAtlas({
    grid: figure.part('[data-table="heads"]'),
    on: figure.on,
    onHead: (layer, head) => figure.choose({ layer, head }),
  });
  figure.on(figure.root, "click", ({ target }) => {
    const look = target.closest?.("[data-look]");
    if (look) figure.choose(JSON.parse(look.dataset.look));
  });
  followGrid({
    grid: figure.part('[data-part="table"]'),
    on: figure.on,
    onCell: point,
    onRow: (row) => figure.choose({ row }),
  });
  figure.render();
  return figure.handle;
}
