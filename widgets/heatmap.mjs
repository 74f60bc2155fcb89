// Moves the Bokeh plot that heatmap.py made: cells, labels, the outlined row, the pointer.

import { joinPlot } from "plot";
import { fixed } from "text";

const LONGEST_LABEL = 11;
const LABEL_PX = 7; // about the width of a letter of a label
const NUMBER_PX = 40; // of the whole plot for each column; with less, numbers would touch

/**
 * Draw the Bokeh plot `item` (JSON) in `target` and join it.
 * isDark(value) says which cells need white ink. onRow(q, k) is called for a click, onCell(q, k) as the pointer moves, onLeave() when it leaves.
 */
export async function joinHeatmap(target, item, { isDark, onRow = () => {}, onCell = () => {}, onLeave = () => {} }) {
  const { plot, sources, recolour } = await joinPlot(target, item);
  const labels = plot.renderers.find((renderer) => renderer.name === "labels").glyph;
  const axes = [...plot.above, ...plot.left];
  const PlainText = window.Bokeh.Models.get("PlainText");
  let tokens = null;
  let hovered = null;

  const cellUnder = ({ x, y }) => {
    const [k, q] = [Math.round(x), Math.round(y)];
    return q >= 0 && k >= 0 && q < tokens.length && k < tokens.length ? [q, k] : null;
  };
  plot.on_event("tap", (event) => {
    const cell = cellUnder(event);
    if (cell) onRow(...cell);
  });
  plot.on_event("mousemove", (event) => {
    const cell = cellUnder(event);
    if (String(cell) === String(hovered)) return;
    hovered = cell;
    if (cell) onCell(...cell);
    else onLeave();
  });
  plot.on_event("mouseleave", () => {
    hovered = null;
    onLeave();
  });

  function relabel(next) {
    tokens = next;
    const T = tokens.length;
    const short = tokens.map((token) => (token.length > LONGEST_LABEL ? `${token.slice(0, LONGEST_LABEL - 1)}…` : token));
    plot.x_range.end = T - 0.5;
    plot.y_range.start = T - 0.5;
    for (const axis of axes) {
      axis.ticker.ticks = tokens.map((_, i) => i);
      // Plain text: a label must never be read as a formula.
      axis.major_label_overrides = new Map(short.map((text, i) => [i, new PlainText({ text })]));
      axis.major_label_text_font_size = T > 8 ? "11px" : "13px";
    }
    turnLabels(short);
    labels.text_font_size = target.clientWidth / T < NUMBER_PX ? "10px" : "13px";
  }

  /** Slant the column labels where they would run into each other. */
  function turnLabels(short) {
    const longest = Math.max(...short.map((text) => text.length));
    const room = (plot.inner_width ?? 300) / short.length;
    plot.above[0].major_label_orientation = longest * LABEL_PX > room ? 0.8 : "horizontal";
  }

  return {
    plot,
    sources,
    recolour,
    /** Draw one state: a value a cell, row by row; the chosen row; the cell that is told in words. */
    draw({ tokens: next, values, row, cell }) {
      if (next !== tokens) relabel(next);
      const T = tokens.length;
      const weight = Array.from(values);
      const cells = weight.map((_, i) => i);
      sources.weights.data = {
        q: cells.map((i) => Math.trunc(i / T)),
        k: cells.map((i) => i % T),
        weight,
        label: weight.map((value) => fixed(value)),
        ink: weight.map((value) => (isDark(value) ? "#ffffff" : "#000000")),
      };
      sources.row.data = row == null ? { k: [], q: [], w: [] } : { k: [(T - 1) / 2], q: [row], w: [T] };
      sources.cell.data = cell ? { q: [cell[0]], k: [cell[1]] } : { q: [], k: [] };
    },
    /** Outline the cell that is told in words, without touching the rest. */
    point(cell) {
      sources.cell.data = cell ? { q: [cell[0]], k: [cell[1]] } : { q: [], k: [] };
    },
  };
}
