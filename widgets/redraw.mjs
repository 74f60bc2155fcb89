// Another draw for a figure without fields of its own: the last good one stays until it is there.

import { showPrepared } from "draw";
import { write } from "text";

const BUSY_MS = 300;

/**
 * What [data-action="redraw"] and [data-action="lesson"] do; [data-message="seed"] says how it goes. Without a
 * server select[data-draw] stands for both.
 */
export function redrawing({ figure, requestTable }) {
  const { config, words } = figure;
  const prepared = figure.part("select[data-draw]");
  let asked = 0;

  function say(text, refused = false) {
    const message = figure.part('[data-message="seed"]') ?? figure.part('[data-message="text"]');
    message.classList.toggle("refused", refused);
    write(message, text);
  }

  async function draw(key) {
    const mine = ++asked;
    const busy = setTimeout(() => say(words.busy), BUSY_MS);
    try {
      const table = await requestTable(key);
      if (mine !== asked) return; // a later request overtook this one
      figure.setTable(table);
      figure.choose({}); // the new draw is the learner's choice: hosts and links follow
      say("");
    } catch (error) {
      if (mine === asked) say(error.field ? error.message : words["error.server"], true);
    } finally {
      clearTimeout(busy);
    }
  }

  if (prepared) {
    figure.on(prepared, "change", () => draw(JSON.parse(prepared.value)));
    figure.on(figure.root, "figure-state", () => showPrepared(prepared, figure.state));
  }

  return {
    redraw: () => draw({ text: figure.state.text, seed: crypto.getRandomValues(new Uint32Array(1))[0] }),
    lesson: () => draw(config.lesson),
  };
}
