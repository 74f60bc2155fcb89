"""A trained head: take the scale away from heads that were trained with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import partial
from typing import Any

import numpy as np
import param
from bokeh.plotting import figure

from attention import trained_heads_table
from attention.heads import HeadsTable
from widgets.figure import Figure
from widgets.heatmap import weights_heatmap
from widgets.scripts.trained_head import SCRIPT
from widgets.state import FigureState
from widgets.theme import heat_palette, light_ink_from
from widgets.trained_head_view import head_texts, of_head, softmax_state_code
from widgets.words import fixed

# What the data of the lesson holds; a test holds the two together.
LAYERS, HEADS, TOKENS = 6, 12, 8

# Heads that show what a head can be for, each with the row that shows it best.
LOOKS: dict[str, dict[str, int]] = {
    "before": {"layer": 1, "head": 3, "row": 2},
    "after": {"layer": 2, "head": 9, "row": 1},
    "rest": {"layer": 4, "head": 4, "row": 2},
}


@dataclass(frozen=True, eq=False)
class NamedHeads(HeadsTable):
    """All heads of the model, and the tokens that rows and columns belong to."""

    tokens: tuple[str, ...]


class TrainedHeadState(FigureState):
    """Which head is shown, and whether its scale is there."""

    layer = param.Integer(default=2, bounds=(1, LAYERS), doc="The layer, counted from 1.")
    head = param.Integer(default=9, bounds=(1, HEADS), doc="The head of that layer, counted from 1.")
    scaled = param.Boolean(default=True, doc="Whether raw scores are divided by √d_k, as in training.")
    row = param.Integer(default=1, bounds=(0, TOKENS - 1), doc="The highlighted query, counted from 0.")


def trained_head_figure(load: Callable[[], Mapping[str, Any]]) -> Figure:
    """The figure, over the heads that `load` gives: arrays ``Q``, ``K`` and ``tokens``."""
    return Figure(
        name="trained-head",
        State=TrainedHeadState,
        key=(),
        table=partial(_table, load),
        texts=head_texts,
        context=_context,
        meta=lambda table: {"tokens": table.tokens},
        config=lambda: {"light_ink_from": light_ink_from()},
        plots={"heatmap": _heatmap},
        script=SCRIPT,
    )


def _table(load: Callable[[], Mapping[str, Any]]) -> NamedHeads:
    data = load()
    table = trained_heads_table(data["Q"], data["K"])
    arrays = {item.name: getattr(table, item.name) for item in fields(table)}
    return NamedHeads(**arrays, tokens=tuple(map(str, data["tokens"])))


def _heatmap() -> figure:
    """The weights; numbers stand in every cell, so eight columns get the colour bar's room."""
    plot = weights_heatmap()
    plot.right = []
    return plot


def _context(table: NamedHeads, state: Mapping[str, Any]) -> dict[str, Any]:
    here = of_head(state)
    rows = len(table.tokens)
    return {
        "tokens": table.tokens,
        "state_code": softmax_state_code(table, state),
        "weights": [[fixed(weight) for weight in row] for row in table.weights[here].astype(np.float64)],
        "sums": [fixed(total) for total in table.row_sum[here]],
        "saturated": table.saturated_rows[:, :, here[-1]].tolist(),
        "heads_by_count": {scaled: table.saturated_heads[scaled].tolist() for scaled in (1, 0)},
        "count": {scaled: int(table.saturated_rows[here[:2]][scaled]) for scaled in (1, 0)},
        "overall": _overall(table),
        "shades": _shades(rows + 1),
        "looks": LOOKS,
        "all_rows": table.peak[:, :, 0].size,
    }


def _overall(table: NamedHeads) -> list[tuple[str, str, str]]:
    """Measures over all rows of all heads: name, with the scale, without it."""

    def percent(share: float) -> str:
        return f"{fixed(100 * share, 0)} %"

    measures: list[tuple[str, Any, Callable[[float], str]]] = [
        ("saturated", table.saturated_share, percent),
        ("dead", table.dead_share, percent),
        ("peak", table.mean_peak, fixed),
        ("spread", table.median_spread, fixed),
    ]
    return [(name, show(float(value[1])), show(float(value[0]))) for name, value, show in measures]


def _shades(steps: int) -> list[tuple[str, str]]:
    """Ground and ink of a cell that counts 0, 1, … rows: darker means more."""
    palette, dark_from = heat_palette(), light_ink_from()
    levels = np.linspace(0, 1, steps)
    return [
        (palette[round(level * (len(palette) - 1))], "#ffffff" if level >= dark_from else "#000000") for level in levels
    ]
