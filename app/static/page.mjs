// Brings a page's figures to life: the main one at once, the others when they come near.
// For each, the table first, so that controls answer; then BokehJS, and the canvases join.

import { readProgress } from "progress";
import { followServer, serverAnswers } from "server";
import { unpack } from "table";

const ADDRESS_MS = 200;
const NEAR = "600px";

const page = JSON.parse(document.querySelector("[data-page]").textContent);

class Refused extends Error {
  constructor(field, message) {
    super(message);
    this.field = field;
  }
}

/** With onProgress(step) the answer tells how far it is; signal gives it up. */
async function fetchTable(url, { signal, onProgress } = {}) {
  const answer = await fetch(url, { signal });
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  const refuse = (field, message) => new Refused(field, message);
  if (!answer.headers.get("content-type").startsWith("application/json")) {
    return onProgress ? readProgress(answer.body, { onProgress, refuse }) : answer.arrayBuffer();
  }
  const { error } = await answer.json();
  throw refuse(error.field, error.message);
}

// What the main figure needs was asked for in the page's head. Both are here when this module runs, so that the lab
// answers at once and not after the first layout of a long page, which any wait would let go first.
const { earlyModules = {}, earlyTables = {} } = window;

async function firstTable(el) {
  const { tableUrl } = el.dataset;
  const early = tableUrl && (await earlyTables[tableUrl]);
  if (early) return early;
  if (tableUrl) return fetchTable(tableUrl);
  const encoded = el.querySelector("[data-bytes]").textContent;
  return Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0)).buffer;
}

/** A table that takes long, which is one with onProgress, is run for this learner in the background. */
async function requestTable(name, key, options = {}) {
  if (!page.health) throw new Error("a file has no server");
  const query = new URLSearchParams({ ...key, v: page.version });
  try {
    const table = unpack(await fetchTable(`/${options.onProgress ? "races" : "tables"}/${name}?${query}`, options));
    serverAnswers(true);
    return table;
  } catch (error) {
    if (!(error instanceof Refused) && !options.signal?.aborted) serverAnswers(false);
    throw error;
  }
}

// ---- the address: the main figure's full state, written when the learner pauses ------

/** A state as links carry it: 1 and 0 for yes and no. */
function asQuery(state) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(state)) query.set(name, typeof value === "boolean" ? Number(value) : value);
  return query;
}

let writing = null;
function writeAddress(state) {
  clearTimeout(writing);
  writing = setTimeout(() => {
    history.replaceState(null, "", `?${asQuery(state)}${location.hash}`);
  }, ADDRESS_MS);
}

// ---- figures -------------------------------------------------------------------------

let bokeh = null;
function loadBokeh() {
  bokeh ??= new Promise((resolve, reject) => {
    const inline = document.querySelector("[data-bokeh]");
    const script = document.createElement("script");
    script.onload = resolve;
    script.onerror = () => reject(new Error("BokehJS could not be loaded"));
    if (inline) script.textContent = inline.textContent;
    else script.src = page.bokeh;
    document.head.append(script);
    if (inline) resolve();
  });
  return bokeh;
}

const onPage = (name) => document.querySelector(`[data-mount="${name}"]`);

const figures = new Map(); // element → promise of its handle

/** Bring a figure to life, once; resolves when its controls answer. */
function wake(el) {
  if (!figures.has(el)) figures.set(el, start(el));
  return figures.get(el);
}

async function start(el) {
  const name = el.dataset.mount;
  const [{ mount }, table] = await Promise.all([earlyModules[name] ?? import(name), firstTable(el)]);
  const handle = mount({
    el,
    table: unpack(table),
    onChange: "eager" in el.dataset ? writeAddress : () => {},
    requestTable: (key, options) => requestTable(name, key, options),
    opens: (other) => Boolean(page.health || onPage(other)),
  });
  el.dataset.ready = "controls";
  const join = () =>
    joinCanvases(el, handle).catch(() => {
      // All but the canvas works without it; it joins when the server is back.
      bokeh = null;
      serverAnswers(false);
      addEventListener("server-back", join, { once: true });
    });
  join();
  return handle;
}

async function joinCanvases(el, handle) {
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  await loadBokeh();
  const { plotsUrl } = el.dataset;
  const items = plotsUrl ? await (await fetch(plotsUrl)).json() : JSON.parse(el.querySelector("[data-plots]").textContent);
  await handle.join(items);
  el.dataset.ready = "canvas";
}

// A figure may ask for another one in some state: "look inside this score". With `stay` the learner
// stays where they are.
addEventListener("figure-go", async ({ detail: { figure, state, stay = false } }) => {
  const el = onPage(figure);
  if (!el) {
    location.href = `/embed/${figure}?${asQuery(state)}`;
    return;
  }
  try {
    await (await wake(el)).go(state);
  } catch {
    return; // another sentence needs the server, and the page says by now that it does not answer
  }
  if (stay) return;
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  el.scrollIntoView({ block: "start", behavior: still ? "instant" : "smooth" });
  el.querySelector("[data-control]").focus({ preventScroll: true });
});

const near = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      near.unobserve(target);
      wake(target).catch(() => {
        // Its first state stays as the page had it; it wakes when the server is back.
        figures.delete(target);
        serverAnswers(false);
        addEventListener("server-back", () => near.observe(target), { once: true });
      });
    }
  },
  { rootMargin: NEAR },
);
for (const el of document.querySelectorAll("[data-mount]")) {
  if ("eager" in el.dataset) wake(el);
  else near.observe(el);
}

document.querySelector("[data-close]")?.addEventListener("click", ({ target }) => target.closest("[data-notice]").remove());
if (page.health) followServer(page.health);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", async () => {
  for (const handle of figures.values()) (await handle).recolour();
});
// The article's own modules come after the figures that are in use at once.
await Promise.allSettled(figures.values());
for (const name of ["contents", "lesson"]) {
  if (!document.querySelector(`[data-${name}]`)) continue;
  import(name).catch(() => addEventListener("server-back", () => import(name), { once: true }));
}
