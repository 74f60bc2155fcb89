"""Trained heads: every head against attend, and the numbers that the lesson states about all of them."""

from pathlib import Path

import numpy as np
import pytest

from attention import (
    attend,
    dead_rows,
    peak_weight,
    row_jacobian_norms,
    score_spread,
    softmax_state,
    trained_heads_table,
)

DATA = Path(__file__).parents[2] / "lessons" / "05_trainable_attention" / "data"
OFF, ON = 0, 1


@pytest.fixture(scope="module")
def heads():
    with np.load(DATA / "trained_heads.npz") as file:
        return {name: file[name] for name in file.files}


@pytest.fixture(scope="module")
def table(heads):
    return trained_heads_table(heads["Q"], heads["K"])


def close(ours, expected):
    np.testing.assert_allclose(ours, expected, rtol=1e-5, atol=1e-6)


def expected_arrays(L, H, T):
    rows, head = (L, H, 2, T), (L, H, 2)
    return {
        **dict.fromkeys(("scores", "weights"), ("float32", *rows, T)),
        **dict.fromkeys(("peak", "norm", "row_sum"), ("float32", *rows)),
        **dict.fromkeys(("saturated_rows", "dead_rows"), ("int32", *head)),
        **dict.fromkeys(("saturated_share", "dead_share", "mean_peak", "median_spread"), ("float32", 2)),
        **dict.fromkeys(("saturated_heads", "dead_heads"), ("int32", 2, T + 1)),
        **dict.fromkeys(("peak_key", "state"), ("uint8", *rows)),
        "spread": ("float32", *head),
    }


@pytest.mark.parametrize(("L", "H", "T"), [(1, 1, 2), (2, 3, 6), (1, 2, 12)])
def test_arrays_have_the_promised_types_and_shapes(rng, check_arrays, L, H, T):
    check_arrays(trained_heads_table(*rng.standard_normal((2, L, H, T, 8))), expected_arrays(L, H, T))


def test_the_data_is_what_its_readme_says(heads, table, check_arrays):
    assert heads["tokens"].tolist() == ["[CLS]", "your", "journey", "starts", "with", "one", "step", "[SEP]"]
    assert heads["Q"].shape == heads["K"].shape == (6, 12, 8, 32)
    assert heads["Q"].dtype == heads["K"].dtype == np.float32
    check_arrays(table, expected_arrays(6, 12, 8))
    text = (DATA / "README.md").read_text("utf-8")
    assert "all-MiniLM-L6-v2" in text and "Apache License 2.0" in text and "forward pass" in text


@pytest.mark.parametrize(("scaled", "scale"), [(OFF, "none"), (ON, "sqrt_d_k")])
def test_every_head_equals_attend(heads, table, scaled, scale):
    for at in np.ndindex(6, 12):
        Q, K = (heads[name][at].astype(float) for name in "QK")
        trace, here = attend(Q, K, K, scale=scale), (*at, scaled)
        close(table.scores[here], trace.scores)
        close(table.weights[here], trace.weights)
        close(table.peak[here], peak_weight(trace.weights))
        close(table.row_sum[here], trace.weights.sum(axis=-1))
        np.testing.assert_array_equal(table.peak_key[here], trace.weights.argmax(axis=-1))
        close(table.norm[here], row_jacobian_norms(trace.weights))
        close(table.spread[here], score_spread(trace.scores))
        np.testing.assert_array_equal(table.state[here], softmax_state(trace.weights))
        assert table.dead_rows[here] == dead_rows(trace.weights)
        assert table.saturated_rows[here] == (peak_weight(trace.weights) >= 0.95).sum()


def test_what_the_lesson_says_about_all_heads(table):
    assert table.saturated_share.tolist() == [pytest.approx(0.78, abs=0.005), pytest.approx(0.12, abs=0.005)]
    assert table.dead_share.tolist() == [pytest.approx(0.77, abs=0.005), pytest.approx(0.10, abs=0.005)]
    assert table.mean_peak.tolist() == [pytest.approx(0.94, abs=0.005), pytest.approx(0.63, abs=0.005)]
    assert table.median_spread.tolist() == [pytest.approx(8.6, abs=0.05), pytest.approx(1.5, abs=0.05)]


def test_the_entries_of_trained_queries_and_keys_have_a_variance_of_about_one(heads):
    assert heads["Q"].var() == pytest.approx(1.23, abs=0.005)
    assert heads["K"].var() == pytest.approx(1.10, abs=0.005)


def test_heads_are_counted_by_their_rows(table):
    for heads, rows, share in (
        (table.saturated_heads, table.saturated_rows, table.saturated_share),
        (table.dead_heads, table.dead_rows, table.dead_share),
    ):
        assert (heads.sum(axis=1) == 72).all()
        for scaled in (OFF, ON):
            assert heads[scaled].tolist() == [(rows[..., scaled] == count).sum() for count in range(9)]
            assert share[scaled] == pytest.approx((heads[scaled] * np.arange(9)).sum() / (72 * 8))


def test_two_heads_worked_by_hand():
    """d_k is 4 and q · k is 0 or 2 ln 3: weights 1, 9 of 10 without the scale, 1, 3 of 4 with it."""
    Q = np.zeros((1, 2, 2, 4))
    Q[..., 0] = 1
    K = np.zeros((1, 2, 2, 4))
    K[0, 0, 1, 0] = 2 * np.log(3)
    table = trained_heads_table(Q, K)
    close(table.weights[0, 0, OFF], [[0.1, 0.9]] * 2)
    close(table.weights[0, 0, ON], [[0.25, 0.75]] * 2)
    close(table.weights[0, 1], 0.5)
    close(table.norm[0], [[[0.18] * 2, [0.375] * 2], [[0.5] * 2] * 2])
    close(table.mean_peak, [0.7, 0.625])
    assert table.saturated_heads.tolist() == table.dead_heads.tolist() == [[2, 0, 0]] * 2


def test_bad_arrays_are_refused():
    with pytest.raises(ValueError, match=r"^Q has shape \(6, 8, 32\): at least 4 axes are needed"):
        trained_heads_table(np.ones((6, 8, 32)), np.ones((6, 8, 32)))
    with pytest.raises(ValueError, match=r"^Q is \(1, 2, 3, 4\) and K is \(1, 2, 3, 5\): both need the shape"):
        trained_heads_table(np.ones((1, 2, 3, 4)), np.ones((1, 2, 3, 5)))
    with pytest.raises(ValueError, match=r"^K\[0, 0, 0, 0\] is nan"):
        trained_heads_table(np.ones((1, 1, 1, 1)), np.full((1, 1, 1, 1), np.nan))
