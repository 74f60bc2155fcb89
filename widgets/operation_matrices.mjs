// The matrices of the whole operation: their shapes, values and colours, as table cells and in small.

import { one } from "table";
import { fixed, write } from "text";

export const SLOTS = ["left", "right", "result"];

/**
 * How the matrices of a state are read.
 *
 * size(name)        [rows, columns]
 * value(name, r, c) an entry
 * shape(name)       as NumPy writes it: (6, 8), in a batch (2, 6, 8)
 * heads(name, axis) what stands beside rows (0) or above columns (1)
 */
export function readMatrices({ config, state, data: { arrays, meta } }) {
  const item = state.batch ? state.item : 0;
  const tokens = meta.tokens[item];
  const sizes = { T: tokens.length, d: arrays.X.shape[2], k: state.d_k };
  const width = [state.d_k - config.d_k.min, Number(state.scaled), item];
  const whole = {
    "K.T": (r, c) => one(arrays.K, item, c, r),
    scores: (r, c) => one(arrays.scores, ...width, r, c),
    weights: (r, c) => one(arrays.weights, ...width, r, c),
    Z: (r, c) => one(arrays.context, ...width, r, c),
  };
  const size = (name) => [...config.matrices[name].axes].map((axis) => sizes[axis]);

  return {
    tokens,
    size,
    value(name, r, c) {
      if (whole[name]) return whole[name](r, c);
      return config.matrices[name].alone ? one(arrays[name], r, c) : one(arrays[name], item, r, c);
    },
    raw: (r, c) => one(arrays.scores, width[0], 0, item, r, c),
    shape(name) {
      const lead = state.batch && !config.matrices[name].alone ? [2] : [];
      return `(${[...lead, ...size(name)].join(", ")})`;
    },
    heads(name, axis) {
      if (config.matrices[name].axes[axis] === "T") return tokens;
      return Array.from({ length: size(name)[axis] }, (_, i) => String(i + 1));
    },
  };
}

/** A palette look-up: value → { colour, white }, white where the cell asks for white ink. */
export function colouring({ matrices, palettes }, name) {
  const { limit, shares } = matrices[name];
  const { colours, white } = palettes[shares ? "shares" : "signed"];
  const last = colours.length - 1;
  return (value) => {
    const share = shares ? value : (value / limit + 1) / 2;
    const index = Math.min(Math.max(Math.floor(share * last + 0.5), 0), last);
    return { colour: colours[index], white: white[index] === "1" };
  };
}

/** Draw a matrix into the table of a slot; up to `room` columns show their numbers, T × T tables always. */
export function drawMatrix(table, { name, slot, matrices, colourOf, room }) {
  const [rows, columns] = matrices.size(name);
  const heads = [matrices.heads(name, 0), matrices.heads(name, 1)];
  const inGrid = slot === "result";
  const header = (scope) => Object.assign(document.createElement("th"), { scope });
  const square = heads[0] === heads[1];

  table.classList.toggle("numbers", square || columns <= room);
  table.style.setProperty("--columns", columns);
  const scroll = table.parentElement;
  // What may scroll sideways on a narrow screen takes the keyboard; a grid does so anyway.
  if (square && columns > 6 && !inGrid) scroll.tabIndex = 0;
  else scroll.removeAttribute("tabindex");

  const [head] = table.tHead.rows;
  fit(head, columns + 1, () => header("col"));
  heads[1].forEach((text, c) => write(head.cells[c + 1], text));
  fit(table.tBodies[0], rows, (r) => {
    const tr = document.createElement("tr");
    tr.dataset.q = r;
    tr.append(header("row"));
    return tr;
  });
  for (const [r, tr] of [...table.tBodies[0].rows].entries()) {
    write(tr.cells[0], heads[0][r]);
    fit(tr, columns + 1, (c) => {
      const td = document.createElement("td");
      td.dataset.k = c - 1;
      if (inGrid) td.tabIndex = -1;
      return td;
    });
    for (let c = 0; c < columns; c++) {
      const td = tr.cells[c + 1];
      const value = matrices.value(name, r, c);
      const { colour, white } = colourOf(value);
      write(td, fixed(value));
      td.style.background = colour;
      td.classList.toggle("white", white);
    }
  }
}

/** Let `parent` have `count` children: make(i) makes what is missing. */
function fit(parent, count, make) {
  while (parent.children.length > count) parent.lastElementChild.remove();
  while (parent.children.length < count) parent.append(make(parent.children.length));
}

/** Draw a matrix in small: a pixel a cell; CSS makes it larger. */
export function drawSmall(canvas, { name, matrices, colourOf }) {
  const [rows, columns] = matrices.size(name);
  canvas.width = columns;
  canvas.height = rows;
  canvas.style.setProperty("--columns", columns);
  canvas.style.setProperty("--rows", rows);
  const brush = canvas.getContext("2d");
  for (let r = 0; r < rows; r++) {
    for (let c = 0; c < columns; c++) {
      brush.fillStyle = colourOf(matrices.value(name, r, c)).colour;
      brush.fillRect(c, r, 1, 1);
    }
  }
}
