// The two tables of `inside-one-score`: the components of the score, and the blend of the values.

import { at, one } from "table";
import { fixed, write } from "text";

const NONE = "–"; // where a narrow head has no component

/** c, q_c, k_c, product and sum so far, one row a component of the head. */
export function drawComponents({ part }, { query: i, key: j, d_k }, { arrays }) {
  const columns = [at(arrays.Q, i), at(arrays.K, j), at(arrays.shown_products, i, j), at(arrays.shown_running_sum, i, j)];
  [...part('[data-table="components"] tbody').rows].forEach((tr, c) => {
    tr.hidden = c >= d_k;
    columns.forEach((column, n) => write(tr.cells[n + 1], fixed(column[c])));
  });
}

/** The row's exponentials, and weight times value for each key, which add up to the context. */
export function drawBlend({ part, config }, { query, key, d_k, scaled }, { arrays }) {
  const row = [d_k - config.d_k.min, Number(scaled), query];
  const component = (array, c, ...indices) => (c < d_k ? fixed(one(array, ...indices, c)) : NONE);

  part('[data-part="addends"]')
    .querySelectorAll(".inside-addend")
    .forEach((span, k) => {
      write(span, fixed(one(arrays.shown_exponentials, ...row, k), 4));
      span.classList.toggle("is-key", k === key);
    });

  const table = part('[data-table="blend"]');
  [...table.tBodies[0].rows].forEach((tr, k) => {
    tr.setAttribute("aria-selected", String(k === key));
    write(tr.cells[1], fixed(one(arrays.shown_weights, ...row, k), 4));
    for (let c = 0; c < config.columns; c++) {
      const [value, contribution] = tr.cells[c + 2].children;
      write(value, component(arrays.values, c, k));
      write(contribution, component(arrays.shown_contributions, c, ...row, k));
    }
  });
  [...table.tFoot.rows[0].cells].slice(2).forEach((td, c) => {
    write(td.firstElementChild, component(arrays.shown_context, c, ...row));
  });
}

/** The numbers behind the cells. What was rounded so that it adds up is as it is shown. */
export function exactCells({ config }, { query, key, d_k, scaled }, { arrays }) {
  const row = [d_k - config.d_k.min, Number(scaled), query];
  const { Q, K, shown_products, shown_running_sum } = arrays;
  const component = (c) => [one(Q, query, c), one(K, key, c), one(shown_products, query, key, c), one(shown_running_sum, query, key, c)];
  const T = at(arrays.shown_weights, ...row).length;

  function blend(k, column) {
    if (k === T) return column === 0 ? 1 : one(arrays.shown_context, ...row, column - 1);
    return column === 0 ? one(arrays.shown_weights, ...row, k) : one(arrays.shown_contributions, ...row, k, column - 1);
  }
  return {
    '[data-table="components"]': (c, column) => component(c)[column],
    '[data-table="blend"]': (k, column) => (column < 0 || column > d_k ? undefined : blend(k, column)),
  };
}
