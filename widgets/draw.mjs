// The learner's own sentence and seed: Python computes the table, the last good figure stays
// until it is there, and whatever is wrong is said beside the field. A page without a server has
// a choice of draws that lie ready in the place of the fields.

import { fill, write } from "text";

const BUSY_MS = 300;

/**
 * Follow the forms [data-form="text"] and [data-form="seed"], or select[data-draw].
 *
 * requestTable   async ({ text, seed }) → table; throws an Error with .field ("text", "seed") and a
 *                message for the learner, or any other error when nobody answers
 */
export function followDraw({ figure, requestTable }) {
  const { config, part, words } = figure;
  const control = (name) => part(`input[name="${name}"]`);
  const prepared = part("select[data-draw]");
  let asked = 0;

  function say(field, text, refused = false) {
    // What is no fault of a field, such as a busy server, is said beside the sentence.
    const message = part(`[data-message="${field}"]`) ?? part('[data-message="text"]');
    if (!message) return;
    message.classList.toggle("refused", refused);
    write(message, text);
    if (refused) control(field)?.setAttribute("aria-invalid", "true");
    else control(field)?.removeAttribute("aria-invalid");
  }

  async function draw({ text = figure.state.text, seed = figure.state.seed }) {
    const mine = ++asked;
    say("text", words[prepared ? "control.draw.note" : "control.text.rule"]);
    say("seed", "");
    const busy = setTimeout(() => say("seed", words.busy), BUSY_MS);
    try {
      const table = await requestTable({ text, seed });
      if (mine !== asked) return; // a later request overtook this one
      figure.setTable(table);
      figure.choose({}); // the new sentence is the learner's choice: hosts and links follow
    } catch (error) {
      if (mine === asked) say(error.field ?? "text", error.field ? error.message : words["error.server"], true);
    } finally {
      clearTimeout(busy);
      if (mine === asked && part('[data-message="seed"]')?.textContent === words.busy) say("seed", "");
    }
  }

  function drawSeed(typed) {
    if (/^\d{1,10}$/.test(typed.trim()) && Number(typed) <= config.max_seed) draw({ seed: Number(typed) });
    else say("seed", fill(words["error.seed"], { max: config.max_seed }), true);
  }

  /** The fields show what the table was computed for. */
  function showFields() {
    for (const name of ["text", "seed"]) if (control(name)) control(name).value = figure.state[name];
    if (prepared) showPrepared(prepared, figure.state);
  }

  if (prepared) figure.on(prepared, "change", () => draw(JSON.parse(prepared.value)));
  // Enter in a field clicks the form's button too. A frame that may send no forms has no submit event.
  function onSubmit(name, act) {
    figure.on(part(`[data-form="${name}"]`), "click", (event) => {
      if (!event.target.closest('[type="submit"]')) return;
      event.preventDefault();
      act(control(name).value);
    });
  }
  if (part('[data-form="text"]')) {
    onSubmit("text", (text) => draw({ text }));
    onSubmit("seed", drawSeed);
  }

  return {
    say,
    showFields,
    actions: {
      redraw: () => draw({ seed: crypto.getRandomValues(new Uint32Array(1))[0] }),
      lesson: () => draw(config.lesson),
    },
  };
}

/** The choice that says what is shown. */
export function showPrepared(select, state) {
  for (const option of select.options) {
    const { text, seed } = JSON.parse(option.value);
    if (text === state.text && seed === state.seed) select.value = option.value;
  }
}
