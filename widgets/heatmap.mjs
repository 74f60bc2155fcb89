// Moves the Bokeh plot that heatmap.py made: cells, labels, the outlined row, the pointer.

import { followPointer, joinPlot } from "plot";
import { fixed } from "text";

const LONGEST_LABEL = 11;
const LABEL_PX = 7; // about the width of a letter of a label
const NUMBER_PX = [13, 12, 11, 10]; // sizes of the numbers in cells, best first
const BETWEEN_PX = 3; // from one number to the next
const NARROW_PX = 340; // a plot with less has its room for cells: the numbers in them stand in for the colour bar

/**
 * Draw the Bokeh plot `item` (JSON) in `target` and join it.
 * isDark(value)  says which cells need white ink
 * letters        of the longest number in a cell; null where another module writes the numbers
 * onCell(q, k)   is called as the pointer moves, and for a click or tap; then onRow(q, k) for these alone
 * onLeave()      when the pointer leaves the cells, or taps beside them
 */
export async function joinHeatmap(target, item, { isDark, letters = 4, onRow = () => {}, onCell = () => {}, onLeave = () => {} }) {
  const { plot, sources, recolour } = await joinPlot(target, item);
  const labels = plot.renderers.find((renderer) => renderer.name === "labels");
  const axes = [...plot.above, ...plot.left];
  const PlainText = window.Bokeh.Models.get("PlainText");
  // Plain text: a label must never be read as a formula. By position and kept: a document never lets go of a model.
  const labelled = [];
  let tokens = null;
  let longest = 0; // letters from the middle of a column label to that of the next, at most
  let hovered = null;

  const cellUnder = ({ x, y }) => {
    const [k, q] = [Math.round(x), Math.round(y)];
    return q >= 0 && k >= 0 && q < tokens.length && k < tokens.length ? [q, k] : null;
  };
  function tell(cell) {
    hovered = cell;
    if (cell) onCell(...cell);
    else onLeave();
  }
  followPointer(target, plot, {
    onMove(point) {
      const cell = cellUnder(point);
      if (String(cell) !== String(hovered)) tell(cell);
    },
    onLeave: () => tell(null),
    onTap(point) {
      const cell = cellUnder(point);
      tell(cell);
      if (cell) onRow(...cell);
    },
  });
  plot.connect(plot.properties.inner_width.change, () => tokens && fit());

  function relabel(next) {
    tokens = next;
    const T = tokens.length;
    const short = tokens.map((token) => (token.length > LONGEST_LABEL ? `${token.slice(0, LONGEST_LABEL - 1)}…` : token));
    plot.x_range.end = T - 0.5;
    plot.y_range.start = T - 0.5;
    short.forEach((text, i) => {
      if (labelled[i]) labelled[i].text = text;
      else labelled[i] = new PlainText({ text });
    });
    for (const axis of axes) {
      axis.ticker.ticks = tokens.map((_, i) => i);
      axis.major_label_overrides = new Map(labelled.map((label, i) => [i, label]));
      axis.major_label_text_font_size = T > 8 ? "11px" : "13px";
      axis.change.emit(); // it does not follow its labels' texts
    }
    longest = Math.max(...short.slice(1).map((text, i) => (short[i].length + text.length) / 2));
    fit();
  }

  /** Slant the column labels where they would run into each other; numbers as large as the cells have room for, or none. */
  function fit() {
    const isNarrow = target.clientWidth < NARROW_PX;
    for (const piece of plot.right) piece.visible = !isNarrow;
    for (const axis of axes) axis.axis_label_text_font_size = isNarrow ? "11px" : "13px";
    const room = (plot.inner_width ?? 300) / tokens.length;
    plot.above[0].major_label_orientation = longest * LABEL_PX > room ? 0.8 : "horizontal";
    if (!letters) return;
    const size = NUMBER_PX.find((px) => (letters * px) / 2 + BETWEEN_PX <= room); // a digit is about half as wide as high
    labels.visible = size !== undefined;
    if (size) labels.glyph.text_font_size = `${size}px`;
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
