// Gradient health: one row's softmax Jacobian, the norms of all rows, and many draws behind them.

import { joinBands } from "bands";
import { createFigure } from "figure";
import { followGrid } from "grid";
import { joinHeatmap } from "heatmap";
import { redrawing } from "redraw";
import { at, one } from "table";
import { fill, fixed, write } from "text";

const ROLES = {
  ...{ band: "many", middle: "many", limit: "limit", now: "now", law: "many" },
  ...{ draw: "draw", others: "draw", dot: "draw", dots: "draw" },
};
const SCALE_NAMES = ["raw", "scaled"];

/** See figure.mjs for what a host passes in. */
export function mount(host) {
  let heatmap = null;
  let bands = null;
  let drawn = null; // what the lines were last drawn for
  let cell = null; // the cell that is told in words, [weight, score]

  const where = (d_k, scaled) => [d_k - figure.config.d_k.min, Number(scaled)];

  /** Every text that depends on the state; gradient_health.py writes the same for the first state. */
  function describe(state, { arrays, meta }) {
    const { words } = figure;
    const here = where(state.d_k, state.scaled);
    const dead = one(arrays.dead, ...here, state.row);
    const [low, middle, high] = at(arrays.norm_band, ...here);
    const values = {
      query: meta.tokens[state.row],
      norm: fixed(one(arrays.norm, ...here, state.row), 3),
      dead: one(arrays.dead_rows, ...here),
      rows: meta.tokens.length,
      n: meta.n,
      percent: fixed(one(arrays.dead_percent, ...here), 1),
      low: fixed(low, 3),
      high: fixed(high, 3),
      digits: fixed(one(arrays.error_digits, ...here), 1),
      exponent: fixed(one(arrays.error_exponent, ...here), 0),
      seed: meta.seed,
      d_k: state.d_k,
      scale: words[`control.scaled.${Number(state.scaled)}`],
      ...wild(arrays),
    };
    const texts = {
      "norm-label": words["health.norm"],
      norm: values.norm,
      "norm-note": words[`health.norm.note.${dead}`],
      "dead-rows": words["health.dead.value"],
      "dead-note": words["health.dead.note"],
      "middle-label": words["health.middle"],
      middle: fixed(middle, 3),
      "middle-note": words["health.middle.note"],
      checked: words["health.checked"],
      sentence: words[`health.sentence.${dead}`],
      "legend-many": words["health.legend.many"],
      "legend-draw": words["health.legend.draw"],
      wild: words["health.wild"],
      "jacobian-title": words["health.jacobian.table"],
      draw: words["health.draw"],
      "d_k-value": String(state.d_k),
      "scaled-value": values.scale,
      "d_k-spoken": words["health.spoken"],
    };
    for (const place in texts) texts[place] = fill(texts[place], values);
    texts.summary = fill(words["health.summary"], { ...values, sentence: texts.sentence });
    texts.cell = tellCell(state, { arrays, meta });
    return texts;
  }

  /** Numbers of the widest head, without and with the scale: those of dL/dW_q and the dead rows. */
  function wild(arrays) {
    const last = arrays.gradient_widths.data.length - 1;
    const width = one(arrays.gradient_widths, last);
    const numbers = { width };
    SCALE_NAMES.forEach((name, scaled) => {
      numbers[`mean_${name}`] = fixed(one(arrays.gradient_mean, last, scaled), 1);
      numbers[`median_${name}`] = fixed(one(arrays.gradient_band, last, scaled, 1), 1);
    });
    numbers.percent_raw = fixed(one(arrays.dead_percent, ...where(width, false)), 1);
    numbers.dead_raw = one(arrays.dead_rows, ...where(width, false));
    return numbers;
  }

  function tellCell(state, { arrays, meta }) {
    if (!cell) return figure.words["health.cell.hint"];
    return fill(figure.words["health.cell"], {
      query: meta.tokens[state.row],
      weight: meta.tokens[cell[0]],
      score: meta.tokens[cell[1]],
      value: fixed(one(arrays.jacobian, ...where(state.d_k, state.scaled), state.row, ...cell)),
    });
  }

  function draw(state, { arrays, meta }) {
    const here = where(state.d_k, state.scaled);
    const jacobian = at(arrays.jacobian, ...here, state.row);
    const T = meta.tokens.length;
    [...figure.part('[data-table="jacobian"] tbody').rows].forEach((tr, i) => {
      for (let j = 0; j < T; j++) write(tr.cells[j + 1], fixed(jacobian[i * T + j]));
    });
    [...figure.part('[data-part="norms"]').rows].forEach((tr, q) => {
      const dead = one(arrays.dead, ...here, q);
      const norm = fixed(one(arrays.norm, ...here, q), 3);
      tr.dataset.dead = dead;
      tr.setAttribute("aria-selected", String(q === state.row));
      tr.querySelector("input").checked = q === state.row;
      tr.querySelector("i").style.setProperty("--norm", norm);
      write(tr.cells[2], norm);
      write(tr.cells[3], figure.words[`health.state.${dead}`]);
    });
    heatmap?.draw({ tokens: meta.tokens, values: jacobian, row: null, cell });
    if (bands) drawBands(state, { arrays, meta });
  }

  function drawBands({ d_k, scaled, row }, { arrays, meta }) {
    const norms = (q) => widths().map((width) => one(arrays.norm, ...where(width, scaled), q));
    const others = meta.tokens.map((_, q) => q).filter((q) => q !== row);
    const quantiles = (quantile) => widths().map((width) => one(arrays.norm_band, ...where(width, scaled), quantile));
    const wanted = [arrays, scaled, row];
    if (!wanted.every((value, i) => value === drawn?.[i])) {
      bands.lines({ band: [0, 1, 2].map(quantiles), draw: norms(row), others: others.map(norms) });
      drawn = wanted;
    }
    const at_d_k = (q) => one(arrays.norm, ...where(d_k, scaled), q);
    bands.now({ d_k, value: at_d_k(row), others: others.map(at_d_k) });
  }

  function widths() {
    const { min, max } = figure.config.d_k;
    return Array.from({ length: max - min + 1 }, (_, i) => min + i);
  }

  function point(next) {
    cell = next;
    write(figure.part('[data-text="cell"]'), tellCell(figure.state, figure.data));
    heatmap?.point(cell);
  }

  const figure = createFigure({
    ...host,
    name: "gradient-health",
    describe,
    draw,
    settle(next, { meta }) {
      const last = meta.tokens.length - 1;
      if (cell?.some((i) => i > last)) cell = null;
      return { ...next, text: meta.text, seed: meta.seed, row: Math.min(next.row, last) };
    },
    async joinPlots(items) {
      const { config, part, root } = figure;
      const [lightFrom, lightTo] = config.white_ink;
      heatmap = await joinHeatmap(part('[data-canvas="jacobian"]'), items.jacobian, {
        isDark: (entry) => entry < lightFrom || entry > lightTo,
        letters: 5,
        onCell: (i, j) => point([i, j]),
        onLeave: () => point(null),
      });
      bands = await joinBands(part('[data-canvas="norms"]'), items.norms, {
        root,
        roles: ROLES,
        widths: widths(),
        onWidth: (d_k) => figure.choose({ d_k }),
      });
    },
    recolour() {
      heatmap?.recolour();
      bands?.recolour();
    },
    take(state, { arrays }) {
      const here = where(state.d_k, state.scaled);
      const jacobian = at(arrays.jacobian, ...here, state.row);
      const wild = (width, scaled) => [one(arrays.gradient_mean, width, scaled), one(arrays.gradient_band, width, scaled, 1)];
      return {
        cells: {
          '[data-table="jacobian"]': (i, j) => (j < 0 ? undefined : jacobian[i * arrays.jacobian.shape.at(-1) + j]),
          '[data-table="norms"]': (q, column) => (column === 0 ? one(arrays.norm, ...here, q) : undefined),
          '[data-table="wild"]': (width, column) => (column < 0 ? undefined : wild(width, Math.trunc(column / 3))[column % 3]),
        },
      };
    },
  });

  figure.on(figure.part('[data-table="norms"]'), "click", ({ target }) => {
    const tr = target.closest("tr[data-q]");
    if (tr && Number(tr.dataset.q) !== figure.state.row) figure.choose({ row: Number(tr.dataset.q) });
  });
  followGrid({ grid: figure.part('[data-part="jacobian"]'), on: figure.on, onCell: point, onRow: () => {} });
  const actions = redrawing({ figure, requestTable: host.requestTable });
  figure.on(figure.root, "click", ({ target }) => actions[target.closest?.("[data-action]")?.dataset.action]?.());
  figure.render();
  return figure.handle;
}
