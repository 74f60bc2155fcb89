// The whole operation: a line of code, and the matrices that it reads and makes.

import { createFigure } from "figure";
import { followGrid } from "grid";
import { SLOTS, colouring, drawMatrix, drawSmall, readMatrices } from "operation-matrices";
import { operationTexts, shownName, tellCell } from "operation-words";
import { write } from "text";

const LINE_KEYS = { ArrowUp: -1, ArrowDown: 1, ArrowLeft: -1, ArrowRight: 1, Home: -99, End: 99 };

/** See figure.mjs for what a host passes in. */
export function mount(host) {
  let cell = null; // the cell that is told in words, [slot, row, column]
  let colours = null; // by matrix: value → colour

  /** What a state is told from. */
  function telling(state, data) {
    const { config, words } = figure;
    const row = cell?.[0] === "result" ? cell[1] : state.row;
    return { config, words, state, matrices: readMatrices({ config, state, data }), row };
  }

  function describe(state, data) {
    const told = telling(state, data);
    return { ...operationTexts(told), cell: cell ? tellCell({ ...told, cell }) : figure.words["operation.cell.hint"] };
  }

  const slotOf = (slot) => figure.part(`[data-slot="${slot}"]`);

  function draw(state, data) {
    const { config, part } = figure;
    const { matrices, row } = telling(state, data);
    const names = config.steps[state.step];
    colours ??= Object.fromEntries(Object.keys(config.matrices).map((name) => [name, colouring(config, name)]));

    showLine(state);
    part('select[name="item"]').disabled = !state.batch;
    const { options } = part('select[name="row"]');
    matrices.tokens.forEach((token, i) => write(options[i], `${i + 1} · ${token}`));

    SLOTS.forEach((slot, i) => {
      const el = slotOf(slot);
      const name = names[i];
      el.hidden = !name;
      if (slot !== "left") el.previousElementSibling.hidden = !name || state.step === 0;
      if (!name) return;
      el.dataset.name = name;
      el.dataset.role = config.matrices[name].role;
      const table = el.querySelector("table");
      table.setAttribute("aria-label", `${shownName(name, state)} ${matrices.shape(name)}`);
      const { room } = slot === "result" ? config : config.matrices[name];
      drawMatrix(table, { name, slot, matrices, colourOf: colours[name], room: state.step === 0 ? Infinity : room });
    });
    const T = matrices.tokens.length;
    const stage = part(".op-stage");
    stage.dataset.step = state.step;
    stage.dataset.size = T <= 6 ? "short" : T <= 8 ? "middle" : "long";
    const grid = slotOf("result").querySelector("tbody");
    if (!grid.querySelector('td[tabindex="0"]')) grid.rows[state.row].cells[1].tabIndex = 0;
    drawMap(state, names, matrices);
    light(row);
  }

  function showLine({ step }) {
    for (const line of figure.root.querySelectorAll(".op-line")) {
      const current = Number(line.dataset.step) === step;
      line.tabIndex = current ? 0 : -1;
      if (current) line.setAttribute("aria-current", "step");
      else line.removeAttribute("aria-current");
    }
    figure.part('[data-action="back"]').setAttribute("aria-disabled", step === 0);
    figure.part('[data-action="next"]').setAttribute("aria-disabled", step === last());
  }

  function drawMap(state, names, matrices) {
    const inMap = names.map((name) => (name === "K.T" ? "K" : name));
    for (const box of figure.root.querySelectorAll("[data-box]")) {
      const name = box.dataset.box;
      box.dataset.lit = SLOTS[inMap.indexOf(name)] ?? "";
      box.classList.toggle("stacked", state.batch && !figure.config.matrices[name].alone);
      drawSmall(box.querySelector("canvas"), { name, matrices, colourOf: colours[name] });
    }
    for (const edge of figure.root.querySelectorAll("[data-edge]")) {
      edge.classList.toggle("lit", Number(edge.dataset.edge) === state.step);
    }
  }

  /** Outline a row of the result, and the row of the left factor that it comes from. */
  function light(row) {
    for (const tr of slotOf("result").querySelectorAll("tbody tr")) {
      tr.setAttribute("aria-selected", tr.dataset.q === String(row));
    }
    for (const tr of slotOf("left").querySelectorAll("tbody tr")) {
      tr.classList.toggle("lit", tr.dataset.q === String(row));
    }
  }

  /** Tell a cell in words, without drawing anything anew. */
  function point(next) {
    cell = next;
    const texts = describe(figure.state, figure.data);
    for (const place of ["cell", "made"]) write(figure.part(`[data-text="${place}"]`), texts[place]);
    light(telling(figure.state, figure.data).row);
  }

  const figure = createFigure({
    ...host,
    name: "whole-operation",
    describe,
    draw,
    take(state, data) {
      const { matrices } = telling(state, data);
      const names = figure.config.steps[state.step];
      const of = (name) => (r, c) => (c < 0 ? undefined : matrices.value(name, r, c));
      return { cells: Object.fromEntries(SLOTS.map((slot, i) => [`[data-slot="${slot}"] table`, of(names[i])])) };
    },
    settle(next, { meta }) {
      cell = null; // another state, other matrices
      const row = Math.min(next.row, meta.tokens[0].length - 1);
      return { ...next, text: meta.text, seed: meta.seed, row, item: next.batch ? next.item : 0 };
    },
  });
  const last = () => figure.config.steps.length - 1;
  const go = (step) => figure.choose({ step: Math.min(Math.max(step, 0), last()) });

  figure.on(figure.root, "click", ({ target }) => {
    const action = target.closest?.("[data-action]")?.dataset.action;
    if (action) go(figure.state.step + (action === "next" ? 1 : -1));
  });
  const lines = figure.part(".op-lines");
  for (const type of ["click", "focusin"]) {
    figure.on(lines, type, ({ target }) => {
      const line = target.closest(".op-line");
      if (line && Number(line.dataset.step) !== figure.state.step) go(Number(line.dataset.step));
    });
  }
  figure.on(lines, "keydown", (event) => {
    const move = LINE_KEYS[event.key];
    if (!move || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    go(figure.state.step + move);
    lines.querySelector('[aria-current="step"]').focus();
  });

  const stage = figure.part(".op-stage");
  function pointAt({ target }) {
    const td = target.closest("tbody td");
    if (!td) return point(null);
    point([td.closest("[data-slot]").dataset.slot, Number(td.parentElement.dataset.q), Number(td.dataset.k)]);
    td.title = figure.part('[data-text="cell"]').textContent;
  }
  // A finger tells what it taps: it scrolls the page as it moves, and leaves as soon as it lets go.
  figure.on(stage, "pointerover", (event) => event.pointerType !== "touch" && pointAt(event));
  figure.on(stage, "pointerleave", ({ pointerType }) => pointerType !== "touch" && point(null));
  figure.on(stage, "click", pointAt);
  followGrid({
    grid: slotOf("result"),
    on: figure.on,
    onCell: (next) => point(next && ["result", ...next]),
    onRow(row) {
      const told = cell;
      figure.choose({ row });
      point(told);
    },
  });
  figure.render();
  return figure.handle;
}
