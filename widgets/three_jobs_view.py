"""What `three-jobs` says about one state; ``three_jobs.mjs`` writes the same texts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attention import ThreeJobsTable
from attention.checks import Floats
from widgets.words import catalogue, fill, fixed


def pair(table: ThreeJobsTable, state: Mapping[str, Any]) -> tuple[int, int]:
    """The chosen pair, inside the table's sentence."""
    last = len(table.tokens) - 1
    return min(state["query"], last), min(state["key"], last)


def shown_pairs(table: ThreeJobsTable, state: Mapping[str, Any]) -> dict[str, Floats]:
    """What both sides show: scores or weights, (T, T) each."""
    if state["show"] == "scores":
        return {"raw": table.raw_scores, "made": table.scores[state["draw"]]}
    return {"raw": table.raw_weights, "made": table.weights[state["draw"]]}


def jobs_texts(table: ThreeJobsTable, state: Mapping[str, Any]) -> dict[str, str]:
    """Every text that depends on the state, by the name of its place."""
    words = catalogue()
    (i, j), draw, show = pair(table, state), state["draw"], state["show"]
    one, other = table.asymmetric_pair[draw]
    values = {
        "query": table.tokens[i],
        "key": table.tokens[j],
        "set": draw + 1,
        "sets": len(table.seeds),
        "seed": table.seeds[draw],
        "one": table.tokens[one],
        "other": table.tokens[other],
    }
    texts = {
        "set": words["jobs.set"],
        "raw-asymmetry": fixed(float(table.raw_asymmetry)),
        "asymmetry": fixed(table.asymmetry[draw]),
        "asymmetry-note": words["jobs.asymmetry.note"],
    }
    for side, shown in shown_pairs(table, state).items():
        there, back = fixed(shown[i, j]), fixed(shown[j, i])
        kind = "self" if i == j else "same" if there == back else "apart"
        numbers = values | {"there": there, "back": back, "self": fixed(shown[i, i])}
        texts[f"{side}-pair"] = fill(words[f"jobs.{side}.{show}.{kind}"], numbers)
        texts[f"{side}-self"] = fill(words[f"jobs.{side}.{show}.diagonal"], numbers)
    values |= {"raw": texts["raw-pair"], "made": texts["made-pair"]}
    texts["summary"] = words["jobs.summary"]
    return {place: fill(text, values) for place, text in texts.items()}
