// Is the server there, and of this page's version? Asked only while somebody uses the page: an idle page asks for nothing.

import { isRead } from "read";

const CHECK_MS = 4000;
const RETRY_MS = 2000;
const PATIENCE_MS = 5000;
const LONGER_TIMES = 5;
// The last four: a laptop wakes, a tab comes back, the network changes.
const USED = ["keydown", "pointerdown", "input", "resume", "visibilitychange", "online", "offline"];

let page = {};
let answers = true;
let newer = false; // whether what answered last is of another version than this page
let lastCheck = Date.now();
let misses = 0; // how often the server was there and a file could not be had all the same

const notice = (name) => document.querySelector(`[data-notice="${name}"]`);

/** Note whether the server answered just now; the page says so when it does not, and asks again after `wait` ms. */
export function serverAnswers(now, wait = RETRY_MS) {
  lastCheck = Date.now();
  if (answers === now) return;
  answers = now;
  notice("offline").hidden = now;
  if (now) dispatchEvent(new Event("server-back"));
  else setTimeout(retry, wait);
}

async function isThere() {
  try {
    const answer = await fetch(page.health, { cache: "no-store", signal: AbortSignal.timeout(PATIENCE_MS) });
    if (answer.ok) newer = (await answer.json()).edition !== page.edition;
    return answer.ok;
  } catch {
    return false;
  }
}

const ask = async () => serverAnswers(await isThere());

async function retry() {
  await ask();
  if (!answers) setTimeout(retry, RETRY_MS);
}

/**
 * Something could not be had: find out why, and say so. Resolves to "gone" (nobody answers), "newer" (what answers is
 * of another version, and the page asks to be loaded again) or "cut" (it answers: asked again, it may be had).
 */
export async function whyFailed() {
  await isRead(); // the notices are at its end
  if (!(await isThere())) {
    serverAnswers(false);
    return "gone";
  }
  if (!newer) return "cut";
  notice("newer").hidden = false;
  return "newer";
}

/** A file could not be had: "server-back" tells when to ask for it again, later each time that the server was there. */
export async function missed() {
  if ((await whyFailed()) === "cut" && answers) serverAnswers(false, RETRY_MS * 2 ** Math.min(misses++, LONGER_TIMES));
}

function askWhenUsed() {
  if (!answers || document.hidden || Date.now() - lastCheck < CHECK_MS) return;
  lastCheck = Date.now();
  ask();
}

export function followServer(config) {
  page = config;
  notice("newer").querySelector("button").addEventListener("click", () => location.reload());
  if (page.tables) return; // a site is there, or the whole network is not
  for (const type of USED) addEventListener(type, askWhenUsed, { passive: true, capture: true });
}
