"""The whole operation: every matrix of a batch of two, against the layer."""

import numpy as np
import pytest

from attention import OPERATION_WIDTHS, SelfAttention, embed, operation_table

SCALES = ("none", "sqrt_d_k")


@pytest.fixture(scope="module")
def table(any_sentence):
    return operation_table(*any_sentence)


def close(ours, expected):
    np.testing.assert_allclose(ours, expected, rtol=1e-5, atol=1e-6)


def test_arrays_have_the_promised_types_and_shapes(table, any_sentence, check_arrays):
    T = len(any_sentence[0])
    check_arrays(
        table,
        dict.fromkeys(("X", "Q", "K", "V"), ("float32", 2, T, 16))
        | dict.fromkeys(("W_q", "W_k", "W_v"), ("float32", 16, 16))
        | dict.fromkeys(("scores", "weights"), ("float32", 15, 2, 2, T, T))
        | {"context": ("float32", 15, 2, 2, T, 16)},
    )
    assert (table.tokens, table.seed) == any_sentence
    assert table.reversed_tokens == any_sentence[0][::-1]
    assert OPERATION_WIDTHS.tolist() == list(range(2, 17))


@pytest.mark.parametrize("scaled", [0, 1])
def test_every_state_equals_the_layer_on_the_batch(table, any_sentence, scaled):
    tokens, seed = any_sentence
    X, layer = np.stack([embed(tokens, seed), embed(tokens[::-1], seed)]), SelfAttention.seeded(seed)
    close(table.X, X)
    for i, d_k in enumerate(OPERATION_WIDTHS):
        narrow = layer.narrow(d_k)
        trace = narrow(X, scale=SCALES[scaled])
        for name in ("W_q", "W_k", "W_v"):
            close(getattr(table, name)[:, :d_k], getattr(narrow, name))
        for name in "QKV":
            close(getattr(table, name)[..., :d_k], getattr(trace, name))
        close(table.scores[i, scaled], trace.scores)
        close(table.weights[i, scaled], trace.weights)
        close(table.context[i, scaled, ..., :d_k], trace.context)
        assert (table.context[i, scaled, ..., d_k:] == 0).all()


def test_the_second_sentence_is_the_first_in_reverse(table):
    """Attention has no sense of order: reversed tokens give the same numbers in reverse."""
    close(table.X[1], table.X[0, ::-1])
    close(table.scores[:, :, 1], table.scores[:, :, 0, ::-1, ::-1])
    close(table.weights[:, :, 1], table.weights[:, :, 0, ::-1, ::-1])
    close(table.context[:, :, 1], table.context[:, :, 0, ::-1])


def test_the_lesson_agrees_with_torch(reference, lesson_tokens):
    table = operation_table(lesson_tokens, 5108)
    for d_k in (2, 8):
        for scaled, scale in enumerate(SCALES):
            theirs = {name: reference[f"lesson/{scale}/{d_k}/{name}"] for name in ("scores", "weights", "context")}
            close(table.scores[d_k - 2, scaled, 0], theirs["scores"])
            close(table.weights[d_k - 2, scaled, 0], theirs["weights"])
            close(table.context[d_k - 2, scaled, 0, :, :d_k], theirs["context"])
