// The page's address holds the main figure's full state: written when the learner pauses, and in place, so that a
// drag leaves the history alone. What a link or a button of the page set is a step that Back undoes.

import { readState, writeQuery } from "link";

const ADDRESS_MS = 200;

/** The parameters that count here: those of the address before those that a file was prepared with. */
export function ownQuery() {
  const query = new URLSearchParams(document.documentElement.dataset.start);
  new URLSearchParams(location.search).forEach((value, name) => query.set(name, value));
  return query;
}

/** Where a state of the main figure is, as a whole address. */
export const addressOf = (state, hash = "") => `${location.href.split(/[?#]/)[0]}?${writeQuery(state, ownQuery())}${hash}`;

/** Follow the main figure; gives the onChange for its host, and what to do once its handle is there. */
export function followAddress(schema) {
  let writing = null; // the timer, while the address is behind
  let latest = null;

  function write(how) {
    clearTimeout(writing);
    writing = null;
    try {
      history[how](null, "", addressOf(latest, location.hash));
    } catch {
      // A sandboxed frame has no address of its own to write, and a browser may refuse many at once.
    }
  }

  return {
    onChange(state, by) {
      if (by === "history") return;
      if (by === "link" && writing) write("replaceState"); // what Back returns to
      latest = state;
      clearTimeout(writing);
      if (by === "link") write("pushState");
      else writing = setTimeout(() => write("replaceState"), ADDRESS_MS);
    },
    follow(handle) {
      const first = handle.state;
      addEventListener("popstate", () => {
        // A step to a section of the page comes here too: what the address does not say yet is written now.
        if (writing) return write("replaceState");
        const { state } = readState(ownQuery(), schema, first);
        const moved = Object.keys(state).some((name) => state[name] !== handle.state[name]);
        if (moved) handle.go(state, "history").catch(() => {}); // the server does not answer, and the page says so
      });
    },
  };
}
