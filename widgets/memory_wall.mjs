// The memory wall: the length of the text and the type of its numbers; all 16 lengths are tabulated.

import { createFigure } from "figure";
import { joinPlot } from "plot";
import { one } from "table";
import { fill, fixed, write } from "text";

/** See figure.mjs for what a host passes in. */
export function mount(host) {
  let growth = null;

  /** Every text that depends on the state; memory_wall.py writes the same for the first state. */
  function describe({ length, dtype }, { arrays, meta }) {
    const { config, words } = figure;
    const type = config.dtypes.indexOf(dtype);
    const ratio = one(arrays.ratio, length);
    const which = ratio >= 1 ? "more" : "less";
    const values = {
      tokens: meta.tokens[length],
      table: meta.table[length][type],
      streaming: meta.streaming[length][type],
      times: fixed(which === "more" ? ratio : one(arrays.inverse, length), 1),
    };
    const texts = {
      "length-value": values.tokens,
      table: values.table,
      streaming: values.streaming,
      times: words["memory.times"],
      "times-label": words[`memory.times.label.${which}`],
      "times-note": words[`memory.times.note.${which}`],
      "dtype-note": words[`memory.dtype.${dtype}`],
      sentence: words[`memory.sentence.${which}`],
      "length-spoken": words["memory.spoken"],
    };
    for (const place in texts) texts[place] = fill(texts[place], values);
    const told = { sentence: texts.sentence, label: texts["times-label"], times: texts.times, note: texts["times-note"] };
    texts.summary = fill(words["memory.summary"], told);
    return texts;
  }

  function draw({ length, dtype }, { arrays, meta }) {
    const type = figure.config.dtypes.indexOf(dtype);
    [...figure.part("tbody").rows].forEach((tr, i) => {
      if (i === length) tr.setAttribute("aria-current", "true");
      else tr.removeAttribute("aria-current");
      write(tr.cells[1], meta.table[i][type]);
      write(tr.cells[2], meta.streaming[i][type]);
    });
    growth?.draw(arrays, length, type);
  }

  const figure = createFigure({
    ...host,
    name: "memory-wall",
    describe,
    draw,
    async joinPlots(items) {
      growth = await joinGrowth(figure.part('[data-canvas="growth"]'), items.growth, figure.root);
    },
    recolour: () => growth?.recolour(),
    take({ dtype }, { arrays }) {
      const type = figure.config.dtypes.indexOf(dtype);
      const row = (i) => [one(arrays.score_table, i, type), one(arrays.streaming, i, type), one(arrays.ratio, i)];
      return { cells: { '[data-table="bytes"]': (i, column) => (column < 0 ? one(arrays.T, i) : row(i)[column]) } };
    },
  });
  figure.on(figure.part("tbody"), "click", ({ target }) => {
    const tr = target.closest("tr");
    if (tr) figure.choose({ length: Number(tr.dataset.length) });
  });
  figure.render();
  return figure.handle;
}

/** The plot of both costs; `root` holds the parts whose colours its lines take. */
async function joinGrowth(target, item, root) {
  const { plot, sources, recolour } = await joinPlot(target, item);
  const COSTS = { table: "score_table", streaming: "streaming" };
  // A line has the colour of its column in the table, the mark of the length that of the text.
  const WEARERS = { table: ".wall-of-table", streaming: ".wall-of-streaming", chosen: "tbody th" };

  function colour() {
    recolour();
    for (const { name, glyph } of plot.renderers) {
      const { color } = getComputedStyle(root.querySelector(WEARERS[name]));
      glyph.line_color = color;
      if ("fill_color" in glyph) glyph.fill_color = color;
    }
  }
  colour();

  return {
    recolour: colour,
    draw(arrays, length, type) {
      const T = Array.from(arrays.T.data);
      for (const [name, array] of Object.entries(COSTS)) {
        sources[name].data = { T, bytes: T.map((_, i) => one(arrays[array], i, type)) };
        sources[`${name}-point`].data = { T: [T[length]], bytes: [one(arrays[array], length, type)] };
      }
      sources.chosen.data = { x: [T[length]] };
    },
  };
}
