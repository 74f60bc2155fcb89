// Play: the step moves by itself, once asked to. Where motion is unwanted, ten steps a press.

import { write } from "text";

const STEP_MS = 40;
const TENS = 10;

/** Follow the button [data-action="play"]; press() is its click, stop() ends what it began. */
export function followPlay(figure) {
  const button = figure.part('[data-action="play"]');
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const last = figure.config.steps;
  let frame = null;

  /** A button that plays is pressed or not; one that only goes on is neither. */
  function show() {
    write(button.querySelector("[data-play]"), figure.words[calm.matches ? "race.play.tens" : "race.play"]);
    if (calm.matches) button.removeAttribute("aria-pressed");
    else button.setAttribute("aria-pressed", String(frame !== null));
  }

  function stop() {
    cancelAnimationFrame(frame);
    frame = null;
    show();
  }

  function play() {
    const from = figure.state.step < last ? figure.state.step : 0;
    const began = performance.now();
    const advance = (now) => {
      if (!figure.root.isConnected) return;
      const step = Math.min(from + Math.max(Math.trunc((now - began) / STEP_MS), 0), last);
      if (step !== figure.state.step) figure.choose({ step });
      if (step < last) frame = requestAnimationFrame(advance);
      else stop();
    };
    frame = requestAnimationFrame(advance);
    show();
  }

  function press() {
    if (calm.matches) figure.choose({ step: figure.state.step < last ? Math.min(figure.state.step + TENS, last) : 0 });
    else if (frame === null) play();
    else stop();
  }

  figure.on(calm, "change", stop);
  figure.on(figure.part('input[name="step"]'), "input", stop);
  show();
  return { press, stop };
}
