"""The backward pass of attention, and the softmax Jacobian that rules it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from attention.checks import Floats, as_floats


@dataclass(frozen=True, eq=False)
class AttentionGradients:
    """Gradients of a loss with respect to what entered `attend`.

    Attributes
    ----------
    d_scores : (..., T_q, T_k) ndarray
        With respect to what enters the softmax.
    d_Q, d_K, d_V : ndarray
        Shapes of Q, K and V.
    """

    d_scores: Floats
    d_Q: Floats
    d_K: Floats
    d_V: Floats


def softmax_jacobian(weights: ArrayLike) -> Floats:
    """How each weight of a row moves with each score: ``diag(a) - a aᵀ``.

    Parameters
    ----------
    weights : (..., T_k) array_like
        Rows of attention weights.

    Returns
    -------
    (..., T_k, T_k) ndarray
        Symmetric, rows sum to 0. Nearly all zeros when the row is one-hot: no
        gradient passes.
    """
    a = as_floats("weights", weights, min_ndim=1)
    jacobian: Floats = a[..., :, None] * (np.eye(a.shape[-1], dtype=a.dtype) - a[..., None, :])
    return jacobian


def attention_backward(
    Q: Floats, K: Floats, V: Floats, weights: Floats, factor: float, d_context: ArrayLike
) -> AttentionGradients:
    """Carry the gradient at the context back to queries, keys and values.

    Parameters
    ----------
    Q, K, V : (..., T, d) ndarray
        As they went forward, with the same leading axes.
    weights : (..., T_q, T_k) ndarray
        From the forward pass; masked entries are 0 and so pass nothing on.
    factor : float
        What the raw scores were multiplied by.
    d_context : (..., T_q, d_v) array_like
        Gradient of the loss with respect to the context.

    Raises
    ------
    ValueError
        If `d_context` does not have the context's shape.
    """
    g = as_floats("d_context", d_context)
    expected = (*weights.shape[:-1], V.shape[-1])
    if g.shape != expected:
        raise ValueError(f"d_context is {g.shape}, but the context is {expected}: give one gradient for each entry.")
    d_weights = g @ np.swapaxes(V, -1, -2)
    # The Jacobian diag(a) - a aᵀ times the incoming row, without building it; in place, as in `softmax`.
    d_scores = d_weights * weights
    np.subtract(d_weights, d_scores.sum(axis=-1, keepdims=True), out=d_scores)
    del d_weights
    d_scores *= weights
    d_raw = factor * d_scores
    return AttentionGradients(
        d_scores=d_scores,
        d_Q=d_raw @ K,
        d_K=np.swapaxes(d_raw, -1, -2) @ Q,
        d_V=np.swapaxes(weights, -1, -2) @ g,
    )
