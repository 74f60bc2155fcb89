// Brings a page's figures to life: the main one at once, the others when they come near.
// For each, the table first, so that controls answer; then BokehJS, and the canvases join.

import { followAddress, ownQuery } from "address";
import { heldBytes } from "held";
import { readState, typed, withState } from "link";
import { tellIgnored } from "notice";
import { readView } from "pieces";
import { isRead } from "read";
import { missed } from "server";
import { firstTable, requestTable } from "tables";
import { fill } from "text";

const NEAR = "600px";
const IDLE_MS = 500;
const PATIENCE_MS = 20_000;

const page = JSON.parse(document.querySelector("[data-page]").textContent);

export const onPage = (name) => document.querySelector(`[data-mount="${CSS.escape(name)}"]`);
const mainFigure = () => document.querySelector("[data-mount][data-eager]");
export const configOf = (el) => JSON.parse(el.querySelector("[data-figure] [data-config]").textContent);

const figures = new Map(); // element → promise of its handle
export const awake = new Map(); // element → its handle, once there is one

/** Bring a figure to life, once; resolves to its handle when its controls answer. */
export function wake(el) {
  if (!figures.has(el)) {
    const handle = start(el);
    figures.set(el, handle);
    handle.catch(() => {
      figures.delete(el);
      missed();
    });
  }
  return figures.get(el);
}

async function start(el) {
  const name = el.dataset.mount;
  const isMain = "eager" in el.dataset;
  const { schema, state: shown } = configOf(el);
  const view = isMain ? readView(ownQuery(), el, schema, page) : { lock: [], ignored: [] };
  const address = isMain ? followAddress(schema) : null;
  const [{ mount }, table] = await Promise.all([window.earlyModules?.[name] ?? import(name), firstTable(el)]);
  const handle = mount({
    el,
    table,
    lock: view.lock,
    onChange: address?.onChange,
    requestTable: (key, options) => requestTable(name, key, options),
    opens: (other) => Boolean(page.figurePage || onPage(other)),
  });
  if (isMain) {
    const { ignored } = page.tables ? await take(handle, schema, shown) : { ignored: [] };
    tellIgnored([...ignored, ...view.ignored], page.words);
    address.follow(handle);
  }
  awake.set(el, handle);
  el.dataset.ready = "controls";
  join(el, handle);
  return handle;
}

/** Without a server the link is read here. */
async function take(handle, schema, shown) {
  const { state, ignored } = readState(ownQuery(), schema, shown);
  try {
    if (ownQuery().size) await handle.go(state, "history");
  } catch (error) {
    ignored.push({ name: "text", came: state.text, used: shown.text, allowed: error.message });
    await handle.go({ ...state, ...keyOf(handle, shown) }, "history");
  }
  return { ignored };
}

const keyOf = (handle, state) => Object.fromEntries(handle.key.map((name) => [name, state[name]]));

// ---- canvases ------------------------------------------------------------------------

let bokeh = null;

async function loadBokeh() {
  await isRead();
  const held = document.querySelector("[data-bokeh]");
  // From an address even where the page holds it: browsers compile those beside the page, which goes on answering.
  const address = held ? URL.createObjectURL(new Blob([await heldBytes(held)], { type: "text/javascript" })) : page.bokeh;
  await new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.onload = resolve;
    script.onerror = () => reject(new Error("BokehJS could not be loaded"));
    script.src = address;
    document.head.append(script);
  });
}

/** Wait until nothing else wants the page: a key that was pressed is answered first. */
const idle = () =>
  new Promise((resolve) => {
    if (window.requestIdleCallback) requestIdleCallback(resolve, { timeout: IDLE_MS });
    else setTimeout(resolve);
  });

async function join(el, handle) {
  try {
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    await idle();
    await (bokeh ??= loadBokeh());
    await idle();
    const { plotsUrl } = el.dataset;
    const patience = { signal: AbortSignal.timeout(PATIENCE_MS) };
    const items = plotsUrl ? await (await fetch(plotsUrl, patience)).json() : JSON.parse(el.querySelector("[data-plots]").textContent);
    await handle.join(items);
    el.dataset.ready = "canvas";
  } catch {
    // All but the canvas works without it; it joins when the server is back.
    bokeh = null;
    missed();
    addEventListener("server-back", () => join(el, handle), { once: true });
  }
}

// ---- one figure asks for another, or a link does -------------------------------------

// With `stay` the learner stays where they are; without `focus` what they do goes on where it is.
addEventListener("figure-go", async ({ detail: { figure, state, stay = false, focus = true } }) => {
  const el = onPage(figure);
  if (!el) {
    if (page.figurePage) location.href = withState(fill(page.figurePage, { figure }), state);
    return;
  }
  try {
    await (await wake(el)).go(state);
  } catch {
    return; // another sentence needs the server, and the page says by now that it does not answer
  }
  if (stay) return;
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  // Not scrollIntoView: in a frame it may scroll the page around as well.
  const bar = parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 0;
  const top = el.getBoundingClientRect().top - bar - parseFloat(getComputedStyle(el).scrollMarginTop);
  scrollBy({ top, behavior: still ? "instant" : "smooth" });
  if (focus) el.querySelector("[data-control]").focus({ preventScroll: true });
});

/** An address that ends in #variance-law?d_k=64 goes there. */
function followHash() {
  const [, figure, query] = location.hash.match(/^#([a-z-]+)\?(.*)$/) ?? [];
  const el = figure && onPage(figure);
  if (!el) return;
  const { schema } = configOf(el);
  const state = {};
  for (const [name, came] of new URLSearchParams(query)) {
    const value = schema[name] && typed(schema[name], came);
    if (value !== undefined) state[name] = value;
  }
  // In a frame it was the page around that chose the address, and the focus is not ours to take.
  dispatchEvent(new CustomEvent("figure-go", { detail: { figure, state, focus: parent === window } }));
}

// ---- start ---------------------------------------------------------------------------

/** Wake a figure; where the server does not answer, its first state stays as the page had it, `again` once it does. */
function rouse(el, again) {
  wake(el).catch(() => addEventListener("server-back", () => again(el, again), { once: true }));
}

const near = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      near.unobserve(target);
      rouse(target, () => near.observe(target));
    }
  },
  { rootMargin: NEAR },
);

/** All canvases follow the page's theme. */
export function recolourAll() {
  for (const handle of awake.values()) handle.recolour(); // the others will start in its colours
}

/** Change something of the main figure's state that the learner chose elsewhere on the page. */
export async function setMain(change) {
  const main = mainFigure();
  try {
    if (main) await (await wake(main)).go(change, "learner");
  } catch {
    // The page says by now that the server does not answer.
  }
}

/** Start with the figure that is needed at once. */
export function wakeMain() {
  const main = mainFigure();
  if (main) rouse(main, rouse);
}

/** Follow the others; resolves when those that were woken answer. */
export async function startFigures() {
  for (const el of document.querySelectorAll("[data-mount]:not([data-eager])")) near.observe(el);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", recolourAll);
  await Promise.allSettled(figures.values());
  followHash();
  addEventListener("hashchange", followHash);
}
