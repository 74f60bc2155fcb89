// Another race: asked of the server, with its progress and a way to stop it. The one that is
// shown stays until the other is there.

import { write } from "text";

const SHOWN_MS = 200; // what is there sooner needs no bar

/**
 * Follow the choices (select[data-choice]) and show what is asked for in [data-progress].
 *
 * requestTable   async (key, { signal, onProgress }) → table; onProgress(step) is called as it comes about
 */
export function followRun({ figure, requestTable }) {
  const { config, part, words } = figure;
  const box = part("[data-progress]");
  const bar = box.querySelector("progress");
  const choices = [...figure.root.querySelectorAll("select[data-choice]")];
  let running = null;

  function say(text, refused = false) {
    const message = part('[data-message="race"]');
    message.classList.toggle("refused", refused);
    write(message, text);
  }

  /** The race of a key, or null where the learner cancelled it or asked for another meanwhile. */
  async function race(key) {
    running?.abort();
    const mine = new AbortController();
    running = mine;
    const before = document.activeElement;
    const show = setTimeout(() => (box.hidden = false), SHOWN_MS);
    const onProgress = (step) => {
      if (running === mine) bar.value = step;
    };
    // The lesson's own races lie ready; any other is run for this learner.
    const ready = key.text === config.lesson.text && key.seed === config.lesson.seed;
    onProgress(0);
    say("");
    figure.root.setAttribute("aria-busy", "true");
    try {
      return await requestTable(key, { signal: mine.signal, onProgress: ready ? undefined : onProgress });
    } catch (error) {
      if (mine.signal.aborted) return null;
      throw error;
    } finally {
      clearTimeout(show);
      if (running === mine) {
        running = null;
        figure.root.removeAttribute("aria-busy");
        if (box.contains(document.activeElement)) before?.focus({ preventScroll: true });
        box.hidden = true;
      }
    }
  }

  const chosen = () => Object.fromEntries(choices.map(({ name, value }) => [name, Number(value)]));

  /** For followDraw: where the race was cancelled, the one that is shown. */
  async function request(change) {
    const { text, seed } = figure.state;
    return (await race({ text, seed, ...chosen(), ...change })) ?? figure.data;
  }

  async function choose() {
    const { text, seed } = figure.state;
    try {
      const table = await race({ text, seed, ...chosen() });
      if (!table) return;
      figure.setTable(table);
      figure.choose({});
    } catch (error) {
      say(error.field ? error.message : words["race.error.server"], true);
      showChoices();
    }
  }

  /** What is shown is chosen, unless another race is on its way. */
  function showChoices() {
    if (running) return;
    for (const select of choices) select.value = figure.state[select.name];
  }

  for (const select of choices) figure.on(select, "change", choose);

  return {
    request,
    showChoices,
    /** A choice made while the first table was still on its way counts. */
    chosenBefore() {
      if (choices.some(({ name, value }) => Number(value) !== figure.state[name])) choose();
    },
    cancel() {
      running?.abort();
      say(words["race.cancelled"]);
    },
  };
}
