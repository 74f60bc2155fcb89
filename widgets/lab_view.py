"""What the lab says about one state, in words and numbers: a look-up in the table.

``attention_lab.mjs`` writes the same texts into the same places as the learner moves;
a browser test holds the two together.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attention.faults import FAULTS
from attention.tables import D_K_MIN, NO_COUNT, LabTable
from widgets.words import catalogue, fill, fixed

D_MODEL = 16


def lab_texts(table: LabTable, state: Mapping[str, Any]) -> dict[str, str]:
    """Every text of the lab that depends on the state, by the name of its place."""
    words = catalogue()
    fault, scaled, row = str(state["fault"]), bool(state["scaled"]), int(state["row"])
    at = (state["d_k"] - D_K_MIN, FAULTS.index(fault), int(scaled))
    of_row = (*at, row)
    code, dead = int(table.state[of_row]), int(table.dead_rows[at])
    expected = "by_d_k" if fault == "divide_by_d_k" else "scaled" if scaled else "raw"
    expectation = fill(words[f"expect.{expected}"], {"value": fixed(table.expected_spread[at])})
    if fault == "shared_projection":
        expectation = fill(words["expect.shared"], {"expected": expectation})
    blended = {"blend_embeddings": "embeddings", "shared_projection": "queries"}.get(fault, "values")
    values = {
        "query": table.tokens[row],
        "key": table.tokens[table.peak_key[of_row]],
        # The score to look inside: the row's peak, until a learner chooses a cell.
        "asks": table.tokens[row],
        "answers": table.tokens[table.peak_key[of_row]],
        "weight": fixed(table.peak[of_row]),
        "sum": fixed(table.row_sum[of_row]),
        "d_k": state["d_k"],
        "n": D_MODEL if fault == "blend_embeddings" else state["d_k"],
        "norm": fixed(table.context_norm[of_row]),
        "dead": dead,
        "rows": len(table.tokens),
    }
    texts = {
        "score-spread": fixed(table.spread[at]),
        "peak-weight": values["weight"],
        "softmax-state": words[f"state.{code}"],
        "dead-rows": words["dead.none" if dead == NO_COUNT else "dead.count"],
        "expectation": expectation,
        "peak-label": words["kpi.peak-weight"],
        "state-label": words["kpi.softmax-state"],
        "peak-note": words["peak.note"],
        "state-note": words[f"state.note.{code}"],
        "sentence": words[f"sentence.{code}"],
        "context": words[f"context.{blended}"],
        "fault-note": words[f"fault.note.{fault}"],
        "inside-note": words["lab.inside.note" if fault == "none" else "lab.inside.fault"],
        "d_k-value": str(state["d_k"]),
        "scaled-value": words[f"control.scaled.{int(scaled)}"],
    }
    return {place: fill(str(text), values) for place, text in texts.items()}


def softmax_state_code(table: LabTable, state: Mapping[str, Any]) -> int:
    """The `SoftmaxState` of the highlighted row; the page colours it."""
    return int(table.state[state["d_k"] - D_K_MIN, FAULTS.index(state["fault"]), int(state["scaled"]), state["row"]])
