// hide=, lock=, view= and lang= of a link: what an instructor leaves out of a figure, or shows but holds fast.

import { ignore } from "link";

const VIEWS = ["full", "compact"];
const names = (query, name) => (query.get(name) ?? "").split(",").filter(Boolean);

/** What can be hidden in a figure. The hiding itself is done by early.js, before the first paint. */
export const pieces = (el) => [
  ...new Set([...el.querySelectorAll("[data-piece]")].flatMap((piece) => piece.dataset.piece.split(" "))),
];

/** What can be locked: every choice of the state; how the page looks is the reader's. */
export const locks = (schema) => Object.keys(schema).filter((name) => name !== "theme");

/** Read them for the page's main figure: { lock, ignored }. A server has read lang= itself; elsewhere it is read here. */
export function readView(query, el, schema, { words, languages }) {
  const ignored = [];
  const known = { hide: pieces(el), lock: locks(schema) };
  const [, lock] = Object.entries(known).map(([what, allowed]) =>
    names(query, what).filter((name) => {
      const fits = allowed.includes(name);
      if (!fits) ignored.push(ignore(what, name, words["link.nothing"], allowed.join(", ")));
      return fits;
    }),
  );
  const view = query.get("view") ?? "full";
  const lang = query.get("lang");
  const { lang: shown } = document.documentElement;
  if (lang && languages && !languages.includes(lang)) ignored.push(ignore("lang", lang, shown, languages.join(", ")));
  if (!VIEWS.includes(view)) ignored.push(ignore("view", view, "full", VIEWS.join(", ")));
  return { lock, ignored };
}
