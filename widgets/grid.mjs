// Two-dimensional movement in a table of numbers: one tab stop, arrows move, Enter chooses.

/** How far each key goes, [down, right]. */
export const STEPS = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  Home: [0, -99],
  End: [0, 99],
  PageUp: [-99, 0],
  PageDown: [99, 0],
};

/** `grid` holds the table (it may be replaced); onCell(cell or null), onRow(q). */
export function followGrid({ grid, on, onCell, onRow }) {
  const placeOf = (td) => [Number(td.parentElement.dataset.q), Number(td.dataset.k)];
  const cellAt = (target) => target.closest?.("td[data-k]");

  on(grid, "keydown", (event) => {
    const td = cellAt(event.target);
    if (!td || event.ctrlKey || event.altKey || event.metaKey) return;
    const [q, k] = placeOf(td);
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      onRow(q);
      return;
    }
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    const rows = td.closest("tbody").rows;
    const clamp = (i, count) => Math.min(Math.max(i, 0), count - 1);
    const cells = rows[clamp(q + step[0], rows.length)].querySelectorAll("td[data-k]");
    const next = cells[clamp(k + step[1], cells.length)];
    td.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  });
  on(grid, "focusin", (event) => {
    const td = cellAt(event.target);
    if (td) onCell(placeOf(td));
  });
  on(grid, "focusout", () => onCell(null));
  on(grid, "click", (event) => {
    const tr = event.target.closest("tr[data-q]");
    if (!tr) return;
    onRow(Number(tr.dataset.q));
    const td = cellAt(event.target);
    if (!td) return;
    grid.querySelector('td[tabindex="0"]').tabIndex = -1;
    td.tabIndex = 0;
    td.focus({ preventScroll: true });
  });
}
