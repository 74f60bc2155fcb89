// The builder: a figure in a frame, as readers will have it; what to leave out and hold fast; what to paste.
// The frame tells each state over the same messages that any host page can use.

import { writeQuery } from "link";
import { SNIPPETS } from "snippets";
import { fill } from "text";

const FIRST_HEIGHT = 700; // until the frame says how high it is

const root = document.querySelector("[data-builder]");
const { words, base, folders, titles } = JSON.parse(root.querySelector("[data-config]").textContent);
const part = (selector) => root.querySelector(selector);
const choices = part("[data-choices]");
const code = part("[data-code]");
const said = part("[data-said]");
const top = new URL(base, location.href);

let preview = null; // the <attention-lesson>
let state = null; // the figure's, as the frame told it last
let height = FIRST_HEIGHT;

const checked = (what) => [...part(`[data-names="${what}"]`).querySelectorAll(":checked")].map(({ value }) => value);

/** What the link says besides the state. */
function look() {
  const { view, lang } = choices.elements;
  const told = { hide: checked("hide").join(","), lock: checked("lock").join(","), view: view.value === "full" ? "" : view.value };
  return { ...told, lang: lang?.value ?? "" };
}

function query() {
  return String(writeQuery({ ...state, theme: choices.elements.theme.value }, new URLSearchParams(look())));
}

function showCode() {
  const figure = choices.elements.figure.value;
  for (const what of ["hide", "lock"]) part(`[data-count="${what}"]`).textContent = checked(what).length || "";
  part("[data-download]").disabled = part("[data-copy]").disabled = !state;
  if (!state) return;
  const { theme, ...chosen } = state;
  code.value = SNIPPETS[part('[name="format"]').value]({
    url: `${new URL(`embed/${figure}/`, top)}?${query()}`,
    title: titles[figure],
    height,
    script: new URL("embed.js", top).href,
    attributes: { figure, state: String(writeQuery(chosen)), ...look(), theme: choices.elements.theme.value },
  });
}

/** Show the figure anew, in the state that it has or its first one. */
function load(keep) {
  const figure = choices.elements.figure.value;
  const attributes = { figure, loading: "eager", title: titles[figure], theme: choices.elements.theme.value, ...look() };
  if (keep && state) attributes.state = String(writeQuery(state));
  state = keep ? state : null;
  const made = document.createElement("attention-lesson");
  for (const [name, value] of Object.entries(attributes)) if (value) made.setAttribute(name, value);
  made.addEventListener("lesson-ready", ({ detail }) => {
    part("[data-wait]").hidden = true;
    showNames("hide", detail.pieces);
    showNames("lock", detail.locks);
    take(detail.state);
  });
  made.addEventListener("lesson-state", ({ detail }) => take(detail.state));
  made.addEventListener("lesson-resize", ({ detail }) => {
    height = detail.height;
    showCode();
  });
  preview?.remove();
  preview = made;
  part("[data-preview]").append(made);
  showCode();
}

/** Where a figure's file is: a server makes it in any language, a site has a folder for each. */
const fileOf = (figure, lang) => new URL(`${folders[lang] ?? ""}files/${figure}.html?lang=${lang}`, top);

function take(next) {
  state = next;
  showCode();
}

/** The check boxes of a figure; what was checked stays so where the figure has it. */
function showNames(what, names) {
  const place = part(`[data-names="${what}"]`);
  if (place.dataset.of === names.join()) return;
  const before = checked(what);
  place.dataset.of = names.join();
  place.replaceChildren(
    ...names.map((name) => {
      const box = Object.assign(document.createElement("input"), { type: "checkbox", value: name, checked: before.includes(name) });
      const label = document.createElement("label");
      label.append(box, ` ${words[`piece.${name}`] ?? name}`);
      return label;
    }),
  );
}

choices.addEventListener("change", ({ target }) => {
  if (target.name === "figure") {
    for (const box of root.querySelectorAll("[data-names] :checked")) box.checked = false;
    height = FIRST_HEIGHT;
  }
  load(target.name !== "figure");
});
choices.addEventListener("submit", (event) => event.preventDefault());
part("[data-again]").addEventListener("click", () => {
  for (const box of root.querySelectorAll("[data-names] :checked")) box.checked = false;
  choices.elements.view.value = "full";
  choices.elements.theme.value = "auto";
  if (choices.elements.lang) choices.elements.lang.value = "";
  load(false);
});
part('[name="format"]').addEventListener("change", showCode);

part("[data-copy]").addEventListener("click", async () => {
  try {
    await navigator.clipboard.writeText(code.value);
    said.textContent = words["builder.copied"];
  } catch {
    code.focus();
    code.select();
    said.textContent = words["builder.copy.refused"];
  }
});

/** The prepared file with this state written into it: the file reads it where its own address has none. */
part("[data-download]").addEventListener("click", async () => {
  const figure = choices.elements.figure.value;
  try {
    const answer = await fetch(fileOf(figure, look().lang || document.documentElement.lang));
    if (!answer.ok) throw new Error(answer.status);
    const start = query().replaceAll("&", "&amp;"); // no other sign of an address has a meaning in HTML
    const file = new Blob([(await answer.text()).replace('data-start=""', () => `data-start="${start}"`)], { type: "text/html" });
    const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(file), download: `${figure}.html` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href));
    said.textContent = fill(words["builder.downloaded"], { name: link.download });
  } catch {
    said.textContent = words["builder.download.failed"];
  }
});

// A link may come with a figure and the state that a reader had it in.
const given = new URLSearchParams(location.search);
if (titles[given.get("figure")]) choices.elements.figure.value = given.get("figure");
given.delete("figure");
state = given.size ? Object.fromEntries(given) : null;
load(Boolean(state));

const reach = part("[data-reach]");
const isLocal = /^(localhost|127\.|\[::1\])/.test(location.hostname);
if (isLocal || location.protocol === "file:") {
  reach.textContent = words[isLocal ? "builder.local" : "builder.file"];
  reach.hidden = false;
}
