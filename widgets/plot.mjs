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

/** The views of the plots that are drawn, by their target: pictures are made of these. */
export const views = new WeakMap();

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
