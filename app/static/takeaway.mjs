// "Take it along": a figure's picture, its tables and its script as files, made of what is on screen.

import { readTable, toCsv } from "csv";
import { wake } from "figures";
import { picture, pictured, toPng } from "picture";
import { numpyScript } from "script";
import { stateLine, stateOf } from "stateof";
import { fill, write } from "text";

const KEPT_MS = 60_000; // how long a file stays ready for a browser that asks where to put it

/** The figure's name and state for a file, without what a learner typed. */
function fileName(root, ...rest) {
  const { schema } = JSON.parse(root.querySelector("[data-config]").textContent);
  const state = stateOf(root);
  const chosen = Object.keys(schema).filter((name) => name !== "theme" && schema[name].type !== "text" && name in state);
  const told = chosen.map((name) => `${name}-${typeof state[name] === "boolean" ? Number(state[name]) : state[name]}`);
  return [root.dataset.figure, ...told, ...rest].join("_");
}

function nameOf(table) {
  const title = table.previousElementSibling?.matches(".table-title") ? table.previousElementSibling : null;
  const label = document.getElementById(table.getAttribute("aria-labelledby")) ?? table.caption ?? title;
  return label?.textContent ?? table.closest("[aria-label]").getAttribute("aria-label");
}

/** A short name for a table's file. */
const keyOf = (table, i) => table.dataset.table ?? table.closest("[data-slot]")?.dataset.name ?? table.closest("[data-part]")?.dataset.part ?? i + 1;

/** A frame that may not save files ignores it silently: there the content is shown too. */
async function give(blob, name, { details, words }) {
  const url = URL.createObjectURL(blob);
  Object.assign(document.createElement("a"), { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
  const said = details.querySelector("[data-taken]");
  write(said, fill(words["take.saved"], { file: name }));
  const place = details.querySelector("[data-take-shown]");
  place.replaceChildren();
  if (parent === window) return;
  write(said, fill(words["take.framed"], { file: name }));
  const isImage = blob.type === "image/png";
  const shown = isImage ? new Image() : document.createElement("textarea");
  if (isImage) Object.assign(shown, { src: await dataUrl(blob), alt: name });
  else Object.assign(shown, { value: (await blob.text()).trimEnd(), readOnly: true, rows: 8, ariaLabel: name });
  place.append(shown);
}

const dataUrl = (blob) =>
  new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result);
    reader.readAsDataURL(blob);
  });

/** Wait for the plots of a figure whose controls may have been quicker. */
const drawn = (el) =>
  new Promise((resolve) => {
    const look = () => el.dataset.ready === "canvas" && (watch.disconnect(), resolve());
    const watch = new MutationObserver(look);
    watch.observe(el, { attributeFilter: ["data-ready"] });
    look();
  });

/** Fill the menu of `details` with what its figure has now. */
export async function openMenu(details, { words, scripts }) {
  const el = details.closest("[data-mount]");
  const root = el.querySelector("[data-figure]");
  const handle = await wake(el);
  const around = { details, words };
  async function shown() {
    await drawn(el);
    return picture(root, handle, `${root.getAttribute("aria-label")}: ${stateLine(root)}`);
  }
  const make = {
    png: async () => give(await toPng(await shown()), `${fileName(root)}.png`, around),
    svg: async () => give(new Blob([(await shown()).svg], { type: "image/svg+xml" }), `${fileName(root)}.svg`, around),
    py() {
      const own = JSON.parse(root.querySelector("[data-config]").textContent).script;
      const text = numpyScript(own ?? scripts[root.dataset.figure], handle.state, handle.take().script);
      return give(new Blob([text], { type: "text/x-python" }), `${fileName(root)}.py`, around);
    },
  };

  function csv(table, key) {
    const { cells = {} } = handle.take();
    const exact = Object.entries(cells).find(([selector]) => table.matches(selector))?.[1];
    return give(new Blob([toCsv(readTable(table, exact))], { type: "text/csv" }), `${fileName(root, key)}.csv`, around);
  }

  function button(text, act) {
    const made = Object.assign(document.createElement("button"), { type: "button", textContent: text });
    made.addEventListener("click", async () => {
      try {
        await act();
      } catch {
        write(details.querySelector("[data-taken]"), words["take.failed"]);
      }
    });
    return made;
  }

  const tables = [...root.querySelectorAll("table")].filter((table) => !table.closest("[data-slot][hidden]"));
  const entries = tables.map((table, i) => button(fill(words["take.csv"], { name: nameOf(table) }), () => csv(table, keyOf(table, i))));
  const pictures = pictured(root).length ? ["png", "svg"] : [];
  details.querySelector("[data-take-menu]").replaceChildren(
    ...pictures.map((kind) => button(words[`take.${kind}`], make[kind])),
    ...entries,
    button(words["take.script"], make.py),
  );
}
