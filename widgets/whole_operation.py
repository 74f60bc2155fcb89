"""The whole operation, with shapes: every matrix beside the line of code that makes it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import param

from attention import OPERATION_WIDTHS, OperationTable, operation_table, tokenize
from widgets.figure import Figure, macros
from widgets.operation_view import (
    MATRICES,
    RESULT_ROOM,
    STEPS,
    matrix_views,
    operation_texts,
    palettes,
    shown_tokens,
    stage_size,
)
from widgets.scripts.whole_operation import SCRIPT
from widgets.sentence import MAX_TOKENS
from widgets.state import SentenceState


class OperationState(SentenceState):
    """Which line of the code is looked at, and in which layer."""

    token_names = ("row",)

    step = param.Integer(default=1, bounds=(0, len(STEPS) - 1), doc="The line of code; 0 is the input.")
    d_k = param.Integer(
        default=8, bounds=(int(OPERATION_WIDTHS[0]), int(OPERATION_WIDTHS[-1])), doc="Width of each query and key."
    )
    scaled = param.Boolean(default=True, doc="Whether raw scores are divided by √d_k.")
    batch = param.Boolean(default=False, doc="Whether a second sentence goes in at the same time.")
    item = param.Integer(default=0, bounds=(0, 1), doc="Which sentence of the batch is shown.")
    row = param.Integer(default=1, bounds=(0, MAX_TOKENS - 1), doc="The result's row that is followed, from 0.")


def _context(table: OperationTable, state: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "tokens": list(enumerate(f"{i} · {token}" for i, token in enumerate(shown_tokens(table, state), 1))),
        "matrices": MATRICES,
        "steps": STEPS,
        "size": stage_size(len(table.tokens)),
        "slots": matrix_views(table, state),
    }


def _config() -> dict[str, Any]:
    return {
        "d_k": {"min": int(OPERATION_WIDTHS[0])},
        "room": RESULT_ROOM,
        "matrices": MATRICES,
        "steps": STEPS,
        "palettes": palettes(),
    }


WHOLE_OPERATION = Figure(
    name="whole-operation",
    State=OperationState,
    key=("text", "seed"),
    table=lambda text, seed: operation_table(tokenize(text), seed),
    texts=operation_texts,
    context=_context,
    parts=lambda table, state: {"rows": str(macros("controls.html").tokens(table.tokens))},
    meta=lambda table: {
        "tokens": [table.tokens, table.reversed_tokens],
        "text": " ".join(table.tokens),
        "seed": table.seed,
    },
    config=_config,
    script=SCRIPT,
)
