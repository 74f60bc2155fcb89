"""Inside one score: true numbers equal the layer, shown numbers add up as a reader sees them."""

from math import exp, sqrt

import numpy as np
import pytest

from attention import SelfAttention, embed, inside_table

WIDTHS = range(2, 65)
SCALES = ("none", "sqrt_d_k")
HAND = [(2, 0), (2, 1), (8, 0), (8, 1), (64, 0), (64, 1)]


@pytest.fixture(scope="module")
def table(any_sentence):
    return inside_table(*any_sentence)


@pytest.fixture(scope="module")
def layer(any_sentence):
    return SelfAttention.seeded(any_sentence[1]), embed(*any_sentence)


def close(ours, expected, **tolerance):
    np.testing.assert_allclose(ours, expected, **({"rtol": 1e-5, "atol": 1e-6} | tolerance))


def as_read(array, decimals):
    """Whole numbers of the last digit, out of the text that a page makes of each entry."""
    texts = [f"{value:.{decimals}f}" for value in array.ravel().tolist()]
    assert not any(text.startswith("-") and not text.strip("-0.") for text in texts), "a negative zero"
    return np.array([int(text.replace(".", "")) for text in texts]).reshape(array.shape)


def test_arrays_have_the_promised_types_and_shapes(table, any_sentence, check_arrays):
    T = len(any_sentence[0])
    pairs, rows, blend = ("float32", 63, 2, T, T), ("float32", 63, 2, T), ("float32", 63, 2, T, 8)
    components = ("products", "running_sum", "shown_products", "shown_running_sum")
    every_pair = ("scores", "weights", "shown_scores", "shown_shifted", "shown_exponentials", "shown_weights")
    check_arrays(
        table,
        {
            **dict.fromkeys("QKV", ("float32", T, 64)),
            **dict.fromkeys(components, ("float32", T, T, 64)),
            **dict.fromkeys(every_pair, pairs),
            **dict.fromkeys(("row_max", "shown_row_sum"), rows),
            **dict.fromkeys(("context", "shown_context"), blend),
            "shown_raw": ("float32", 63, T, T),
            "divisor": ("float32", 63, 2),
            "values": ("float32", T, 8),
            "shown_contributions": ("float32", 63, 2, T, T, 8),
        },
    )
    assert (table.tokens, table.seed) == any_sentence


@pytest.mark.parametrize("scaled", [0, 1])
def test_true_numbers_equal_the_layer_at_every_width(table, layer, scaled):
    for i, d_k in enumerate(WIDTHS):
        trace = layer[0].narrow(d_k)(layer[1], scale=SCALES[scaled])
        close(table.scores[i, scaled], trace.scores)
        close(table.weights[i, scaled], trace.weights)
        close(table.row_max[i, scaled], trace.scores.max(axis=-1))
        close(table.divisor[i, scaled], sqrt(d_k) if scaled else 1)
        close(table.running_sum[..., d_k - 1], trace.raw_scores, atol=1e-5)
        close(table.context[i, scaled, :, :d_k], trace.context[:, :8])
        assert (table.context[i, scaled, :, d_k:] == 0).all()
        assert (table.shown_contributions[i, scaled, ..., d_k:] == 0).all()


def test_components_equal_the_layer(table, layer):
    trace = layer[0](layer[1])
    for name in "QKV":
        close(getattr(table, name), getattr(trace, name))
    close(table.values, trace.V[:, :8])
    for i, j in np.ndindex(len(trace.Q), len(trace.K)):
        close(table.products[i, j], trace.Q[i] * trace.K[j])
        close(table.running_sum[i, j], np.cumsum(trace.Q[i] * trace.K[j]), atol=1e-5)


def test_shown_products_add_up_to_shown_running_sums(table):
    products, sums = as_read(table.shown_products, 2), as_read(table.shown_running_sum, 2)
    np.testing.assert_array_equal(np.cumsum(products, axis=-1), sums)
    close(table.shown_running_sum, table.running_sum, atol=0.00501)
    close(table.shown_products, table.products, atol=0.01001)


def test_shown_exponentials_add_up_to_the_shown_row_sum(table):
    exponentials, sums = as_read(table.shown_exponentials, 4), as_read(table.shown_row_sum, 4)
    np.testing.assert_array_equal(exponentials.sum(axis=-1), sums)
    true = np.exp(table.scores.astype(float) - table.row_max[..., None])
    close(table.shown_exponentials, true, atol=0.0001 + 1e-5)
    close(table.shown_row_sum, true.sum(axis=-1), atol=0.00005 + 1e-5)
    # The largest is e⁰.
    assert (exponentials.max(axis=-1) == 10_000).all()


def test_shown_weights_add_up_to_one(table):
    assert (as_read(table.shown_weights, 4).sum(axis=-1) == 10_000).all()
    close(table.shown_weights, table.weights, atol=0.0001 + 1e-6)


def test_shown_scores_and_their_distance_to_the_largest_add_up(table):
    scores, shifted = as_read(table.shown_scores, 4), as_read(table.shown_shifted, 4)
    np.testing.assert_array_equal(shifted, scores - scores.max(axis=-1, keepdims=True))
    close(table.shown_scores, table.scores, atol=0.00005 + 1e-5)


def test_the_shown_score_is_the_shown_raw_score_over_the_divisor(table):
    np.testing.assert_array_equal(as_read(table.shown_raw, 4), as_read(table.shown_scores[:, 0], 4))
    close(table.shown_raw, np.moveaxis(table.running_sum[..., 1:], -1, 0), atol=0.00005 + 1e-5)
    by_hand = table.shown_raw / np.round(table.divisor[:, 1, None, None], 4)
    close(table.shown_scores[:, 1], by_hand, atol=0.00015)


def test_shown_contributions_add_up_to_the_shown_context(table):
    contributions, context = as_read(table.shown_contributions, 2), as_read(table.shown_context, 2)
    np.testing.assert_array_equal(contributions.sum(axis=-2), context)
    close(table.shown_context, table.context, atol=0.00501)
    true = table.weights[..., None] * np.where(np.arange(8) < np.reshape(WIDTHS, (63, 1, 1, 1, 1)), table.values, 0)
    close(table.shown_contributions, true, atol=0.01001)


@pytest.mark.parametrize(("d_k", "scaled"), HAND)
def test_one_weight_of_the_lesson_can_be_followed_by_hand(lesson_tokens, d_k, scaled):
    """`journey` looks at `step`, from the shown numbers alone, as far as their digits carry."""
    table, query, key = inside_table(lesson_tokens, 5108), 1, 5
    at = (d_k - 2, scaled, query)
    raw = table.shown_products[query, key, :d_k].sum(dtype=float)
    assert raw / table.divisor[at[:2]] == pytest.approx(table.shown_scores[(*at, key)], abs=0.0051)
    exponential = exp(table.shown_shifted[(*at, key)])
    assert exponential == pytest.approx(table.shown_exponentials[(*at, key)], abs=0.0002)
    weight = table.shown_exponentials[(*at, key)] / table.shown_row_sum[at]
    assert weight == pytest.approx(table.shown_weights[(*at, key)], abs=0.0002)
    blend = sum(table.shown_weights[(*at, k)] * table.values[k, 0] for k in range(6))
    assert blend == pytest.approx(table.shown_context[(*at, 0)], abs=0.006)
