"""What the whole operation shows in one state: texts, shapes and the cells of each matrix.

``whole_operation.mjs`` and ``operation_matrices.mjs`` write the same as the learner moves;
a browser test holds the two together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from math import floor
from typing import Any

import numpy as np

from attention import OPERATION_WIDTHS, OperationTable
from widgets.theme import diverging_palette, heat_palette, luminance
from widgets.words import catalogue, fill, fixed

# axes: what its rows and columns count (T tokens, d components, k = d_k); limit: the value of
# the darkest colour; alone: one for all items of a batch; role: the colour that it wears;
# room: for how many columns of numbers there is room beside a result.
MATRICES: dict[str, dict[str, Any]] = {
    "X": {"axes": "Td", "limit": 2.5, "role": "", "room": 0},
    "W_q": {"axes": "dk", "limit": 0.75, "role": "query", "alone": True, "room": 6},
    "W_k": {"axes": "dk", "limit": 0.75, "role": "key", "alone": True, "room": 6},
    "W_v": {"axes": "dk", "limit": 0.75, "role": "value", "alone": True, "room": 6},
    "Q": {"axes": "Tk", "limit": 2.5, "role": "query", "room": 5},
    "K": {"axes": "Tk", "limit": 2.5, "role": "key"},
    "K.T": {"axes": "kT", "limit": 2.5, "role": "key", "room": 6},
    "V": {"axes": "Tk", "limit": 2.5, "role": "value", "room": 5},
    "scores": {"axes": "TT", "limit": 8, "role": ""},
    "weights": {"axes": "TT", "limit": 1, "role": "", "shares": True},
    "Z": {"axes": "Tk", "limit": 2.5, "role": ""},
}
# For each line of code: left factor, right factor, result.
STEPS: tuple[tuple[str, str, str], ...] = (
    ("", "", "X"),
    ("X", "W_q", "Q"),
    ("X", "W_k", "K"),
    ("X", "W_v", "V"),
    ("Q", "K.T", "scores"),
    ("scores", "", "weights"),
    ("weights", "V", "Z"),
)
SLOTS = ("left", "right", "result")
LEVELS = 63
RESULT_ROOM = 8


@cache
def palettes() -> dict[str, dict[str, Any]]:
    """Colours by index, and which of them ask for white ink (``1``)."""
    made = {"signed": diverging_palette(LEVELS), "shares": heat_palette(LEVELS)}
    # Contrast with white and with black is equal at this luminance.
    middle = (1.05 * 0.05) ** 0.5 - 0.05
    return {
        name: {"colours": colours, "white": "".join(str(int(luminance(colour) < middle)) for colour in colours)}
        for name, colours in made.items()
    }


def shown_item(state: Mapping[str, Any]) -> int:
    """The sentence that is shown; without a batch there is only one."""
    return int(state["item"]) if state["batch"] else 0


def shown_tokens(table: OperationTable, state: Mapping[str, Any]) -> Sequence[str]:
    """The tokens of the sentence that is shown."""
    return table.reversed_tokens if shown_item(state) else table.tokens


def stage_size(T: int) -> str:
    """How narrow the cells have to be for T columns: the styles ask for it."""
    return "short" if T <= 6 else "middle" if T <= 8 else "long"


def matrix_values(table: OperationTable, state: Mapping[str, Any], name: str) -> Any:
    """A matrix of the sentence that is shown."""
    item, d_k = shown_item(state), int(state["d_k"])
    at = (d_k - int(OPERATION_WIDTHS[0]), int(state["scaled"]), item)
    if name in ("scores", "weights"):
        return getattr(table, name)[at]
    if name == "Z":
        return table.context[at][:, :d_k]
    if name == "X":
        return table.X[item]
    if name == "K.T":
        return table.K[item][:, :d_k].T
    return getattr(table, name)[..., :d_k][item if name in "QKV" else ...]


def shape_text(name: str, state: Mapping[str, Any], T: int) -> str:
    """A shape as NumPy writes it: ``(6, 8)``, in a batch ``(2, 6, 8)``."""
    matrix, sizes = MATRICES[name], {"T": T, "d": 16, "k": state["d_k"]}
    lead = [2] if state["batch"] and not matrix.get("alone") else []
    return f"({', '.join(str(size) for size in (*lead, *(sizes[axis] for axis in matrix['axes'])))})"


def display_name(name: str, state: Mapping[str, Any]) -> str:
    """``.T`` would turn the batch axis too; ``.mT`` turns the last two alone."""
    return "K.mT" if name == "K.T" and state["batch"] else name


def line_shapes(step: int, state: Mapping[str, Any], T: int) -> str:
    """The shapes of a line of code: ``(6, 16) @ (16, 8) → (6, 8)``."""
    left, right, result = (shape_text(name, state, T) if name else "" for name in STEPS[step])
    return f"{left} @ {right} → {result}" if right else f"{left} → {result}" if left else result


def operation_texts(table: OperationTable, state: Mapping[str, Any]) -> dict[str, str]:
    """Every text that depends on the state, by the name of its place."""
    words = catalogue()
    step, scaled, batch = int(state["step"]), int(state["scaled"]), int(state["batch"])
    T = len(table.tokens)
    values = {"token": shown_tokens(table, state)[state["row"]], "T": T, "d_k": state["d_k"], "step": step}
    variant = f".{scaled}" if step == 4 else ""
    texts = {
        **{f"shape-{line}": line_shapes(line, state, T) for line in range(len(STEPS))},
        "code-turn": display_name("K.T", state),
        "code-scale": words[f"operation.code.scale.{scaled}"],
        "line": words["operation.line.0" if step == 0 else "operation.line"],
        "sentence": words[f"operation.sentence.{step}{variant}"],
        "made": words[f"operation.made.{step}{'.batch' if step == 4 and batch else ''}"],
        "batch-note": words[f"operation.batch.{batch}"],
        "d_k-value": str(state["d_k"]),
        "scaled-value": words[f"control.scaled.{scaled}"],
        "batch-value": words[f"control.scaled.{batch}"],
        "sign-right": words[f"operation.sign.{step}{variant}"],
    }
    for slot, name in zip(SLOTS, STEPS[step], strict=True):
        which = f".{scaled}" if name == "scores" else ""
        texts[f"{slot}-name"] = display_name(name, state)
        texts[f"{slot}-shape"] = shape_text(name, state, T) if name else ""
        texts[f"{slot}-word"] = words[f"operation.matrix.{name}{which}"] if name else ""
    return {place: fill(text, values) for place, text in texts.items()}


def matrix_views(table: OperationTable, state: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The three matrices of a step as the template draws them; a slot may be empty."""
    step, tokens = int(state["step"]), shown_tokens(table, state)
    views = []
    for slot, name in zip(SLOTS, STEPS[step], strict=True):
        view: dict[str, Any] = {"slot": slot, "name": name}
        if name:
            matrix, values = MATRICES[name], matrix_values(table, state, name)
            heads = [
                list(tokens) if axis == "T" else [str(i + 1) for i in range(size)]
                for axis, size in zip(matrix["axes"], values.shape, strict=True)
            ]
            square, columns = matrix["axes"] == "TT", values.shape[1]
            view |= {
                "role": matrix["role"],
                "heads": heads,
                # T × T tables always show theirs, and X where it stands alone.
                "numbers": square or step == 0 or columns <= (RESULT_ROOM if slot == "result" else matrix["room"]),
                "wide": square and columns > 6,
                "cells": [[_cell(value, matrix) for value in row] for row in values.astype(np.float64)],
            }
        views.append(view)
    return views


def _cell(value: float, matrix: Mapping[str, Any]) -> tuple[str, str, bool]:
    """What a cell holds: the value, its colour, whether that asks for white ink."""
    shares = matrix.get("shares", False)
    palette = palettes()["shares" if shares else "signed"]
    share = value if shares else (value / matrix["limit"] + 1) / 2
    index = min(max(floor(share * (LEVELS - 1) + 0.5), 0), LEVELS - 1)
    return fixed(value), palette["colours"][index], palette["white"][index] == "1"
