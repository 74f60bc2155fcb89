"""Gradient health: Jacobians against the layer, PyTorch and paper, and the check that the figure shows."""

import numpy as np
import pytest

from attention import SelfAttention, dead_rows, embed, gradient_table, row_jacobian_norms, softmax, softmax_jacobian
from attention.gradient_health import central_differences

SCALES = ("none", "sqrt_d_k")


@pytest.fixture(scope="module")
def table(any_sentence):
    return gradient_table(*any_sentence)


def close(ours, expected, **tolerance):
    np.testing.assert_allclose(ours, expected, **({"rtol": 1e-5, "atol": 1e-6} | tolerance))


def test_arrays_have_the_promised_types_and_shapes(table, any_sentence, check_arrays):
    T = len(any_sentence[0])
    check_arrays(
        table,
        {
            "jacobian": ("float32", 63, 2, T, T, T),
            "norm": ("float32", 63, 2, T),
            "dead": ("uint8", 63, 2, T),
            "dead_rows": ("int32", 63, 2),
            "finite_difference_error": ("float32", 63, 2),
            "largest_finite_difference_error": ("float32",),
        },
    )
    assert (table.tokens, table.seed) == any_sentence


@pytest.mark.parametrize("scaled", [0, 1])
def test_every_state_equals_the_layer(table, any_sentence, scaled):
    X, layer = embed(*any_sentence), SelfAttention.seeded(any_sentence[1])
    for i, d_k in enumerate(range(2, 65)):
        weights = layer.narrow(d_k)(X, scale=SCALES[scaled]).weights
        norms = row_jacobian_norms(weights)
        close(table.jacobian[i, scaled], softmax_jacobian(weights))
        close(table.norm[i, scaled], norms)
        np.testing.assert_array_equal(table.dead[i, scaled], norms <= 0.05)
        assert table.dead_rows[i, scaled] == dead_rows(weights)


@pytest.mark.parametrize("d_k", [2, 8, 64])
@pytest.mark.parametrize("scaled", [0, 1])
def test_the_lesson_agrees_with_torch(reference, lesson_tokens, d_k, scaled):
    table = gradient_table(lesson_tokens, 5108)
    close(table.jacobian[d_k - 2, scaled], reference[f"lesson/{SCALES[scaled]}/{d_k}/softmax_jacobian"])


def test_the_lesson_has_five_dead_rows_without_the_scale_and_none_with_it(lesson_tokens):
    table = gradient_table(lesson_tokens, 5108)
    assert table.dead_rows[62].tolist() == [5, 0]
    assert (table.dead_rows[:, 1] == 0).all()
    assert table.norm.max() <= 0.5


def test_finite_differences_agree_to_ten_digits_in_every_state(table):
    assert (table.finite_difference_error < 1e-10).all() and (table.finite_difference_error > 0).any()
    assert table.largest_finite_difference_error == table.finite_difference_error.max()


def test_central_differences_equal_a_case_worked_by_hand():
    """Weights 1, 2, 5 of 8: a_i (1 − a_i) on the diagonal, −a_i a_j beside it, all in 64ths."""
    expected = np.array([[7, -2, -5], [-2, 12, -10], [-5, -10, 15]]) / 64
    close(central_differences(np.log([1, 2, 5])), expected, atol=1e-10)


def test_the_check_would_find_a_wrong_jacobian(rng):
    scores = rng.standard_normal((4, 5))
    weights = softmax(scores)
    without_the_outer_product = np.stack([np.diag(row) for row in weights])
    assert abs(central_differences(scores) - softmax_jacobian(weights)).max() < 1e-10
    assert abs(central_differences(scores) - without_the_outer_product).max() > 0.01
