"""One vector, three jobs: attention over bare embeddings beside attention with queries and keys."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import param
from bokeh.models import ColumnDataSource
from bokeh.plotting import figure

from attention import ThreeJobsTable, three_jobs_table, tokenize
from widgets.figure import Figure, macros
from widgets.heatmap import token_heatmap
from widgets.lab_view import D_MODEL
from widgets.scripts.three_jobs import SCRIPT
from widgets.sentence import MAX_TOKENS
from widgets.state import SentenceState
from widgets.theme import diverging_palette, heat_palette, light_ink_from, luminance
from widgets.three_jobs_view import jobs_texts, pair, shown_pairs
from widgets.words import catalogue, fixed

DRAWS = 10
D_K = 8
SHOWN = ("scores", "weights")
# Where the colours of scores end. The product of two embeddings cannot leave ±d_model;
# scores with projections have a standard deviation near 1.
LIMITS = {"raw": float(D_MODEL), "made": 4.0}


class ThreeJobsState(SentenceState):
    """The pair that is followed, the set of matrices, and which numbers are shown."""

    token_names = ("query", "key")

    query = param.Integer(default=1, bounds=(0, MAX_TOKENS - 1), doc="Token i of the pair, counted from 0.")
    key = param.Integer(default=5, bounds=(0, MAX_TOKENS - 1), doc="Token j of the pair, counted from 0.")
    draw = param.Integer(default=0, bounds=(0, DRAWS - 1), doc="Which set of matrices, counted from 0.")
    show = param.Selector(default="scores", objects=list(SHOWN), doc="Scores, or the weights made of them.")


def _table(text: str, seed: int) -> ThreeJobsTable:
    return three_jobs_table(tokenize(text), seed, draws=DRAWS, d_k=D_K)


def _context(table: ThreeJobsTable, state: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "shown": [(show, catalogue()[f"jobs.show.{show}"]) for show in SHOWN],
        "options": [(i, f"{i + 1} · {token}") for i, token in enumerate(table.tokens)],
        "d_k": D_K,
        "d_model": D_MODEL,
        "trainable": 3 * D_MODEL * D_K,
    }


def _parts(table: ThreeJobsTable, state: Mapping[str, Any]) -> dict[str, str]:
    words, here = catalogue(), pair(table, state)
    options = macros("controls.html").tokens(table.tokens)
    parts = {"queries": options, "keys": options}
    for side, values in shown_pairs(table, state).items():
        cells = [[fixed(value) for value in row] for row in values.astype(np.float64)]
        make = macros("three_jobs_parts.html").table
        parts[f"{side}-table"] = make(words["jobs.corner"], words[f"jobs.{side}.table"], table.tokens, cells, *here)
    return parts


def _config() -> dict[str, Any]:
    scale = diverging_palette()
    return {
        "draws": DRAWS,
        "limits": LIMITS,
        "ticks": {name: list(np.linspace(low, high, 5)) for name, low, high in _domains()},
        "palettes": {"scores": scale, "weights": heat_palette()},
        "light_ink_from": {
            "scores": {side: _light_ink_beyond(scale, limit) for side, limit in LIMITS.items()},
            "weights": light_ink_from(),
        },
        "value_titles": {show: catalogue()[f"jobs.value.{show}"] for show in SHOWN},
    }


def _domains() -> list[tuple[str, float, float]]:
    """Where the colours of each kind of number begin and end."""
    return [*((side, -limit, limit) for side, limit in LIMITS.items()), ("weights", 0.0, 1.0)]


def _light_ink_beyond(palette: tuple[str, ...], limit: float) -> dict[str, float]:
    """The scores below and above which white ink reads better on its cell than black ink."""
    # Contrast with white and with black is equal at this luminance.
    dark = np.array([luminance(colour) < (1.05 * 0.05) ** 0.5 - 0.05 for colour in palette])
    score = np.linspace(-limit, limit, len(palette))
    return {"below": float(score[dark & (score < 0)].max()), "above": float(score[dark & (score > 0)].min())}


def _heatmap(side: str) -> figure:
    words = catalogue()
    plot = token_heatmap(
        value_title=words["jobs.value.scores"],
        query_title=words[f"jobs.{side}.query"],
        key_title=words[f"jobs.{side}.key"],
        palette=diverging_palette(),
        low=-LIMITS[side],
        high=LIMITS[side],
    )
    # A pair and its mirror, in black on white so that no cell's colour swallows the outline.
    both = ColumnDataSource(name="pair", data={"q": [], "k": []})
    for colour, width in (("#ffffff", 6), ("#111111", 2.5)):
        plot.rect("k", "q", 0.94, 0.94, source=both, fill_color=None, line_color=colour, line_width=width)
    return plot


THREE_JOBS = Figure(
    name="three-jobs",
    State=ThreeJobsState,
    key=("text", "seed"),
    table=_table,
    texts=jobs_texts,
    context=_context,
    parts=_parts,
    meta=lambda table: {
        "tokens": table.tokens,
        "text": " ".join(table.tokens),
        "seed": table.seeds[0],
        "seeds": table.seeds,
    },
    config=_config,
    plots={"raw": lambda: _heatmap("raw"), "made": lambda: _heatmap("made")},
    script=SCRIPT,
)
