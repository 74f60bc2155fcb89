"""The streaming evaluation: equal to attend for every block, in a fraction of its memory."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from attention import attend, attend_streaming, causal_mask, streaming_bytes, streaming_difference

BLOCKS = (1, 2, 3, 7, 8, 128)
SDPA = "batched batch_heads causal bool_mask additive_mask cross scale_half huge one_token".split()


def assert_same(ours, expected):
    # Relative to the largest entry too: an entry may be what two large ones leave when they cancel.
    np.testing.assert_allclose(ours, expected, rtol=1e-12, atol=1e-13 * abs(expected).max())


def masks(rng, shape):
    may_look = rng.random(shape) < 0.6
    may_look[..., 2, :] = False
    return [may_look, np.where(may_look, rng.standard_normal(shape), -np.inf), np.where(may_look, 0, -1e9)]


@pytest.mark.parametrize("block", BLOCKS)
@pytest.mark.parametrize("name", SDPA)
def test_streaming_agrees_with_torch(reference, name, block):
    Q, K, V = (reference[f"sdpa/{name}/{k}"] for k in "QKV")
    mask = "causal" if reference[f"sdpa/{name}/causal"] else reference.get(f"sdpa/{name}/mask")
    scale = float(reference.get(f"sdpa/{name}/scale", Q.shape[-1] ** -0.5))
    context = attend_streaming(Q, K, V, scale=scale, mask=mask, block=block)
    np.testing.assert_allclose(context, reference[f"sdpa/{name}/context"], rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("block", BLOCKS)
@pytest.mark.parametrize("scale", ["sqrt_d_k", "none", "d_k", 0.3])
def test_streaming_equals_attend_for_every_mask(rng, block, scale):
    Q, K, V = (rng.standard_normal((2, 3, *shape)) for shape in [(5, 8), (7, 8), (7, 4)])
    for shape in [(5, 7), (3, 5, 7), (2, 1, 5, 7), (5, 1)]:
        for mask in (None, *masks(rng, shape)):
            ours = attend_streaming(Q, K, V, scale=scale, mask=mask, block=block)
            assert_same(ours, attend(Q, K, V, scale=scale, mask=mask).context)
    for mask in (rng.random(7) < 0.5, np.array(True), np.float64(0.5)):
        assert_same(attend_streaming(Q, K, V, mask=mask, block=block), attend(Q, K, V, mask=mask).context)


@pytest.mark.parametrize("block", BLOCKS)
def test_a_causal_mask_needs_no_array(rng, block):
    Q, K, V = rng.standard_normal((3, 2, 9, 4))
    assert_same(attend_streaming(Q, K, V, mask="causal", block=block), attend(Q, K, V, mask=causal_mask(9)).context)


@given(arrays(np.float64, (3, 7, 2), elements=st.floats(-1e3, 1e3)), st.sampled_from(BLOCKS))
def test_huge_scores_do_not_overflow(qkv, block):
    """Whole numbers, so that scores up to two millions come out alike whatever the block."""
    Q, K, V = np.rint(qkv)
    with np.errstate(all="raise"):
        context = attend_streaming(Q, K, V, scale="none", block=block)
    assert_same(context, attend(Q, K, V, scale="none").context)


@pytest.mark.parametrize("block", [1, 2])
def test_a_maximum_that_comes_late_or_far_away_is_taken_up(block):
    V = np.array([[1.0], [10.0], [100.0]])
    for scores, expected in {(-1e308, 0, 1e308): 100, (1e308, -1e308, 0): 1, (-1e308, -1e308, -1e308): 37}.items():
        with np.errstate(all="raise"):
            assert attend_streaming([[1.0]], np.array(scores)[:, None], V, block=block) == expected


@pytest.mark.parametrize("block", BLOCKS)
def test_a_query_that_may_look_nowhere_gets_zeros(rng, block):
    mask = np.ones((4, 4), dtype=bool)
    mask[2] = False
    mask[1, :3] = False
    with np.errstate(all="raise"):
        context = attend_streaming(*rng.standard_normal((3, 4, 3)), mask=mask, block=block)
    assert (context[2] == 0).all() and (context[[0, 1, 3]] != 0).all()


def test_queries_and_values_may_share_leading_axes(rng):
    Q, K, V = rng.standard_normal((5, 2, 3)), rng.standard_normal((4, 3)), rng.standard_normal((6, 1, 4, 2))
    assert_same(attend_streaming(Q, K, V, block=3), attend(Q, K, V).context)


@pytest.mark.parametrize("mask", [None, "causal", np.eye(4, dtype=bool), np.eye(4)])
def test_single_precision_stays_single(rng, mask):
    double = rng.standard_normal((3, 4, 4))
    single = attend_streaming(*double.astype(np.float32), mask=mask, block=3)
    assert single.dtype == np.float32
    np.testing.assert_allclose(single, attend_streaming(*double, mask=mask), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("mask", [None, np.tri(4, dtype=bool), np.tri(4) - 1])
def test_inputs_are_never_changed(rng, frozen, mask):
    inputs = frozen(*rng.standard_normal((3, 4, 4)))
    before = [array.copy() for array in inputs]
    attend_streaming(*inputs, scale="none", mask=None if mask is None else frozen(mask)[0], block=2)
    for array, copy in zip(inputs, before, strict=True):
        np.testing.assert_array_equal(array, copy)


def test_streaming_stays_far_below_the_table_that_attend_builds(rng, peak_of):
    T = 4096
    inputs = rng.standard_normal((3, T, 16), dtype=np.float32)
    table, kept = T * T * 4, streaming_bytes(T, 4, d_v=16)
    assert peak_of(attend, *inputs) > table
    streaming = peak_of(attend_streaming, *inputs)
    # What it keeps, what checks and one product need, and the output.
    assert kept < streaming < 1.7 * kept < table / 6
    assert peak_of(lambda *qkv: attend_streaming(*qkv, mask="causal"), *inputs) < 2.5 * kept


EYE = np.eye(2)
BAD = {
    "block 0": ({"block": 0}, "^block is 0: it has to lie from 1"),
    "block fractional": ({"block": 1.5}, "^block is 1.5: a whole number from 1"),
    "another word": ({"mask": "future"}, "^mask is 'future': use 'causal', an array or None"),
    "ragged": ({"mask": [[True], [True, True]]}, "^mask is ragged: give every row the same length"),
    "whole numbers": ({"mask": [[1, 0], [1, 1]]}, "^mask holds int64 values: use booleans .* or floats"),
    "too large": ({"mask": causal_mask(3)}, r"^mask is \(3, 3\) but the scores are \(2, 2\)"),
    "too deep": ({"mask": np.ones((4, 2, 2), dtype=bool)}, r"^mask is \(4, 2, 2\) but the scores are \(2, 2\)"),
    "NaN far to the right": ({"mask": [[0, np.nan], [0, 0]], "block": 1}, r"^mask\[0, 1\] is nan"),
    "unknown scale": ({"scale": "sqrt"}, "^scale is 'sqrt'"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_bad_option_is_refused_by_name(case):
    options, message = BAD[case]
    with pytest.raises(ValueError, match=message):
        attend_streaming(EYE, EYE, EYE, **options)


def test_arrays_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="^Q is .* but K is .*: queries and keys need the same last size"):
        attend_streaming(np.ones((3, 4)), np.ones((3, 8)), np.ones((3, 8)))
    with pytest.raises(ValueError, match="^mask is 'causal', but there are 2 queries and 3 keys"):
        attend_streaming(EYE, np.ones((3, 2)), np.ones((3, 2)), mask="causal")
    with pytest.raises(ValueError, match=r"^V\[0, 0\] is nan"):
        attend_streaming(EYE, EYE, [[np.nan], [0]])


@pytest.mark.parametrize(("Q", "mask"), [(1e200, None), (-1e200, None), (1.0, [[1e308]])])
def test_scores_that_overflow_are_refused(Q, mask):
    with pytest.raises(ValueError, match="^the scores overflow float64: scale Q, K or the mask down"):
        attend_streaming([[Q]], [[1e308]], [[1.0]], scale="none", mask=mask)


def test_values_whose_sum_overflows_are_refused():
    with pytest.raises(ValueError, match="^the sum of the values overflows float64: scale V down"):
        attend_streaming(np.zeros((1, 2)), np.zeros((3, 2)), np.full((3, 1), 1e308))


def test_the_difference_is_the_largest_over_all_blocks(rng):
    Q, K, V = rng.standard_normal((3, 2, 5, 4))
    context = attend(Q, K, V).context
    measured = [abs(attend_streaming(Q, K, V, block=block) - context).max() for block in (1, 2, 3, 4, 5)]
    assert streaming_difference(Q, K, V) == max(measured) < 1e-14
