// Native sliders under a finger: a swipe up or down scrolls the page and leaves the value, one along the track moves it.

const SLIDER = 'input[type="range"][data-control]';
const ALONG_PX = 6; // a finger that has gone so far along the track means it

/** onValue(name, value) is called for what was chosen. */
export function followSliders({ root, on, onValue }) {
  // Browsers move the thumb to where a finger comes down, before they know which way it goes: until then nothing follows.
  let held = null; // { slider, was, x, y } under such a finger

  function release() {
    if (!held) return;
    const { slider, was } = held;
    held = null;
    if (slider.value !== was) onValue(slider.name, slider.valueAsNumber);
  }

  on(root, "pointerdown", ({ target, pointerType, isPrimary, clientX: x, clientY: y }) => {
    if (isPrimary) held = pointerType === "touch" && target.matches(SLIDER) ? { slider: target, was: target.value, x, y } : null;
  });
  on(root, "pointermove", ({ clientX, clientY }) => {
    const along = Math.abs(clientX - held?.x);
    if (along > ALONG_PX && along > Math.abs(clientY - held.y)) release();
  });
  on(root, "pointerup", release);
  on(root, "pointercancel", () => {
    if (held) held.slider.value = held.was; // the browser scrolls
    held = null;
  });
  on(root, "input", ({ target }) => {
    if (target.matches(SLIDER) && target !== held?.slider) onValue(target.name, target.valueAsNumber);
  });
}
