// Brings a page's figures to life: table first, so that controls answer at once; then the
// address, BokehJS for the canvas, and an eye on the server.

import { mount } from "attention-lab";
import { unpack } from "figure";

const ADDRESS_MS = 200;
const CHECK_MS = 4000;
const RETRY_MS = 2000;

const page = JSON.parse(document.querySelector("[data-page]").textContent);
const labs = [];

class Refused extends Error {
  constructor(field, message) {
    super(message);
    this.field = field;
  }
}

async function fetchTable(url) {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  if (!answer.headers.get("content-type").startsWith("application/json")) return answer.arrayBuffer();
  const { error } = await answer.json();
  throw new Refused(error.field, error.message);
}

function inlineTable(id) {
  const encoded = document.querySelector(`[data-table-for="${id}"]`).textContent;
  return Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0)).buffer;
}

async function requestTable(name, text, seed) {
  if (!page.health) throw new Error("a file has no server");
  try {
    const table = unpack(await fetchTable(`/tables/${name}?${new URLSearchParams({ text, seed, v: page.version })}`));
    serverAnswers(true);
    return table;
  } catch (error) {
    if (!(error instanceof Refused)) serverAnswers(false);
    throw error;
  }
}

// ---- the address: full state, written when the learner pauses ------------------------

let writing = null;
function writeAddress(state) {
  clearTimeout(writing);
  writing = setTimeout(() => {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(state)) query.set(name, typeof value === "boolean" ? Number(value) : value);
    history.replaceState(null, "", `?${query}${location.hash}`);
  }, ADDRESS_MS);
}

// ---- the canvas joins ----------------------------------------------------------------

function loadBokeh() {
  const inline = document.querySelector("[data-bokeh]");
  const script = document.createElement("script");
  if (inline) {
    script.textContent = inline.textContent;
    document.head.append(script);
    return Promise.resolve();
  }
  return new Promise((resolve, reject) => {
    script.src = page.bokeh;
    script.onload = resolve;
    script.onerror = () => reject(new Error("BokehJS could not be loaded"));
    document.head.append(script);
  });
}

// ---- the server: is it there? --------------------------------------------------------

let answers = true;
let lastCheck = Date.now();
function serverAnswers(now) {
  lastCheck = Date.now();
  if (answers === now) return;
  answers = now;
  document.querySelector('[data-notice="offline"]').hidden = now;
  if (!now) setTimeout(retry, RETRY_MS);
}
const ask = () =>
  fetch(page.health, { cache: "no-store" }).then(
    (answer) => serverAnswers(answer.ok),
    () => serverAnswers(false),
  );
async function retry() {
  await ask();
  if (!answers) setTimeout(retry, RETRY_MS);
}
/** Only while somebody uses the page: an idle page asks for nothing. */
function askWhenUsed() {
  if (!answers || Date.now() - lastCheck < CHECK_MS) return;
  lastCheck = Date.now();
  ask();
}

// ---- start ---------------------------------------------------------------------------

for (const el of document.querySelectorAll("[data-mount]")) {
  const { mount: name, id, tableUrl } = el.dataset;
  const table = unpack(tableUrl ? await fetchTable(tableUrl) : inlineTable(id));
  const lab = mount({
    el,
    table,
    // The first figure's state is the page's; others keep theirs to themselves.
    onChange: labs.length === 0 ? writeAddress : () => {},
    requestTable: (text, seed) => requestTable(name, text, seed),
  });
  labs.push({ el, name, lab });
  el.dataset.ready = "controls";
}
document.querySelector("[data-close]")?.addEventListener("click", (event) => event.target.closest("[data-notice]").remove());
if (page.health) {
  for (const type of ["keydown", "pointerdown", "input"]) addEventListener(type, askWhenUsed, { passive: true, capture: true });
}

await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
await loadBokeh();
for (const placed of labs) {
  await placed.lab.join(JSON.parse(document.querySelector(`[data-plot="${placed.name}"]`).textContent));
  placed.el.dataset.ready = "canvas";
}
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => labs.forEach(({ lab }) => lab.recolour()));
