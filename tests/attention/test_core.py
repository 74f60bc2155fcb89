"""Softmax, scale, mask and attend: held to PyTorch, to paper and pencil, and to laws."""

from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from attention import attend, causal_mask, softmax

SDPA = "batched batch_heads causal bool_mask additive_mask cross scale_half huge one_token".split()
SINGLE = st.one_of(
    st.floats(-1e6, 1e6, width=32), st.floats(-(2.0**127), 2.0**127, width=32), st.sampled_from([-1e6, 1e6, -np.inf])
)
WILD = st.one_of(st.floats(-1e6, 1e6), st.floats(-1e308, 1e308), st.just(-np.inf), st.sampled_from([-1e6, 1e6]))
MODEST = st.floats(-50, 50)
FIELDS = ("raw_scores", "scores", "weights", "context")


def as_fractions(array):
    return [[Fraction(float(entry)).limit_denominator(1000) for entry in row] for row in array]


def test_the_reference_holds_these_groups_and_cases(reference):
    assert {key.split("/")[0] for key in reference} == {"lesson", "sdpa", "multi_head"}
    assert {key.split("/")[1] for key in reference if key.startswith("sdpa/")} == set(SDPA)


@pytest.mark.parametrize("name", SDPA)
def test_attend_agrees_with_torch(reference, agrees_with_reference, name):
    given_ = {k: reference[f"sdpa/{name}/{k}"] for k in ("Q", "K", "V", "causal")}
    optional = {k: reference[f"sdpa/{name}/{k}"] for k in ("mask", "scale") if f"sdpa/{name}/{k}" in reference}
    mask = causal_mask(given_["Q"].shape[-2]) if given_["causal"] else optional.get("mask")
    scale = float(optional.get("scale", given_["Q"].shape[-1] ** -0.5))
    trace = attend(given_["Q"], given_["K"], given_["V"], scale=scale, mask=mask)
    agrees_with_reference(f"sdpa/{name}/", {**given_, **optional, "context": trace.context})


def test_heads_are_leading_axes_as_in_torch_multi_head(reference, agrees_with_reference):
    X, *W, W_o = (reference[f"multi_head/{name}"] for name in ("X", "W_q", "W_k", "W_v", "W_o"))
    n_heads = int(reference["multi_head/n_heads"])
    Q, K, V = (np.swapaxes((X @ W_role).reshape(len(X), n_heads, -1), 0, 1) for W_role in W)
    for name, mask in {"full": None, "causal": causal_mask(len(X))}.items():
        trace = attend(Q, K, V, mask=mask)
        output = np.swapaxes(trace.context, 0, 1).reshape(X.shape) @ W_o
        agrees_with_reference(f"multi_head/{name}/", {"output": output, "weights": trace.weights})
    assert sum(key.startswith("multi_head/") for key in reference) == 6 + 2 * 2


def test_softmax_of_logarithms_gives_exact_shares():
    assert as_fractions([softmax(np.log([1, 2, 5]))]) == [[Fraction(1, 8), Fraction(2, 8), Fraction(5, 8)]]


@pytest.mark.parametrize(
    ("scale", "shares", "context"),
    [
        ("none", [Fraction(1, 98), Fraction(16, 98), Fraction(81, 98)], [Fraction(163, 7), Fraction(89, 7)]),
        ("sqrt_d_k", [Fraction(1, 14), Fraction(4, 14), Fraction(9, 14)], [Fraction(19), Fraction(11)]),
        ("d_k", [Fraction(1, 6), Fraction(2, 6), Fraction(3, 6)], [Fraction(49, 3), Fraction(28, 3)]),
    ],
)
def test_attend_equals_a_case_worked_by_hand(scale, shares, context):
    """d_k is 4 and q · k is 2 ln n for n = 1, 4, 9, so that every step comes out as a fraction.

    Unscaled:   e^(2 ln n) = n²  → 1, 16, 81 of 98.
    Halved:     e^(ln n) = n     → 1, 4, 9 of 14.
    Quartered:  e^(½ ln n) = √n  → 1, 2, 3 of 6.
    """
    Q = [[2, 0, 0, 0]]
    K = [[np.log(n), 7, 7, 7] for n in (1, 4, 9)]
    V = [[14, 0], [0, 7], [28, 14]]
    trace = attend(Q, K, V, scale=scale)
    np.testing.assert_allclose(trace.raw_scores, [[0, 2 * np.log(4), 2 * np.log(9)]], rtol=1e-15)
    assert as_fractions(trace.weights) == [shares]
    assert as_fractions(trace.context) == [context]
    assert context == [sum(share * row[column] for share, row in zip(shares, V, strict=True)) for column in (0, 1)]


def test_what_a_hidden_key_leaves_is_shared_by_the_others():
    K = np.log([[1.0], [4.0], [9.0]])
    trace = attend([[1.0]], K, np.eye(3), scale="none", mask=[True, False, True])
    assert as_fractions(trace.weights) == [[Fraction(1, 10), 0, Fraction(9, 10)]]


@given(arrays(np.float64, array_shapes(max_dims=3, max_side=5), elements=WILD))
def test_softmax_copes_with_any_scores(scores):
    with np.errstate(all="raise"):
        shares = softmax(scores)
    assert np.isfinite(shares).all() and (shares >= 0).all()
    assert (shares[scores == -np.inf] == 0).all()
    expected_sum = np.where((scores == -np.inf).all(axis=-1), 0, 1)
    np.testing.assert_allclose(shares.sum(axis=-1), expected_sum, rtol=1e-14)


@given(arrays(np.float32, (2, 4), elements=SINGLE))
def test_softmax_copes_with_any_scores_in_single_precision(scores):
    with np.errstate(all="raise"):
        shares = softmax(scores)
    assert shares.dtype == np.float32
    np.testing.assert_allclose(shares.sum(axis=-1), np.where((scores == -np.inf).all(axis=-1), 0, 1), rtol=1e-6)


@given(st.lists(st.floats(-1e6, 1e6) | st.floats(-20, 20), min_size=1, max_size=6))
def test_softmax_agrees_with_forty_digit_arithmetic(scores):
    with localcontext(prec=40):
        powers = [Decimal(score).exp() for score in scores]
        expected = [float(power / sum(powers)) for power in powers]
    np.testing.assert_allclose(softmax(scores), expected, rtol=1e-12, atol=1e-300)


@given(arrays(np.float64, (3, 5), elements=MODEST), arrays(np.float64, (3, 1), elements=st.floats(-1e3, 1e3)))
def test_a_constant_added_to_a_row_changes_nothing(scores, constants):
    np.testing.assert_allclose(softmax(scores + constants), softmax(scores), rtol=1e-10)


@given(arrays(np.float64, (2, 3, 4), elements=WILD), st.integers(-3, 2))
def test_softmax_normalises_along_any_axis(scores, axis):
    expected = np.moveaxis(softmax(np.moveaxis(scores, axis, -1)), -1, axis)
    np.testing.assert_allclose(softmax(scores, axis=axis), expected, rtol=1e-14)


@given(arrays(np.float64, (5, 3), elements=MODEST), st.permutations(range(5)))
def test_permuted_keys_permute_columns_and_leave_the_context(K, order):
    Q, V = np.linspace(-1, 1, 6).reshape(2, 3), np.arange(10.0).reshape(5, 2)
    here, there = attend(Q, K, V), attend(Q, K[order], V[order])
    np.testing.assert_allclose(there.weights, here.weights[:, order], rtol=1e-10)
    np.testing.assert_allclose(there.context, here.context, rtol=1e-10)


@given(arrays(np.float64, (6, 4), elements=MODEST), st.integers(1, 5))
def test_a_causal_row_does_not_change_with_the_future(X, T):
    whole, start = attend(X, X, X, mask=causal_mask(6)), attend(X[:T], X[:T], X[:T], mask=causal_mask(T))
    np.testing.assert_allclose(whole.context[:T], start.context, rtol=1e-10, atol=1e-10)
    assert (whole.weights[np.triu_indices(6, 1)] == 0).all()


def test_a_causal_mask_is_true_on_and_below_the_diagonal():
    assert causal_mask(3).tolist() == [[True, False, False], [True, True, False], [True, True, True]]
    assert causal_mask(1).tolist() == [[True]]


@pytest.mark.parametrize("mask_shape", [(), (1, 7), (4, 1), (4, 7), (3, 4, 7), (1, 4, 7), (2, 1, 1, 7), (2, 3, 4, 7)])
def test_leading_axes_equal_a_loop_over_them(rng, mask_shape):
    Q, K, V = (rng.standard_normal((2, 3, *shape)) for shape in [(4, 8), (7, 8), (7, 5)])
    may_look = rng.random(mask_shape) < 0.7
    added = np.where(may_look, rng.standard_normal(mask_shape), -np.inf)
    for mask in (may_look, added):
        trace, everywhere = attend(Q, K, V, mask=mask), np.broadcast_to(mask, (2, 3, 4, 7))
        assert trace.context.shape == (2, 3, 4, 5)
        for at in np.ndindex(2, 3):
            one = attend(Q[at], K[at], V[at], mask=everywhere[at])
            for field in FIELDS:
                np.testing.assert_allclose(getattr(trace, field)[at], getattr(one, field), rtol=1e-12, atol=1e-14)


def test_queries_of_a_batch_may_share_keys_and_values(rng):
    Q, K, V = rng.standard_normal((5, 2, 3)), rng.standard_normal((4, 3)), rng.standard_normal((4, 6))
    shared = attend(Q, K, V)
    np.testing.assert_allclose(shared.context, [attend(q, K, V).context for q in Q], rtol=1e-12)


def test_a_boolean_mask_equals_adding_minus_infinity(rng):
    Q, K, V = rng.standard_normal((3, 5, 5))
    may_look = rng.random((5, 5)) < 0.5
    shown, added = attend(Q, K, V, mask=may_look), attend(Q, K, V, mask=np.where(may_look, 0, -np.inf))
    for field in FIELDS:
        np.testing.assert_array_equal(getattr(shown, field), getattr(added, field))
    assert (shown.weights[~may_look] == 0).all() and (shown.scores[~may_look] == -np.inf).all()
    assert np.isfinite(shown.raw_scores).all()


def test_a_query_that_may_look_nowhere_gets_zeros(rng):
    mask = np.ones((4, 4), dtype=bool)
    mask[2] = False
    with np.errstate(all="raise"):
        trace = attend(*rng.standard_normal((3, 4, 3)), mask=mask)
    assert (trace.weights[2] == 0).all() and (trace.context[2] == 0).all()
    np.testing.assert_allclose(trace.weights.sum(axis=-1), [1, 1, 0, 1], rtol=1e-14)


def test_one_token_looks_at_itself_alone(rng):
    Q, K, V = rng.standard_normal((3, 1, 4))
    trace = attend(Q, K, V)
    assert trace.weights == 1 and np.array_equal(trace.context, V)


def test_a_factor_of_zero_makes_every_row_uniform(rng):
    trace = attend(*rng.standard_normal((3, 4, 4)), scale=0.0)
    assert (trace.weights == 0.25).all()


@pytest.mark.parametrize("mask", [None, np.eye(4, dtype=bool), np.eye(4), np.float32(0.5)])
@pytest.mark.parametrize("scale", ["sqrt_d_k", "none", "d_k", 0.3, np.float64(0.3), np.int64(2)])
def test_single_precision_stays_single(rng, mask, scale):
    double = rng.standard_normal((3, 4, 4))
    single = attend(*double.astype(np.float32), scale=scale, mask=mask)
    for field in FIELDS:
        assert getattr(single, field).dtype == np.float32
    np.testing.assert_allclose(single.context, attend(*double, scale=scale, mask=mask).context, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize(("dtype", "result"), [("int64", "float64"), ("float16", "float32"), (">f8", "float64")])
def test_other_real_numbers_become_floats(dtype, result):
    Q = np.array([[1, 0], [0, 1]], dtype=dtype)
    trace = attend(Q, Q, Q)
    assert trace.context.dtype == np.dtype(result)
    np.testing.assert_allclose(trace.context, attend(Q.astype(float), Q.astype(float), Q.astype(float)).context, 1e-6)


@pytest.mark.parametrize("mask", [np.tri(4, dtype=bool), np.tri(4) - 1])
def test_inputs_are_never_changed(rng, frozen, mask):
    inputs = frozen(*rng.standard_normal((3, 4, 4)), mask)
    before = [array.copy() for array in inputs]
    softmax(inputs[0], axis=0)
    trace = attend(*inputs[:3], mask=inputs[3])
    for array, copy in zip(inputs, before, strict=True):
        np.testing.assert_array_equal(array, copy)
        assert not any(np.shares_memory(array, getattr(trace, field)) for field in FIELDS)


def test_a_long_sentence_takes_no_more_tables_than_its_trace_keeps(rng, peak_of):
    T = 1024
    inputs = rng.standard_normal((3, T, 8))
    assert 3 < peak_of(attend, *inputs) / (T * T * 8) < 3.3  # raw scores, scores, weights; then what checks need
