"""The weights heatmap as a Bokeh plot: rows are queries, columns are keys.

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


def weights_heatmap() -> figure:
    """A square plot with sources ``weights``, ``row`` and ``cell``, to be filled.

    The colour domain is fixed to 0…1, darker means more, and the ground under the
    cells stays white in every theme.
    """
    words = catalogue()
    plot = figure(
        name="weights-heatmap",
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
    for axis, title in ((plot.xaxis[0], words["axis.key"]), (plot.yaxis[0], words["axis.query"])):
        axis.ticker = FixedTicker(ticks=list(range(6)))
        axis.axis_label = title
        axis.axis_label_text_font_style = "normal"
        axis.axis_label_text_font_size = "13px"
        axis.axis_label_standoff = 6
        axis.major_label_text_font_size = "13px"
        axis.major_label_standoff = 4
        axis.axis_line_color = axis.major_tick_line_color = axis.minor_tick_line_color = None
        axis.major_tick_out = axis.major_tick_in = 0
    mapper = LinearColorMapper(palette=list(heat_palette()), low=0, high=1)
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
        ticker=FixedTicker(ticks=[0, 0.25, 0.5, 0.75, 1]),
        width=10,
        padding=6,
        major_label_text_font_size="12px",
        background_fill_color=None,
        bar_line_color="#c9c9d2",
        name="bar",
    )
    plot.add_layout(bar, "right")
    title = Title(text=words["axis.weight"], align="center", text_font_style="normal", text_font_size="13px")
    plot.add_layout(title, "right")
    return plot
