"""Gradient health beside many draws: shown numbers are the true ones, the bands those of the draws."""

import numpy as np
import pytest

from attention import gradient_table, many_draws
from attention.row_health import health_table, scientific


@pytest.fixture(scope="module")
def draws(lesson_tokens):
    return many_draws(lesson_tokens, range(30))


@pytest.fixture(scope="module")
def table(any_sentence, draws):
    return health_table(*any_sentence, draws)


def test_arrays_have_the_promised_types_and_shapes(table, any_sentence, lesson_tokens, check_arrays):
    T = len(any_sentence[0])
    check_arrays(
        table,
        {
            "jacobian": ("float32", 63, 2, T, T, T),
            "norm": ("float32", 63, 2, T),
            "dead": ("uint8", 63, 2, T),
            "dead_rows": ("int32", 63, 2),
            "error_digits": ("float32", 63, 2),
            "error_exponent": ("float32", 63, 2),
            "norm_band": ("float32", 63, 2, 3),
            "dead_percent": ("float32", 63, 2),
            "gradient_widths": ("int32", 3),
            "gradient_mean": ("float32", 3, 2),
            "gradient_band": ("float32", 3, 2, 3),
        },
    )
    assert (table.tokens, table.seed, table.draws_tokens, table.n_draws) == (*any_sentence, lesson_tokens, 30)


def test_what_is_shown_of_this_draw_is_true(table, any_sentence):
    full = gradient_table(*any_sentence)
    assert abs(table.jacobian - full.jacobian).max() <= 0.005 + 1e-6
    np.testing.assert_allclose(table.jacobian * 100, np.rint(table.jacobian * 100), atol=1e-4)
    for name in ("norm", "dead", "dead_rows"):
        np.testing.assert_array_equal(getattr(table, name), getattr(full, name))
    error = full.finite_difference_error
    np.testing.assert_allclose(table.error_digits * 10.0**table.error_exponent, error, rtol=0.051)
    assert ((table.error_digits >= 1) & (table.error_digits < 10)).all()


def test_the_bands_are_those_of_the_draws(table, draws):
    for name in ("norm_band", "gradient_widths", "gradient_mean", "gradient_band"):
        np.testing.assert_array_equal(getattr(table, name), getattr(draws, name))
    np.testing.assert_allclose(table.dead_percent, draws.dead_share * 100, rtol=1e-6)


@pytest.mark.parametrize(
    ("value", "digits", "exponent"),
    [(1.68e-11, 1.7, -11), (9.96e-12, 1.0, -11), (1e-10, 1.0, -10), (0, 0, 0), (0.0305, 3.0, -2), (1000.0, 1.0, 3)],
)
def test_digits_and_exponents(value, digits, exponent):
    ours = scientific(np.array([value]))
    assert ours[0][0] == pytest.approx(digits, abs=0.051) and ours[1][0] == exponent


def test_what_the_lesson_says_of_dl_dw_q(lesson_tokens):
    table = health_table(lesson_tokens, 5108, many_draws(lesson_tokens))
    assert table.gradient_widths[2] == 64
    np.testing.assert_allclose(table.gradient_mean[2], [16.6, 4.3], atol=0.05)
    np.testing.assert_allclose(table.gradient_band[2, :, 1], [14.6, 4.2], atol=0.05)
    assert table.dead_percent[62].round(1).tolist() == [pytest.approx(49.9), 0]
    assert table.dead_rows[62].tolist() == [5, 0]
