"""What the training race says about one state, in words and numbers: a look-up in the table.

``training_race.mjs`` writes the same texts into the same places as the learner moves;
a browser test holds the two together.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attention import RACE_LANES
from attention.race_story import ARRIVED, RACE_STEPS, RaceStoryTable
from widgets.words import catalogue, fill, fixed

LANES = tuple(map(str, RACE_LANES))
# The steps that the table of losses shows besides the one of the slider.
TABLED_STEPS = (0, 50, 100, 200, 300)


def loss_text(table: RaceStoryTable, lane: int, step: int) -> str:
    """A lane's relative loss."""
    return fixed(table.relative_loss[lane, step], 3)


def race_texts(table: RaceStoryTable, state: Mapping[str, Any]) -> dict[str, str]:
    """Every text of the race that depends on the state, by the name of its place."""
    words, step = catalogue(), state["step"]
    texts = {
        "so-far": fill(words.get(f"race.so-far.{step}", words["race.so-far"]), {"step": step}),
        "step-value": fill(words["race.step.value"], {"step": step, "steps": RACE_STEPS}),
        "weights-title": fill(words["race.table.weights"], {"lane": words[f"race.lane.{state['lane']}"], "step": step}),
    }
    for i, lane in enumerate(LANES):
        stuck = [token for token, held in zip(table.tokens, table.stuck[i, step], strict=True) if held]
        values = {
            "loss": loss_text(table, i, step),
            "arrived": fixed(ARRIVED),
            "since": table.since[i, step],
            "stuck": table.stuck_rows[i, step],
            "rows": len(table.tokens),
            "names": ", ".join(fill(words["race.name"], {"token": token}) for token in stuck),
        }
        texts[f"loss-{lane}"] = values["loss"]
        texts[f"story-{lane}"] = fill(words[f"race.story.{table.progress[i, step]}"], values)
        texts[f"stuck-{lane}"] = fill(words["race.stuck.value"], values)
        texts[f"stuck-words-{lane}"] = fill(words["race.stuck.words" if stuck else "race.stuck.none"], values)
    return texts


def label_places(table: RaceStoryTable, top: float) -> list[float]:
    """Where the lanes' names stand beside the ends of their lines, in the plot's losses, none on another."""
    gap = 0.115 * top
    places = [max(float(end), 0.035 * top) for end in table.relative_loss[:, -1]]
    order = sorted(range(len(places)), key=places.__getitem__)
    for below, above in zip(order, order[1:], strict=False):
        places[above] = max(places[above], places[below] + gap)
    highest = top - gap / 2
    for lane in reversed(order):
        places[lane] = min(places[lane], highest)
        highest = places[lane] - gap
    return places


def course_top(table: RaceStoryTable) -> float:
    """Where the losses' axis ends: fixed for one race, a little above the largest loss."""
    return 1.08 * max(1.0, float(table.relative_loss.max()))
