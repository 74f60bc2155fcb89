"""The layer: PyTorch's forward and backward pass on the lesson, narrowing, and what it refuses."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention import SelfAttention, attend, causal_mask, embed, score_spread, softmax_jacobian

SCALES = ("none", "sqrt_d_k", "d_k")
WIDTHS = (2, 8, 64)
FORWARD = ("X", "Q", "K", "V", "raw_scores", "scores", "weights", "context")


@pytest.fixture
def layer():
    return SelfAttention.seeded(7, d_model=5, width=4)


def test_the_lesson_gets_the_projections_of_the_reference(reference):
    layer = SelfAttention.seeded(5108)
    for name in ("W_q", "W_k", "W_v"):
        np.testing.assert_allclose(getattr(layer, name), reference[f"lesson/{name}"], rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("d_k", WIDTHS)
def test_every_number_of_the_lesson_agrees_with_torch(reference, agrees_with_reference, lesson_tokens, scale, d_k):
    layer = SelfAttention.seeded(5108).narrow(d_k)
    trace = layer(embed(lesson_tokens, 5108), scale=scale)
    gradients = layer.backward(trace, reference["lesson/d_context"][:, :d_k])
    forward = {name: getattr(trace, name) for name in ("raw_scores", "scores", "weights", "context")}
    read_outs = {"score_std": score_spread(trace.scores), "softmax_jacobian": softmax_jacobian(trace.weights)}
    agrees_with_reference(f"lesson/{scale}/{d_k}/", forward | read_outs | vars(gradients))


def test_the_lesson_of_the_reference_holds_nothing_else(reference):
    tables = {f"lesson/{scale}/{d_k}" for scale in SCALES for d_k in WIDTHS}
    single = {f"lesson/{name}" for name in ("X", "W_q", "W_k", "W_v", "d_context")}
    assert {key for key in reference if key.startswith("lesson/") and key.rsplit("/", 1)[0] not in tables} == single


def test_the_layer_is_three_projections_in_front_of_attend(rng):
    W_q, W_k, W_v = rng.standard_normal((5, 3)), rng.standard_normal((5, 3)), rng.standard_normal((5, 2))
    X, mask = rng.standard_normal((2, 4, 5)), causal_mask(4)
    trace = SelfAttention(W_q, W_k, W_v)(X, scale=0.3, mask=mask)
    expected = attend(X @ W_q, X @ W_k, X @ W_v, scale=0.3, mask=mask)
    np.testing.assert_allclose(trace.context, expected.context, rtol=1e-12)
    np.testing.assert_allclose(trace.V, X @ W_v, rtol=1e-12)
    assert trace.factor == 0.3 and trace.context.shape == (2, 4, 2)


def test_a_batch_equals_a_loop_forward_and_backward(layer, rng):
    X, G = rng.standard_normal((2, 3, 6, 5)), rng.standard_normal((2, 3, 6, 4))
    trace = layer(X)
    gradients = layer.backward(trace, G)
    ones = [layer(X[at]) for at in np.ndindex(2, 3)]
    backs = [layer.backward(one, G[at]) for one, at in zip(ones, np.ndindex(2, 3), strict=True)]
    for name in FORWARD:
        loop = np.reshape([getattr(one, name) for one in ones], getattr(trace, name).shape)
        np.testing.assert_allclose(getattr(trace, name), loop, rtol=1e-11, atol=1e-13)
    for name in ("d_X", "d_scores"):
        loop = np.reshape([getattr(back, name) for back in backs], getattr(gradients, name).shape)
        np.testing.assert_allclose(getattr(gradients, name), loop, rtol=1e-11, atol=1e-13)
    for name in ("d_W_q", "d_W_k", "d_W_v"):
        np.testing.assert_allclose(getattr(gradients, name), sum(getattr(back, name) for back in backs), rtol=1e-10)


@given(st.integers(0, 2**32 - 1), st.permutations(range(5)))
def test_permuted_tokens_permute_rows_and_columns(seed, order):
    X, layer = embed("a b c d e".split(), seed), SelfAttention.seeded(seed, width=8)
    here, there = layer(X), layer(X[order])
    np.testing.assert_allclose(there.weights, here.weights[np.ix_(order, order)], rtol=1e-9)
    np.testing.assert_allclose(there.context, here.context[order], rtol=1e-9, atol=1e-12)


@given(st.integers(0, 2**32 - 1), st.integers(1, 64), st.integers(1, 64))
def test_widening_keeps_the_earlier_columns(seed, one, other):
    narrow, wide = sorted((one, other))
    X, layer = embed("a b c".split(), seed), SelfAttention.seeded(seed)
    slim, broad = layer.narrow(narrow)(X), layer.narrow(wide)(X)
    for name in ("Q", "K", "V"):
        assert getattr(slim, name).shape == (3, narrow)
        np.testing.assert_allclose(getattr(slim, name), getattr(broad, name)[:, :narrow], rtol=1e-12, atol=1e-13)
    np.testing.assert_array_equal(layer.narrow(wide).narrow(narrow).W_v, layer.narrow(narrow).W_v)


def test_the_same_seed_gives_the_same_layer_and_another_another():
    first, again, other = (SelfAttention.seeded(seed) for seed in (1, 1, 2))
    assert np.array_equal(first.W_k, again.W_k) and not np.allclose(first.W_k, other.W_k)


def test_entries_have_variance_one_over_d_model():
    layer = SelfAttention.seeded(3, d_model=25, width=2000)
    for W in (layer.W_q, layer.W_k, layer.W_v):
        assert W.shape == (25, 2000)
        # 50 000 normal entries: the variance has a relative error of 0.6 %.
        assert W.var() == pytest.approx(1 / 25, rel=0.03)


def test_single_precision_stays_single(layer, rng):
    small = SelfAttention(*(W.astype(np.float32) for W in (layer.W_q, layer.W_k, layer.W_v)))
    X, G = rng.standard_normal((3, 5)), rng.standard_normal((3, 4))
    trace = small(X.astype(np.float32), mask=np.zeros((3, 3)))
    gradients = small.backward(trace, G.astype(np.float32))
    assert {getattr(trace, name).dtype for name in FORWARD} == {np.dtype(np.float32)}
    assert {gradient.dtype for gradient in vars(gradients).values()} == {np.dtype(np.float32)}
    np.testing.assert_allclose(gradients.d_X, layer.backward(layer(X), G).d_X, rtol=1e-4, atol=1e-5)


def test_inputs_are_never_changed(rng, frozen):
    inputs = frozen(*rng.standard_normal((3, 5, 5)), rng.standard_normal((4, 5)), rng.standard_normal((4, 5)))
    before = [array.copy() for array in inputs]
    layer = SelfAttention(*inputs[:3])
    layer.narrow(2)(inputs[3])
    layer.backward(layer(inputs[3]), inputs[4])
    for array, copy in zip(inputs, before, strict=True):
        np.testing.assert_array_equal(array, copy)


@pytest.mark.parametrize(
    ("shapes", "message"),
    [
        ([(16, 4), (16, 8), (16, 4)], r"^W_q is \(16, 4\) but W_k is \(16, 8\): both need the shape \(d_model, d_k\)"),
        ([(16, 4), (16, 4), (15, 4)], r"^W_v is \(15, 4\) but W_q is \(16, 4\): all need the same first size, d_model"),
        ([(2, 16, 4), (16, 4), (16, 4)], r"^W_q is \(2, 16, 4\): a \(d_model, d_k\) matrix is needed"),
    ],
)
def test_projections_that_do_not_fit_are_refused(shapes, message):
    with pytest.raises(ValueError, match=message):
        SelfAttention(*map(np.ones, shapes))


def test_an_input_of_another_width_is_refused(layer):
    with pytest.raises(ValueError, match=r"^X is \(3, 6\) but W_q is \(5, 4\): the last size of X .* d_model, 5"):
        layer(np.ones((3, 6)))


def test_projections_that_overflow_are_refused_without_a_warning(layer):
    with pytest.raises(ValueError, match="^the projections of X overflow float64: scale X or the W matrices down"):
        SelfAttention(layer.W_q * 10, layer.W_k * 10, layer.W_v * 10)(np.full((3, 5), 1e308))


@pytest.mark.parametrize("d_k", [0, 5, -1, True, 2.0, "2"])
def test_a_layer_cannot_be_narrowed_beyond_its_columns(layer, d_k):
    with pytest.raises(ValueError, match=rf"^d_k is {d_k!r}: (a whole number|it has to lie) from 1 to 4"):
        layer.narrow(d_k)


@pytest.mark.parametrize(("name", "value"), [("d_model", 0), ("d_model", 2.5), ("width", 0), ("width", 4097)])
def test_sizes_of_a_drawn_layer_have_bounds(name, value):
    with pytest.raises(ValueError, match=rf"^{name} is {value}: .* from 1 to 4096"):
        SelfAttention.seeded(1, **{name: value})


@pytest.mark.parametrize("shape", [(3, 5), (2, 4), (1, 3, 4)])
def test_a_gradient_of_another_shape_is_refused(layer, shape):
    with pytest.raises(ValueError, match=r"^d_context is \(.*\), but the context is \(3, 4\): give one gradient"):
        layer.backward(layer(np.ones((3, 5))), np.ones(shape))
