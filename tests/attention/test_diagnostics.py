"""Read-outs: values known by hand, both sides of every threshold, and what the lesson says about its draw."""

from math import log, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from attention import (
    SelfAttention,
    SoftmaxState,
    dead_rows,
    embed,
    entropy,
    lab_table,
    peak_weight,
    row_jacobian_norms,
    score_spread,
    softmax,
    softmax_state,
)

HEALTHY, UNIFORM, SATURATED, NO_DISTRIBUTION = SoftmaxState


def test_spread_is_the_population_standard_deviation_of_a_table():
    assert score_spread([[2, 4, 4, 4], [5, 5, 7, 9]]) == 2
    np.testing.assert_array_equal(score_spread([[[1, 1], [3, 3]], [[0, 0], [0, 10]]]), [1, sqrt(18.75)])


def test_peak_is_the_largest_weight_of_each_row():
    assert peak_weight([[0.25, 0.75], [1, 0]]).tolist() == [0.75, 1]


@pytest.mark.parametrize("T", [1, 2, 6, 12])
def test_entropy_runs_from_zero_to_ln_T(T):
    assert entropy(np.full(T, 1 / T)) == pytest.approx(log(T), rel=1e-14)
    one_hot = entropy(np.eye(T))
    assert (one_hot == 0).all() and not np.signbit(one_hot).any()


def test_entropy_equals_a_case_worked_by_hand():
    assert entropy([0.5, 0.25, 0.25]) == pytest.approx(1.5 * log(2), rel=1e-15)


def test_jacobian_norms_equal_cases_worked_by_hand():
    rows = [[0.5, 0.5, 0], [1, 0, 0], [1 / 3, 1 / 3, 1 / 3], [0.75, 0.25, 0]]
    # A uniform row of T has √(T−1) / T; a row of p and 1−p has 2 p (1−p).
    np.testing.assert_allclose(row_jacobian_norms(rows), [0.5, 0, sqrt(2) / 3, 0.375], rtol=1e-14)


@given(arrays(np.float64, (4, 6), elements=st.floats(-1e3, 1e3)))
def test_a_tie_of_two_has_the_largest_norm(scores):
    assert (row_jacobian_norms(softmax(scores)) <= 0.5 + 1e-12).all()


@pytest.mark.parametrize(
    ("row", "state"),
    [
        ([0.95, 0.05], SATURATED),
        ([0.9499, 0.0501], HEALTHY),
        ([1.0, 0.0], SATURATED),
        ([0.0, 1.0, 0.0], SATURATED),
        ([0.25] * 4, UNIFORM),
        ([0.5, 0.5], UNIFORM),
        ([0.5, 0.5, 0.0], HEALTHY),
        ([1.0], SATURATED),
        ([0.0, 0.0], NO_DISTRIBUTION),
        ([0.7, 0.5], NO_DISTRIBUTION),
        ([0.99, 0.99], NO_DISTRIBUTION),
    ],
)
def test_a_row_is_in_the_state_that_its_definition_says(row, state):
    assert softmax_state(row) == state
    assert softmax_state(np.float32([[row]])).tolist() == [[state]]


def test_the_state_turns_uniform_at_99_hundredths_of_the_entropy():
    # For two keys the entropy is 0.99 ln 2 where the larger share is 0.5588 (from a table of the binary entropy).
    for share, state in {0.5585: UNIFORM, 0.5592: HEALTHY}.items():
        row = [share, 1 - share]
        assert softmax_state(row) == state
        bits = -sum(p * np.log2(p) for p in row)
        assert (bits >= 0.99) == (state is UNIFORM)


def test_the_numbers_that_tables_store_for_states_are_fixed():
    names = [(state.name, int(state)) for state in SoftmaxState]
    assert names == [("HEALTHY", 0), ("UNIFORM", 1), ("SATURATED", 2), ("NOT_A_DISTRIBUTION", 3)]
    assert softmax_state(np.full((2, 3, 4), 0.25)).dtype == np.uint8


def test_a_row_is_dead_at_a_norm_of_one_twentieth():
    edge = (1 + sqrt(0.9)) / 2  # 2 p (1−p) is 0.05 here
    alive, dead = [edge - 1e-6, 1 - edge + 1e-6], [edge + 1e-6, 1 - edge - 1e-6]
    assert dead_rows([alive, alive]) == 0
    assert dead_rows([alive, dead]) == 1
    assert dead_rows([[dead, dead], [alive, [0.0, 0.0]]]).tolist() == [2, 1]


def test_inputs_are_never_changed(rng, frozen):
    (weights,) = frozen(softmax(rng.standard_normal((3, 4, 4))))
    before = weights.copy()
    for read_out in (score_spread, peak_weight, entropy, softmax_state, row_jacobian_norms, dead_rows):
        read_out(weights)
        np.testing.assert_array_equal(weights, before)


# d_k: spread raw, spread ÷√d_k, peak of `journey` raw, ÷√d_k, ÷d_k, row peaks raw, dead rows raw.
# As printed in the lesson: each number holds to half of its last digit.
LESSON = {
    2: ("2.0508", "1.4501", "0.3508", "0.3123", "0.2807", ".755 .351 .866 .335 .701 .660", 0),
    8: ("3.0646", "1.0835", "0.5279", "0.3037", "0.2175", ".973 .528 .794 .751 .682 .553", 1),
    64: ("7.8502", "0.9813", "1.0000", "0.5271", "0.1992", "1.00 1.00 1.00 1.00 .997 .968", 5),
}


def printed(text):
    return pytest.approx(float(text), abs=0.5 * 10.0 ** -len(text.split(".")[1]) + 1e-12)


@pytest.mark.parametrize("d_k", LESSON)
def test_the_lesson_shows_the_numbers_that_its_text_names(lesson_tokens, d_k):
    spread_raw, spread_scaled, *peaks_of_journey, row_peaks, dead_raw = LESSON[d_k]
    layer, X = SelfAttention.seeded(5108).narrow(d_k), embed(lesson_tokens, 5108)
    raw, scaled, divided = (layer(X, scale=scale) for scale in ("none", "sqrt_d_k", "d_k"))
    assert score_spread(raw.scores) == printed(spread_raw)
    assert score_spread(scaled.scores) == printed(spread_scaled)
    for trace, peak in zip((raw, scaled, divided), peaks_of_journey, strict=True):
        assert peak_weight(trace.weights)[1] == printed(peak)
    assert peak_weight(raw.weights).tolist() == [printed(peak) for peak in row_peaks.split()]
    assert (dead_rows(raw.weights), dead_rows(scaled.weights)) == (dead_raw, 0)


def test_the_highlighted_row_saturates_without_the_scale_alone(lesson_tokens):
    layer, X = SelfAttention.seeded(5108), embed(lesson_tokens, 5108)
    assert softmax_state(layer(X, scale="none").weights)[1] == SATURATED
    assert softmax_state(layer(X).weights)[1] == HEALTHY
    assert softmax_state(layer(X, scale="d_k").weights)[1] == UNIFORM


@pytest.fixture(scope="module")
def draws(lesson_tokens):
    """Raw and scaled traces at d_k = 64 over 300 seeds, beside the raw spread at 8."""
    made = []
    for seed in range(300):
        layer, X = SelfAttention.seeded(seed), embed(lesson_tokens, seed)
        made.append((layer.narrow(8)(X, scale="none").scores, layer(X, scale="none"), layer(X)))
    return made


def test_over_many_draws_the_raw_spread_grows_as_the_root_of_d_k(draws):
    spreads = np.array([[score_spread(at_8) / sqrt(8), score_spread(at_64.scores) / 8] for at_8, at_64, _ in draws])
    # The mean of 300 draws with a spread of 16 % (22 % at d_k = 8) is known to about 1 %.
    assert spreads.mean(axis=0) == pytest.approx([0.96, 0.97], abs=0.04)
    assert spreads[:, 1].std() / spreads[:, 1].mean() == pytest.approx(0.16, abs=0.03)


def test_in_few_draws_all_six_rows_are_above_nine_tenths(draws):
    share = np.mean([(peak_weight(raw.weights) > 0.9).all() for _, raw, _ in draws])
    # 9 % of 300 draws has a standard error of 1.7 %.
    assert share == pytest.approx(0.09, abs=0.05)


def test_the_median_row_is_nearly_dead_without_the_scale(draws):
    def median_of_draws(which):
        return np.median([np.median(row_jacobian_norms(draw[which].weights)) for draw in draws])

    assert median_of_draws(1) == pytest.approx(0.06, abs=0.02)
    assert median_of_draws(2) == pytest.approx(0.39, abs=0.01)


def test_most_rows_are_dead_and_the_rest_are_wild(draws):
    assert np.mean([dead_rows(raw.weights) for _, raw, _ in draws]) == pytest.approx(3, abs=0.35)
    assert sum(dead_rows(scaled.weights) for *_, scaled in draws) == 0


def test_no_peak_grows_at_every_step_of_d_k(lesson_tokens):
    for seed in range(30):
        peaks = lab_table(lesson_tokens, seed).peak[:, 0, 0]
        assert (np.diff(peaks, axis=0) < 0).any(axis=0).all()
