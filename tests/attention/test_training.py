"""The race: held to an implementation that shares no line with the package, and to its own laws."""

import numpy as np
import pytest

from attention import RACE_LANES, SelfAttention, embed, previous_token_targets, race, row_jacobian_norms

NONE, SQRT_D_K, D_K = range(3)
# Its lane without the scale blows rounding up a million millionfold between steps 100 and 200.
CHAOTIC = (16, 0.1)
CHOICES = [(d_k, rate) for d_k in (4, 16, 64) for rate in (0.03, 0.1)]


def start_of(tokens, seed, d_k):
    """X, W_q, W_k and W_v of a draw, in full width."""
    layer = SelfAttention.seeded(seed)
    return embed(tokens, seed), layer.W_q[:, :d_k], layer.W_k[:, :d_k], layer.W_v[:, :d_k]


def loss_and_gradients(X, W_q, W_k, W_v, factor):
    """One row after another, in the plainest words: loss, weights, dL/dW_q, dL/dW_k."""
    q, k, v = X @ W_q, X @ W_k, X @ W_v
    loss, weights, d_W_q, d_W_k = 0.0, [], np.zeros_like(W_q), np.zeros_like(W_k)
    for i in range(len(X)):
        scores = factor * k @ q[i]
        row = np.exp(scores - scores.max())
        row /= row.sum()
        error = row @ v - v[i - 1]
        loss += (error**2).mean()
        d_row = v @ (2 * error / len(error))
        d_scores = (np.diag(row) - np.outer(row, row)) @ d_row
        d_W_q += np.outer(X[i], factor * d_scores @ k)
        d_W_k += np.outer(factor * d_scores @ X, q[i])
        weights.append(row)
    return loss, np.array(weights), d_W_q, d_W_k


def independent_race(X, W_q, W_k, W_v, factor, rate, steps):
    losses, tables = [], []
    for _ in range(steps + 1):
        loss, weights, d_W_q, d_W_k = loss_and_gradients(X, W_q, W_k, W_v, factor)
        losses.append(loss)
        tables.append(weights)
        W_q, W_k = W_q - rate * d_W_q, W_k - rate * d_W_k
    return np.array(losses), np.array(tables)


@pytest.fixture(scope="module")
def lesson(lesson_tokens):
    layer = SelfAttention.seeded(5108)
    return race(embed(lesson_tokens, 5108), layer.W_q, layer.W_k, layer.W_v, d_k=64, learning_rate=0.1)


@pytest.mark.parametrize("factor", [1, 0.5, 0.25])
def test_the_independent_gradients_agree_with_finite_differences(lesson_tokens, factor):
    X, *W, W_v = start_of(lesson_tokens, 5108, 4)
    _, _, *gradients = loss_and_gradients(X, *W, W_v, factor)
    for which in (0, 1):
        for at in np.ndindex(W[which].shape):
            either = []
            for step in (1e-6, -1e-6):
                moved = [matrix.copy() for matrix in W]
                moved[which][at] += step
                either.append(loss_and_gradients(X, *moved, W_v, factor)[0])
            assert gradients[which][at] == pytest.approx((either[0] - either[1]) / 2e-6, rel=1e-5, abs=1e-7)


@pytest.mark.parametrize(("d_k", "rate"), CHOICES)
def test_the_lesson_races_as_an_independent_implementation(lesson_tokens, d_k, rate):
    start = start_of(lesson_tokens, 5108, d_k)
    table = race(*start, d_k=d_k, learning_rate=rate)
    for lane, factor in enumerate((1, 1 / np.sqrt(d_k), 1 / d_k)):
        losses, weights = independent_race(*start, factor, rate, 300)
        tame = slice(80 if (d_k, rate) == CHAOTIC and lane == NONE else None)
        np.testing.assert_allclose(table.loss[lane, tame], losses[tame], rtol=1e-5, atol=1e-7)
        np.testing.assert_allclose(table.weights[lane, tame], weights[tame], rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(table.relative_loss[lane], losses / losses[0], atol=0.01 if tame.stop else 1e-6)
        np.testing.assert_allclose(table.weights[lane, -1], weights[-1], atol=0.01 if tame.stop else 1e-6)


def test_a_lane_without_the_scale_can_be_chaotic_and_the_others_are_not(lesson_tokens):
    d_k, rate = CHAOTIC
    X, W_q, W_k, W_v = start_of(lesson_tokens, 5108, d_k)
    here = race(X, W_q, W_k, W_v, d_k=d_k, learning_rate=rate).weights
    there = race(X, W_q * (1 + 1e-9), W_k, W_v, d_k=d_k, learning_rate=rate).weights
    apart = abs(here - there).max(axis=(1, 2, 3))
    assert apart[NONE] > 0.1 and (apart[[SQRT_D_K, D_K]] < 1e-6).all()


@pytest.mark.parametrize("d_k", [2, 64])
def test_other_sentences_race_as_an_independent_implementation(any_sentence, d_k):
    start = start_of(*any_sentence, d_k)
    table = race(*start, d_k=d_k, learning_rate=0.05, steps=20)
    for lane, factor in enumerate((1, 1 / np.sqrt(d_k), 1 / d_k)):
        losses, weights = independent_race(*start, factor, 0.05, 20)
        np.testing.assert_allclose(table.loss[lane], losses, rtol=1e-5, atol=1e-7)
        np.testing.assert_allclose(table.weights[lane], weights, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("steps", [1, 7])
def test_arrays_have_the_promised_types_and_shapes(any_sentence, check_arrays, steps):
    table, T = race(*start_of(*any_sentence, 16), d_k=16, learning_rate=0.1, steps=steps), len(any_sentence[0])
    check_arrays(
        table,
        {
            "loss": ("float32", 3, steps + 1),
            "relative_loss": ("float32", 3, steps + 1),
            "weights": ("float32", 3, steps + 1, T, T),
            "target_weight": ("float32", 3, steps + 1, T),
            "stuck": ("uint8", 3, steps + 1, T),
            "stuck_rows": ("int32", 3, steps + 1),
            "target_key": ("uint8", T),
            "target": ("float32", T, T),
        },
    )
    assert (table.d_k, table.learning_rate) == (16, 0.1)
    assert RACE_LANES == ("none", "sqrt_d_k", "d_k")


def test_the_lesson_ends_where_its_text_says(lesson):
    assert lesson.relative_loss[:, 300].tolist() == [
        pytest.approx(0.56, abs=0.005),
        pytest.approx(0, abs=0.0005),
        pytest.approx(0.011, abs=0.0005),
    ]
    assert lesson.relative_loss[SQRT_D_K, 50] == pytest.approx(0.002, abs=0.0005)
    assert lesson.relative_loss[D_K, 50] == pytest.approx(0.37, abs=0.005)
    assert (lesson.relative_loss[:, 0] == 1).all()


def test_two_rows_are_stuck_without_the_scale_and_none_with_it(lesson):
    assert lesson.stuck_rows[:, -1].tolist() == [2, 0, 0]
    assert lesson.stuck[NONE, -1].tolist() == [0, 1, 1, 0, 0, 0]
    assert (lesson.target_weight[NONE, -1, [1, 2]] < 1e-6).all()
    assert (lesson.target_weight[NONE, -1, [0, 3, 4, 5]] > 0.99).all()
    # They never move: from step 50 on, no weight in these rows changes by a thousandth.
    assert np.ptp(lesson.weights[NONE, 50:, [1, 2]], axis=1).max() < 1e-3
    assert (lesson.stuck_rows[1:] == 0).all()


def test_stuck_means_an_unseen_target_in_a_dead_row(lesson):
    unseen, dead = lesson.target_weight < 1e-3, row_jacobian_norms(lesson.weights) <= 0.05
    np.testing.assert_array_equal(lesson.stuck, unseen & dead)
    np.testing.assert_array_equal(lesson.stuck_rows, lesson.stuck.sum(axis=-1))
    # Both are needed: there are rows that are unseen and alive, and rows that are dead because they are right.
    assert (unseen & ~dead).any() and (dead & ~unseen).any()


def test_rows_that_are_stuck_at_step_50_hardly_ever_come_free(lesson_tokens):
    stuck, freed = 0, 0
    for seed in range(20):
        table = race(*start_of(lesson_tokens, seed, 64), d_k=64, learning_rate=0.1)
        at_50 = table.stuck[NONE, 50] == 1
        stuck += at_50.sum()
        freed += (table.target_weight[NONE, -1][at_50] > 0.5).sum()
    assert stuck > 50 and freed / stuck < 0.1


def test_each_row_looks_for_the_token_before_it(lesson):
    assert previous_token_targets(6).tolist() == lesson.target_key.tolist() == [5, 0, 1, 2, 3, 4]
    assert (lesson.target.sum(axis=-1) == 1).all() and (lesson.target[np.arange(6), lesson.target_key] == 1).all()
    for row, key in enumerate(lesson.target_key):
        np.testing.assert_array_equal(lesson.target_weight[:, :, row], lesson.weights[:, :, row, key])


def test_nothing_is_to_be_learned_where_all_tokens_are_the_same():
    for tokens in (["step"], ["step", "Step", "STEP"]):
        table = race(*start_of(tokens, 5108, 16), d_k=16, learning_rate=0.1, steps=3)
        assert (table.relative_loss == 0).all() and (table.loss < 1e-12).all()


def test_only_the_first_columns_count_and_inputs_are_never_changed(lesson_tokens, frozen):
    inputs = frozen(*start_of(lesson_tokens, 5108, 64))
    before = [array.copy() for array in inputs]
    wide = race(*inputs, d_k=8, learning_rate=0.1, steps=3)
    narrow = race(inputs[0], *(W[:, :8] for W in inputs[1:]), d_k=8, learning_rate=0.1, steps=3)
    np.testing.assert_array_equal(wide.weights, narrow.weights)
    for array, copy in zip(inputs, before, strict=True):
        np.testing.assert_array_equal(array, copy)


def test_each_step_is_reported_and_the_report_can_end_the_race(lesson_tokens):
    class Cancelled(Exception):
        pass

    def until_three(step):
        seen.append(step)
        if step == 3:
            raise Cancelled

    start, seen = start_of(lesson_tokens, 5108, 4), []
    race(*start, d_k=4, learning_rate=0.1, steps=5, on_step=seen.append)
    assert seen == [1, 2, 3, 4, 5]
    seen.clear()
    with pytest.raises(Cancelled):
        race(*start, d_k=4, learning_rate=0.1, on_step=until_three)
    assert seen == [1, 2, 3]


BAD = {
    "rate 0": ({"learning_rate": 0}, "^learning_rate is 0: a finite number above 0 is needed"),
    "rate NaN": ({"learning_rate": np.nan}, "^learning_rate is nan: a finite number above 0"),
    "rate True": ({"learning_rate": True}, "^learning_rate is True: a finite number above 0"),
    "rate as text": ({"learning_rate": "0.1"}, "^learning_rate is '0.1': a finite number above 0"),
    "rate too large": ({"learning_rate": 1e200}, r"^learning_rate is 1e\+200: the scores run off to infinity"),
    "steps 0": ({"steps": 0}, "^steps is 0: it has to lie from 1 to 10000"),
    "d_k 65": ({"d_k": 65}, "^d_k is 65: it has to lie from 1 to 64"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_bad_option_is_refused_by_name(lesson_tokens, case):
    options, message = BAD[case]
    with pytest.raises(ValueError, match=message):
        race(*start_of(lesson_tokens, 5108, 64), **({"d_k": 64, "learning_rate": 0.1, "steps": 5} | options))


def test_bad_arrays_are_refused(lesson_tokens):
    X, *W = start_of(lesson_tokens, 5108, 64)
    with pytest.raises(ValueError, match=r"^X is \(1, 6, 16\): one sentence, \(T, d_model\), is needed"):
        race(X[None], *W, d_k=4, learning_rate=0.1)
    with pytest.raises(ValueError, match="^W_k is ragged"):
        race(X, W[0], [[1.0], [1.0, 2.0]], W[2], d_k=4, learning_rate=0.1)
    with pytest.raises(ValueError, match="^T is 0"):
        previous_token_targets(0)
