// A Bokeh plot on the page: drawn once, then only its data sources move.

// Which of the page's two inks a plot's parts are written in.
const INKS = {
  major_label_text_color: "ink",
  label_text_color: "ink",
  axis_label_text_color: "muted",
  axis_line_color: "muted",
  major_tick_line_color: "muted",
  text_color: "muted",
  bar_line_color: "muted",
};

// What Bokeh makes of a tap: an ordinary one, one soon after another, and one that takes its time.
const TAPS = ["tap", "doubletap", "pressup"];

/** The views of the plots that are drawn, by their target: pictures are made of these. */
export const views = new WeakMap();

/**
 * Follow what points into a plot, in its own coordinates: onMove({ x, y }) and onLeave() a mouse or pen, onTap({ x, y }) a
 * click or a finger's tap. A finger leaves as soon as it lets go and moves where it scrolls the page: what it tapped stays told.
 */
export function followPointer(target, plot, { onMove = () => {}, onLeave = () => {}, onTap }) {
  let isFinger = false;
  target.addEventListener("pointerover", ({ pointerType }) => (isFinger = pointerType === "touch"), { capture: true });
  plot.on_event("mousemove", (point) => isFinger || onMove(point));
  plot.on_event("mouseleave", () => isFinger || onLeave());
  for (const kind of TAPS) plot.on_event(kind, onTap);
}

/** Draw `item` (JSON) in `target`; gives the plot, its sources by name, and recolour(). */
export async function joinPlot(target, item) {
  const [view] = await window.Bokeh.embed.embed_item(item, target);
  view.canvas_view.events_el.tabIndex = -1; // what a canvas can do, a table or control can: they take the keyboard
  views.set(target, view);
  const plot = view.model;
  const sources = {};
  for (const { data_source } of plot.renderers) sources[data_source.name] = data_source;

  /** Follow the page's theme; what lies on a plot's white ground keeps its colours. */
  function recolour() {
    const { color: ink, outlineColor: muted } = getComputedStyle(target); // figure.css sets both
    for (const piece of [...plot.above, ...plot.below, ...plot.left, ...plot.right, ...plot.center]) {
      for (const [property, which] of Object.entries(INKS)) {
        // A part without a line or label has null there, and keeps it.
        if (piece.properties[property] && piece[property] !== null) piece[property] = which === "ink" ? ink : muted;
      }
    }
  }
  recolour();
  return { plot, sources, recolour };
}
