"""Inside one score: from components to a product, a sum, a score, a weight and a context vector."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import param
from bokeh.models import ColumnDataSource, FixedTicker, Range1d
from bokeh.plotting import figure
from numpy.typing import NDArray

from attention import inside_table, tokenize
from attention.inside import COMPONENTS
from attention.tables import D_K_MAX, D_K_MIN
from widgets.figure import Figure, macros
from widgets.inside_one_score_view import COLUMNS, blend, component_rows, inside_texts, pair
from widgets.scripts.inside_one_score import SCRIPT
from widgets.sentence import MAX_TOKENS
from widgets.state import SentenceState
from widgets.words import catalogue


class InsideState(SentenceState):
    """Which score is opened, in a head of which width."""

    token_names = ("query", "key")

    d_k = param.Integer(default=8, bounds=(D_K_MIN, D_K_MAX), doc="Width of each query and key.")
    scaled = param.Boolean(default=True, doc="Whether the raw score is divided by √d_k.")
    query = param.Integer(default=1, bounds=(0, MAX_TOKENS - 1), doc="The token that looks, counted from 0.")
    key = param.Integer(default=5, bounds=(0, MAX_TOKENS - 1), doc="The token it looks at, counted from 0.")


@dataclass(frozen=True, eq=False)
class ShownInside:
    """What a learner sees of an `attention.InsideTable`; the rest stays at home."""

    tokens: tuple[str, ...]
    seed: int
    Q: NDArray[np.float32]
    K: NDArray[np.float32]
    shown_products: NDArray[np.float32]
    shown_running_sum: NDArray[np.float32]
    shown_raw: NDArray[np.float32]
    divisor: NDArray[np.float32]
    shown_scores: NDArray[np.float32]
    shown_shifted: NDArray[np.float32]
    shown_exponentials: NDArray[np.float32]
    shown_row_sum: NDArray[np.float32]
    shown_weights: NDArray[np.float32]
    values: NDArray[np.float32]
    shown_contributions: NDArray[np.float32]
    shown_context: NDArray[np.float32]


def _table(text: str, seed: int) -> ShownInside:
    table = inside_table(tokenize(text), seed)
    return ShownInside(**{item.name: getattr(table, item.name) for item in fields(ShownInside)})


def _meta(table: ShownInside) -> dict[str, Any]:
    """The sentence, and where the axes end: beyond every state of it."""
    largest = {
        "components": max(abs(table.Q).max(), abs(table.K).max()),
        "products": abs(table.shown_products).max(),
        "sums": abs(table.shown_running_sum).max(),
    }
    limits = {name: int(np.ceil(value * 1.05)) for name, value in largest.items()}
    return {"tokens": table.tokens, "text": " ".join(table.tokens), "seed": table.seed, "limits": limits}


def _context(table: ShownInside, state: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "options": [(i, f"{i + 1} · {token}") for i, token in enumerate(table.tokens)],
        "components": component_rows(table, state),
        "d_k_min": D_K_MIN,
        "d_k_max": D_K_MAX,
    }


def _parts(table: ShownInside, state: Mapping[str, Any]) -> dict[str, str]:
    query, key = pair(table, state)
    options = macros("controls.html").tokens(table.tokens)
    made = macros("inside_one_score_parts.html")
    rows = blend(table, state)
    return {
        "queries": options,
        "keys": options,
        "addends": made.addends(table.tokens, rows.exponentials, key),
        "blend": made.blend(catalogue(), table.tokens, rows, key, COLUMNS),
    }


def _strip(*, last: bool = False) -> figure:
    """A band over c = 1…64; its height in numbers is set with each sentence."""
    plot = figure(
        x_range=Range1d(0.2, D_K_MAX + 0.8),
        y_range=Range1d(-1, 1),
        toolbar_location=None,
        tools="",
        sizing_mode="stretch_both",
        min_width=150,
        min_height=60,
        background_fill_color=None,
        border_fill_color=None,
        outline_line_color=None,
        min_border=2,
        min_border_left=36,
        min_border_bottom=20 if last else 4,
        lod_threshold=None,
    )
    # Touches have to go on to the page, which scrolls.
    plot.toolbar.active_drag = plot.toolbar.active_scroll = None
    plot.grid.visible = False
    plot.xaxis.ticker = FixedTicker(ticks=[1, *range(8, D_K_MAX + 1, 8)])
    plot.yaxis.ticker = FixedTicker(ticks=[-1, 0, 1])
    plot.yaxis.name = "values"
    for axis in (plot.xaxis[0], plot.yaxis[0]):
        axis.major_label_text_font_size = "12px"
        axis.major_label_standoff = 3
        axis.axis_line_color = axis.major_tick_line_color = axis.minor_tick_line_color = None
        axis.major_tick_in = axis.major_tick_out = 0
    plot.xaxis.visible = last
    ends = {"x": [0.2, D_K_MAX + 0.8], "y": [0, 0]}
    plot.line("x", "y", source=ColumnDataSource(name="zero", data=ends), line_color="#8b8899", line_width=1)
    return plot


def _bars(plot: figure, source: ColumnDataSource, x: str, top: str, width: float, role: str) -> None:
    plot.vbar(x, width, top, 0, source=source, line_color=None, fill_alpha={"field": "alpha"}, name=role)


def _components() -> figure:
    plot, count = _strip(), np.arange(1, D_K_MAX + 1)
    still = {"left": (count - 0.2).tolist(), "right": (count + 0.2).tolist()}
    source = ColumnDataSource(name="components", data=still | _empty("q", "k"))
    _bars(plot, source, "left", "q", 0.36, "query")
    _bars(plot, source, "right", "k", 0.36, "key")
    return plot


def _products() -> figure:
    plot = _strip()
    source = ColumnDataSource(name="products", data={"c": list(range(1, D_K_MAX + 1))} | _empty("product"))
    _bars(plot, source, "c", "product", 0.72, "accent")
    return plot


def _sums() -> figure:
    """The running sum as steps: dark up to d_k, faint where a wider head would go on."""
    plot = _strip(last=True)
    for name, alpha in (("beyond", 0.3), ("sum", 1.0)):
        source = ColumnDataSource(name=name, data={"c": [], "sum": []})
        plot.step("c", "sum", source=source, mode="center", line_width=2, line_alpha=alpha, name="accent")
    end = ColumnDataSource(name="end", data={"c": [], "sum": []})
    plot.scatter("c", "sum", source=end, size=9, line_color=None, name="accent")
    return plot


def _empty(*names: str) -> dict[str, list[float]]:
    return {name: [0.0] * D_K_MAX for name in (*names, "alpha")}


INSIDE_ONE_SCORE = Figure(
    name="inside-one-score",
    State=InsideState,
    key=("text", "seed"),
    table=_table,
    texts=inside_texts,
    context=_context,
    parts=_parts,
    meta=_meta,
    config=lambda: {"d_k": {"min": D_K_MIN, "max": D_K_MAX}, "columns": COMPONENTS},
    plots={"components": _components, "products": _products, "sums": _sums},
    script=SCRIPT,
)
