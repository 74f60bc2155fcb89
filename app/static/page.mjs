// What a page of figures does, in order: the figures first, then all that can wait until they answer.

import { startFigures } from "figures";
import { followServer, missed } from "server";

const page = JSON.parse(document.querySelector("[data-page]").textContent);

if (page.health) followServer(page);
await startFigures();
load("reader").then((reader) => reader.followReader(page));
// Awaited: it listens to what the lesson's module tells.
if (parent !== window) await load("frame");
for (const name of ["contents", "lesson", "paper"]) {
  if (name !== "paper" && !document.querySelector(`[data-${name}]`)) continue; // any page may be printed
  load(name);
}

/** A module; where the server does not answer, once it does. */
function load(name) {
  return import(name).catch(() => {
    missed();
    return new Promise((resolve) => addEventListener("server-back", () => resolve(load(name)), { once: true }));
  });
}
