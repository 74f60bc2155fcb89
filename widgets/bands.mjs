// Moves the plots that bands.py made, and colours them as the figure's legend is coloured.

import { followPointer, joinPlot } from "plot";

const COLOURS = ["fill_color", "line_color", "text_color"];

/**
 * Join a plot whose renderers are coloured by role.
 * roles: { renderer's name: role }; a [data-role] element in `root` (a legend's key) has the role's colour.
 */
export async function joinRoles(target, item, { root, roles }) {
  const { plot, sources, recolour } = await joinPlot(target, item);

  function recolourAll() {
    recolour();
    for (const { name, glyph } of plot.renderers) {
      const { color } = getComputedStyle(root.querySelector(`[data-role="${roles[name]}"]`));
      for (const property of COLOURS) if (glyph.properties[property]) glyph[property] = color;
    }
  }
  recolourAll();
  return { plot, sources, recolour: recolourAll };
}

/** Join a plot of something against d_k. onWidth(d_k) is called for a click. */
export async function joinBands(target, item, { root, roles, widths, onWidth }) {
  const { plot, sources, recolour } = await joinRoles(target, item, { root, roles });
  const widthAt = ({ x }) => Math.min(Math.max(Math.round(x), widths[0]), widths.at(-1));
  followPointer(target, plot, { onTap: (point) => onWidth(widthAt(point)) });

  return {
    recolour,
    /** Another fixed y axis, from 0. */
    axes({ high, ticks, title }) {
      plot.y_range.end = high;
      plot.left[0].ticker.ticks = ticks;
      plot.left[0].axis_label = title;
    },
    /** The lines: arrays with an entry for each width. They change with the table and the scale, not while dragging. */
    lines({ band: [low, middle, high], draw, law, others = [] }) {
      sources.band.data = { d_k: widths, low, middle, high };
      sources.draw.data = { d_k: widths, value: draw };
      if (law) sources.law.data = { d_k: widths, value: law };
      sources.others.data = { d_k: others.map(() => widths), value: others };
    },
    /** The chosen width: this draw's value there, and those of the other lines. */
    now({ d_k, value, others = [] }) {
      sources.now.data = { d_k: [d_k] };
      sources.dot.data = { d_k: [d_k], value: [value] };
      sources.dots.data = { d_k: others.map(() => d_k), value: others };
    },
  };
}
