// A state as links and hosts give it: typed by the figure's schema (widgets/state.py), or refused by name.

import { fill } from "text";

const SHOWN = 40;
const VIEW_NAMES = ["hide", "lock", "view", "lang"]; // what a link carries besides a figure's state

/** One value, typed; undefined where the schema has no such value. */
export function typed(rule, value) {
  const isText = typeof value === "string";
  if (rule.type === "boolean") return [false, true].find((known) => value === known || value === String(Number(known)));
  if (rule.type === "text") return isText && value.trim() && value.length <= 1200 ? value : undefined;
  const number = isText && /^\d{1,10}$/.test(value) ? Number(value) : value;
  // Fractions are written as they are listed.
  if (rule.type === "choice") return rule.values.find((known) => known === number || (isText && String(known) === value));
  return Number.isInteger(number) && number >= rule.min && number <= rule.max ? number : undefined;
}

const plain = (value) => String(typeof value === "boolean" ? Number(value) : value);
const shorten = (text) => (text.length <= SHOWN ? text : `${text.slice(0, SHOWN - 1)}…`);
/** Something that could not be used, for the notice on the page. */
export const ignore = (name, came, used, allowed) => ({ name, came: shorten(plain(came)), used: plain(used), allowed });

/** The last token that a state may point at. */
export const lastToken = ({ text }) => (text === undefined ? Infinity : text.trim().split(/\s+/).length - 1);

/**
 * Take a state out of a link's parameters, as app/links.py does on a server.
 *
 * query     URLSearchParams; names that are no part of the state are left to others
 * schema    the figure's
 * defaults  what stands where the link says nothing
 *
 * Returns { state, ignored }: what could not be used is replaced by its default, the rest counts.
 */
export function readState(query, schema, defaults) {
  const state = { ...defaults };
  const ignored = [];
  for (const [name, rule] of Object.entries(schema)) {
    if (!query.has(name)) continue;
    const came = query.getAll(name).at(-1);
    const value = typed(rule, came);
    if (value === undefined) ignored.push(ignore(name, came, state[name], rule.allowed));
    else state[name] = value;
  }
  const last = lastToken(state);
  for (const [name, rule] of Object.entries(schema)) {
    if (!rule.token || state[name] <= last) continue;
    const used = Math.min(rule.default, last);
    ignored.push(ignore(name, state[name], used, fill(rule.allowed_tokens, { last })));
    state[name] = used;
  }
  return { state, ignored };
}

/** An address with a state in it, and whatever else it has already. */
export function withState(address, state) {
  const url = new URL(address, location.href);
  for (const [name, value] of writeQuery(state)) url.searchParams.set(name, value);
  return url.href;
}

/** A full state as a link carries it, with what the page's own link says of its look. */
export function writeQuery(state, here = new URLSearchParams()) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(state)) query.set(name, plain(value));
  for (const name of VIEW_NAMES) if (here.get(name)) query.set(name, here.get(name));
  return query;
}
