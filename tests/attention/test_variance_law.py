"""One draw beside many: each array against the draws themselves and against the layer."""

import numpy as np
import pytest

from attention import SelfAttention, embed, many_draws, peak_weight, score_spread
from attention.variance_law import variance_table

SCALES = ("none", "sqrt_d_k")
ROW = 1


@pytest.fixture(scope="module")
def draws(any_sentence):
    return many_draws(any_sentence[0], range(40))


@pytest.fixture(scope="module")
def table(draws, any_sentence):
    return variance_table(draws, any_sentence[1], ROW)


def test_arrays_have_the_promised_types_and_shapes(table, any_sentence, check_arrays):
    T = len(any_sentence[0])
    shapes = dict.fromkeys(("law", "deviation", "spread", "peak", "peaked_percent", "dead_percent"), (63, 2))
    shapes |= dict.fromkeys(("spread_band", "peak_band"), (63, 2, 3)) | {"scores": (63, 2, T, T)}
    shapes |= dict.fromkeys(("raw_edges", "scaled_edges"), (65,))
    shapes |= dict.fromkeys(("raw_density", "scaled_density"), (63, 64))
    shapes |= dict.fromkeys(("raw_points", "scaled_points", "scaled_normal"), (129,)) | {"raw_normal": (63, 129)}
    expected = {name: ("float32", *shape) for name, shape in shapes.items()}
    check_arrays(table, expected | {"peaked_draws": ("int32", 63, 2)})
    assert (table.tokens, table.seed, table.row, table.n_draws) == (*any_sentence, ROW, 40)


@pytest.mark.parametrize("scaled", [0, 1])
def test_this_draw_equals_the_layer(table, any_sentence, scaled):
    X, layer = embed(*any_sentence), SelfAttention.seeded(any_sentence[1])
    for i, d_k in enumerate(range(2, 65)):
        trace = layer.narrow(d_k)(X, scale=SCALES[scaled])
        np.testing.assert_allclose(table.scores[i, scaled], trace.scores, rtol=1e-5, atol=1e-5)
        assert table.spread[i, scaled] == pytest.approx(float(score_spread(trace.scores)), rel=1e-5)
        assert table.peak[i, scaled] == pytest.approx(peak_weight(trace.weights)[ROW], rel=1e-5)


def test_the_many_are_those_of_the_draws(table, draws):
    np.testing.assert_allclose(table.law[:, 0], np.sqrt(np.arange(2, 65)), rtol=1e-6)
    np.testing.assert_allclose(table.law[:, 1], 1, rtol=1e-6)
    np.testing.assert_array_equal(table.deviation[:, 0], draws.measured_deviation)
    np.testing.assert_allclose(table.deviation[:, 1] * table.law[:, 0], draws.measured_deviation, rtol=1e-6)
    np.testing.assert_allclose(table.peaked_draws / 40, draws.all_rows_peaked, atol=1e-7)
    np.testing.assert_allclose(table.peaked_percent, draws.all_rows_peaked * 100, rtol=1e-6)
    np.testing.assert_allclose(table.dead_percent, draws.dead_share * 100, rtol=1e-6)
    for name in ("spread_band", "peak_band", "raw_density", "scaled_density", "raw_normal", "scaled_normal"):
        np.testing.assert_array_equal(getattr(table, name), getattr(draws, name))


def test_what_the_lesson_says_of_its_own_draw(lesson_tokens):
    table = variance_table(many_draws(lesson_tokens), 5108, ROW)
    # About one draw in ten has all six rows above 0.9 at d_k = 64, and none with the scale.
    assert table.peaked_draws[62].tolist() == [38, 0] and table.peaked_percent[62, 0] == pytest.approx(9.5)
    assert table.spread[[0, 6, 62], 0] == pytest.approx([2.0508, 3.0646, 7.8502], abs=5e-5)
    assert table.peak[[0, 6, 62], 0] == pytest.approx([0.3508, 0.5279, 1.0000], abs=5e-5)
    # Its spread never leaves the band; its peak is not monotone in d_k.
    low, high = table.spread_band[..., 0], table.spread_band[..., 2]
    assert ((low < table.spread) & (table.spread < high)).all()
    assert (np.diff(table.peak[:, 0]) < 0).any()
    # The fixed axes of the figure hold all that is drawn.
    assert table.spread_band[:, 0].max() < 11 and table.spread_band[:, 1].max() < 2
    assert table.raw_density.max() < 0.33 and table.scaled_density.max() < 0.66
    assert abs(table.scores[:, 0]).max() < 32 and abs(table.scores[:, 1]).max() < 4
