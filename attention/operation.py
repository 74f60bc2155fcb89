"""The whole operation on a batch of two sentences, narrow enough to print every matrix."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from attention.checks import Floats
from attention.core import softmax
from attention.embedding import embed
from attention.every_width import scores_at_every_width
from attention.layer import SelfAttention
from attention.tables import D_K_MAX

# The widths 2…16; a matrix of 16 columns can still be read.
OPERATION_WIDTHS = np.arange(2, 17)


@dataclass(frozen=True, eq=False)
class OperationTable:
    """Every matrix from X to the context.

    All arrays are float32. Axes: 15 widths d_k = 2…16; 2: scale off, on; a batch of 2:
    the sentence, and its tokens in reverse order. A head of width d_k has the first d_k
    columns of W_q, W_k, W_v, Q, K, V and of the context.

    Attributes
    ----------
    tokens : tuple of str
    reversed_tokens : tuple of str
    seed : int
    X : (2, T, 16) ndarray
    W_q, W_k, W_v : (16, 16) ndarray
    Q, K, V : (2, T, 16) ndarray
    scores, weights : (15, 2, 2, T, T) ndarray
        With the scale off, the scores are the raw scores.
    context : (15, 2, 2, T, 16) ndarray
        0 beyond d_k.
    """

    tokens: tuple[str, ...]
    reversed_tokens: tuple[str, ...]
    seed: int
    X: NDArray[np.float32]
    W_q: NDArray[np.float32]
    W_k: NDArray[np.float32]
    W_v: NDArray[np.float32]
    Q: NDArray[np.float32]
    K: NDArray[np.float32]
    V: NDArray[np.float32]
    scores: NDArray[np.float32]
    weights: NDArray[np.float32]
    context: NDArray[np.float32]


def operation_table(tokens: Sequence[str], seed: int) -> OperationTable:
    """Evaluate the layer on a sentence and its reverse, at the widths 2 to 16.

    Parameters
    ----------
    tokens : sequence of str
    seed : int
        0 to 2**32 - 1; draws embeddings and projections.

    Returns
    -------
    OperationTable
    """
    sentence = embed(tokens, seed)
    X = np.stack([sentence, sentence[::-1]])
    layer = SelfAttention.seeded(seed, width=D_K_MAX)
    n, widest = len(OPERATION_WIDTHS), int(OPERATION_WIDTHS[-1])
    scores = scores_at_every_width(X @ layer.W_q, X @ layer.W_k)[:n]
    weights = softmax(scores)
    matrices: dict[str, Floats] = {name: getattr(layer, name)[:, :widest] for name in ("W_q", "W_k", "W_v")}
    V = X @ matrices["W_v"]
    there = np.arange(widest) < OPERATION_WIDTHS[:, None, None, None, None]
    arrays = {
        "X": X,
        **matrices,
        "Q": X @ matrices["W_q"],
        "K": X @ matrices["W_k"],
        "V": V,
        "scores": scores,
        "weights": weights,
        "context": np.where(there, weights @ V, 0),
    }
    return OperationTable(
        tokens=tuple(tokens),
        reversed_tokens=tuple(tokens)[::-1],
        seed=int(seed),
        **{name: np.ascontiguousarray(array, dtype=np.float32) for name, array in arrays.items()},
    )
