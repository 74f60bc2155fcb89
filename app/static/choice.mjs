// A single choice with a reply to each answer; and what all activities share: replies, and a page that stays put.

/** Show the reply to an answer, or none. The replies are templates, so that formulas are there already. */
export function showReply(el, answer) {
  const place = el.querySelector("[data-reply]");
  const made = answer === null ? null : el.querySelector(`template[data-reply-to="${answer}"]`)?.content.cloneNode(true);
  place.replaceChildren(...(made ? [made] : []));
}

/** Change the page above an element without moving it under the learner's eyes. */
export function keepInPlace(el, change) {
  const before = el.getBoundingClientRect().top;
  change();
  scrollBy({ top: el.getBoundingClientRect().top - before, behavior: "instant" });
}

/** Tick one radio of a group, or none, by its value. */
export function tick(radios, value) {
  for (const radio of radios) radio.checked = radio.value === String(value);
}

/**
 * Follow a [data-choice].
 *
 * chosen     the answer that was given before, if any: a number
 * onAnswer   (number, button) → void: the learner answered
 */
export function followChoice(el, { chosen, onAnswer }) {
  const radios = [...el.querySelectorAll("input")];
  const button = el.querySelector("[data-answer]");
  function show(given) {
    const answer = Number.isInteger(given) && radios[given] ? given : null;
    tick(radios, answer);
    showReply(el, answer);
  }
  if (chosen !== undefined) show(chosen);
  button.addEventListener("click", () => {
    const answer = radios.findIndex((radio) => radio.checked);
    showReply(el, answer < 0 ? "none" : answer);
    if (answer >= 0) onAnswer(answer, button);
  });
  return { show };
}

/** Say what will happen, then let the figure show it. */
export function startPredict({ el, config, kept, keep }, act) {
  return followChoice(el.querySelector("[data-choice]"), {
    chosen: kept,
    onAnswer(answer, button) {
      keep(answer);
      act({ figure: config.figure, query: config.query, behind: button, stay: true });
    },
  });
}
