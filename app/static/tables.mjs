// Where a figure's table comes from: asked of the server, fetched from a static site, or held by the page itself.

import { heldBytes, unzip } from "held";
import { readProgress } from "progress";
import { serverAnswers, whyFailed } from "server";
import { unpack } from "table";
import { fill } from "text";

const BUSY_MS = 3000;
const PATIENCE_S = 20;

const page = JSON.parse(document.querySelector("[data-page]").textContent);

class Refused extends Error {
  constructor(field, message) {
    super(message);
    this.field = field;
  }
}

/**
 * With onProgress(step) the answer tells how far it is; signal gives it up. So does a connection on which nothing comes
 * for long: counted in seconds in which the page runs, so that a laptop may sleep while its answer waits.
 */
async function fetchTable(url, { signal, onProgress } = {}) {
  const given = new AbortController();
  signal?.addEventListener("abort", () => given.abort(signal.reason));
  let left = PATIENCE_S;
  const watch = setInterval(() => --left || given.abort(), 1000);
  const heard = (step) => {
    left = PATIENCE_S;
    onProgress(step);
  };
  try {
    return await readTable(url, await fetch(url, { signal: given.signal }), onProgress && heard);
  } finally {
    clearInterval(watch);
  }
}

async function readTable(url, answer, onProgress) {
  const refuse = (field, message) => new Refused(field, message);
  if (!answer.headers.get("content-type")?.startsWith("application/json")) {
    if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
    return onProgress ? readProgress(answer.body, { onProgress, refuse }) : answer.arrayBuffer();
  }
  const { error } = await answer.json();
  throw refuse(error.field, error.message);
}

// What the main figure needs was asked for in the page's head, so that it answers at once and not after the first
// layout of a long page, which any wait would let go first.
const early = (url) => window.earlyTables?.[url];

async function preparedTable(from) {
  const held = document.querySelector(`[data-bytes="${from}"]`);
  return held ? heldBytes(held) : unzip((await early(from)) ?? (await fetchTable(from)));
}

/** Ask a busy server again until it has the time, and tell the learner meanwhile. */
async function askPatiently(url, el) {
  const note = el.querySelector('[data-message="seed"], [data-message="text"], [data-message="race"]');
  const before = note?.textContent;
  for (;;) {
    try {
      const table = await fetchTable(url);
      if (note && note.textContent !== before) note.textContent = before;
      return table;
    } catch (error) {
      if (error.field !== "busy") throw error;
      if (note) note.textContent = error.message;
      await new Promise((resolve) => setTimeout(resolve, BUSY_MS));
    }
  }
}

/** The table of the state that a figure's HTML shows. */
export async function firstTable(el) {
  const prepared = page.tables?.[el.dataset.mount];
  if (prepared) return unpack(await preparedTable(prepared[0].from));
  const { tableUrl } = el.dataset;
  return unpack((await early(tableUrl)) ?? (await askPatiently(tableUrl, el)));
}

const same = (key, other) => Object.entries(key).every(([name, value]) => value === other[name]);
const tell = (key) => Object.values(key).join(" · ");

/** A table for other values of what it depends on. One with onProgress takes long: the server runs it for this learner. */
export async function requestTable(name, key, options = {}) {
  if (page.tables) {
    const tidy = "text" in key ? { ...key, text: key.text.trim().split(/\s+/).join(" ") } : key;
    const prepared = page.tables[name].find((item) => same(item.key, tidy));
    if (prepared) return unpack(await preparedTable(prepared.from));
    const keys = page.tables[name].map((item) => tell(item.key)).join("; ");
    throw new Refused("text", fill(page.words.unprepared, { keys }));
  }
  const query = new URLSearchParams({ ...key, ...(page.lang && { lang: page.lang }), v: page.version });
  try {
    const table = unpack(await fetchTable(`/${options.onProgress ? "races" : "tables"}/${name}?${query}`, options));
    serverAnswers(true);
    return table;
  } catch (error) {
    if (error instanceof Refused || options.signal?.aborted) throw error;
    const why = await whyFailed();
    throw why === "gone" ? error : new Refused("server", page.words[why]);
  }
}
