"""The lab made the plain Panel way, to compare with: widgets, `pn.bind`, a Bokeh figure updated in place.

`python -m bench.panel_page PORT` serves it with Panel's default settings.
"""

from __future__ import annotations

import sys

import panel as pn
from bokeh.models import ColorBar, ColumnDataSource, LinearColorMapper
from bokeh.plotting import figure

from attention import SelfAttention, embed, peak_weight, score_spread, tokenize
from attention.layer import LayerTrace
from bench.states import ROW, SEED, SENTENCE, START

PALETTE = ["#f7f4fb", "#ded5ee", "#c3b4df", "#a58fce", "#8767ba", "#683fa3", "#4a1b86", "#2d0a5c"]

tokens = tokenize(SENTENCE)
X = embed(tokens, SEED)
layer = SelfAttention.seeded(SEED)


def attend(d_k: int, scaled: bool) -> LayerTrace:
    return layer.narrow(d_k)(X, scale="sqrt_d_k" if scaled else "none")


def columns(trace: LayerTrace) -> dict[str, list[object]]:
    cells = [(query, key) for query in range(len(tokens)) for key in range(len(tokens))]
    weights = [float(trace.weights[cell]) for cell in cells]
    return {
        "query": [tokens[query] for query, _ in cells],
        "key": [tokens[key] for _, key in cells],
        "weight": weights,
        "label": [f"{weight:.2f}" for weight in weights],
        "ink": ["#ffffff" if weight > 0.45 else "#000000" for weight in weights],
    }


def read_outs(trace: LayerTrace) -> str:
    return (
        f'<p>score spread <b data-kpi="score-spread">{score_spread(trace.scores):.2f}</b></p>'
        f'<p>peak weight <b data-kpi="peak-weight">{peak_weight(trace.weights)[ROW]:.2f}</b></p>'
    )


def heatmap(source: ColumnDataSource) -> figure:
    plot = figure(
        x_range=list(tokens), y_range=list(reversed(tokens)), x_axis_location="above",
        width=420, height=420, toolbar_location=None, tools="",
    )  # fmt: skip
    mapper = LinearColorMapper(palette=PALETTE, low=0, high=1)
    plot.rect("key", "query", 1, 1, source=source, fill_color={"field": "weight", "transform": mapper})
    plot.text(
        "key", "query", text="label", source=source, text_color="ink", text_align="center", text_baseline="middle"
    )
    plot.add_layout(ColorBar(color_mapper=mapper, width=10), "right")
    return plot


def page() -> pn.Column:
    """One session: its widgets, its figure and what ties them."""
    d_k = pn.widgets.IntSlider(name="d_k", start=2, end=64, value=START)
    scaled = pn.widgets.Toggle(name="÷√d_k", value=False)
    trace = attend(d_k.value, scaled.value)
    source = ColumnDataSource(columns(trace))
    numbers = pn.pane.HTML(read_outs(trace))

    def update(d_k: int, scaled: bool) -> None:
        trace = attend(d_k, scaled)
        numbers.object = read_outs(trace)
        source.data = columns(trace)

    pn.bind(update, d_k, scaled, watch=True)
    return pn.Column(d_k, scaled, numbers, pn.pane.Bokeh(heatmap(source)))


if __name__ == "__main__":
    port = int(sys.argv[1])
    pn.serve(page, address="127.0.0.1", port=port, websocket_origin=f"127.0.0.1:{port}", show=False)
