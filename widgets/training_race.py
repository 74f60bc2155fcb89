"""The training race: one task, one start, three scales; losses and weights step by step."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import param

from attention import tokenize
from attention.embedding import MAX_SEED
from attention.race_story import ARRIVED, RACE_STEPS, RaceStoryTable, race_story_table
from widgets.figure import Figure, macros
from widgets.scripts.training_race import SCRIPT
from widgets.sentence import LESSON_SEED, LESSON_TEXT
from widgets.state import SentenceState
from widgets.theme import light_ink_from
from widgets.training_race_plots import course_plot, lane_heatmap
from widgets.training_race_view import LANES, TABLED_STEPS, course_top, label_places, loss_text, race_texts
from widgets.words import catalogue, fixed

WIDTHS = (4, 16, 64)
RATES = (0.03, 0.1)


class RaceState(SentenceState):
    """The race's state."""

    step = param.Integer(default=0, bounds=(0, RACE_STEPS), doc="After how many steps of training all is shown.")
    d_k = param.Selector(default=64, objects=list(WIDTHS), doc="Width of each query and key.")
    learning_rate = param.Selector(default=0.1, objects=list(RATES), doc="How far a step of training goes.")
    lane = param.Selector(default="none", objects=list(LANES), doc="The lane whose weights the table shows.")


def _table(
    text: str, seed: int, d_k: int, learning_rate: float, on_step: Callable[[int], object] | None = None
) -> RaceStoryTable:
    return race_story_table(tokenize(text), seed, d_k, learning_rate, on_step=on_step)


def _parts(table: RaceStoryTable, state: Mapping[str, Any]) -> dict[str, str]:
    here = (LANES.index(state["lane"]), state["step"])
    losses = {lane: [loss_text(table, i, step) for step in TABLED_STEPS] for i, lane in enumerate(LANES)}
    now = {lane: loss_text(table, i, state["step"]) for i, lane in enumerate(LANES)}
    weights = [[fixed(weight) for weight in row] for row in table.weights[here].astype(np.float64)]
    made = macros("training_race_parts.html")
    return {
        "losses": made.losses(catalogue(), LANES, TABLED_STEPS, losses, now),
        "weights": made.weights(
            catalogue(), table.tokens, weights, table.target_key.tolist(), table.stuck[here].tolist()
        ),
    }


def _meta(table: RaceStoryTable) -> dict[str, Any]:
    top = course_top(table)
    return {
        "tokens": table.tokens,
        "text": " ".join(table.tokens),
        "seed": table.seed,
        "d_k": table.d_k,
        "learning_rate": table.learning_rate,
        "top": top,
        "label_places": label_places(table, top),
    }


def _config() -> dict[str, Any]:
    return {
        "lanes": LANES,
        "steps": RACE_STEPS,
        "tabled": TABLED_STEPS,
        "arrived": fixed(ARRIVED),
        "max_seed": MAX_SEED,
        "light_ink_from": light_ink_from(),
        "lesson": {"text": LESSON_TEXT, "seed": LESSON_SEED},
    }


TRAINING_RACE = Figure(
    name="training-race",
    State=RaceState,
    key=("text", "seed", "d_k", "learning_rate"),
    table=_table,
    texts=race_texts,
    context=lambda table, state: {"lanes": LANES, "widths": WIDTHS, "rates": RATES, "steps": RACE_STEPS},
    parts=_parts,
    meta=_meta,
    config=_config,
    plots={"course": course_plot, **{lane: lane_heatmap for lane in LANES}},
    script=SCRIPT,
)
