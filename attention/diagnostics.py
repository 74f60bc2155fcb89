"""What the read-outs say about scores and weights."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attention.checks import Floats, as_floats
from attention.gradients import softmax_jacobian

SATURATED_PEAK = 0.95
UNIFORM_SHARE = 0.99
DEAD_NORM = 0.05


class SoftmaxState(IntEnum):
    """How a row of weights behaves; the numbers are what the tables store."""

    HEALTHY = 0
    UNIFORM = 1
    SATURATED = 2
    NOT_A_DISTRIBUTION = 3


def score_spread(scores: ArrayLike) -> NDArray[Any]:
    """Population standard deviation of each (T_q, T_k) table of scores."""
    return np.asarray(as_floats("scores", scores).std(axis=(-2, -1)))


def peak_weight(weights: ArrayLike) -> NDArray[Any]:
    """The largest weight of each row: (..., T_q, T_k) to (..., T_q)."""
    return np.asarray(as_floats("weights", weights, min_ndim=1).max(axis=-1))


def entropy(weights: ArrayLike) -> NDArray[Any]:
    """Entropy of each row in nats; ln T for a uniform row, 0 for a one-hot row."""
    a = as_floats("weights", weights, min_ndim=1)
    # Taken from 0 rather than negated: a one-hot row has 0, not -0.
    return np.asarray(0 - (a * np.log(np.where(a > 0, a, 1))).sum(axis=-1))


def softmax_state(weights: ArrayLike) -> NDArray[np.uint8]:
    """Name the state of each row.

    Parameters
    ----------
    weights : (..., T_k) array_like
        Rows of weights.

    Returns
    -------
    (...) ndarray of uint8
        Values of `SoftmaxState`. Saturated: the peak is at least 0.95. Uniform: the
        entropy is at least 0.99 ln T. A row that does not sum to 1 is no distribution.
    """
    a = as_floats("weights", weights, min_ndim=1)
    state = np.full(a.shape[:-1], SoftmaxState.HEALTHY, dtype=np.uint8)
    state[entropy(a) >= UNIFORM_SHARE * np.log(a.shape[-1])] = SoftmaxState.UNIFORM
    state[peak_weight(a) >= SATURATED_PEAK] = SoftmaxState.SATURATED
    state[np.abs(a.sum(axis=-1) - 1) > 1e-5] = SoftmaxState.NOT_A_DISTRIBUTION
    return state


def row_jacobian_norms(weights: ArrayLike) -> Floats:
    """Frobenius norm of each row's softmax Jacobian: 0 if one-hot, 0.5 at a tie of two."""
    norms: Floats = np.linalg.norm(softmax_jacobian(weights), axis=(-2, -1))
    return norms


def dead_rows(weights: ArrayLike) -> NDArray[np.intp]:
    """How many rows of each (T_q, T_k) table pass on almost no gradient (norm ≤ 0.05)."""
    return np.asarray((row_jacobian_norms(as_floats("weights", weights)) <= DEAD_NORM).sum(axis=-1))
