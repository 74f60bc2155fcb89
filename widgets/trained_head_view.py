"""What the trained head says about one state, in words and numbers: a look-up in the table.

``trained_head.mjs`` writes the same texts into the same places as the learner moves;
a browser test holds the two together.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from widgets.words import catalogue, fill, fixed


def of_head(state: Mapping[str, Any]) -> tuple[int, int, int]:
    """Where the chosen head is in the table."""
    return state["layer"] - 1, state["head"] - 1, int(state["scaled"])


def softmax_state_code(table: Any, state: Mapping[str, Any]) -> int:
    """The `SoftmaxState` of the highlighted row; the page colours it."""
    return int(table.state[(*of_head(state), state["row"])])


def whom(row: int, key: int, tokens: int) -> str:
    """How a key stands to the query that looks at it."""
    if key == row:
        return "self"
    if key in (0, tokens - 1):
        return "first" if key == 0 else "last"
    return {1: "after", -1: "before"}.get(key - row, "other")


def head_texts(table: Any, state: Mapping[str, Any]) -> dict[str, str]:
    """Every text of the figure that depends on the state, by the name of its place."""
    words = catalogue()
    here, row, scaled = of_head(state), int(state["row"]), int(state["scaled"])
    of_row = (*here, row)
    code, key = int(table.state[of_row]), int(table.peak_key[of_row])
    values = {
        "layer": state["layer"],
        "head": state["head"],
        "query": table.tokens[row],
        "key": table.tokens[key],
        # Three digits, and four for the norm: with fewer, some rows would be shown on the wrong side of 0.95 or 0.05.
        "weight": fixed(table.peak[of_row], 3),
        "median": fixed(table.median_spread[scaled]),
        "saturated": int(table.saturated_rows[here]),
        "dead": int(table.dead_rows[here]),
        "rows": len(table.tokens),
    }
    values["whom"] = fill(words[f"trained.whom.{whom(row, key, len(table.tokens))}"], values)
    texts = {
        "layer-value": str(state["layer"]),
        "head-value": str(state["head"]),
        "scaled-value": words[f"control.scaled.{scaled}"],
        "score-spread": fixed(table.spread[here]),
        "spread-note": words["trained.spread.note"],
        "peak-label": words["trained.peak"],
        "peak-weight": values["weight"],
        "peak-note": words["trained.peak.note"],
        "state-label": words["trained.state"],
        "softmax-state": words[f"trained.state.{code}"],
        "state-note": words[f"trained.state.note.{code}"],
        "saturated-rows": words["trained.saturated.count"],
        "dead-rows": words["trained.dead.count"],
        "norm-label": words["trained.norm"],
        "row-norm": fixed(table.norm[of_row], 4),
        "sentence": words[f"trained.sentence.{code}"],
        "reply": words[f"trained.reply.{scaled}"],
        "atlas-title": words[f"trained.atlas.{scaled}"],
    }
    return {place: fill(text, values) for place, text in texts.items()}
