"""One vector in three jobs, and three projections in one each.

Lesson 04 scores embeddings with themselves: the table is symmetric and there is
nothing to learn. Queries and keys break the symmetry, and each draw of projections
breaks it in another way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from attention.checks import Floats, as_whole
from attention.core import attend, softmax
from attention.embedding import MAX_SEED, embed
from attention.layer import SelfAttention
from attention.tables import D_K_MAX

MAX_DRAWS = 1000


@dataclass(frozen=True, eq=False)
class ThreeJobsTable:
    """Attention without projections beside attention with several draws of them.

    Attributes
    ----------
    tokens : tuple of str
    seeds : tuple of int
        One for each draw of projections; the embeddings are those of the first.
    d_k : int
    raw_scores, raw_weights : (T, T) ndarray of float32
        ``X @ X.T`` and its softmax: no projections, no scale, as in lesson 04.
    scores, weights : (draws, T, T) ndarray of float32
        With projections, scores divided by √d_k.
    raw_difference : (T, T) ndarray of float32
        The score of a pair less the score of the swapped pair; all zeros.
    difference : (draws, T, T) ndarray of float32
    raw_asymmetry : () ndarray of float32
        The largest absolute difference: 0.
    asymmetry : (draws,) ndarray of float32
    asymmetric_pair : (draws, 2) ndarray of uint8
        The two tokens whose scores differ most, in the order of the sentence.
    """

    tokens: tuple[str, ...]
    seeds: tuple[int, ...]
    d_k: int
    raw_scores: NDArray[np.float32]
    raw_weights: NDArray[np.float32]
    scores: NDArray[np.float32]
    weights: NDArray[np.float32]
    raw_difference: NDArray[np.float32]
    difference: NDArray[np.float32]
    raw_asymmetry: NDArray[np.float32]
    asymmetry: NDArray[np.float32]
    asymmetric_pair: NDArray[np.uint8]


def three_jobs_table(tokens: Sequence[str], seed: int, draws: int = 10, d_k: int = 8) -> ThreeJobsTable:
    """Score the same embeddings without projections and with several draws of them.

    Parameters
    ----------
    tokens : sequence of str
    seed : int
        Draws embeddings and the first projections. The next draws of projections take
        seed + 1, seed + 2, …; after 2**32 - 1 comes 0.
    draws : int, optional
    d_k : int, optional
        2 to 64.

    Returns
    -------
    ThreeJobsTable
    """
    X = embed(tokens, seed)
    as_whole("draws", draws, low=1, high=MAX_DRAWS)
    seeds = tuple((int(seed) + i) % (MAX_SEED + 1) for i in range(draws))
    layers = [SelfAttention.seeded(each, width=D_K_MAX).narrow(d_k) for each in seeds]
    Q, K = (X @ np.stack([getattr(layer, name) for layer in layers]) for name in ("W_q", "W_k"))
    trace = attend(Q, K, K)
    raw_scores = X @ X.T
    raw_difference, difference = _swapped_difference(raw_scores), _swapped_difference(trace.scores)
    return ThreeJobsTable(
        tokens=tuple(tokens),
        seeds=seeds,
        d_k=int(d_k),
        raw_scores=raw_scores.astype(np.float32),
        raw_weights=softmax(raw_scores).astype(np.float32),
        scores=trace.scores.astype(np.float32),
        weights=trace.weights.astype(np.float32),
        raw_difference=raw_difference.astype(np.float32),
        difference=difference.astype(np.float32),
        raw_asymmetry=np.asarray(abs(raw_difference).max(), dtype=np.float32),
        asymmetry=abs(difference).max(axis=(-2, -1)).astype(np.float32),
        asymmetric_pair=_most_different(difference).astype(np.uint8),
    )


def _swapped_difference(scores: Floats) -> Floats:
    """S_ij - S_ji for every pair."""
    return scores - np.swapaxes(scores, -1, -2)


def _most_different(difference: Floats) -> NDArray[np.int64]:
    """The pair (i, j), i <= j, with the largest absolute difference of each draw: (draws, 2)."""
    T = difference.shape[-1]
    above = np.triu(abs(difference)).reshape(-1, T * T)
    return np.stack(np.unravel_index(above.argmax(axis=-1), (T, T)), axis=-1)
