// What a page of figures does, in order: the main figure before the rest of the page is read, then the others, then all
// that can wait until they answer.

import { startFigures, wakeMain } from "figures";
import { followLanguages } from "language";
import { followKeys } from "keys";
import { isRead } from "read";
import { followServer, missed } from "server";
import { followShare } from "share";
import { followTheme } from "theme";

const page = JSON.parse(document.querySelector("[data-page]").textContent);

wakeMain();
await isRead();
followShare(page);
followLanguages();
followTheme();
followKeys(page.words);
if (page.health) followServer(page);
await startFigures();
// Awaited: it listens to what the lesson's module tells.
if (parent !== window) await load("frame");
for (const name of ["contents", "lesson", "paper"]) {
  if (name !== "paper" && !document.querySelector(`[data-${name}]`)) continue; // any page may be printed
  load(name);
}

/** Where the server does not answer, once it does. */
function load(name) {
  return import(name).catch(() => {
    addEventListener("server-back", () => load(name), { once: true });
    missed();
  });
}
