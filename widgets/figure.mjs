// What all figures share: one state, one table, one render. Events only write the state;
// render() writes everything that follows from it. Nothing here computes: a number on
// screen was computed by the attention package.

import { showLocks } from "lock";
import { followSliders } from "slider";
import { unpack } from "table";
import { write } from "text";

const QUIET_MS = 700;

/**
 * Bring the figure called `name` in `el` to life.
 *
 * el          holds the figure's HTML with its configuration in [data-config]
 * table       what the state is looked up in: unpack()ed, or the bytes themselves
 * state       what to start in, where it is not what the HTML shows
 * lock        names of the state that the learner may not change
 * onChange    (state, by) → void: a new state, chosen by the "learner", a "link", the "history" or the "host" page
 * requestTable  async (key) → table for other values of what the table depends on ({ text, seed });
 *             throws an Error with .field and a message for the learner, or any other when nobody answers
 * describe    (state, data) → { place: text }: every text that depends on the state; "summary"
 *             is spoken when the learner pauses, "<control>-spoken" is a slider's value in words
 * draw        (state, data) → void: everything else that depends on the state
 * facts       (state, data) → what else the page may follow of a state, besides the state itself
 * settle      (state, data) → state: keeps a state inside its table
 * joinPlots   async (items) → void: canvases join; items are the plots as JSON by name
 * recolour    () → void: canvases follow the theme
 * take        (state, data) → { cells: { a table's selector: (row, column) → the number behind a cell }, script: values
 *             of the script that are no state }: what a learner takes along is as exact as the table
 *
 * Returns { root, config, words, part, on, choose, render, setTable, get state, get data } for
 * the figure's own module, and `handle` for the host.
 */
export function createFigure({
  el,
  name,
  table,
  state = {},
  lock = [],
  onChange = () => {},
  requestTable,
  describe,
  draw = () => {},
  facts = () => ({}),
  settle = (next) => next,
  joinPlots = async () => {},
  recolour = () => {},
  take = () => ({}),
}) {
  const root = el.matches(`[data-figure="${name}"]`) ? el : el.querySelector(`[data-figure="${name}"]`);
  const config = JSON.parse(root.querySelector("[data-config]").textContent);
  const part = (selector) => root.querySelector(selector);
  const places = () => root.querySelectorAll("[data-text], [data-kpi]");
  const listeners = new AbortController();
  const on = (target, type, listener) => target.addEventListener(type, listener, { signal: listeners.signal });

  let data = table instanceof ArrayBuffer ? unpack(table) : table;
  let current = settle({ ...config.state, ...chosenBefore(), ...state }, data);
  let quiet = null;
  let locked = new Set(lock);
  let hasLocks = lock.length > 0; // most figures never have any
  let links = 0; // how many have asked for another state
  let moved = false; // nothing is spoken before the learner does something

  /** What the learner moved while the table was still on its way: native controls moved already. */
  function chosenBefore() {
    const chosen = {};
    for (const control of root.querySelectorAll('input[type="range"][data-control], select[data-control]')) {
      if (lock.includes(control.name)) continue;
      const number = control.type === "range" || "number" in control.dataset;
      chosen[control.name] = number ? Number(control.value) : control.value;
    }
    return chosen;
  }

  function render(by = "figure") {
    const texts = describe(current, data);
    for (const place of places()) {
      const text = texts[place.dataset.text ?? place.dataset.kpi];
      if (text !== undefined) write(place, text);
    }
    for (const control of root.querySelectorAll("[data-control]")) showControl(control, texts);
    draw(current, data);
    if (hasLocks) showLocks(root, locked, config.words);
    speakWhenQuiet(texts.summary);
    tell(by);
  }

  /** What the page follows: the state, and whether the "learner" or a "link" chose it; "figure" otherwise. */
  function tell(by) {
    const detail = { figure: name, state: { ...current }, facts: facts(current, data), by };
    root.dispatchEvent(new CustomEvent("figure-state", { bubbles: true, composed: true, detail }));
  }

  function showControl(control, texts) {
    const value = current[control.name];
    if (control.type === "button") control.setAttribute("aria-pressed", String(value));
    else control.value = value;
    const spoken = texts[`${control.name}-spoken`];
    if (spoken) control.setAttribute("aria-valuetext", spoken);
  }

  // One polite summary when the learner stops, not one at each step of a drag.
  function speakWhenQuiet(summary) {
    clearTimeout(quiet);
    if (moved && summary) quiet = setTimeout(() => write(part("[data-live]"), summary), QUIET_MS);
  }

  function choose(change, by = "learner") {
    const free = by === "learner" ? Object.entries(change).filter(([name]) => !locked.has(name)) : Object.entries(change);
    moved = true;
    current = settle({ ...current, ...Object.fromEntries(free) }, data);
    render(by);
    onChange({ ...current }, by);
  }

  function setTable(next, change = {}) {
    data = next instanceof ArrayBuffer ? unpack(next) : next;
    for (const [piece, html] of Object.entries(data.meta.parts)) {
      const place = part(`[data-part="${piece}"]`);
      if (place) place.innerHTML = html;
    }
    current = settle({ ...current, ...change }, data);
    render();
  }

  on(root, "figure-ask", () => tell("figure"));
  followSliders({ root, on, onValue: (name, value) => choose({ [name]: value }) });
  on(root, "change", ({ target }) => {
    if (!target.matches("select[data-control]")) return;
    choose({ [target.name]: "number" in target.dataset ? Number(target.value) : target.value });
  });
  on(root, "click", ({ target }) => {
    const toggle = target.closest?.("button[data-control]");
    if (toggle) choose({ [toggle.name]: !current[toggle.name] });
  });

  const figure = {
    root,
    config,
    words: config.words,
    part,
    on,
    choose,
    render,
    setTable,
    get state() {
      return current;
    },
    get data() {
      return data;
    },
  };
  figure.handle = {
    get state() {
      return { ...current };
    },
    /** Move to another state of the same table, as a host or a link asks. */
    set(change) {
      current = settle({ ...current, ...change }, data);
      render();
    },
    setTable,
    key: config.key,
    /** From now on the learner may change all but these. */
    lock(names) {
      locked = new Set(names);
      hasLocks ||= locked.size > 0;
      render();
    },
    /** Move to any state, as a link, the history or another figure asks: with another table where it needs one. */
    async go(change, by = "link") {
      const key = Object.fromEntries(config.key.map((part) => [part, change[part] ?? current[part]]));
      const before = current;
      const isSame = (name) => current[name] === before[name];
      const mine = ++links;
      if (config.key.some((part) => key[part] !== current[part])) {
        const table = await requestTable(key);
        // What came while the table was on its way is newer: another link or sentence, and what the learner moved.
        if (mine !== links || !config.key.every(isSame)) return;
        change = Object.fromEntries(Object.entries(change).filter(([name]) => isSame(name)));
        setTable(table, change);
      }
      choose(change, by);
    },
    /** The canvases join, once BokehJS is there. */
    async join(items) {
      await joinPlots(items);
      render();
    },
    recolour,
    take: () => take(current, data),
    destroy() {
      clearTimeout(quiet);
      listeners.abort();
    },
  };
  return figure;
}
