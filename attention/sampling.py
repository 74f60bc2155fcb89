"""Read-outs of every draw at every width, before they are summed up over draws."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from attention.checks import Floats
from attention.core import attend, scale_factor, softmax
from attention.every_width import DIVISORS, raw_scores_at_every_width
from attention.gradients import attention_backward
from attention.histograms import BINS, RAW_LIMIT, SCALED_LIMIT, bin_counts
from attention.tables import WIDTHS
from attention.training import previous_token_targets

GRADIENT_WIDTHS = (4, 16, 64)
# Draws evaluated together: few enough that the middle steps stay in the processor's cache.
TOGETHER = 20


class Sample(NamedTuple):
    """What n draws gave, at 63 widths, with the scale off and on.

    Attributes
    ----------
    spread : (63, 2, n) ndarray
    peak, norm : (63, 2, n, T) ndarray
        Largest weight and softmax Jacobian norm of each row.
    raw_counts, scaled_counts : (63, 66) ndarray of int64
        Histograms of q·k and q·k / √d_k, see `bin_counts`.
    deviation : (63,) ndarray
        Standard deviation of q·k over all pairs of all draws.
    """

    spread: Floats
    peak: Floats
    norm: Floats
    raw_counts: NDArray[np.int64]
    scaled_counts: NDArray[np.int64]
    deviation: Floats


def sample_every_width(Q: Floats, K: Floats) -> Sample:
    """Evaluate draws at every width.

    Parameters
    ----------
    Q, K : (n, T, 64) ndarray
        Queries and keys of n draws.

    Returns
    -------
    Sample
    """
    n, T, _ = Q.shape
    spread, peak, norm = np.empty((len(WIDTHS), 2, n)), *np.empty((2, len(WIDTHS), 2, n, T))
    counts = np.zeros((2, len(WIDTHS), BINS + 2), dtype=np.int64)
    moments = np.zeros((2, len(WIDTHS)))
    for start in range(0, n, TOGETHER):
        some = slice(start, start + TOGETHER)
        raw = raw_scores_at_every_width(Q[some], K[some])
        moments += raw.sum(axis=(1, 2, 3)), np.einsum("dnqk,dnqk->d", raw, raw)
        for scaled, limit in enumerate((RAW_LIMIT, SCALED_LIMIT)):
            scores = raw / DIVISORS[:, scaled, None, None, None]
            weights = softmax(scores)
            counts[scaled] += bin_counts(scores, limit)
            spread[:, scaled, some] = scores.std(axis=(-2, -1))
            peak[:, scaled, some] = weights.max(axis=-1)
            norm[:, scaled, some] = jacobian_norms(weights)
    mean, mean_square = moments / (n * T * T)
    return Sample(spread, peak, norm, counts[0], counts[1], np.sqrt(mean_square - mean**2))


def jacobian_norms(weights: Floats) -> Floats:
    """What `row_jacobian_norms` computes, without building the Jacobians.

    The squared norm of ``diag(a) - a aᵀ`` is Σa² - 2 Σa³ + (Σa²)². Near a one-hot row the
    terms cancel, which leaves an error of about 1e-8: enough to draw and to count by.
    """
    squares = weights * weights
    total = squares.sum(axis=-1)
    norms: Floats = np.sqrt(np.maximum(total + total**2 - 2 * (squares * weights).sum(axis=-1), 0))
    return norms


def query_gradient_norms(X: Floats, Q: Floats, K: Floats, V: Floats) -> Floats:
    """Norm of dL/dW_q before any training, for the loss of the previous-token task.

    L is the squared error between the context of token i and the value of token i - 1,
    averaged over d_k and summed over tokens, as in `attention.training`.

    Parameters
    ----------
    X : (n, T, d_model) ndarray
    Q, K, V : (n, T, 64) ndarray

    Returns
    -------
    (3, 2, n) ndarray
        At the widths in `GRADIENT_WIDTHS`, without and with the scale.
    """
    targets = V[:, previous_token_targets(X.shape[1])]
    norms = np.empty((len(GRADIENT_WIDTHS), 2, len(X)))
    for i, d_k in enumerate(GRADIENT_WIDTHS):
        q, k, v = Q[..., :d_k], K[..., :d_k], V[..., :d_k]
        for scaled in (0, 1):
            factor = scale_factor("sqrt_d_k" if scaled else "none", d_k)
            trace = attend(q, k, v, scale=factor)
            d_context = (trace.context - targets[..., :d_k]) * (2 / d_k)
            d_Q = attention_backward(q, k, v, trace.weights, factor, d_context).d_Q
            norms[i, scaled] = np.linalg.norm(np.swapaxes(X, -1, -2) @ d_Q, axis=(-2, -1))
    return norms
