"""Many draws: each band and count against draws evaluated one at a time, and against the law of √d_k."""

import numpy as np
import pytest

from attention import (
    SelfAttention,
    dead_rows,
    embed,
    many_draws,
    peak_weight,
    row_jacobian_norms,
    score_spread,
    softmax,
)
from attention.draws import SEEDS
from attention.sampling import jacobian_norms

WIDTHS = np.arange(2, 65)
SCALES = ("none", "sqrt_d_k")
ONE_IN_20, MIDDLE, ALL_BUT_ONE_IN_20 = range(3)
SHAPES = (
    dict.fromkeys(("spread_band", "peak_band", "norm_band", "dead_band"), (63, 2, 3))
    | dict.fromkeys(("norm_median_of_draws", "all_rows_peaked", "dead_share", "outside"), (63, 2))
    | dict.fromkeys(("expected_deviation", "measured_deviation"), (63,))
    | dict.fromkeys(("raw_edges", "scaled_edges"), (65,))
    | dict.fromkeys(("raw_density", "scaled_density"), (63, 64))
    | dict.fromkeys(("raw_points", "scaled_points", "scaled_normal"), (129,))
    | {"raw_normal": (63, 129), "gradient_mean": (3, 2), "gradient_band": (3, 2, 3), "gradient_ratio": (3,)}
)


@pytest.fixture(scope="module")
def lesson(lesson_tokens):
    return many_draws(lesson_tokens)


@pytest.fixture(scope="module")
def few(any_sentence):
    """A table of 23 draws (more than are evaluated together), and the seeds it was made from."""
    tokens, seed = any_sentence
    seeds = [seed, *range(100, 122)]
    return many_draws(tokens, seeds), tokens, seeds


def traces(tokens, seeds, d_k, scale):
    return [SelfAttention.seeded(seed).narrow(d_k)(embed(tokens, seed), scale=scale) for seed in seeds]


def quantiles(values):
    return np.quantile(values, [0.05, 0.5, 0.95])


def close(ours, expected, **tolerance):
    np.testing.assert_allclose(ours, expected, **({"rtol": 1e-5, "atol": 1e-6} | tolerance))


def test_arrays_have_the_promised_types_and_shapes(few, check_arrays):
    table, tokens, seeds = few
    expected = {name: ("float32", *shape) for name, shape in SHAPES.items()}
    check_arrays(table, expected | {"gradient_widths": ("int32", 3)})
    assert (table.tokens, table.n_draws) == (tokens, len(seeds))
    assert table.gradient_widths.tolist() == [4, 16, 64]


@pytest.mark.parametrize("d_k", [2, 3, 8, 33, 64])
@pytest.mark.parametrize("scaled", [0, 1])
def test_rows_equal_draws_that_are_evaluated_alone(few, d_k, scaled):
    table, tokens, seeds = few
    made, at = traces(tokens, seeds, d_k, SCALES[scaled]), (d_k - 2, scaled)
    weights = np.array([trace.weights for trace in made])
    norms, dead = row_jacobian_norms(weights), dead_rows(weights)
    close(table.spread_band[at], quantiles([score_spread(trace.scores) for trace in made]))
    close(table.peak_band[at], quantiles(peak_weight(weights)))
    close(table.norm_band[at], quantiles(norms))
    close(table.norm_median_of_draws[at], np.median([np.median(row) for row in norms]))
    close(table.all_rows_peaked[at], np.mean([(peak_weight(table) > 0.9).all() for table in weights]))
    close(table.dead_band[at], quantiles(dead))
    close(table.dead_share[at], dead.sum() / norms.size)


@pytest.mark.parametrize("d_k", [2, 8, 64])
def test_histograms_equal_draws_that_are_evaluated_alone(few, d_k):
    table, tokens, seeds = few
    for scale, edges, bars, outside in (
        ("none", table.raw_edges, table.raw_density, table.outside[:, 0]),
        ("sqrt_d_k", table.scaled_edges, table.scaled_density, table.outside[:, 1]),
    ):
        scores = np.array([trace.scores for trace in traces(tokens, seeds, d_k, scale)]).ravel()
        counts, _ = np.histogram(scores, edges.astype(float))
        close(bars[d_k - 2] * np.diff(edges), counts / scores.size)
        close(outside[d_k - 2], 1 - counts.sum() / scores.size)
        if scale == "none":
            close(table.measured_deviation[d_k - 2], scores.std())


def test_histograms_sum_to_what_is_not_outside(few):
    table, *_ = few
    close(table.raw_density.sum(axis=1), 1 - table.outside[:, 0])
    close(table.scaled_density.sum(axis=1) / 8, 1 - table.outside[:, 1])


@pytest.mark.parametrize("d_k", [4, 16, 64])
@pytest.mark.parametrize("scaled", [0, 1])
def test_gradient_norms_equal_the_layer_one_draw_at_a_time(few, d_k, scaled):
    table, tokens, seeds = few
    norms = []
    for seed in seeds:
        layer, X = SelfAttention.seeded(seed).narrow(d_k), embed(tokens, seed)
        trace = layer(X, scale=SCALES[scaled])
        error = [trace.context[i] - trace.V[i - 1] for i in range(len(tokens))]
        norms.append(np.linalg.norm(layer.backward(trace, 2 / d_k * np.array(error)).d_W_q))
    at = ([4, 16, 64].index(d_k), scaled)
    close(table.gradient_mean[at], np.mean(norms))
    close(table.gradient_band[at], quantiles(norms))
    close(table.gradient_ratio, table.gradient_mean[:, 0] / table.gradient_mean[:, 1])


def test_bins_and_curves_stand_where_they_are_said_to(lesson):
    for limit, edges, points in (
        (32, lesson.raw_edges, lesson.raw_points),
        (4, lesson.scaled_edges, lesson.scaled_points),
    ):
        assert (edges[0], edges[-1], edges[32]) == (-limit, limit, 0)
        assert (np.diff(edges) == limit / 32).all()
        assert (points[::2] == edges).all() and (np.diff(points) == limit / 64).all()


def test_normal_curves_integrate_to_one_and_have_their_deviation(lesson):
    for points, heights, deviation in [
        *((lesson.raw_points, lesson.raw_normal[d_k - 2], np.sqrt(d_k)) for d_k in (2, 8, 64)),
        (lesson.scaled_points, lesson.scaled_normal, 1),
    ]:
        step = points[1] - points[0]
        assert heights.sum() * step == pytest.approx(1, abs=2e-4)
        assert np.sqrt((points**2 * heights).sum() * step) == pytest.approx(deviation, rel=1e-3)
        assert heights.max() == heights[64] == pytest.approx(1 / (deviation * np.sqrt(2 * np.pi)), rel=1e-6)


def test_q_dot_k_has_a_deviation_of_the_root_of_d_k(lesson):
    np.testing.assert_array_equal(lesson.expected_deviation, np.sqrt(WIDTHS).astype(np.float32))
    # 400 draws of six embeddings: the 36 products of a draw are not independent, so the error is some 2 %.
    close(lesson.measured_deviation, np.sqrt(WIDTHS), rtol=0.05)
    # A normal curve of that deviation leaves 0.006 % beyond ±4 of it.
    assert (lesson.outside < 0.01).all()


def test_the_bars_lie_along_the_normal_curve_once_d_k_is_wide(lesson):
    for bars, curve in (
        (lesson.raw_density[-1], lesson.raw_normal[-1]),
        (lesson.scaled_density[-1], lesson.scaled_normal),
    ):
        assert abs(bars - curve[1::2]).max() < 0.12 * curve.max()


def test_what_the_lesson_says_of_many_draws(lesson):
    raw, scaled = (62, 0), (62, 1)
    assert lesson.n_draws == len(SEEDS) == 400
    assert lesson.spread_band[raw][MIDDLE] == pytest.approx(0.97 * 8, rel=0.02)
    assert lesson.spread_band[scaled][MIDDLE] == pytest.approx(0.97, rel=0.02)
    assert lesson.all_rows_peaked[raw] == pytest.approx(0.09, abs=0.015) and lesson.all_rows_peaked[scaled] == 0
    assert lesson.dead_share[raw] == pytest.approx(0.5, abs=0.02) and lesson.dead_share[scaled] == 0
    assert lesson.norm_band[raw][MIDDLE] == pytest.approx(0.05, abs=0.01)
    assert lesson.norm_median_of_draws[raw] == pytest.approx(0.07, abs=0.01)
    assert lesson.norm_band[scaled][MIDDLE] == pytest.approx(0.39, abs=0.005)
    assert lesson.dead_band[raw].tolist() == [1, 3, 5]


def test_the_mean_gradient_is_larger_without_the_scale_while_half_of_the_rows_are_dead(lesson):
    assert (lesson.gradient_ratio > 1.5).all() and lesson.gradient_ratio[-1] == pytest.approx(3.9, abs=0.2)
    assert (np.diff(lesson.gradient_ratio) > 0).all()
    # The wild ones: one draw in twenty has more than twice the mean, where the scale keeps the draws together.
    spread_of_draws = lesson.gradient_band[..., ALL_BUT_ONE_IN_20] / lesson.gradient_band[..., ONE_IN_20]
    assert spread_of_draws[-1, 0] > 10 and spread_of_draws[-1, 1] < 3


def test_norms_without_jacobians_equal_norms_of_jacobians(rng):
    weights = softmax(rng.standard_normal((200, 6)) * rng.choice([0.1, 1, 8, 100], (200, 1)))
    close(jacobian_norms(weights), row_jacobian_norms(weights), rtol=1e-9, atol=5e-8)
    assert (jacobian_norms(np.eye(4)) == 0).all()


def test_bad_arguments_are_refused(lesson_tokens):
    with pytest.raises(ValueError, match="^seeds is empty: give at least one seed"):
        many_draws(lesson_tokens, [])
    with pytest.raises(ValueError, match="^seed is -1"):
        many_draws(lesson_tokens, [1, -1])
    with pytest.raises(ValueError, match="^tokens is"):
        many_draws([])
