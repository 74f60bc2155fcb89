"""The lab's table holds, for each of its 630 states, what the layer computes one state at a time."""

import numpy as np
import pytest

from attention import (
    FAULTS,
    SelfAttention,
    SoftmaxState,
    dead_rows,
    embed,
    evaluate_with_fault,
    lab_table,
    score_spread,
    softmax_state,
    tokenize,
)
from attention.checklist import check_layer

SENTENCES = {
    "one token": ("step", 5108),
    "two tokens": ("Your journey", 0),
    "the lesson": ("Your journey starts with one step", 5108),
    "the same word twice": ("one step Step by one", 7),
    "the same word only": ("step step step", 1),
    "twelve tokens": ("a link always carries the full state , the page says so", 2**32 - 1),
}
FLOATS = ("scores", "weights", "row_sum", "peak", "context_norm", "spread", "expected_spread")
TYPES = dict.fromkeys(FLOATS, np.float32) | {"peak_key": np.uint8, "state": np.uint8, "dead_rows": np.int8}
TYPES["checks"] = np.uint8
WIDTHS = range(2, 65)
COLUMNS = FAULTS.index("softmax_over_queries")
ROWS = [i for i in range(len(FAULTS)) if i != COLUMNS]


@pytest.fixture(scope="module", params=SENTENCES)
def sentence(request):
    text, seed = SENTENCES[request.param]
    return tokenize(text), seed


@pytest.fixture(scope="module")
def table(sentence):
    return lab_table(*sentence)


@pytest.fixture(scope="module")
def traces(sentence):
    """Every state evaluated alone, by its place in the table."""
    tokens, seed = sentence
    X, layer = embed(tokens, seed), SelfAttention.seeded(seed)
    return {
        (i, j, scaled): evaluate_with_fault(layer.narrow(d_k), X, scaled=bool(scaled), fault=fault)
        for i, d_k in enumerate(WIDTHS)
        for j, fault in enumerate(FAULTS)
        for scaled in (0, 1)
    }


def assert_close(ours, expected):
    np.testing.assert_allclose(ours, np.reshape(expected, ours.shape), rtol=1e-5, atol=1e-6)


def test_arrays_have_the_promised_types_shapes_and_order(table, sentence):
    T = len(sentence[0])
    axes = {"scores": (T, T), "weights": (T, T), "checks": (5,)} | dict.fromkeys(
        ("spread", "expected_spread", "dead_rows"), ()
    )
    arrays = {name: value for name, value in vars(table).items() if isinstance(value, np.ndarray)}
    assert arrays.keys() == TYPES.keys()
    for name, array in arrays.items():
        assert array.dtype == TYPES[name], name
        assert array.shape == (63, 5, 2, *axes.get(name, (T,))), name
        assert array.flags.c_contiguous, name
    assert (table.tokens, table.seed) == sentence


@pytest.mark.parametrize("name", ["scores", "weights"])
def test_tables_equal_the_layer_in_every_state(table, traces, name):
    assert_close(getattr(table, name), [getattr(trace, name) for trace in traces.values()])


def test_row_read_outs_equal_the_layer_in_every_state(table, traces):
    assert_close(table.row_sum, [trace.weights.sum(axis=-1) for trace in traces.values()])
    assert_close(table.peak, [trace.weights.max(axis=-1) for trace in traces.values()])
    assert_close(table.context_norm, [np.linalg.norm(trace.context, axis=-1) for trace in traces.values()])


def test_the_peak_key_holds_the_peak(table, traces):
    # Twins share the peak, and rounding decides between them: what counts is the weight at that key.
    for at, trace in traces.items():
        there = np.take_along_axis(trace.weights, table.peak_key[at][:, None].astype(int), axis=-1)[:, 0]
        np.testing.assert_allclose(there, trace.weights.max(axis=-1), rtol=1e-9)


def test_spreads_equal_the_layer_and_the_theory_in_every_state(table, traces):
    assert_close(table.spread, [score_spread(trace.scores) for trace in traces.values()])
    for i, d_k in enumerate(WIDTHS):
        for j, fault in enumerate(FAULTS):
            expected = [d_k**-0.5] * 2 if fault == "divide_by_d_k" else [d_k**0.5, 1]
            np.testing.assert_allclose(table.expected_spread[i, j], expected, rtol=1e-6)


def test_states_and_dead_rows_equal_the_layer_where_rows_are_distributions(table, traces):
    for (i, j, scaled), trace in traces.items():
        if j != COLUMNS:
            np.testing.assert_array_equal(table.state[i, j, scaled], softmax_state(trace.weights))
            assert table.dead_rows[i, j, scaled] == dead_rows(trace.weights)
    np.testing.assert_allclose(table.row_sum[:, ROWS], 1, rtol=1e-6)


def test_checks_equal_those_of_the_layer_in_every_state(table, traces, sentence):
    head = SelfAttention.seeded(sentence[1])
    for (i, j, scaled), trace in traces.items():
        layer = head.narrow(WIDTHS[i])
        if FAULTS[j] == "shared_projection":
            layer = SelfAttention(layer.W_q, layer.W_q, layer.W_q)
        np.testing.assert_array_equal(table.checks[i, j, scaled], check_layer(layer, trace))


def test_softmax_over_queries_gives_no_distributions(table):
    assert (table.state[:, COLUMNS] == SoftmaxState.NOT_A_DISTRIBUTION).all()
    assert (table.dead_rows[:, COLUMNS] == -1).all() and (table.dead_rows[:, ROWS] >= 0).all()
    np.testing.assert_allclose(table.weights[:, COLUMNS].sum(axis=-2), 1, rtol=1e-6)


@pytest.mark.parametrize("d_k", [2, 8, 64])
@pytest.mark.parametrize(
    ("fault", "scaled", "scale"), [("none", 0, "none"), ("none", 1, "sqrt_d_k"), ("divide_by_d_k", 0, "d_k")]
)
def test_the_lesson_agrees_with_torch(reference, lesson_tokens, d_k, fault, scaled, scale):
    table, at = lab_table(lesson_tokens, 5108), (d_k - 2, FAULTS.index(fault), scaled)
    theirs = {name: reference[f"lesson/{scale}/{d_k}/{name}"] for name in ("scores", "weights", "context", "score_std")}
    assert_close(table.scores[at], theirs["scores"])
    assert_close(table.weights[at], theirs["weights"])
    assert_close(table.context_norm[at], np.linalg.norm(theirs["context"], axis=-1))
    assert_close(table.spread[at], theirs["score_std"])


def test_the_same_words_give_the_same_table_and_other_seeds_another(lesson_tokens):
    one, other = lab_table(lesson_tokens, 1), lab_table(lesson_tokens, 2)
    folded = lab_table([token.upper() for token in lesson_tokens], 1)
    np.testing.assert_array_equal(one.weights, folded.weights)
    assert abs(one.weights - other.weights).max() > 0.1


def test_a_word_that_stands_twice_has_two_equal_rows_and_columns():
    weights = lab_table(["one", "step", "One"], 5108).weights
    np.testing.assert_allclose(weights[..., 0, :], weights[..., 2, :], rtol=1e-5)
    np.testing.assert_allclose(weights[..., 0], weights[..., 2], rtol=1e-5)


@pytest.mark.parametrize("tokens", [[], "Your journey", ["Your", ""], ["Your", 3]])
def test_bad_tokens_are_refused(tokens):
    with pytest.raises(ValueError, match="^tokens (is|holds) .* needed|^tokens holds .* non-empty string"):
        lab_table(tokens, 5108)


def test_more_tokens_than_a_signed_byte_counts_are_refused():
    with pytest.raises(ValueError, match="^tokens has 128 entries: .* 127 at most"):
        lab_table(["step"] * 128, 5108)
