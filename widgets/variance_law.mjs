// The variance law: the bell of many scores, the spread and the peak against d_k.

import { joinBands } from "bands";
import { joinBell } from "bell";
import { createFigure } from "figure";
import { at, one } from "table";
import { fill, fixed } from "text";

const ROLES = {
  ...{ band: "many", middle: "many", law: "law", limit: "limit", now: "now" },
  ...{ draw: "draw", others: "draw", dot: "draw", dots: "draw" },
};

/** See figure.mjs for what a host passes in. */
export function mount(host) {
  let plots = null;
  let drawnScale = null; // what the lines and axes were last drawn for

  const where = (d_k, scaled) => [d_k - figure.config.d_k.min, Number(scaled)];

  function ends(band, ...here) {
    const [low, , high] = at(band, ...here);
    return { low: fixed(low), high: fixed(high) };
  }

  /** The numbers of one width as they are shown; variance_law.py has the same. */
  function numbersOf({ arrays }, ...here) {
    const numbers = {};
    for (const name of ["law", "deviation", "spread", "peak"]) numbers[name] = fixed(one(arrays[name], ...here));
    for (const name of ["spread_band", "peak_band"]) {
      numbers[name] = fill(figure.words["variance.range"], ends(arrays[name], ...here));
    }
    numbers.draws = String(one(arrays.peaked_draws, ...here));
    numbers.peaked = fixed(one(arrays.peaked_percent, ...here), 1);
    numbers.dead = fixed(one(arrays.dead_percent, ...here), 1);
    return numbers;
  }

  /** Every text that depends on the state; variance_law.py writes the same for the first state. */
  function describe(state, data) {
    const { config, words } = figure;
    const { arrays, meta } = data;
    const here = where(state.d_k, state.scaled);
    const scaled = Number(state.scaled);
    const numbers = numbersOf(data, ...here);
    const values = {
      ...numbers,
      d_k: state.d_k,
      n: meta.n,
      query: meta.tokens[meta.row],
      rows: meta.tokens.length,
      scores: at(arrays.scores, 0, 0).length,
      median: fixed(at(arrays.peak_band, ...here)[1]),
      text: meta.tokens.join(" "),
      scale: words[`control.scaled.${scaled}`],
    };
    const texts = {
      deviation: numbers.deviation,
      "deviation-label": words[`variance.deviation.${scaled}`],
      "deviation-note": words[`variance.law.${scaled}`],
      "draw-spread": numbers.spread,
      "spread-note": fill(words["variance.spread.note"], ends(arrays.spread_band, ...here)),
      "peak-label": words["variance.peak"],
      "draw-peak": numbers.peak,
      "peak-note": fill(words["variance.peak.note"], ends(arrays.peak_band, ...here)),
      "peaked-label": words["variance.peaked"],
      "peaked-draws": words["variance.peaked.value"],
      "peaked-note": words["variance.peaked.note"],
      "legend-many": words["variance.legend.many"],
      "legend-law": words[`variance.legend.law.${scaled}`],
      "legend-draw": words["variance.legend.draw"],
      sentence: words[`variance.sentence.${scaled}`],
      honest: words[`variance.honest.${scaled}`],
      "table-note": words["variance.table.note"],
      "column-peak": words["variance.column.peak"],
      "now-d_k": words["variance.row.now"],
      "d_k-value": String(state.d_k),
      "scaled-value": words[`control.scaled.${scaled}`],
      "d_k-spoken": words["variance.spoken"],
      summary: words["variance.summary"],
    };
    for (const place in texts) texts[place] = fill(texts[place], values);
    const rows = [["now", state.d_k], ...config.widths.map((width) => [width, width])];
    for (const [row, d_k] of rows) {
      const told = numbersOf(data, ...where(d_k, scaled));
      for (const name of ["peaked", "dead"]) told[name] = fill(words["variance.percent"], { value: told[name] });
      for (const column of config.columns) texts[`${row}-${column}`] = told[column];
    }
    return texts;
  }

  /** One scale's column of an array over all widths. */
  const overWidths = (array, scaled, ...rest) => widths().map((d_k) => one(array, ...where(d_k, scaled), ...rest));
  const bandOf = (array, scaled) => [0, 1, 2].map((quantile) => overWidths(array, scaled, quantile));

  function widths() {
    const { min, max } = figure.config.d_k;
    return Array.from({ length: max - min + 1 }, (_, i) => min + i);
  }

  function drawScale(scaled, { arrays }) {
    const { axes } = figure.config;
    const { words } = figure;
    plots.spread.lines({
      band: bandOf(arrays.spread_band, scaled),
      draw: overWidths(arrays.spread, scaled),
      law: overWidths(arrays.law, scaled),
    });
    plots.peak.lines({ band: bandOf(arrays.peak_band, scaled), draw: overWidths(arrays.peak, scaled) });
    plots.spread.axes({ ...axes.spread[scaled], title: words[`variance.axis.spread.${scaled}`] });
    plots.bell.axes({ ...axes.bell[scaled], title: words[`variance.axis.bell.${scaled}`] });
  }

  function draw(state, data) {
    if (!plots) return;
    const { arrays } = data;
    const scaled = Number(state.scaled);
    const here = where(state.d_k, scaled);
    if (drawnScale !== scaled) drawScale(scaled, data);
    drawnScale = scaled;
    plots.bell.draw({
      edges: at(arrays[scaled ? "scaled_edges" : "raw_edges"]),
      heights: at(arrays[scaled ? "scaled_density" : "raw_density"], here[0]),
      points: at(arrays[scaled ? "scaled_points" : "raw_points"]),
      curve: scaled ? at(arrays.scaled_normal) : at(arrays.raw_normal, here[0]),
      scores: at(arrays.scores, ...here),
      law: one(arrays.law, ...here),
      mark: figure.words[`variance.mark.${scaled}`],
    });
    plots.spread.now({ d_k: state.d_k, value: one(arrays.spread, ...here) });
    plots.peak.now({ d_k: state.d_k, value: one(arrays.peak, ...here) });
  }

  const figure = createFigure({
    ...host,
    name: "variance-law",
    describe,
    draw,
    async joinPlots(items) {
      const { part, root } = figure;
      const canvas = (name) => part(`[data-canvas="${name}"]`);
      const options = { root, roles: ROLES, widths: widths(), onWidth: (d_k) => figure.choose({ d_k }) };
      const [bell, spread, peak] = await Promise.all([
        joinBell(canvas("bell"), items.bell, { root }),
        joinBands(canvas("spread"), items.spread, options),
        joinBands(canvas("peak"), items.peak, options),
      ]);
      plots = { bell, spread, peak };
    },
    recolour: () => Object.values(plots ?? {}).forEach((plot) => plot.recolour()),
    take({ d_k, scaled }, { arrays }) {
      const { columns, widths } = figure.config;
      const exact = { peaked: arrays.peaked_percent, dead: arrays.dead_percent };
      for (const name of ["law", "deviation", "spread", "peak"]) exact[name] = arrays[name];
      const number = (row, column) => {
        const array = exact[columns[column]];
        return array && one(array, ...where([d_k, ...widths][row], scaled));
      };
      return { cells: { '[data-table="widths"]': number } };
    },
  });
  figure.render();
  return figure.handle;
}
