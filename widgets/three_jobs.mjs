// One vector, three jobs: a pair and its mirror, with bare embeddings and with queries and keys.

import { createFigure } from "figure";
import { followGrid } from "grid";
import { joinHeatmap } from "heatmap";
import { at, one } from "table";
import { fill, fixed, write } from "text";
import { labelCells, laidOut } from "three-jobs-labels";

const SIDES = ["raw", "made"];
const TOKEN_NAMES = ["query", "key"];

/** See figure.mjs for what a host passes in. */
export function mount(host) {
  const heatmaps = {};
  let pointed = null; // the cell under the pointer or the focus, [i, j]

  /** What a side shows, as an array (T, T). */
  function shown(side, { draw, show }, { arrays, meta }) {
    const T = meta.tokens.length;
    const data = side === "raw" ? arrays[`raw_${show}`].data : at(arrays[show], draw);
    return { data, shape: [T, T] };
  }

  /** Every text that depends on the state; three_jobs_view.py writes the same for the first state. */
  function describe(state, data) {
    const { arrays, meta } = data;
    const { words } = figure;
    const { query: i, key: j, draw, show } = state;
    const name = (token) => meta.tokens[token];
    const [first, second] = at(arrays.asymmetric_pair, draw);
    const values = {
      query: name(i),
      key: name(j),
      set: draw + 1,
      sets: meta.seeds.length,
      seed: meta.seeds[draw],
      one: name(first),
      other: name(second),
    };
    const texts = {
      set: words["jobs.set"],
      "raw-asymmetry": fixed(one(arrays.raw_asymmetry)),
      asymmetry: fixed(one(arrays.asymmetry, draw)),
      "asymmetry-note": words["jobs.asymmetry.note"],
    };
    for (const side of SIDES) {
      const pairs = shown(side, state, data);
      const [there, back] = [fixed(one(pairs, i, j)), fixed(one(pairs, j, i))];
      const kind = i === j ? "self" : there === back ? "same" : "apart";
      const numbers = { ...values, there, back, self: fixed(one(pairs, i, i)) };
      texts[`${side}-pair`] = fill(words[`jobs.${side}.${show}.${kind}`], numbers);
      texts[`${side}-self`] = fill(words[`jobs.${side}.${show}.diagonal`], numbers);
    }
    texts.summary = words["jobs.summary"];
    const all = { ...values, raw: texts["raw-pair"], made: texts["made-pair"] };
    return Object.fromEntries(Object.entries(texts).map(([place, text]) => [place, fill(text, all)]));
  }

  function draw(state, data) {
    const { query: i, key: j } = state;
    for (const side of SIDES) {
      const pairs = shown(side, state, data);
      const rows = figure.part(`[data-part="${side}-table"] tbody`).rows;
      [...rows].forEach((tr, q) =>
        [...tr.cells].slice(1).forEach((td, k) => {
          write(td, fixed(one(pairs, q, k)));
          td.setAttribute("aria-selected", String((q === i && k === j) || (q === j && k === i)));
        }),
      );
      if (heatmaps[side]) drawHeatmap(side, pairs.data, state, data);
    }
  }

  function drawHeatmap(side, values, { query: i, key: j, show }, { meta }) {
    const { config } = figure;
    const { plot, sources, draw: drawCells } = heatmaps[side];
    const bar = plot.right.find((piece) => piece.name === "bar");
    const [low, high] = show === "scores" ? [-config.limits[side], config.limits[side]] : [0, 1];
    if (plot.right.at(-1).text !== config.value_titles[show]) {
      bar.color_mapper.setv({ palette: config.palettes[show], low, high });
      bar.ticker.ticks = config.ticks[show === "scores" ? side : show];
      plot.right.at(-1).text = config.value_titles[show];
    }
    drawCells({ tokens: meta.tokens, values, row: null, cell: pointed });
    labelCells({ plot, source: sources.weights, values, columns: meta.tokens.length });
    sources.pair.data = { q: [i, j], k: [j, i] };
  }

  function isDark(side, value) {
    const { light_ink_from: from } = figure.config;
    if (figure.state.show === "weights") return value >= from.weights;
    return value >= from.scores[side].above || value <= from.scores[side].below;
  }

  function point(cell) {
    pointed = cell;
    for (const heatmap of Object.values(heatmaps)) heatmap.point(cell);
  }

  const choosePair = (query, key) => figure.choose({ query, key });

  const figure = createFigure({
    ...host,
    name: "three-jobs",
    describe,
    draw,
    settle(next, { meta }) {
      const settled = { ...next, text: meta.text, seed: meta.seed };
      for (const name of TOKEN_NAMES) settled[name] = Math.min(settled[name], meta.tokens.length - 1);
      if (pointed?.some((token) => token >= meta.tokens.length)) pointed = null;
      return settled;
    },
    async joinPlots(items) {
      for (const side of SIDES) {
        heatmaps[side] = await joinHeatmap(figure.part(`[data-canvas="${side}"]`), items[side], {
          isDark: (value) => isDark(side, value),
          letters: null,
          onRow: choosePair,
          onCell: (q, k) => point([q, k]),
          onLeave: () => point(null),
        });
      }
      figure.render(); // labels take their room from the cells, so numbers fit only after this
      await laidOut();
    },
    recolour: () => Object.values(heatmaps).forEach((heatmap) => heatmap.recolour()),
    take(state, data) {
      const of = (side) => (q, k) => (k < 0 ? undefined : one(shown(side, state, data), q, k));
      return { cells: Object.fromEntries(SIDES.map((side) => [`[data-part="${side}-table"] table`, of(side)])) };
    },
  });

  for (const side of SIDES) {
    followGrid({
      grid: figure.part(`[data-part="${side}-table"]`),
      on: figure.on,
      onCell: point,
      onRow: (row) => choosePair(row, pointed?.[1] ?? figure.state.key),
    });
  }
  figure.on(figure.part('[data-action="redraw"]'), "click", () =>
    figure.choose({ draw: (figure.state.draw + 1) % figure.config.draws }),
  );
  figure.on(window, "resize", async () => {
    await laidOut();
    draw(figure.state, figure.data);
  });
  figure.render();
  return figure.handle;
}
