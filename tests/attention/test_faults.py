"""Each fault does the one wrong thing that its name says, and nothing else."""

import numpy as np
import pytest

from attention import FAULTS, SelfAttention, embed, evaluate_with_fault, softmax

STEPS = ("raw_scores", "scores", "weights", "context")


@pytest.fixture
def layer():
    return SelfAttention.seeded(5108).narrow(8)


@pytest.fixture
def X(lesson_tokens):
    return embed(lesson_tokens, 5108)


def assert_same(trace, other, names):
    for name in names:
        np.testing.assert_allclose(getattr(trace, name), getattr(other, name), rtol=1e-12, atol=1e-14)


def test_the_five_faults_are_those_of_the_links():
    assert FAULTS == ("none", "divide_by_d_k", "softmax_over_queries", "shared_projection", "blend_embeddings")


@pytest.mark.parametrize(
    ("fault", "scaled", "scale"),
    [
        ("none", True, "sqrt_d_k"),
        ("none", False, "none"),
        ("divide_by_d_k", True, "d_k"),
        ("divide_by_d_k", False, "d_k"),
    ],
)
@pytest.mark.parametrize("d_k", [2, 8, 64])
def test_scales_agree_with_torch(reference, X, fault, scaled, scale, d_k):
    trace = evaluate_with_fault(SelfAttention.seeded(5108).narrow(d_k), X, scaled=scaled, fault=fault)
    for name in STEPS:
        expected = reference[f"lesson/{scale}/{d_k}/{name}"]
        np.testing.assert_allclose(getattr(trace, name), expected, rtol=1e-9, atol=1e-12)


def test_nothing_is_broken_unless_asked(layer, X):
    assert_same(evaluate_with_fault(layer, X), layer(X), STEPS)


@pytest.mark.parametrize("scaled", [True, False])
def test_softmax_over_queries_makes_columns_sum_to_one(layer, X, scaled):
    good = layer(X, scale="sqrt_d_k" if scaled else "none")
    bad = evaluate_with_fault(layer, X, scaled=scaled, fault="softmax_over_queries")
    assert_same(bad, good, ("raw_scores", "scores", "Q", "K", "V"))
    np.testing.assert_allclose(bad.weights.sum(axis=0), 1, rtol=1e-14)
    assert abs(bad.weights.sum(axis=1) - 1).max() > 0.1
    np.testing.assert_allclose(bad.weights, softmax(good.scores.T).T, rtol=1e-12)
    np.testing.assert_allclose(bad.context, bad.weights @ good.V, rtol=1e-12)


@pytest.mark.parametrize("scaled", [True, False])
def test_a_shared_projection_makes_scores_symmetric(layer, X, scaled):
    bad = evaluate_with_fault(layer, X, scaled=scaled, fault="shared_projection")
    for projected in (bad.Q, bad.K, bad.V):
        np.testing.assert_allclose(projected, X @ layer.W_q, rtol=1e-12)
    np.testing.assert_allclose(bad.scores, bad.scores.T, rtol=1e-12)
    np.testing.assert_allclose(np.diag(bad.raw_scores), (bad.Q**2).sum(axis=1), rtol=1e-12)
    np.testing.assert_allclose(bad.context, bad.weights @ (X @ layer.W_q), rtol=1e-12)


@pytest.mark.parametrize("scaled", [True, False])
def test_blending_embeddings_leaves_the_weights_alone(layer, X, scaled):
    bad = evaluate_with_fault(layer, X, scaled=scaled, fault="blend_embeddings")
    assert_same(bad, layer(X, scale="sqrt_d_k" if scaled else "none"), ("raw_scores", "scores", "weights"))
    assert bad.context.shape == X.shape
    np.testing.assert_allclose(bad.context, bad.weights @ X, rtol=1e-12)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_batch_equals_a_loop(layer, X, fault):
    batch = np.stack([X, X[::-1], 2 * X])
    trace = evaluate_with_fault(layer, batch, fault=fault)
    for i, one in enumerate(batch):
        alone = evaluate_with_fault(layer, one, fault=fault)
        for name in STEPS:
            np.testing.assert_allclose(getattr(trace, name)[i], getattr(alone, name), rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("fault", FAULTS)
def test_inputs_are_never_changed(layer, X, frozen, fault):
    (fixed,) = frozen(X)
    before = [W.copy() for W in (layer.W_q, layer.W_k, layer.W_v)]
    evaluate_with_fault(layer, fixed, fault=fault)
    np.testing.assert_array_equal(fixed, X)
    for W, copy in zip((layer.W_q, layer.W_k, layer.W_v), before, strict=True):
        np.testing.assert_array_equal(W, copy)


@pytest.mark.parametrize("fault", ["", "None", "divide_by_dk", None, 0])
def test_an_unknown_fault_is_refused_with_the_list(layer, X, fault):
    with pytest.raises(ValueError, match=rf"^fault is {fault!r}: use one of none, divide_by_d_k, .*blend_embeddings"):
        evaluate_with_fault(layer, X, fault=fault)
