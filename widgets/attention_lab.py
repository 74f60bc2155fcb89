"""The attention lab: drive one layer's d_k, scale and faults, and see every number."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from attention import lab_table, tokenize
from attention.embedding import MAX_SEED
from attention.faults import FAULTS
from attention.tables import D_K_MIN, LabTable
from widgets.figure import Figure, macros
from widgets.heatmap import weights_heatmap
from widgets.lab_view import D_MODEL, lab_texts, softmax_state_code
from widgets.scripts.attention_lab import SCRIPT
from widgets.sentence import LESSON_SEED, LESSON_TEXT
from widgets.state import LabState
from widgets.theme import light_ink_from
from widgets.words import catalogue, fixed


def _table(text: str, seed: int) -> LabTable:
    return lab_table(tokenize(text), seed)


def _parts(table: LabTable, state: Mapping[str, Any]) -> dict[str, str]:
    at = (state["d_k"] - D_K_MIN, FAULTS.index(state["fault"]), int(state["scaled"]))
    weights = [[fixed(weight) for weight in row] for row in table.weights[at].astype(np.float64)]
    sums = [fixed(total) for total in table.row_sum[at]]
    row = min(state["row"], len(table.tokens) - 1)
    made = macros("attention_lab_parts.html")
    return {
        "rows": made.rows(table.tokens, row),
        "table": made.table(catalogue(), table.tokens, row, weights, sums),
    }


def _config() -> dict[str, Any]:
    return {
        "faults": FAULTS,
        "d_k": {"min": D_K_MIN},
        "d_model": D_MODEL,
        "max_seed": MAX_SEED,
        "light_ink_from": light_ink_from(),
        "lesson": {"text": LESSON_TEXT, "seed": LESSON_SEED},
        # It has a button of its own for that, wherever it stands.
        "script": SCRIPT.config(),
        "reset": {name: getattr(LabState, name) for name in ("d_k", "scaled", "fault", "row")},
    }


ATTENTION_LAB = Figure(
    name="attention-lab",
    State=LabState,
    key=("text", "seed"),
    table=_table,
    texts=lab_texts,
    context=lambda table, state: {"faults": FAULTS, "state_code": softmax_state_code(table, state)},
    parts=_parts,
    meta=lambda table: {"tokens": table.tokens, "text": " ".join(table.tokens), "seed": table.seed},
    config=_config,
    plots={"heatmap": weights_heatmap},
    script=SCRIPT,
)
