"""The plots of the training race: the course of the losses, and a heatmap a lane; empty.

The browser moves them (``race_plots.mjs``).
"""

from __future__ import annotations

from bokeh.models import BasicTicker, ColumnDataSource, FixedTicker, NumeralTickFormatter, Range1d
from bokeh.plotting import figure

from attention.race_story import RACE_STEPS
from widgets.bands import FAINT
from widgets.heatmap import token_heatmap
from widgets.words import catalogue

LANE_DASHES: dict[str, list[int]] = {"none": [2, 3], "sqrt_d_k": [], "d_k": [9, 4]}
STUCK_COLOUR = "#a31626"
TARGET_COLOUR = "#b84a00"


def course_plot() -> figure:
    """Three lines of loss against step: thin all the way, bold up to the step that is shown.

    Its sources are ``course-<lane>`` and ``run-<lane>`` (step, loss), ``tip-<lane>`` (step,
    loss), ``name-<lane>`` (step, loss, text) and ``now`` (step: the marker). Each renderer
    has the name of what it shows, whose colour it gets: that of a lane, or ``now``.
    """
    plot = figure(
        x_range=Range1d(0, RACE_STEPS + 60),
        y_range=Range1d(-0.04, 1.1),
        toolbar_location=None,
        tools="",
        sizing_mode="stretch_both",
        min_width=160,
        min_height=120,
        background_fill_color=None,
        border_fill_color=None,
        outline_line_color=None,
        min_border=0,
        min_border_left=54,
        min_border_right=1,
        min_border_top=4,
        lod_threshold=None,
    )
    plot.toolbar.active_drag = plot.toolbar.active_scroll = None
    plot.xgrid.visible = False
    plot.ygrid.grid_line_color, plot.ygrid.grid_line_alpha = "#85828f", 0.3
    plot.xaxis.ticker = FixedTicker(ticks=list(range(0, RACE_STEPS + 1, 50)))
    plot.yaxis.ticker = BasicTicker(desired_num_ticks=4)
    plot.yaxis.formatter = NumeralTickFormatter(format="0.0")
    plot.yaxis.axis_label = catalogue()["race.axis.loss"]
    plot.yaxis.axis_label_text_font_style = "normal"
    plot.yaxis.axis_label_text_font_size = "12px"
    plot.yaxis.axis_label_standoff = 4
    for axis in (plot.xaxis[0], plot.yaxis[0]):
        axis.major_label_text_font_size = "12px"
        axis.axis_line_color = axis.minor_tick_line_color = None
        axis.major_tick_in = 0
        axis.major_tick_out = 4
    now = ColumnDataSource(name="now", data={"step": []})
    plot.vspan("step", source=now, line_width=1.5, name="now")
    for kind, width, alpha in (("course", 1.25, FAINT), ("run", 3.25, 1)):
        for lane, dash in LANE_DASHES.items():
            source = ColumnDataSource(name=f"{kind}-{lane}", data={"step": [], "loss": []})
            plot.line("step", "loss", source=source, name=lane, line_width=width, line_alpha=alpha, line_dash=dash)
    for lane in LANE_DASHES:
        tip = ColumnDataSource(name=f"tip-{lane}", data={"step": [], "loss": []})
        plot.scatter("step", "loss", source=tip, name=lane, size=11, level="annotation")
        label = ColumnDataSource(name=f"name-{lane}", data={"step": [], "loss": [], "text": []})
        plot.text(
            "step", "loss", text="text", source=label, name=lane, text_font_size="13px", text_font_style="bold",
            text_baseline="middle", x_offset=7,
        )  # fmt: skip
    return plot


def lane_heatmap() -> figure:
    """The weights of one lane, with the cells that its rows should fill and a sign where a row is stuck.

    Beside the sources of `token_heatmap` it has ``target`` (q, k), ``stuck`` (k, q, w: rows)
    and ``signs`` (q, k).
    """
    plot = token_heatmap(value_title="", query_title="", key_title="")
    # What rows and columns are stands above each lane, once; that leaves the room to the cells.
    plot.right = []
    plot.xaxis.axis_label = plot.yaxis.axis_label = None
    plot.min_width = plot.min_height = 120
    target = ColumnDataSource(name="target", data={"q": [], "k": []})
    plot.rect("k", "q", 0.96, 0.96, source=target, fill_color=None, line_color=TARGET_COLOUR, line_width=2)
    stuck = ColumnDataSource(name="stuck", data={"k": [], "q": [], "w": []})
    plot.rect(
        "k", "q", "w", 0.98, source=stuck, fill_color=None, line_color=STUCK_COLOUR, line_width=1.75, line_dash=[5, 3]
    )
    signs = ColumnDataSource(name="signs", data={"k": [], "q": []})
    plot.text(
        "k", "q", text={"value": "✕"}, source=signs, text_color=STUCK_COLOUR, text_font_size="12px",
        text_font_style="bold", text_align="center", text_baseline="middle",
    )  # fmt: skip
    return plot
