"""What the T × T table costs in memory, beside a streaming evaluation that never builds it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import param
from bokeh.models import ColumnDataSource, FixedTicker, Range1d
from bokeh.plotting import figure

from attention import MemoryTable, SelfAttention, embed, memory_table, streaming_difference, tokenize
from attention.memory import BLOCK, BREAK_EVEN, D_V, TOKEN_COUNTS
from widgets.figure import Figure
from widgets.scripts.memory_wall import SCRIPT
from widgets.sentence import LESSON_SEED, LESSON_TEXT
from widgets.state import FigureState
from widgets.words import catalogue, fill, fixed

DTYPES = ("float16", "float32")
LESSON_WIDTH = 8
UNITS = ((10**9, "GB"), (10**6, "MB"), (10**3, "kB"))
TOKEN_TICKS = {6: "6", 64: "64", 512: "512", 4096: "4,096", 32_768: "32,768"}
BYTE_TICKS = {
    10 ** (power + digit): f"{10**digit} {unit}"
    for power, unit in ((0, "B"), (3, "kB"), (6, "MB"), (9, "GB"))
    for digit in range(3)
    if power + digit > 1
}
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


class MemoryState(FigureState):
    """How long the text is, and how wide each number."""

    length = param.Integer(default=11, bounds=(0, len(TOKEN_COUNTS) - 1), doc="Which of the 16 lengths, from 0.")
    dtype = param.Selector(default="float16", objects=list(DTYPES), doc="The type of each number.")


def bytes_text(count: float) -> str:
    """Bytes in a human unit, to three digits: ``134 MB``."""
    for size, unit in UNITS:
        if count >= size:
            value = count / size
            return f"{fixed(value, 0 if value >= 99.95 else 1 if value >= 9.995 else 2)} {unit}"
    return f"{count:.0f} B"


@cache
def difference_text() -> str:
    """How far the two ways are apart on the lesson's sentence: measured, as ``2 × 10⁻¹⁶``."""
    trace = SelfAttention.seeded(LESSON_SEED).narrow(LESSON_WIDTH)(embed(tokenize(LESSON_TEXT), LESSON_SEED))
    mantissa, exponent = f"{streaming_difference(trace.Q, trace.K, trace.V):.0e}".split("e")
    return f"{mantissa} × 10{str(int(exponent)).translate(SUPERSCRIPTS)}"


@cache
def _meta(table: MemoryTable) -> dict[str, Any]:
    return {
        "tokens": [f"{int(T):,}" for T in table.T],
        "table": [[bytes_text(count) for count in row] for row in table.score_table],
        "streaming": [[bytes_text(count) for count in row] for row in table.streaming],
    }


def memory_texts(table: MemoryTable, state: Mapping[str, Any]) -> dict[str, str]:
    """Every text that depends on the state, by the name of its place."""
    words, meta = catalogue(), _meta(table)
    i, j = state["length"], DTYPES.index(state["dtype"])
    which = "more" if table.ratio[i] >= 1 else "less"
    values = {
        "tokens": meta["tokens"][i],
        "table": meta["table"][i][j],
        "streaming": meta["streaming"][i][j],
        "times": fixed(table.ratio[i] if which == "more" else table.inverse[i], 1),
    }
    texts = {
        "length-value": "{tokens}",
        "table": "{table}",
        "streaming": "{streaming}",
        "times": words["memory.times"],
        "times-label": words[f"memory.times.label.{which}"],
        "times-note": words[f"memory.times.note.{which}"],
        "dtype-note": words[f"memory.dtype.{state['dtype']}"],
        "sentence": words[f"memory.sentence.{which}"],
    }
    return {place: fill(text, values) for place, text in texts.items()}


def _context(table: MemoryTable, state: Mapping[str, Any]) -> dict[str, Any]:
    meta, j = _meta(table), DTYPES.index(state["dtype"])
    rows = [
        (tokens, of_table[j], of_streaming[j], fixed(ratio))
        for tokens, of_table, of_streaming, ratio in zip(
            meta["tokens"], meta["table"], meta["streaming"], table.ratio, strict=True
        )
    ]
    facts = {"block": BLOCK, "d_v": D_V, "break_even": BREAK_EVEN, "difference": difference_text()}
    return {"rows": rows, "dtypes": DTYPES, "facts": facts, "fill": fill}


def memory_plot() -> figure:
    """Bytes against tokens, both on log axes that never move; the module colours and fills it."""
    words = catalogue()
    plot = figure(
        x_axis_type="log",
        y_axis_type="log",
        x_range=Range1d(4.5, 180_000),
        y_range=Range1d(20, 3e11),
        toolbar_location=None,
        tools="",
        sizing_mode="stretch_both",
        min_width=200,
        min_height=200,
        background_fill_color=None,
        border_fill_color=None,
        outline_line_color=None,
        min_border=4,
        min_border_right=12,
    )
    # Touches have to go on to the page, which scrolls.
    plot.toolbar.active_drag = plot.toolbar.active_scroll = None
    ticks = {plot.xaxis[0]: TOKEN_TICKS, plot.yaxis[0]: BYTE_TICKS}
    for axis, labels in ticks.items():
        axis.ticker = FixedTicker(ticks=list(labels))
        axis.major_label_overrides = labels
        axis.axis_label_text_font_style = "normal"
        axis.axis_label_text_font_size = axis.major_label_text_font_size = "13px"
        axis.minor_tick_line_color = None
        axis.major_tick_in = 0
    for grid, axis in zip(plot.grid, ticks, strict=True):
        grid.ticker = axis.ticker
        grid.grid_line_color, grid.grid_line_alpha = "#85828f", 0.3
    plot.xaxis[0].axis_label = words["memory.axis.tokens"]
    chosen = ColumnDataSource(name="chosen", data={"x": []})
    plot.vspan("x", source=chosen, line_width=2, line_dash=[5, 4], name="chosen")
    for name, marker, width in (("streaming", "square", 2), ("table", "circle", 3)):
        line = ColumnDataSource(name=name, data={"T": [], "bytes": []})
        plot.line("T", "bytes", source=line, line_width=width, name=name)
        plot.scatter("T", "bytes", source=line, marker=marker, size=6, name=name)
        point = ColumnDataSource(name=f"{name}-point", data={"T": [], "bytes": []})
        plot.scatter("T", "bytes", source=point, marker=marker, size=14, name=name)
    return plot


MEMORY_WALL = Figure(
    name="memory-wall",
    State=MemoryState,
    key=(),
    table=memory_table,
    texts=memory_texts,
    context=_context,
    meta=_meta,
    config=lambda: {"dtypes": DTYPES},
    plots={"growth": memory_plot},
    script=SCRIPT,
)
