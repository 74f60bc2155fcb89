// This page in a frame: it tells the page around it how high it is, what the learner does, and how far they are,
// and takes orders from there. docs/embedding.md describes the messages.

import { configOf, wake } from "figures";
import { followHeight } from "height";
import { lastToken, typed } from "link";
import { onceAFrame, openChannel } from "messages";
import { locks, pieces } from "pieces";
import { applyTheme } from "theme";
import { fill } from "text";

const MAX = { ids: 16, errors: 16, message: 300 };

const page = JSON.parse(document.querySelector("[data-page]").textContent);
const el = document.querySelector("[data-mount][data-eager]");
const figure = el.dataset.mount;
const root = el.querySelector("[data-figure]");
const { schema } = configOf(el);
const say = (what, values = {}) => fill(page.words[`frame.${what}`], values);
const send = openChannel(page.origins, (message) => orders[message.type](message));
const soon = onceAFrame(() => {
  obey();
  tell();
});

const contentHeight = followHeight(soon);

let handle = null; // until the figure answers, orders wait
let first = null; // the state to return to
let busy = false; // another table is on its way

// ---- orders: merged as they come, carried out once a frame ---------------------------------------------------

const waiting = { set: {}, reset: false, lock: null, focus: false };
const ids = new Set(); // of questions for the state
const errors = new Map();

function refuse(code, name, message, id) {
  if (errors.size >= MAX.errors) return;
  errors.set(`${code} ${name}`, { code, name, message: message.slice(0, MAX.message), ...(id === undefined ? {} : { id }) });
}

const orders = {
  set({ state, id }) {
    for (const [name, came] of Object.entries(state)) {
      const rule = Object.hasOwn(schema, name) ? schema[name] : null;
      const value = rule && typed(rule, came);
      if (!rule) refuse("unknown-name", name, say("unknown", { figure, name, known: Object.keys(schema).join(", ") }), id);
      else if (value === undefined) refuse("bad-value", name, say("value", { name, allowed: rule.allowed }), id);
      else waiting.set[name] = value;
    }
    soon();
  },
  get({ id = "" }) {
    if (ids.size < MAX.ids) ids.add(id);
    soon();
  },
  reset() {
    waiting.set = {};
    waiting.reset = true;
    soon();
  },
  focus() {
    waiting.focus = true;
    soon();
  },
  lock({ names, id }) {
    const known = locks(schema);
    waiting.lock = names.filter((name) => known.includes(name));
    for (const name of names) {
      if (!known.includes(name)) refuse("unknown-name", name, say("lock", { name, known: known.join(", ") }), id);
    }
    soon();
  },
};

function obey() {
  if (!handle) return;
  if (waiting.lock) handle.lock(waiting.lock);
  waiting.lock = null;
  if (!busy) move();
  if (waiting.focus) focusFirst();
  waiting.focus = false;
}

async function move() {
  const change = waiting.reset ? { ...first, ...waiting.set } : waiting.set;
  waiting.set = {};
  waiting.reset = false;
  dropMissingTokens(change);
  if (!Object.keys(change).length) return;
  busy = true;
  try {
    await handle.go(change, "host");
  } catch (error) {
    const name = error.field ?? handle.key.find((key) => key in change);
    if (["busy", "server"].includes(error.field)) refuse("unavailable", handle.key.find((key) => key in change), error.message);
    else if (error.field) refuse("refused", name, error.message);
    else refuse("unavailable", name, say("server", { name }));
    for (const key of handle.key) delete change[key];
    dropMissingTokens(change);
    await handle.go(change, "host");
  } finally {
    busy = false;
    soon();
  }
  if (change.theme) applyTheme(change.theme);
}

/** How many tokens there are to point at depends on the sentence. */
function dropMissingTokens(change) {
  const last = lastToken({ ...handle.state, ...change });
  for (const [name, { token }] of Object.entries(schema)) {
    if (!token || !(change[name] > last)) continue;
    refuse("bad-value", name, say("value", { name, allowed: fill(schema[name].allowed_tokens, { last }) }));
    delete change[name];
  }
}

function focusFirst() {
  const controls = [...root.querySelectorAll("[data-control]")];
  const control = controls.find((candidate) => !candidate.disabled && candidate.checkVisibility());
  control?.focus({ preventScroll: true, focusVisible: true });
}

// ---- news: the latest of each kind, once a frame -------------------------------------------------------------

let by = null; // who chose the state that was not told yet
let isAnswer = false; // a host's own change is told even where nothing moved
let progress = {};
const told = {};

const readouts = () => Object.fromEntries([...root.querySelectorAll("[data-kpi]")].map((el) => [el.dataset.kpi, el.textContent]));
const tellState = (values) => send("state", { figure, state: handle.state, readouts: readouts(), ...values });

/** Whether a value is another than the one that was told last. */
function isNews(what, value) {
  const text = JSON.stringify(value);
  if (told[what] === text) return false;
  told[what] = text;
  return true;
}

function tell() {
  if (handle) {
    if (isNews("state", handle.state) || isAnswer) tellState({ by: by ?? "figure" });
    for (const id of busy ? [] : ids) {
      tellState({ by: "host", id });
      ids.delete(id);
    }
    by = null;
    isAnswer = false;
  }
  const height = contentHeight();
  if (height && isNews("height", height)) send("resize", { height });
  for (const what of ["checkpoint", "quiz"]) if (progress[what] && isNews(what, progress[what])) send(what, progress[what]);
  const [key, error] = errors.entries().next().value ?? [];
  if (!error) return;
  errors.delete(key);
  send("error", error);
  if (errors.size) soon();
}

root.addEventListener("figure-state", ({ detail }) => {
  if (detail.by !== "figure") by = detail.by;
  isAnswer ||= detail.by === "host";
  soon();
});
addEventListener("lesson-progress", ({ detail }) => {
  progress = detail;
  soon();
});

// ---- start ---------------------------------------------------------------------------------------------------

const RULE = ["type", "min", "max", "values", "default"];
const ruleOf = (rule) => Object.fromEntries(RULE.filter((name) => name in rule).map((name) => [name, rule[name]]));

function greet(awake) {
  handle = awake;
  first = handle.state;
  isNews("state", first);
  send("ready", {
    figure,
    state: first,
    schema: Object.fromEntries(Object.entries(schema).map(([name, rule]) => [name, ruleOf(rule)])),
    pieces: pieces(el),
    locks: locks(schema),
    version: page.release,
  });
  soon();
}

/** Where the figure cannot be had yet it is waited for, as it is by the page. */
const begin = () =>
  wake(el).then(greet, () => {
    send("error", { code: "unavailable", message: say("table") });
    addEventListener("server-back", begin, { once: true });
  });
begin();
