"""What `inside-one-score` says about one state; ``inside_one_score.mjs`` writes the same."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from attention.inside import COMPONENTS
from attention.tables import D_K_MAX, D_K_MIN
from widgets.words import catalogue, fill, fixed

COLUMNS = range(1, COMPONENTS + 1)
# What stands where a narrow head has no component.
NONE = "–"


class Blend(NamedTuple):
    """The numbers of the row's keys as text, and what they add up to."""

    exponentials: list[str]
    weights: list[str]
    values: list[list[str]]
    contributions: list[list[str]]
    context: list[str]


def pair(table: Any, state: Mapping[str, Any]) -> tuple[int, int]:
    """The chosen query and key, inside the table's sentence."""
    last = len(table.tokens) - 1
    return min(state["query"], last), min(state["key"], last)


def component_rows(table: Any, state: Mapping[str, Any]) -> list[list[str]]:
    """q_c, k_c, their product and the sum so far, for every c that a head can have."""
    i, j = pair(table, state)
    columns = (table.Q[i], table.K[j], table.shown_products[i, j], table.shown_running_sum[i, j])
    return [[fixed(column[c]) for column in columns] for c in range(D_K_MAX)]


def blend(table: Any, state: Mapping[str, Any]) -> Blend:
    """The whole row of the chosen query: exponentials, weights, and weight times value."""
    row = (state["d_k"] - D_K_MIN, int(state["scaled"]), pair(table, state)[0])

    def components(values: Any) -> list[str]:
        return [fixed(value) if c < state["d_k"] else NONE for c, value in enumerate(values)]

    return Blend(
        exponentials=[fixed(value, 4) for value in table.shown_exponentials[row]],
        weights=[fixed(value, 4) for value in table.shown_weights[row]],
        values=[components(values) for values in table.values],
        contributions=[components(values) for values in table.shown_contributions[row]],
        context=components(table.shown_context[row]),
    )


def inside_texts(table: Any, state: Mapping[str, Any]) -> dict[str, str]:
    """Every text that depends on the state, by the name of its place."""
    words = catalogue()
    (i, j), d_k, scaled = pair(table, state), int(state["d_k"]), int(state["scaled"])
    row = (d_k - D_K_MIN, scaled, i)
    # Where the shown score is the row's largest, nothing is left of it after the subtraction.
    peak = int(table.shown_shifted[row].argmax())
    largest = fixed(table.shown_scores[row][peak], 4)
    shifted = fixed(table.shown_shifted[row][j], 4)
    values = {
        "query": table.tokens[i],
        "key": table.tokens[j],
        "peak": table.tokens[peak],
        "d_k": d_k,
        "dot": fixed(table.shown_running_sum[i, j, d_k - 1]),
        "raw": fixed(table.shown_raw[d_k - D_K_MIN, i, j], 4),
        "divisor": fixed(table.divisor[d_k - D_K_MIN, scaled], 4),
        "score": fixed(table.shown_scores[row][j], 4),
        "largest": f"({largest})" if largest.startswith("−") else largest,
        "shifted": shifted,
        "exponential": fixed(table.shown_exponentials[row][j], 4),
        "total": fixed(table.shown_row_sum[row], 4),
        "weight": fixed(table.shown_weights[row][j], 4),
        "scale": words[f"control.scaled.{scaled}"],
    }
    texts = {
        "d_k-value": str(d_k),
        "scaled-value": values["scale"],
        "d_k-spoken": words["inside.spoken"],
        "sentence": words["inside.sentence"],
        "sum-note": words["inside.sums.end"],
        "dot-how": words["inside.dot.how"],
        "dot": values["dot"],
        "divide": words[f"inside.divide.{scaled}"],
        "divide-how": "{raw} ÷ {divisor}",
        "score": values["score"],
        "shift-how": "{score} − {largest}",
        "shift-note": words["inside.shift.note"],
        "shifted": shifted,
        "exponent": shifted,
        "exponential": values["exponential"],
        "total": values["total"],
        "weight-how": "{exponential} ÷ {total}",
        "weight": values["weight"],
        "blend-title": words["inside.blend.title"],
        "blend-note": words["inside.blend.some" if d_k > COMPONENTS else "inside.blend.all"],
        "summary": words["inside.summary"],
    }
    return {place: fill(str(text), values) for place, text in texts.items()}
