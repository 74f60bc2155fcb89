"""Heads that were trained, with the scale they were trained with and with it taken away."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attention.checks import Floats, as_floats
from attention.core import softmax
from attention.diagnostics import DEAD_NORM, SATURATED_PEAK, row_jacobian_norms, score_spread, softmax_state


@dataclass(frozen=True, eq=False)
class HeadsTable:
    """All heads of a model for one sentence.

    Axes: L layers; H heads; 2: scale taken away, scale as trained (÷√d_k). A row is
    saturated if its peak is at least 0.95, dead if its softmax Jacobian has a norm of at
    most 0.05.

    Attributes
    ----------
    scores, weights : (L, H, 2, T, T) ndarray of float32
        Row = query, column = key.
    peak, norm : (L, H, 2, T) ndarray of float32
        Largest weight and softmax Jacobian norm of each row.
    peak_key : (L, H, 2, T) ndarray of uint8
        Where the largest weight is; the first of equals.
    row_sum : (L, H, 2, T) ndarray of float32
    state : (L, H, 2, T) ndarray of uint8
        A `SoftmaxState`.
    saturated_rows, dead_rows : (L, H, 2) ndarray of int32
    spread : (L, H, 2) ndarray of float32
    saturated_share, dead_share, mean_peak : (2,) ndarray of float32
        Over all rows of all heads.
    median_spread : (2,) ndarray of float32
        Over all heads.
    saturated_heads, dead_heads : (2, T + 1) ndarray of int32
        How many heads have 0, 1, … T such rows.
    """

    scores: NDArray[np.float32]
    weights: NDArray[np.float32]
    peak: NDArray[np.float32]
    norm: NDArray[np.float32]
    peak_key: NDArray[np.uint8]
    row_sum: NDArray[np.float32]
    state: NDArray[np.uint8]
    saturated_rows: NDArray[np.int32]
    dead_rows: NDArray[np.int32]
    spread: NDArray[np.float32]
    saturated_share: NDArray[np.float32]
    dead_share: NDArray[np.float32]
    mean_peak: NDArray[np.float32]
    median_spread: NDArray[np.float32]
    saturated_heads: NDArray[np.int32]
    dead_heads: NDArray[np.int32]


def trained_heads_table(Q: ArrayLike, K: ArrayLike) -> HeadsTable:
    """Evaluate every head with and without the scale; nothing else changes.

    Parameters
    ----------
    Q, K : (L, H, T, d_k) array_like
        Queries and keys of every head.

    Returns
    -------
    HeadsTable

    Raises
    ------
    ValueError
        If an array is no array of finite numbers, or the shapes are not the same.
    """
    q, k = (as_floats(name, value, min_ndim=4).astype(np.float64) for name, value in (("Q", Q), ("K", K)))
    if q.ndim != 4 or q.shape != k.shape:
        raise ValueError(f"Q is {q.shape} and K is {k.shape}: both need the shape (layers, heads, T, d_k).")
    raw = np.matmul(q, np.swapaxes(k, -1, -2))
    scores = np.stack([raw, raw / np.sqrt(q.shape[-1])], axis=2)
    weights = softmax(scores)
    peak, norm, spread = weights.max(axis=-1), row_jacobian_norms(weights), score_spread(scores)
    saturated, dead = peak >= SATURATED_PEAK, norm <= DEAD_NORM
    return HeadsTable(
        scores=scores.astype(np.float32),
        weights=weights.astype(np.float32),
        peak=peak.astype(np.float32),
        norm=norm.astype(np.float32),
        peak_key=weights.argmax(axis=-1).astype(np.uint8),
        row_sum=weights.sum(axis=-1).astype(np.float32),
        state=softmax_state(weights),
        saturated_rows=saturated.sum(axis=-1, dtype=np.int32),
        dead_rows=dead.sum(axis=-1, dtype=np.int32),
        spread=spread.astype(np.float32),
        saturated_share=_over_all_rows(saturated),
        dead_share=_over_all_rows(dead),
        mean_peak=_over_all_rows(peak),
        median_spread=np.median(spread, axis=(0, 1)).astype(np.float32),
        saturated_heads=_heads_by_count(saturated),
        dead_heads=_heads_by_count(dead),
    )


def _over_all_rows(rows: Floats | NDArray[np.bool_]) -> NDArray[np.float32]:
    """Mean over layers, heads and rows: (L, H, 2, T) to (2,)."""
    mean: NDArray[np.float32] = rows.mean(axis=(0, 1, 3), dtype=np.float64).astype(np.float32)
    return mean


def _heads_by_count(rows: NDArray[np.bool_]) -> NDArray[np.int32]:
    """How many heads have 0, 1, … T such rows: (L, H, 2, T) to (2, T + 1)."""
    possible = np.arange(rows.shape[-1] + 1)
    heads: NDArray[np.int32] = (rows.sum(axis=-1)[..., None] == possible).sum(axis=(0, 1), dtype=np.int32)
    return heads
