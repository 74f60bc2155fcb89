// A grid of all heads, layer by layer: one tab stop, and the arrows choose as they go.

import { STEPS } from "grid";

/** Follow the table `grid`; onHead(layer, head) is called with what is chosen, both counted from 1. */
export function followAtlas({ grid, on, onHead }) {
  const cells = [...grid.tBodies[0].rows].map((tr) => [...tr.querySelectorAll("td")]);
  const clamp = (i, count) => Math.min(Math.max(i, 1), count);
  let chosen = grid.querySelector('[aria-selected="true"]');

  function choose(td, [down, right] = [0, 0]) {
    const layer = clamp(td.parentElement.sectionRowIndex + 1 + down, cells.length);
    const head = clamp(td.cellIndex + right, cells[0].length); // the row's header is cell 0
    onHead(layer, head);
    cells[layer - 1][head - 1].focus();
  }

  on(grid, "keydown", (event) => {
    const td = event.target.closest("td");
    const step = STEPS[event.key];
    if (!td || !step || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    choose(td, step);
  });
  on(grid, "click", ({ target }) => {
    const td = target.closest("td");
    if (td) choose(td);
  });

  function mark(td, is) {
    td.setAttribute("aria-selected", String(is));
    td.tabIndex = is ? 0 : -1;
  }

  return {
    /** Show each head's count of rows, layer by layer, and which head is chosen. */
    draw({ counts, layer, head }) {
      cells.flat().forEach((td, i) => {
        const count = String(counts[i]);
        if (td.dataset.rows === count) return;
        td.dataset.rows = count; // its colour
        td.textContent = count;
      });
      mark(chosen, false);
      chosen = cells[layer - 1][head - 1];
      mark(chosen, true);
    },
  };
}
