"""Gradients against central finite differences, and the softmax Jacobian against paper and pencil."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from attention import SelfAttention, attend, causal_mask, softmax, softmax_jacobian
from attention.gradients import attention_backward

STEP = 1e-5
MASKS = {
    "no mask": None,
    "causal": causal_mask(4),
    "added": np.linspace(-1, 1, 16).reshape(4, 4),
    "one row hidden": np.arange(4)[:, None] != np.array([2]),
    "one key hidden": np.array([True, False, True, True]),
    "each batch its own": np.arange(96).reshape(2, 3, 4, 4) % 3 > 0,
}


def finite_differences(loss, at):
    """Central differences of a loss, one entry after another."""
    slopes = np.empty_like(at)
    for index in np.ndindex(at.shape):
        step = np.zeros_like(at)
        step[index] = STEP
        slopes[index] = (loss(at + step) - loss(at - step)) / (2 * STEP)
    return slopes


@pytest.mark.parametrize("name", ["X", "W_q", "W_k", "W_v"])
@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.parametrize("scale", ["sqrt_d_k", "none", 0.7])
def test_the_layer_agrees_with_finite_differences(rng, name, mask, scale):
    batch = (2, 3) if mask == "each batch its own" else (2,)
    values = {"X": rng.standard_normal((*batch, 4, 5))}
    values |= {W: rng.standard_normal((5, width)) for W, width in {"W_q": 3, "W_k": 3, "W_v": 2}.items()}
    d_context = rng.standard_normal((*batch, 4, 2))

    def evaluate(changed):
        now = values | {name: changed}
        layer = SelfAttention(now["W_q"], now["W_k"], now["W_v"])
        return layer, layer(now["X"], scale=scale, mask=MASKS[mask])

    layer, trace = evaluate(values[name])
    expected = finite_differences(lambda changed: (evaluate(changed)[1].context * d_context).sum(), values[name])
    gradient = getattr(layer.backward(trace, d_context), f"d_{name}")
    np.testing.assert_allclose(gradient, expected, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("name", ["Q", "K", "V"])
def test_cross_attention_agrees_with_finite_differences(rng, name):
    values = {"Q": rng.standard_normal((4, 3)), "K": rng.standard_normal((6, 3)), "V": rng.standard_normal((6, 2))}
    d_context = rng.standard_normal((4, 2))
    weights = attend(**values, scale=0.7).weights
    gradient = getattr(attention_backward(**values, weights=weights, factor=0.7, d_context=d_context), f"d_{name}")
    expected = finite_differences(
        lambda changed: (attend(**(values | {name: changed}), scale=0.7).context * d_context).sum(), values[name]
    )
    np.testing.assert_allclose(gradient, expected, rtol=1e-6, atol=1e-8)


def test_the_gradient_at_the_scores_agrees_with_finite_differences(rng):
    layer = SelfAttention.seeded(3, d_model=5, width=4)
    trace, d_context = layer(rng.standard_normal((4, 5))), rng.standard_normal((4, 4))
    expected = finite_differences(lambda scores: (softmax(scores) @ trace.V * d_context).sum(), trace.scores)
    np.testing.assert_allclose(layer.backward(trace, d_context).d_scores, expected, rtol=1e-6, atol=1e-8)


def test_nothing_flows_through_what_a_mask_hides(rng):
    layer = SelfAttention.seeded(3, d_model=5, width=4)
    trace = layer(rng.standard_normal((4, 5)), mask=causal_mask(4))
    gradients = layer.backward(trace, rng.standard_normal((4, 4)))
    assert (gradients.d_scores[~causal_mask(4)] == 0).all() and (gradients.d_scores[1:, 0] != 0).all()


def test_no_gradient_at_the_context_is_no_gradient_anywhere(rng):
    layer = SelfAttention.seeded(3, d_model=5, width=4)
    gradients = layer.backward(layer(rng.standard_normal((4, 5))), np.zeros((4, 4)))
    assert all((gradient == 0).all() for gradient in vars(gradients).values())


def test_the_jacobian_equals_a_case_worked_by_hand():
    """For a = (1, 2, 5) / 8: a_i (1 − a_i) on the diagonal, −a_i a_j beside it, all in 64ths."""
    expected = np.array([[7, -2, -5], [-2, 12, -10], [-5, -10, 15]]) / 64
    np.testing.assert_array_equal(softmax_jacobian(np.array([1, 2, 5]) / 8), expected)


@given(arrays(np.float64, (2, 4), elements=st.floats(-5, 5)))
def test_the_jacobian_agrees_with_finite_differences(scores):
    jacobian = softmax_jacobian(softmax(scores))
    for i in range(4):
        step = np.zeros(4)
        step[i] = STEP
        slope = (softmax(scores + step) - softmax(scores - step)) / (2 * STEP)
        np.testing.assert_allclose(jacobian[..., i], slope, rtol=1e-6, atol=1e-9)


@given(arrays(np.float64, (3, 5), elements=st.floats(-1e6, 1e6)))
def test_a_jacobian_is_symmetric_and_its_rows_sum_to_zero(scores):
    jacobian = softmax_jacobian(softmax(scores))
    assert jacobian.shape == (3, 5, 5)
    np.testing.assert_allclose(jacobian, np.swapaxes(jacobian, -1, -2), rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(jacobian.sum(axis=-1), 0, atol=1e-14)


def test_a_one_hot_row_passes_nothing_on():
    assert (softmax_jacobian([0.0, 1.0, 0.0]) == 0).all()


def test_a_long_sentence_takes_two_tables_on_the_way_back(rng, peak_of):
    T = 1024
    Q, K, V, d_context = rng.standard_normal((4, T, 8))
    weights = attend(Q, K, V).weights
    peak = peak_of(lambda: attention_backward(Q, K, V, weights, 0.5, d_context))
    assert 2 < peak / (T * T * 8) < 2.3
