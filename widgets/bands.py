"""A read-out against d_k as a Bokeh plot: one draw's line over the band of many draws.

The browser fills and colours it (``bands.mjs``), with the colours of the legend in the
figure's HTML, so that the plot follows the theme on the page's own ground.
"""

from __future__ import annotations

from collections.abc import Sequence

from bokeh.models import ColumnDataSource, FixedTicker, Range1d
from bokeh.plotting import figure

from attention.tables import D_K_MAX, D_K_MIN

WIDTH_TICKS = (D_K_MIN, 8, 16, 32, 48, D_K_MAX)
# Any colour: the browser replaces it before it is seen.
UNSET = "#808080"
# How strongly a line is drawn that stands behind the one in question; still seen in every theme.
FAINT = 0.7


def quiet_plot(*, low: float, high: float, left: float, right: float, x_title: str, y_title: str, room: int) -> figure:
    """A plot with fixed axes, no tools, no ground of its own; `room` px at the left keep plots in line."""
    plot = figure(
        x_range=Range1d(left, right),
        y_range=Range1d(low, high),
        toolbar_location=None,
        tools="",
        sizing_mode="stretch_both",
        min_width=200,
        min_height=100,
        background_fill_color=None,
        border_fill_color=None,
        outline_line_color=None,
        min_border=4,
        min_border_left=room,
        min_border_right=12,
        lod_threshold=None,
    )
    # Touches have to go on to the page, which scrolls.
    plot.toolbar.active_drag = plot.toolbar.active_scroll = None
    plot.grid.visible = False
    for axis, title in ((plot.xaxis[0], x_title), (plot.yaxis[0], y_title)):
        axis.axis_label = title
        axis.axis_label_text_font_style = "normal"
        axis.axis_label_text_font_size = "13px"
        axis.axis_label_standoff = 4
        axis.major_label_text_font_size = "12px"
        axis.major_label_standoff = 3
        axis.minor_tick_line_color = None
        axis.major_tick_in = 0
        axis.major_tick_out = 4
    return plot


def band_plot(*, y_title: str, x_title: str, high: float, ticks: Sequence[float], limit: float | None = None) -> figure:
    """A plot of something against d_k, to be filled.

    Its sources are ``band`` (d_k, low, middle, high), ``law`` and ``draw`` (d_k, value),
    ``others`` (d_k, value: a line each), ``now`` (d_k: the chosen width), ``dots`` (d_k,
    value) and ``dot``.

    Parameters
    ----------
    y_title, x_title : str
    high : float
        Where the fixed y axis ends; it starts at 0.
    ticks : sequence of float
        Of the y axis.
    limit : float, optional
        A line across that parts good from bad.
    """
    plot = quiet_plot(low=0, high=high, left=D_K_MIN - 1, right=D_K_MAX + 1, x_title=x_title, y_title=y_title, room=54)
    plot.xaxis[0].ticker = FixedTicker(ticks=list(WIDTH_TICKS))
    plot.yaxis[0].ticker = FixedTicker(ticks=list(ticks))
    band = ColumnDataSource(name="band", data={"d_k": [], "low": [], "middle": [], "high": []})
    plot.varea("d_k", "low", "high", source=band, fill_color=UNSET, fill_alpha=0.22, name="band")
    # The fill alone is too faint for some eyes.
    for edge in ("low", "high"):
        plot.line("d_k", edge, source=band, line_color=UNSET, line_width=1, name="band")
    plot.line("d_k", "middle", source=band, line_color=UNSET, line_width=1.5, line_dash=[2, 3], name="middle")
    if limit is not None:
        edge = ColumnDataSource(name="limit", data={"d_k": [D_K_MIN - 1, D_K_MAX + 1], "value": [limit, limit]})
        plot.line("d_k", "value", source=edge, line_color=UNSET, line_width=1.5, line_dash=[7, 4], name="limit")
    now = ColumnDataSource(name="now", data={"d_k": []})
    # Past the highest of the axes that the browser may set.
    plot.segment("d_k", 0, "d_k", 99, source=now, line_color=UNSET, line_width=1, name="now")
    others = ColumnDataSource(name="others", data={"d_k": [], "value": []})
    plot.multi_line("d_k", "value", source=others, line_color=UNSET, line_width=1, line_alpha=FAINT, name="others")
    for name, width in (("law", 2), ("draw", 2.5)):
        source = ColumnDataSource(name=name, data={"d_k": [], "value": []})
        plot.line("d_k", "value", source=source, line_color=UNSET, line_width=width, name=name)
    for name, size in (("dots", 5), ("dot", 9)):
        source = ColumnDataSource(name=name, data={"d_k": [], "value": []})
        plot.scatter("d_k", "value", source=source, size=size, fill_color=UNSET, line_alpha=0, name=name)
    return plot
