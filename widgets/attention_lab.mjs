// The attention lab: one state, one table, one render. The HTML was made by
// attention_lab.html; events write the state, render() writes everything that follows.

import { at, fill, fixed, unpack, write } from "figure";
import { joinHeatmap } from "heatmap";
import { copyScript } from "script";
import { followGrid } from "grid";

const QUIET_MS = 700;

/**
 * Bring the lab in `el` to life.
 *
 * el            holds the lab's HTML with its configuration in [data-config]
 * table         what the state is looked up in: unpack()ed, or the bytes themselves
 * onChange      called with each new state that the learner chose
 * requestTable  async (text, seed) → table; throws an Error with .field ("text", "seed")
 *               and a message for the learner
 */
export function mount({ el, table, state = {}, onChange = () => {}, requestTable }) {
  const root = el.matches?.('[data-figure="attention-lab"]') ? el : el.querySelector('[data-figure="attention-lab"]');
  const config = JSON.parse(root.querySelector("[data-config]").textContent);
  const { words } = config;
  const part = (selector) => root.querySelector(selector);
  const control = (name) => part(`[name="${name}"]`);
  const texts = [...root.querySelectorAll("[data-text]"), ...root.querySelectorAll("[data-kpi]")];
  const messages = Object.fromEntries([...root.querySelectorAll("[data-message]")].map((m) => [m.dataset.message, m]));
  const listeners = new AbortController();
  const on = (target, type, listener) => target.addEventListener(type, listener, { signal: listeners.signal });

  let current = { ...config.state, ...state };
  let data = table instanceof ArrayBuffer ? unpack(table) : table;
  let heatmap = null;
  let cell = null; // the cell that is told in words, [q, k]
  let asked = 0;
  let quiet = null;
  let moved = false; // nothing is announced before the learner does something

  const index = () => [current.d_k - config.d_k.min, config.faults.indexOf(current.fault), Number(current.scaled)];

  // ---- what follows from the state ------------------------------------------------

  function describe() {
    const { arrays, meta } = data;
    const { fault, row } = current;
    const here = index();
    const of = (name) => at(arrays[name], ...here, row)[0];
    const code = of("state");
    const dead = at(arrays.dead_rows, ...here)[0];
    const scaled = Number(current.scaled);
    const expected = fault === "divide_by_d_k" ? "by_d_k" : scaled ? "scaled" : "raw";
    let expectation = fill(words[`expect.${expected}`], { value: fixed(at(arrays.expected_spread, ...here)[0]) });
    if (fault === "shared_projection") expectation = fill(words["expect.shared"], { expected: expectation });
    const blended = { blend_embeddings: "embeddings", shared_projection: "queries" }[fault] ?? "values";
    const values = {
      query: meta.tokens[row],
      key: meta.tokens[of("peak_key")],
      weight: fixed(of("peak")),
      sum: fixed(of("row_sum")),
      d_k: current.d_k,
      n: fault === "blend_embeddings" ? config.d_model : current.d_k,
      norm: fixed(of("context_norm")),
      dead,
      rows: meta.tokens.length,
    };
    const places = {
      "score-spread": fixed(at(arrays.spread, ...here)[0]),
      "peak-weight": values.weight,
      "softmax-state": words[`state.${code}`],
      "dead-rows": words[dead < 0 ? "dead.none" : "dead.count"],
      expectation,
      "peak-label": words["kpi.peak-weight"],
      "state-label": words["kpi.softmax-state"],
      "peak-note": words["peak.note"],
      "state-note": words[`state.note.${code}`],
      sentence: words[`sentence.${code}`],
      context: words[`context.${blended}`],
      "fault-note": words[`fault.note.${fault}`],
      "d_k-value": String(current.d_k),
      "scaled-value": words[`control.scaled.${scaled}`],
      cell: words["cell.hint"],
    };
    for (const place in places) places[place] = fill(places[place], values);
    if (cell) places.cell = tellCell(...cell);
    return { places, code };
  }

  function tellCell(q, k) {
    const { arrays, meta } = data;
    return fill(words.cell, {
      query: meta.tokens[q],
      key: meta.tokens[k],
      score: fixed(at(arrays.scores, ...index(), q, k)[0]),
      weight: fixed(at(arrays.weights, ...index(), q, k)[0]),
    });
  }

  function render() {
    const { places, code } = describe();
    for (const place of texts) write(place, places[place.dataset.text ?? place.dataset.kpi]);
    part(".kpi-state").dataset.state = code;
    renderControls(places);
    renderTable();
    heatmap?.draw({ table: data, index: index(), row: current.row, cell });
    announceWhenQuiet(places);
  }

  function renderControls(places) {
    control("d_k").value = current.d_k;
    control("d_k").setAttribute(
      "aria-valuetext",
      `d_k ${current.d_k}, ${words["control.scaled"]} ${places["scaled-value"]}, ${places["softmax-state"]}`,
    );
    control("scaled").setAttribute("aria-pressed", String(current.scaled));
    control("fault").value = current.fault;
    control("row").value = current.row;
  }

  function renderTable() {
    const weights = at(data.arrays.weights, ...index());
    const sums = at(data.arrays.row_sum, ...index());
    const T = data.meta.tokens.length;
    [...part("tbody").rows].forEach((tr, q) => {
      tr.setAttribute("aria-selected", String(q === current.row));
      for (let k = 0; k < T; k++) write(tr.cells[k + 1], fixed(weights[q * T + k]));
      write(tr.cells[T + 1], fixed(sums[q]));
    });
  }

  // One polite summary when the learner stops, not one at each step of a drag.
  function announceWhenQuiet(places) {
    clearTimeout(quiet);
    if (!moved) return;
    quiet = setTimeout(() => {
      write(
        part("[data-live]"),
        fill(words.summary, {
          d_k: current.d_k,
          scale: places["scaled-value"],
          spread: places["score-spread"],
          sentence: places.sentence,
        }),
      );
    }, QUIET_MS);
  }

  /** Take a change in; the row stays inside the sentence. */
  function settle(change) {
    current = { ...current, ...change };
    current.row = Math.min(current.row, data.meta.tokens.length - 1);
  }

  // ---- what the learner does ------------------------------------------------------

  function choose(change) {
    moved = true;
    settle(change);
    render();
    onChange({ ...current });
  }

  function point(next) {
    cell = next;
    write(part('[data-text="cell"]'), cell ? tellCell(...cell) : words["cell.hint"]);
    heatmap?.point(cell);
  }

  function setTable(next, change = {}) {
    data = next instanceof ArrayBuffer ? unpack(next) : next;
    cell = null;
    settle({ ...change, text: data.meta.text, seed: data.meta.seed });
    part('[data-part="rows"]').innerHTML = data.meta.parts.rows;
    part('[data-part="table"]').innerHTML = data.meta.parts.table;
    control("text").value = current.text;
    control("seed").value = current.seed;
    render();
  }

  function say(field, text, isError = false) {
    messages[field].classList.toggle("refused", isError);
    write(messages[field], text);
    const input = control(field);
    if (isError) input?.setAttribute("aria-invalid", "true");
    else input?.removeAttribute("aria-invalid");
  }

  /** Ask for the table of another sentence or seed; the last good figure stays until it is there. */
  async function draw({ text = current.text, seed = current.seed }) {
    const mine = ++asked;
    say("text", words["control.text.rule"]);
    say("seed", "");
    const busy = setTimeout(() => mine === asked && say("seed", words.busy), 300);
    try {
      const next = await requestTable(text, seed);
      if (mine !== asked) return; // a later request overtook this one
      setTable(next);
      moved = true;
      onChange({ ...current });
    } catch (error) {
      if (mine !== asked) return;
      say(error.field ?? "text", error.field ? error.message : words["error.server"], true);
    } finally {
      clearTimeout(busy);
      if (mine === asked && messages.seed.textContent === words.busy) say("seed", "");
    }
  }

  function drawSeed(typed) {
    if (/^\d{1,10}$/.test(typed.trim()) && Number(typed) <= config.max_seed) draw({ seed: Number(typed) });
    else say("seed", fill(words["error.seed"], { max: config.max_seed }), true);
  }

  on(control("d_k"), "input", (event) => choose({ d_k: event.target.valueAsNumber }));
  on(control("scaled"), "click", () => choose({ scaled: !current.scaled }));
  on(control("fault"), "change", (event) => choose({ fault: event.target.value }));
  on(control("row"), "change", (event) => choose({ row: Number(event.target.value) }));
  on(part('[data-form="text"]'), "submit", (event) => {
    event.preventDefault();
    draw({ text: control("text").value });
  });
  on(part('[data-form="seed"]'), "submit", (event) => {
    event.preventDefault();
    drawSeed(control("seed").value);
  });
  const actions = {
    redraw: () => draw({ seed: crypto.getRandomValues(new Uint32Array(1))[0] }),
    lesson: () => draw(config.lesson),
    reset: () => choose(config.reset),
    copy: () => copyScript({ root, config, state: current, say: (text) => say("copy", text) }),
  };
  on(root, "click", (event) => actions[event.target.closest?.("[data-action]")?.dataset.action]?.());
  followGrid({ grid: part('[data-part="table"]'), on, onCell: point, onRow: (row) => choose({ row }) });

  settle({});
  render();

  return {
    get state() {
      return { ...current };
    },
    /** Move to another state of the same table, as a host or a link asks. */
    set(change) {
      settle(change);
      render();
    },
    setTable,
    /** The canvas joins, once BokehJS is there: `item` is the plot as JSON. */
    async join(item) {
      heatmap = await joinHeatmap(part("[data-canvas]"), item, {
        inkFrom: config.light_ink_from,
        onRow: (row, key) => {
          choose({ row });
          point([row, key]);
        },
        onCell: (q, k) => point([q, k]),
        onLeave: () => point(null),
      });
      render();
    },
    recolour: () => heatmap?.recolour(),
    destroy() {
      clearTimeout(quiet);
      listeners.abort();
    },
  };
}
