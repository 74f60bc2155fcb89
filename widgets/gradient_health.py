"""Gradient health: the softmax Jacobian of a row, and which rows still let a gradient through."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, ClassVar

import numpy as np
import param

from attention import tokenize
from attention.diagnostics import DEAD_NORM
from attention.row_health import HealthTable, health_table
from attention.tables import D_K_MAX, D_K_MIN
from widgets.bands import band_plot
from widgets.figure import Figure, macros
from widgets.heatmap import token_heatmap
from widgets.lesson_draws import lesson_draws
from widgets.scripts.gradient_health import SCRIPT
from widgets.sentence import LESSON_SEED, LESSON_TEXT, MAX_TOKENS
from widgets.state import SentenceState
from widgets.theme import diverging_palette, luminance
from widgets.words import catalogue, fill, fixed

# An entry of diag(a) − aaᵀ lies between: a (1 − a) is 0.25 at most.
ENTRY_LIMIT = 0.25
# Every how many colours of the palette the ramp in the HTML has a stop.
RAMP_STEP = 16


class HealthState(SentenceState):
    """The state of gradient health: the lab's choices without its faults."""

    token_names: ClassVar[tuple[str, ...]] = ("row",)

    d_k = param.Integer(default=8, bounds=(D_K_MIN, D_K_MAX), doc="Width of each query and key.")
    scaled = param.Boolean(default=True, doc="Whether raw scores are divided by √d_k.")
    row = param.Integer(default=1, bounds=(0, MAX_TOKENS - 1), doc="The query whose row is shown, counted from 0.")


def _table(text: str, seed: int) -> HealthTable:
    return health_table(tokenize(text), seed, lesson_draws())


def health_texts(table: HealthTable, state: Mapping[str, Any]) -> dict[str, str]:
    """Every text that depends on the state, by the name of its place."""
    words = catalogue()
    scaled, row = int(state["scaled"]), int(state["row"])
    at = (state["d_k"] - D_K_MIN, scaled)
    dead = int(table.dead[(*at, row)])
    low, middle, high = table.norm_band[at]
    values = {
        "query": table.tokens[row],
        "norm": fixed(table.norm[(*at, row)], 3),
        "dead": int(table.dead_rows[at]),
        "rows": len(table.tokens),
        "n": table.n_draws,
        "percent": fixed(table.dead_percent[at], 1),
        "low": fixed(low, 3),
        "high": fixed(high, 3),
        "digits": fixed(table.error_digits[at], 1),
        "exponent": fixed(table.error_exponent[at], 0),
        "seed": table.seed,
        **_wild(table),
    }
    texts = {
        "norm-label": words["health.norm"],
        "norm": values["norm"],
        "norm-note": words[f"health.norm.note.{dead}"],
        "dead-rows": words["health.dead.value"],
        "dead-note": words["health.dead.note"],
        "middle-label": words["health.middle"],
        "middle": fixed(middle, 3),
        "middle-note": words["health.middle.note"],
        "cell": words["health.cell.hint"],
        "checked": words["health.checked"],
        "sentence": words[f"health.sentence.{dead}"],
        "legend-many": words["health.legend.many"],
        "legend-draw": words["health.legend.draw"],
        "wild": words["health.wild"],
        "jacobian-title": words["health.jacobian.table"],
        "draw": words["health.draw"],
        "d_k-value": str(state["d_k"]),
        "scaled-value": words[f"control.scaled.{scaled}"],
    }
    return {place: fill(text, values) for place, text in texts.items()}


def _wild(table: HealthTable) -> dict[str, Any]:
    """Numbers of the widest head, without and with the scale: those of dL/dW_q and the dead rows."""
    numbers: dict[str, Any] = {"width": int(table.gradient_widths[-1])}
    for scaled, name in enumerate(("raw", "scaled")):
        numbers[f"mean_{name}"] = fixed(table.gradient_mean[-1, scaled], 1)
        numbers[f"median_{name}"] = fixed(table.gradient_band[-1, scaled, 1], 1)
    at = (numbers["width"] - D_K_MIN, 0)
    return numbers | {"percent_raw": fixed(table.dead_percent[at], 1), "dead_raw": int(table.dead_rows[at])}


def _parts(table: HealthTable, state: Mapping[str, Any]) -> dict[str, str]:
    words, row = catalogue(), min(state["row"], len(table.tokens) - 1)
    at = (state["d_k"] - D_K_MIN, int(state["scaled"]))
    rows = [
        {"norm": fixed(norm, 3), "dead": int(dead), "state": words[f"health.state.{dead}"]}
        for norm, dead in zip(table.norm[at], table.dead[at], strict=True)
    ]
    cells = [[fixed(value) for value in line] for line in table.jacobian[(*at, row)]]
    made = macros("gradient_health_parts.html")
    return {
        "rows": macros("controls.html").tokens(table.tokens),
        "norms": made.norms(table.tokens, row, rows),
        "jacobian": made.jacobian(words, table.tokens, cells),
    }


def _context(table: HealthTable, state: Mapping[str, Any]) -> dict[str, Any]:
    words = catalogue()

    def cells(width: int, scaled: int) -> list[str]:
        low, median, high = (fixed(value, 1) for value in table.gradient_band[width, scaled])
        band = fill(words["health.range"], {"low": low, "high": high})
        return [fixed(table.gradient_mean[width, scaled], 1), median, band]

    widths = enumerate(table.gradient_widths.tolist())
    return {
        "tokens": [(i, f"{i + 1} · {token}") for i, token in enumerate(table.tokens)],
        "wild_rows": [(d_k, cells(i, 0) + cells(i, 1)) for i, d_k in widths],
        "draws": {"n": table.n_draws, "text": " ".join(table.draws_tokens)},
        "ramp": ", ".join(diverging_palette()[::RAMP_STEP]),
        "fill": fill,
    }


@cache
def white_ink() -> tuple[float, float]:
    """Beyond these entries white ink reads better on its cell than black ink."""
    palette = diverging_palette()
    values = np.linspace(-ENTRY_LIMIT, ENTRY_LIMIT, len(palette))
    # Contrast with white and with black is equal at this luminance.
    light = values[[luminance(colour) >= (1.05 * 0.05) ** 0.5 - 0.05 for colour in palette]]
    return float(light.min()), float(light.max())


def _jacobian_plot() -> Any:
    """Numbers stand in every cell, so that they get the colour bar's room; the HTML has a ramp."""
    words = catalogue()
    plot = token_heatmap(
        value_title="",
        query_title=words["health.axis.weight"],
        key_title=words["health.axis.score"],
        palette=diverging_palette(),
        low=-ENTRY_LIMIT,
        high=ENTRY_LIMIT,
    )
    plot.right = []
    return plot


def _norm_plot() -> Any:
    words = catalogue()
    return band_plot(
        y_title=words["health.axis.norm"],
        x_title=words["health.axis.d_k"],
        high=0.52,
        ticks=[0, 0.1, 0.2, 0.3, 0.4, 0.5],
        limit=DEAD_NORM,
    )


GRADIENT_HEALTH = Figure(
    name="gradient-health",
    State=HealthState,
    key=("text", "seed"),
    table=_table,
    texts=health_texts,
    context=_context,
    parts=_parts,
    meta=lambda table: {
        "tokens": table.tokens,
        "text": " ".join(table.tokens),
        "seed": table.seed,
        "n": table.n_draws,
    },
    config=lambda: {
        "d_k": {"min": D_K_MIN, "max": D_K_MAX},
        "white_ink": white_ink(),
        "lesson": {"text": LESSON_TEXT, "seed": LESSON_SEED},
    },
    plots={"jacobian": _jacobian_plot, "norms": _norm_plot},
    script=SCRIPT,
)
