// The three bands over c = 1…64: components, products and their running sum.

import { followPointer, joinPlot } from "plot";
import { at } from "table";

const FAINT = 0.3; // components that only a wider head would have

/** Join the plots; onComponent(c or null) follows the pointer, c counted from 0. */
export async function joinStrips({ figure, items, onComponent }) {
  const strips = {};
  for (const name of ["components", "products", "sums"]) {
    strips[name] = await joinPlot(figure.part(`[data-canvas="${name}"]`), items[name]);
    const { plot } = strips[name];
    const follow = ({ x }) => {
      const c = Math.round(x) - 1;
      onComponent(c >= 0 && c < figure.config.d_k.max ? c : null);
    };
    followPointer(figure.part(`[data-canvas="${name}"]`), plot, { onMove: follow, onLeave: () => onComponent(null), onTap: follow });
  }
  const { components, products, sums } = strips;

  /** Axes hold every state of the sentence, so nothing rescales under a drag. */
  function setAxes(limits) {
    for (const [name, { plot }] of Object.entries(strips)) {
      const limit = limits[name];
      plot.y_range.setv({ start: -limit, end: limit });
      plot.left[0].ticker.ticks = [-limit, 0, limit];
    }
  }

  /** Bars and lines wear the colours that the words above them have. */
  function recolour() {
    const inks = { query: ".query", key: ".key", accent: ".inside-product" };
    for (const { plot, recolour: recolourAxes } of Object.values(strips)) {
      recolourAxes();
      for (const { name, glyph } of plot.renderers) {
        if (!inks[name]) continue;
        const { color } = getComputedStyle(figure.part(`.inside-strip ${inks[name]}`));
        if (glyph.properties.fill_color) glyph.fill_color = color;
        else glyph.line_color = color;
      }
    }
  }
  recolour();

  let shown = null; // the table that the axes belong to
  return {
    recolour,
    draw({ query: i, key: j, d_k }, data) {
      const { arrays, meta } = data;
      if (shown !== data) setAxes(meta.limits);
      shown = data;
      const alpha = Array.from({ length: figure.config.d_k.max }, (_, c) => (c < d_k ? 1 : FAINT));
      const running = [0, ...at(arrays.shown_running_sum, i, j)];
      const steps = running.map((_, c) => c);
      components.sources.components.data = {
        ...components.sources.components.data,
        q: Array.from(at(arrays.Q, i)),
        k: Array.from(at(arrays.K, j)),
        alpha,
      };
      products.sources.products.data = {
        ...products.sources.products.data,
        product: Array.from(at(arrays.shown_products, i, j)),
        alpha,
      };
      sums.sources.sum.data = { c: steps.slice(0, d_k + 1), sum: running.slice(0, d_k + 1) };
      sums.sources.beyond.data = { c: steps.slice(d_k), sum: running.slice(d_k) };
      sums.sources.end.data = { c: [d_k], sum: [running[d_k]] };
    },
  };
}
