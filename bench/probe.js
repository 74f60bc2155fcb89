// Runs in every measured page before its own scripts, the same for all of them.
//
// key      when a keydown reaches the page (capture phase on window, so before the page's own listeners)
// readout  when the text of the two read-outs differs from before: a MutationObserver, so at the end
//          of the task that wrote it
// heatmap  the numbers printed in the cells are the picture's signature (every page draws them with
//          fillText). `drawn`: the last drawing call of the first picture with other numbers.
//          `painted`: the end of the frame that holds it, on the page's main thread. What the compositor
//          and a real screen add, about a frame, is not in it: it is the same for all.
// frames   what the read-outs say at each animation frame: what an eye can have seen
"use strict";
(() => {
  if (window !== window.top) return;
  const KPIS = ["score-spread", "peak-weight"];
  const SLIDER = '.noUi-handle, input[type="range"][name="d_k"]';
  const LAB = '[data-figure="attention-lab"]';
  const now = () => performance.now();
  const bench = { keys: [], readouts: [], heatmaps: [], frames: [], load: {}, sampling: false };
  window.bench = bench;

  // ---- finding things, through shadow roots -------------------------------------------

  function find(selector, root = document) {
    const hit = root.querySelector(selector);
    if (hit) return hit;
    for (const element of root.querySelectorAll("*")) {
      const inner = element.shadowRoot && find(selector, element.shadowRoot);
      if (inner) return inner;
    }
    return null;
  }
  /** Our lesson has other figures with a slider of that name: there, only the lab counts. */
  function inLab(selector) {
    if (!document.querySelector("[data-figure]")) return find(selector);
    return document.querySelector(LAB)?.querySelector(selector) ?? null;
  }
  let root = null; // where the read-outs are: Panel writes new ones into the same shadow root
  const readouts = () => KPIS.map((name) => root.querySelector(`[data-kpi="${name}"]`));
  const read = () => readouts().map((element) => element?.textContent ?? "").join("|");

  // ---- keys and read-outs ---------------------------------------------------------------

  addEventListener("keydown", () => bench.keys.push(now()), true);
  let shown = "";
  const observer = new MutationObserver(() => {
    const text = read();
    if (text === shown) return;
    shown = text;
    bench.readouts.push([now(), text]);
    if (bench.keys.length) bench.load.answered ??= now();
  });
  function watchReadouts() {
    shown = read();
    const targets = root instanceof ShadowRoot ? [root] : readouts();
    for (const target of targets) observer.observe(target, { childList: true, characterData: true, subtree: true });
  }

  // ---- the canvas -----------------------------------------------------------------------

  let inFrame = false;
  const request = window.requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (callback) =>
    request((time) => {
      inFrame = true;
      try {
        callback(time);
      } finally {
        inFrame = false;
      }
    });
  // A message sent from inside a frame is handled when the frame has been painted.
  const afterFrame = new MessageChannel();
  const endOfFrame = () => (inFrame ? afterFrame.port2.postMessage(0) : request(() => afterFrame.port2.postMessage(0)));
  let labels = [];
  let drawn = 0;
  let open = false;
  let picture = "";
  afterFrame.port1.onmessage = () => {
    open = false;
    const next = labels.join(" ");
    if (labels.length >= 36 && next !== picture) {
      picture = next;
      bench.heatmaps.push([drawn, now(), next]);
      bench.load.canvas ??= now();
    }
    labels = [];
  };
  const pen = CanvasRenderingContext2D.prototype;
  for (const name of ["fillText", "fillRect", "strokeRect", "fill", "stroke", "drawImage"]) {
    const draw = pen[name];
    pen[name] = function (...given) {
      const result = draw.apply(this, given);
      if (name === "fillText" && /^\d\.\d\d$/.test(given[0])) labels.push(given[0]);
      drawn = now();
      if (!open) endOfFrame();
      open = true;
      return result;
    };
  }

  // ---- each frame -------------------------------------------------------------------------

  // While the page loads: when the read-outs have a box on the page, and the focus on the slider as soon as there is one.
  function frame() {
    // All of them: a frame may come while the page is read between one and the next.
    const found = root ? [] : KPIS.map((name) => inLab(`[data-kpi="${name}"]`));
    if (!root && found.every((element) => element?.textContent && element.getBoundingClientRect().width > 0)) {
      root = found[0].closest(LAB) ?? found[0].getRootNode();
      bench.load.readouts = now();
      watchReadouts();
    }
    if (!bench.load.answered) {
      const slider = inLab(SLIDER);
      if (slider && !slider.matches(":focus")) slider.focus({ preventScroll: true });
      if (slider) bench.load.slider ??= now();
    }
    if (bench.sampling) bench.frames.push([now(), read()]);
    if (!root || !bench.load.answered || bench.sampling) request(frame);
  }
  request(frame);

  // ---- for the bench ----------------------------------------------------------------------

  /** Forget what was noted; with `sampling`, note the read-outs at each frame. */
  bench.start = (sampling) => {
    for (const list of ["keys", "readouts", "heatmaps", "frames"]) bench[list] = [];
    if (sampling && !bench.sampling) request(frame);
    bench.sampling = sampling;
  };
  bench.notes = () => {
    const { keys, readouts, heatmaps, frames, load } = bench;
    return { keys, readouts, heatmaps, frames, load };
  };
})();
