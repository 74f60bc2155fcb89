"""The whole operation's texts, shapes and cells, without a browser."""

import re

import numpy as np
import pytest

from attention import SelfAttention, embed, operation_table
from widgets.figure import figure_html
from widgets.operation_view import (
    MATRICES,
    STEPS,
    display_name,
    matrix_values,
    matrix_views,
    operation_texts,
    shape_text,
)
from widgets.whole_operation import WHOLE_OPERATION, OperationState
from widgets.words import catalogue, fixed

TEXT = "yes no maybe"


@pytest.fixture(scope="module")
def table():
    return operation_table(TEXT.split(), 3)


def state_of(**changes):
    return OperationState(text=TEXT, seed=3, **changes).values()


STATES = [
    state_of(step=step, d_k=d_k, scaled=scaled, batch=batch, item=item, row=2)
    for step in range(7)
    for d_k, scaled in ((2, True), (16, False))
    for batch, item in ((False, 0), (True, 1))
]


@pytest.mark.parametrize("state", STATES, ids=lambda s: f"{s['step']}-{s['d_k']}-{s['item']}")
def test_every_text_is_filled_and_has_its_place(table, state):
    html = figure_html(WHOLE_OPERATION, table, state, id="x")
    for place, text in operation_texts(table, state).items():
        assert not re.search(r"[{}]", text), (place, text)
        assert f'data-text="{place}"' in html
    assert not re.search(r"\{\w+\}", html.split("</script>", 1)[1])


def test_shapes_are_those_of_the_arrays(table):
    batch = np.stack([embed(TEXT.split(), 3), embed(TEXT.split()[::-1], 3)])
    layer = SelfAttention.seeded(3).narrow(5)
    for state, X in ((state_of(d_k=5, batch=True), batch), (state_of(d_k=5), batch[0])):
        trace = layer(X)
        arrays = {"X": X, "K.T": trace.K.mT, "Z": trace.context, "W_q": layer.W_q, "W_k": layer.W_k, "W_v": layer.W_v}
        arrays |= {name: getattr(trace, name) for name in ("Q", "K", "V", "scores", "weights")}
        assert arrays.keys() == MATRICES.keys()
        for name, array in arrays.items():
            assert shape_text(name, state, 3) == str(array.shape)
            np.testing.assert_allclose(
                matrix_values(table, state, name), array[0] if array.ndim == 3 else array, rtol=1e-5, atol=1e-6
            )


def test_a_line_of_code_says_its_shapes(table):
    texts = operation_texts(table, state_of(d_k=8))
    assert texts["shape-0"] == "(3, 16)"
    assert texts["shape-1"] == "(3, 16) @ (16, 8) → (3, 8)"
    assert texts["shape-4"] == "(3, 8) @ (8, 3) → (3, 3)"
    assert texts["shape-5"] == "(3, 3) → (3, 3)"
    texts = operation_texts(table, state_of(d_k=8, batch=True))
    assert texts["shape-1"] == "(2, 3, 16) @ (16, 8) → (2, 3, 8)"
    assert texts["shape-4"] == "(2, 3, 8) @ (2, 8, 3) → (2, 3, 3)"


def test_transposing_spares_the_batch():
    assert display_name("K.T", state_of()) == "K.T"
    assert display_name("K.T", state_of(batch=True)) == "K.mT"


def test_without_a_batch_there_is_one_sentence(table):
    views = matrix_views(table, state_of(step=0, item=1))
    assert views[2]["heads"][0] == TEXT.split()
    assert matrix_views(table, state_of(step=0, batch=True, item=1))[2]["heads"][0] == TEXT.split()[::-1]


def test_cells_hold_values_and_readable_colours(table):
    for step in range(len(STEPS)):
        state = state_of(step=step, d_k=6)
        for view in matrix_views(table, state):
            if not view["name"]:
                continue
            values = matrix_values(table, state, view["name"])
            for row, cells in zip(values, view["cells"], strict=True):
                assert [text for text, _, _ in cells] == [fixed(value) for value in row]
                assert all(re.fullmatch("#[0-9a-f]{6}", colour) for _, colour, _ in cells)
    assert matrix_views(table, state_of(step=5))[2]["numbers"]


def test_each_matrix_and_line_has_its_words():
    words = catalogue()
    assert {"whole-operation.title", "whole-operation.caption"} <= words.keys()
    for name in MATRICES.keys() - {"scores"}:
        assert f"operation.matrix.{name}" in words
    for step in range(len(STEPS)):
        assert f"operation.made.{step}" in words


def test_what_a_learner_typed_is_text_in_the_html():
    text = "a&b \"q\" 'x' ${y}"
    state = OperationState(text=text, step=5).values()
    html = figure_html(WHOLE_OPERATION, operation_table(text.split(), 1), state, id="x")
    assert "a&amp;b" in html and "a&b" not in html.replace('"a&b', "")
