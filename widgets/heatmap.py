"""Heatmaps over pairs of tokens as Bokeh plots: rows are queries, columns are keys.

The browser moves it (``heatmap.mjs``): Python draws the frame, once, empty.
"""

from __future__ import annotations

from bokeh.models import (
    ColorBar,
    ColumnDataSource,
    FixedTicker,
    LinearColorMapper,
    Range1d,
    Title,
)
from bokeh.plotting import figure

from widgets.theme import heat_palette
from widgets.words import catalogue


def token_heatmap(
    *,
    value_title: str,
    query_title: str,
    key_title: str,
    palette: tuple[str, ...] = (),
    low: float = 0,
    high: float = 1,
) -> figure:
    """A square plot with a value for each pair of tokens, to be filled.

    Its sources are ``weights`` (q, k, weight, label, ink: the cells), ``row`` (the
    outlined query) and ``cell`` (the cell that is told in words).

    Parameters
    ----------
    value_title, query_title, key_title : str
        What stands at the colour bar, the left and the top.
    palette : tuple of str, optional
        From `low` to `high`; one hue from white to dark where none is given.
    low, high : float, optional
        The fixed colour domain; darker means more, and the ground stays white in every theme.
    """
    plot = figure(
        x_range=Range1d(-0.5, 5.5),
        y_range=Range1d(5.5, -0.5),
        x_axis_location="above",
        toolbar_location=None,
        tools="",
        sizing_mode="stretch_both",
        min_width=200,
        min_height=200,
        background_fill_color="#ffffff",
        border_fill_color=None,
        outline_line_color=None,
        match_aspect=False,
        min_border=4,
        lod_threshold=None,
    )
    # Touches have to go on to the page, which scrolls.
    plot.toolbar.active_drag = plot.toolbar.active_scroll = None
    plot.grid.visible = False
    for axis, title in ((plot.xaxis[0], key_title), (plot.yaxis[0], query_title)):
        axis.ticker = FixedTicker(ticks=list(range(6)))
        axis.axis_label = title
        axis.axis_label_text_font_style = "normal"
        axis.axis_label_text_font_size = "13px"
        axis.axis_label_standoff = 6
        axis.major_label_text_font_size = "13px"
        axis.major_label_standoff = 4
        axis.axis_line_color = axis.major_tick_line_color = axis.minor_tick_line_color = None
        axis.major_tick_out = axis.major_tick_in = 0
    mapper = LinearColorMapper(palette=list(palette or heat_palette()), low=low, high=high)
    weights = ColumnDataSource(name="weights", data={"q": [], "k": [], "weight": [], "label": [], "ink": []})
    plot.rect(
        "k", "q", 1, 1, source=weights, line_color="#e6e4ec", line_width=1,
        fill_color={"field": "weight", "transform": mapper},
    )  # fmt: skip
    plot.text(
        "k", "q", text="label", source=weights, text_color={"field": "ink"}, text_align="center",
        text_baseline="middle", text_font_size="13px", name="labels",
    )  # fmt: skip
    row = ColumnDataSource(name="row", data={"k": [], "q": [], "w": []})
    plot.rect("k", "q", "w", 1, source=row, fill_color=None, line_color="#b84a00", line_width=3)
    cell = ColumnDataSource(name="cell", data={"k": [], "q": []})
    plot.rect("k", "q", 0.94, 0.94, source=cell, fill_color=None, line_color="#111111", line_width=2, line_dash=[4, 3])
    bar = ColorBar(
        color_mapper=mapper,
        ticker=FixedTicker(ticks=[low + (high - low) * part / 4 for part in range(5)]),
        width=10,
        padding=6,
        major_label_text_font_size="12px",
        background_fill_color=None,
        bar_line_color="#c9c9d2",
        name="bar",
    )
    plot.add_layout(bar, "right")
    title = Title(text=value_title, align="center", text_font_style="normal", text_font_size="13px")
    plot.add_layout(title, "right")
    return plot


def weights_heatmap() -> figure:
    """The heatmap of attention weights: colours from 0 to 1."""
    words = catalogue()
    return token_heatmap(value_title=words["axis.weight"], query_title=words["axis.query"], key_title=words["axis.key"])
