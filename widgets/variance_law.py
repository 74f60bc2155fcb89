"""The variance law: q·k spreads like √d_k, one draw beside many."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import param
from bokeh.models import ColumnDataSource, FixedTicker
from bokeh.plotting import figure as BokehFigure

from attention.draws import HIGH_PEAK
from attention.tables import D_K_MAX, D_K_MIN
from attention.variance_law import VarianceTable, variance_table
from widgets.bands import UNSET, band_plot, quiet_plot
from widgets.figure import Figure
from widgets.lesson_draws import lesson_draws
from widgets.scripts.variance_law import SCRIPT
from widgets.sentence import LESSON_SEED
from widgets.state import FigureState
from widgets.words import catalogue, fill, fixed

LESSON_ROW = 1
# The widths of the table's rows, after the chosen one.
TABLE_WIDTHS = (2, 4, 8, 16, 32, 64)
COLUMNS = ("law", "deviation", "spread", "spread_band", "peak", "peak_band", "peaked", "dead")
# Without the scale, with it: fixed axes that hold every width.
AXES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "bell": (
        {"start": -32, "end": 32, "low": -0.03, "high": 0.36, "ticks": [-32, -16, 0, 16, 32]},
        {"start": -4, "end": 4, "low": -0.06, "high": 0.72, "ticks": [-4, -2, 0, 2, 4]},
    ),
    "spread": ({"high": 11, "ticks": [0, 2, 4, 6, 8, 10]}, {"high": 2, "ticks": [0, 0.5, 1, 1.5, 2]}),
}


class VarianceState(FigureState):
    """The state of the variance law: how wide the head is, and whether scores are divided."""

    d_k = param.Integer(default=8, bounds=(D_K_MIN, D_K_MAX), doc="Width of each query and key.")
    scaled = param.Boolean(default=False, doc="Whether raw scores are divided by √d_k.")

    token_names: ClassVar[tuple[str, ...]] = ()


def _table() -> VarianceTable:
    return variance_table(lesson_draws(), LESSON_SEED, LESSON_ROW)


def variance_texts(table: VarianceTable, state: Mapping[str, Any]) -> dict[str, str]:
    """Every text that depends on the state, by the name of its place."""
    words = catalogue()
    scaled = int(state["scaled"])
    numbers = _numbers(table, state["d_k"], scaled)
    _, median, _ = table.peak_band[state["d_k"] - D_K_MIN, scaled]
    values = {
        **numbers,
        "d_k": state["d_k"],
        "n": table.n_draws,
        "query": table.tokens[table.row],
        "rows": len(table.tokens),
        "scores": table.scores[0, 0].size,
        "median": fixed(median),
        "text": " ".join(table.tokens),
        "scale": words[f"control.scaled.{scaled}"],
    }
    texts = {
        "deviation": numbers["deviation"],
        "deviation-label": words[f"variance.deviation.{scaled}"],
        "deviation-note": words[f"variance.law.{scaled}"],
        "draw-spread": numbers["spread"],
        "spread-note": fill(words["variance.spread.note"], _ends(table.spread_band, state["d_k"], scaled)),
        "peak-label": words["variance.peak"],
        "draw-peak": numbers["peak"],
        "peak-note": fill(words["variance.peak.note"], _ends(table.peak_band, state["d_k"], scaled)),
        "peaked-label": words["variance.peaked"],
        "peaked-draws": words["variance.peaked.value"],
        "peaked-note": words["variance.peaked.note"],
        "legend-many": words["variance.legend.many"],
        "legend-law": words[f"variance.legend.law.{scaled}"],
        "legend-draw": words["variance.legend.draw"],
        "sentence": words[f"variance.sentence.{scaled}"],
        "honest": words[f"variance.honest.{scaled}"],
        "table-note": words["variance.table.note"],
        "column-peak": words["variance.column.peak"],
        "now-d_k": words["variance.row.now"],
        "d_k-value": str(state["d_k"]),
        "scaled-value": words[f"control.scaled.{scaled}"],
    }
    texts = {place: fill(text, values) for place, text in texts.items()}
    for row, d_k in [("now", state["d_k"]), *((str(width), width) for width in TABLE_WIDTHS)]:
        texts |= {f"{row}-{column}": text for column, text in _row(_numbers(table, d_k, scaled)).items()}
    return texts


def _numbers(table: VarianceTable, d_k: int, scaled: int) -> dict[str, str]:
    """The numbers of one width as they are shown."""
    words, at = catalogue(), (d_k - D_K_MIN, scaled)
    return {
        **{name: fixed(getattr(table, name)[at]) for name in ("law", "deviation", "spread", "peak")},
        **{
            name: fill(words["variance.range"], _ends(getattr(table, name), d_k, scaled))
            for name in ("spread_band", "peak_band")
        },
        "draws": str(table.peaked_draws[at]),
        "peaked": fixed(table.peaked_percent[at], 1),
        "dead": fixed(table.dead_percent[at], 1),
    }


def _row(numbers: dict[str, str]) -> dict[str, str]:
    percent = catalogue()["variance.percent"]
    shares = {name: fill(percent, {"value": numbers[name]}) for name in ("peaked", "dead")}
    return {column: (numbers | shares)[column] for column in COLUMNS}


def _ends(band: Any, d_k: int, scaled: int) -> dict[str, str]:
    low, _, high = band[d_k - D_K_MIN, scaled]
    return {"low": fixed(low), "high": fixed(high)}


def bell_plot() -> BokehFigure:
    """The histogram and the normal curve; ``marks`` are at plus and minus one deviation."""
    words, axes = catalogue(), AXES["bell"][0]
    plot = quiet_plot(
        low=axes["low"], high=axes["high"], left=axes["start"], right=axes["end"],
        x_title=words["variance.axis.bell.0"], y_title=words["variance.axis.often"], room=26,
    )  # fmt: skip
    plot.xaxis[0].ticker = FixedTicker(ticks=axes["ticks"])
    # An area of 1 is all that the heights have to say.
    plot.yaxis[0].major_label_text_font_size = "0px"
    plot.yaxis[0].ticker = FixedTicker(ticks=[])
    bars = ColumnDataSource(name="bars", data={"left": [], "right": [], "top": []})
    plot.quad("left", "right", "top", 0, source=bars, fill_color=UNSET, fill_alpha=0.45, line_alpha=0, name="bars")
    # As at a band's edges: the fill alone is too faint for some eyes.
    plot.step("left", "top", source=bars, mode="after", line_color=UNSET, line_width=1, name="bars")
    curve = ColumnDataSource(name="curve", data={"x": [], "y": []})
    plot.line("x", "y", source=curve, line_color=UNSET, line_width=2.5, name="curve")
    marks = ColumnDataSource(name="marks", data={"x": [], "top": [], "text": [], "align": [], "shift": []})
    plot.segment("x", 0, "x", "top", source=marks, line_color=UNSET, line_width=1.5, line_dash=[5, 4], name="marks")
    plot.text(
        "x", "top", text="text", x_offset="shift", text_align={"field": "align"}, text_baseline="top",
        text_font_size="13px", text_color=UNSET, source=marks, name="mark-texts",
    )  # fmt: skip
    # This draw's own scores, in a lane under the bars.
    scores = ColumnDataSource(name="scores", data={"x": [], "low": []})
    plot.segment("x", "low", "x", 0, source=scores, line_color=UNSET, line_width=1.5, name="scores")
    return plot


def _spread_plot() -> BokehFigure:
    words, axes = catalogue(), AXES["spread"][0]
    return band_plot(
        y_title=words["variance.axis.spread.0"], x_title="",
        high=axes["high"], ticks=axes["ticks"],
    )  # fmt: skip


def _peak_plot() -> BokehFigure:
    words = catalogue()
    return band_plot(
        y_title=words["variance.axis.peak"],
        x_title=words["variance.axis.d_k"],
        high=1.05,
        ticks=[0, 0.5, 0.9, 1],
        limit=HIGH_PEAK,
    )


VARIANCE_LAW = Figure(
    name="variance-law",
    State=VarianceState,
    key=(),
    table=_table,
    texts=variance_texts,
    context=lambda table, state: {"widths": TABLE_WIDTHS, "columns": COLUMNS},
    meta=lambda table: {"tokens": table.tokens, "row": table.row, "n": table.n_draws},
    config=lambda: {"d_k": {"min": D_K_MIN, "max": D_K_MAX}, "widths": TABLE_WIDTHS, "columns": COLUMNS, "axes": AXES},
    plots={"bell": bell_plot, "spread": _spread_plot, "peak": _peak_plot},
    script=SCRIPT,
)
