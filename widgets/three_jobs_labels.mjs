// The numbers in a heatmap's cells: as large and as exact as the cells have room for, or none.

import { fixed } from "text";

// Font size, width of a character and decimals, best first.
const FORMS = [
  { size: "13px", character: 7.6, digits: 2 },
  { size: "11px", character: 6.4, digits: 2 },
  { size: "10px", character: 5.8, digits: 1 },
];

/** Resolves when plots have found their size. */
export const laidOut = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));

/** Write the values into the cells of a plot that heatmap.py made. */
export function labelCells({ plot, source, values, columns }) {
  const cells = Array.from(values);
  const room = (plot.inner_width ?? 300) / columns;
  const widest = (digits) => Math.max(...cells.map((value) => fixed(value, digits).length));
  const form = FORMS.find(({ character, digits }) => widest(digits) * character <= room);
  const label = cells.map((value) => (form ? fixed(value, form.digits) : ""));
  const glyph = plot.renderers.find((renderer) => renderer.name === "labels").glyph;
  if (form) glyph.text_font_size = form.size;
  source.data = { ...source.data, label };
}
