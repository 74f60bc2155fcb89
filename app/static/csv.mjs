// A table of the page as CSV: its words as they are shown, its numbers as exact as the figure has them.

const BOM = "\ufeff"; // without it a spreadsheet reads ‘Größe’ as something else
const IS_NUMBER = /^[-−]?\d+(\.\d+)?$/;
const OPENS_FORMULA = /^[=+\-@\t\r]/;

/** A number in the fewest digits that give it back: 0.1 and not 0.10000000149011612 for a float32. */
export function exactText(value) {
  if (!Number.isInteger(value) && Math.fround(value) === value) {
    for (let digits = 6; digits < 9; digits++) {
      const short = Number(value.toPrecision(digits));
      if (Math.fround(short) === value) return String(short);
    }
    return String(Number(value.toPrecision(9)));
  }
  return String(value);
}

/** A cell: numbers as they are; text in quotes where it has to be, and never read as a formula. */
export function csvCell(content) {
  if (typeof content === "number") return exactText(content);
  const text = content.trim().replace(/\s+/g, " ");
  if (IS_NUMBER.test(text)) return text.replace("−", "-");
  const safe = OPENS_FORMULA.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/**
 * A table's rows of cells; exact(row, column) gives the number behind a cell where there is one. Rows are counted
 * over body and foot, columns after the row's header, which is -1.
 */
export function readTable(table, exact = () => undefined) {
  const cellsOf = (tr) => [...tr.cells].filter((cell) => !("bar" in cell.dataset));
  const heads = [...(table.tHead?.rows ?? [])].map((tr) =>
    cellsOf(tr).flatMap((cell) => [cell.textContent, ...Array(cell.colSpan - 1).fill("")]),
  );
  const rows = [...table.tBodies, ...(table.tFoot ? [table.tFoot] : [])].flatMap(({ rows }) => [...rows]);
  const body = rows.map((tr, row) => {
    return cellsOf(tr).map((cell, i) => {
      const number = exact(row, i - 1);
      // The number leaves its sign behind: the column's name takes it.
      if (number !== undefined && cell.textContent.endsWith("%") && !heads.at(-1)[i].endsWith("(%)")) heads.at(-1)[i] += " (%)";
      return number ?? cell.textContent;
    });
  });
  return [...heads, ...body.filter((_, i) => !rows[i].hidden)];
}

export const toCsv = (rows) => BOM + rows.map((row) => `${row.map(csvCell).join(",")}\r\n`).join("");
