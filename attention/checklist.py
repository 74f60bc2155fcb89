"""The five lines that a right layer keeps, each told from the arrays themselves."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from attention.checks import Floats
from attention.layer import LayerTrace, SelfAttention

CHECKS = ("three_matrices", "scaled_scores", "row_sums", "blends_values", "context_shape")

Truths = NDArray[np.bool_]

# Far above the rounding of float64, far below what any fault changes.
RTOL, ATOL = 1e-9, 1e-12


def check_layer(layer: SelfAttention, trace: LayerTrace) -> Truths:
    """Check one evaluation.

    Parameters
    ----------
    layer : SelfAttention
        The layer with the matrices that were used.
    trace : LayerTrace
        What it computed, as it stands, for X of shape (T, d_model).

    Returns
    -------
    (5,) ndarray of bool
        In the order of `CHECKS`.
    """
    (T, d_model), d_k = trace.X.shape, trace.Q.shape[-1]
    matrices = (layer.W_q, layer.W_k, layer.W_v)
    fits = all(W.shape == (d_model, d_k) for W in matrices)
    # What was blended is told by the result: the weights times the values, or something else.
    values = np.matmul(trace.weights, trace.V)
    blends = trace.context.shape == values.shape and bool(np.isclose(trace.context, values, RTOL, ATOL).all())
    return np.array(
        [
            fits and bool(distinct_by_width(*matrices)[-1]),
            bool(scaled_by_root(trace.scores, trace.raw_scores, d_k)),
            bool(rows_sum_to_one(trace.weights)),
            blends,
            trace.context.shape == (T, d_k),
        ]
    )


def distinct_by_width(*matrices: Floats) -> Truths:
    """Whether any two of the matrices differ within their first 1, 2, … columns: (columns,)."""
    pairs = [(a, b) for i, a in enumerate(matrices) for b in matrices[i + 1 :]]
    differ = np.stack([(a != b).any(axis=0) for a, b in pairs])
    return np.asarray(np.logical_or.accumulate(differ, axis=-1).all(axis=0))


def scaled_by_root(scores: Floats, raw_scores: Floats, d_k: int | NDArray[np.int_]) -> Truths:
    """Whether scores (…, T, T) are the raw ones over √d_k; `d_k` has the leading axes: (…)."""
    wanted = raw_scores / np.sqrt(d_k)[..., None, None]
    close = np.asarray(np.abs(scores - wanted) <= ATOL + RTOL * np.abs(wanted))
    return np.asarray(close.all(axis=(-2, -1)))


def rows_sum_to_one(weights: Floats) -> Truths:
    """Whether every row of weights (…, T, T) is a distribution: (…)."""
    return np.asarray((np.abs(weights.sum(axis=-1) - 1) <= RTOL).all(axis=-1))


def same_by_width(blended: Floats, V: Floats) -> Truths:
    """Whether two matrices of values agree in their first 1, 2, … columns: (columns that both have,)."""
    shared = min(blended.shape[1], V.shape[1])
    same = np.isclose(blended[:, :shared], V[:, :shared], RTOL, ATOL).all(axis=0)
    every: Truths = np.logical_and.accumulate(same)
    return every
