"""Inside one score: from the components of a query and a key to a weight and a context.

What a reader may add up (fields that start with `shown_`) is rounded so that it adds up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from attention.checks import Floats
from attention.core import softmax
from attention.embedding import embed
from attention.every_width import DIVISORS, raw_scores_at_every_width, scores_at_every_width
from attention.layer import SelfAttention
from attention.rounding import shown_decimals, shown_running_sums, shown_total
from attention.tables import D_K_MAX, WIDTHS

# Context vectors are shown by their first components.
COMPONENTS = 8


@dataclass(frozen=True, eq=False)
class InsideTable:
    """Every number between a query, a key and what comes of them.

    All arrays are float32. Axes: 63 widths d_k = 2…64; 2: scale off, on; T queries; T
    keys; 64 components c, of which a head of width d_k has the first d_k.

    Attributes
    ----------
    tokens : tuple of str
    seed : int
    Q, K, V : (T, 64) ndarray
    products, running_sum : (T, T, 64) ndarray
        q_c · k_c, and the sum of the products up to and including c; the last one of a
        width is the raw score.
    shown_products, shown_running_sum : (T, T, 64) ndarray
        At 2 decimals; each product is the step from one running sum to the next.
    shown_raw : (63, T, T) ndarray
        The raw scores at 4 decimals, to be divided by `divisor`.
    divisor : (63, 2) ndarray
        What raw scores are divided by: 1 or √d_k.
    scores, weights : (63, 2, T, T) ndarray
    row_max : (63, 2, T) ndarray
        The largest score of each row.
    shown_scores, shown_shifted : (63, 2, T, T) ndarray
        At 4 decimals: scores, and shown scores less the largest shown one of the row.
    shown_exponentials : (63, 2, T, T) ndarray
        exp(score - row_max) at 4 decimals; a row adds up to `shown_row_sum`.
    shown_row_sum : (63, 2, T) ndarray
        At 4 decimals.
    shown_weights : (63, 2, T, T) ndarray
        At 4 decimals; a row adds up to 1.
    values : (T, 8) ndarray
        The first components of V.
    context : (63, 2, T, 8) ndarray
        The first components of the blend; 0 where the head is narrower.
    shown_contributions : (63, 2, T, T, 8) ndarray
        weight · value at 2 decimals, for each query, key and component; over the keys
        they add up to `shown_context`.
    shown_context : (63, 2, T, 8) ndarray
        At 2 decimals.
    """

    tokens: tuple[str, ...]
    seed: int
    Q: NDArray[np.float32]
    K: NDArray[np.float32]
    V: NDArray[np.float32]
    products: NDArray[np.float32]
    running_sum: NDArray[np.float32]
    shown_products: NDArray[np.float32]
    shown_running_sum: NDArray[np.float32]
    shown_raw: NDArray[np.float32]
    divisor: NDArray[np.float32]
    scores: NDArray[np.float32]
    weights: NDArray[np.float32]
    row_max: NDArray[np.float32]
    shown_scores: NDArray[np.float32]
    shown_shifted: NDArray[np.float32]
    shown_exponentials: NDArray[np.float32]
    shown_row_sum: NDArray[np.float32]
    shown_weights: NDArray[np.float32]
    values: NDArray[np.float32]
    context: NDArray[np.float32]
    shown_contributions: NDArray[np.float32]
    shown_context: NDArray[np.float32]


def inside_table(tokens: Sequence[str], seed: int) -> InsideTable:
    """Take every score of a sentence apart, at every width, without and with the scale.

    Parameters
    ----------
    tokens : sequence of str
    seed : int
        0 to 2**32 - 1; draws embeddings and projections.

    Returns
    -------
    InsideTable
    """
    X, layer = embed(tokens, seed), SelfAttention.seeded(seed, width=D_K_MAX)
    Q, K, V = X @ layer.W_q, X @ layer.W_k, X @ layer.W_v
    scores = scores_at_every_width(Q, K)
    arrays = {"Q": Q, "K": K, "V": V, **_dot_product(Q, K), "divisor": DIVISORS}
    arrays["shown_raw"] = shown_decimals(raw_scores_at_every_width(Q, K), 4)
    arrays |= {**_row_of_scores(scores), **_blend(softmax(scores), V)}
    return InsideTable(
        tokens=tuple(tokens),
        seed=int(seed),
        **{name: np.ascontiguousarray(array, dtype=np.float32) for name, array in arrays.items()},
    )


def _dot_product(Q: Floats, K: Floats) -> dict[str, Floats]:
    products = Q[:, None, :] * K[None, :, :]
    shown = shown_running_sums(products, 2)
    return {
        "products": products,
        "running_sum": np.cumsum(products, axis=-1),
        "shown_products": shown.addends,
        "shown_running_sum": shown.sums,
    }


def _row_of_scores(scores: Floats) -> dict[str, Floats]:
    """From the scores to the weights: (63, 2, T, T)."""
    row_max = scores.max(axis=-1)
    shown_scores = shown_decimals(scores, 4)
    exponentials = shown_total(np.exp(scores - row_max[..., None]), 4)
    weights = softmax(scores)
    return {
        "scores": scores,
        "row_max": row_max,
        "shown_scores": shown_scores,
        "shown_shifted": shown_decimals(shown_scores - shown_scores.max(axis=-1, keepdims=True), 4),
        "shown_exponentials": exponentials.addends,
        "shown_row_sum": exponentials.sums,
        "weights": weights,
        "shown_weights": shown_total(weights, 4).addends,
    }


def _blend(weights: Floats, V: Floats) -> dict[str, Floats]:
    """From weights (63, 2, T, T) and values to the first components of the context."""
    values = V[:, :COMPONENTS]
    there = np.arange(COMPONENTS) < WIDTHS[:, None, None, None]
    context = np.where(there, weights @ values, 0)
    # Keys last, because they are what is summed over.
    contributions = np.where(there[..., None], weights[..., None, :] * values.T, 0)
    shown = shown_total(contributions, 2)
    return {
        "values": values,
        "context": context,
        "shown_contributions": np.swapaxes(shown.addends, -1, -2),
        "shown_context": shown.sums,
    }
