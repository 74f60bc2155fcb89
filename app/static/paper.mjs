// The page on paper. Before it is printed, plots become drawings in light inks, and what only a screen can show is
// written out: states, answers or room for them, addresses, terms. Afterwards all that is gone.

import { awake, wake } from "figures";
import { inLight, plotSvg } from "picture";
import { stateLine } from "stateof";
import { fill, write } from "text";

const PATIENCE_MS = 15_000; // for one figure, when its server does not answer
const LINES = 4; // to write an answer on

const html = document.documentElement;
const section = document.querySelector("[data-paper]");
const words = section && JSON.parse(section.querySelector("[data-config]").textContent).words;
let added = [];
let opened = [];

/** Add something for paper alone. */
function add(el, where, name, ...content) {
  const made = document.createElement(name);
  made.className = "paper";
  made.append(...content);
  el.insertAdjacentElement(where, made);
  added.push(made);
  return made;
}

function drawFigures() {
  for (const el of document.querySelectorAll("[data-mount]")) {
    const root = el.querySelector("[data-figure]");
    add(root, "afterend", "p", stateLine(root)).dataset.state = "";
    const handle = el.dataset.ready === "canvas" && awake.get(el);
    el.toggleAttribute("data-drawn", Boolean(handle));
    if (handle) inLight(root, handle, () => root.querySelectorAll("[data-canvas]").forEach(drawPlot));
    // Without its plots a figure has its tables.
    else opened.push(...root.querySelectorAll("details[data-piece~=table]:not([open])"));
  }
  for (const details of opened) details.open = true;
}

function drawPlot(target) {
  const svg = plotSvg(target);
  if (svg) add(target, "beforeend", "div", svg);
}

const copyOf = (template) => template.content.cloneNode(true);

/** Every reply beneath its answer; a number's right one where a learner would find theirs. */
function writeReplies() {
  for (const place of document.querySelectorAll("div[data-choice], [data-question]")) {
    place.querySelectorAll("label.option").forEach((option, i) => {
      const template = place.querySelector(`template[data-reply-to="${i}"]`);
      if (template) add(option, "afterend", "div", copyOf(template));
    });
    const right = place.querySelector('template[data-reply-to="right"]');
    if (right) add(place.querySelector("[data-reply]"), "afterend", "div", copyOf(right));
  }
}

function writeInterview(shown) {
  for (const prompt of document.querySelectorAll("[data-prompt]")) {
    const own = prompt.querySelector("textarea");
    if (own.value.trim()) add(own, "afterend", "p", own.value);
    else if (!shown) add(own, "afterend", "div", ...Array.from({ length: LINES }, () => document.createElement("hr")));
    if (shown) add(prompt, "beforeend", "p", ...prompt.querySelector("details > p").cloneNode(true).childNodes).dataset.answer = "";
  }
}

/** Where a link leads, if that is another page. */
function writeAddresses() {
  for (const link of document.querySelectorAll("main a[href]")) {
    const { origin, pathname, href } = new URL(link.href);
    if (origin + pathname === location.origin + location.pathname || link.textContent.includes(href)) continue;
    add(link, "afterend", "span", ` (${href})`);
  }
}

function writeTerms() {
  const terms = [...document.querySelectorAll("button.term")];
  if (!terms.length || !words) return;
  const list = add(section, "afterend", "dl");
  for (const term of terms) {
    const [dt, dd] = ["dt", "dd"].map((name) => document.createElement(name));
    dt.append(term.textContent);
    dd.append(...document.getElementById(term.getAttribute("popovertarget")).cloneNode(true).childNodes);
    list.append(dt, dd);
  }
  add(section, "afterend", "h2", words["print.terms"]);
}

addEventListener("beforeprint", () => {
  if (added.length) return;
  const shown = section?.querySelector("[data-with-answers]").checked ?? false;
  drawFigures();
  if (shown) writeReplies();
  writeInterview(shown);
  writeAddresses();
  writeTerms();
});
addEventListener("afterprint", () => {
  for (const made of added) made.remove();
  for (const details of opened) details.open = false;
  added = [];
  opened = [];
});

// ---- the button: all figures first -----------------------------------------------------

const painted = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));

/** Resolves when a figure's canvases are there, or when that takes too long. */
function drawn(el) {
  return new Promise((resolve) => {
    const look = () => el.dataset.ready === "canvas" && resolve();
    new MutationObserver(look).observe(el, { attributes: true });
    setTimeout(resolve, PATIENCE_MS);
    look();
  });
}

async function printAll(say) {
  const figures = [...document.querySelectorAll("[data-mount]")];
  html.dataset.waking = ""; // a figure out of view has no size to be drawn in
  let begun = false;
  const begin = () => (begun = true);
  addEventListener("beforeprint", begin, { once: true });
  try {
    for (const [i, el] of figures.entries()) {
      say(fill(words["print.drawing"], { n: i + 1, count: figures.length }));
      await wake(el).then(() => drawn(el), () => {}); // one that cannot come prints what it has
    }
    await painted();
    say("");
    print();
    if (!begun) say(words["print.refused"]); // as in a frame that may open no dialog
  } finally {
    delete html.dataset.waking;
    removeEventListener("beforeprint", begin);
  }
}

section?.querySelector("[data-print]").addEventListener("click", async ({ currentTarget }) => {
  if (currentTarget.getAttribute("aria-disabled") === "true") return;
  currentTarget.setAttribute("aria-disabled", "true");
  try {
    await printAll((text) => write(section.querySelector("[data-said]"), text));
  } finally {
    currentTarget.removeAttribute("aria-disabled");
  }
});
