"""The softmax Jacobian of every row at every width, held to finite differences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from attention.checks import Floats
from attention.core import softmax
from attention.diagnostics import DEAD_NORM
from attention.embedding import embed
from attention.every_width import scores_at_every_width
from attention.gradients import softmax_jacobian
from attention.layer import SelfAttention
from attention.tables import D_K_MAX

# A power of two, so that adding it to a score and dividing by it are exact. Larger
# steps leave curvature in the slope, smaller ones the rounding of the weights.
STEP = 2.0**-16


@dataclass(frozen=True, eq=False)
class GradientTable:
    """How much gradient each row's softmax lets through.

    Axes: 63 widths d_k = 2…64; 2: scale off, on; T rows.

    Attributes
    ----------
    tokens : tuple of str
    seed : int
    jacobian : (63, 2, T, T, T) ndarray of float32
        ``diag(a) - a aᵀ`` of each row: how weight i moves with score j.
    norm : (63, 2, T) ndarray of float32
        Its Frobenius norm, 0 to 0.5.
    dead : (63, 2, T) ndarray of uint8
        1 where the norm is at most 0.05.
    dead_rows : (63, 2) ndarray of int32
    finite_difference_error : (63, 2) ndarray of float32
        The largest absolute difference between an entry of `jacobian` and the slope
        that central differences of the softmax give, computed in float64.
    largest_finite_difference_error : () ndarray of float32
        Over all widths, without and with the scale.
    """

    tokens: tuple[str, ...]
    seed: int
    jacobian: NDArray[np.float32]
    norm: NDArray[np.float32]
    dead: NDArray[np.uint8]
    dead_rows: NDArray[np.int32]
    finite_difference_error: NDArray[np.float32]
    largest_finite_difference_error: NDArray[np.float32]


def gradient_table(tokens: Sequence[str], seed: int) -> GradientTable:
    """Compute every row's softmax Jacobian and check it.

    Parameters
    ----------
    tokens : sequence of str
    seed : int
        0 to 2**32 - 1; draws embeddings and projections.

    Returns
    -------
    GradientTable
    """
    X, layer = embed(tokens, seed), SelfAttention.seeded(seed, width=D_K_MAX)
    scores = scores_at_every_width(X @ layer.W_q, X @ layer.W_k)
    jacobian = softmax_jacobian(softmax(scores))
    norm = np.linalg.norm(jacobian, axis=(-2, -1))
    dead = norm <= DEAD_NORM
    error = abs(jacobian - central_differences(scores)).max(axis=(-3, -2, -1))
    return GradientTable(
        tokens=tuple(tokens),
        seed=int(seed),
        jacobian=jacobian.astype(np.float32),
        norm=norm.astype(np.float32),
        dead=dead.astype(np.uint8),
        dead_rows=dead.sum(axis=-1, dtype=np.int32),
        finite_difference_error=error.astype(np.float32),
        largest_finite_difference_error=np.asarray(error.max(), dtype=np.float32),
    )


def central_differences(scores: Floats) -> Floats:
    """The slope of each weight with each score of its row, by trying it out.

    Parameters
    ----------
    scores : (..., T) ndarray

    Returns
    -------
    (..., T, T) ndarray
        Weights along the first of the two, scores along the second.
    """
    # Softmax does not mind a shift; near 0 the steps are not rounded away.
    shifted = (scores - scores.max(axis=-1, keepdims=True))[..., None, :]
    steps = STEP * np.eye(scores.shape[-1])
    # Row j of these has score j moved.
    slopes = (softmax(shifted + steps) - softmax(shifted - steps)) / (2 * STEP)
    return np.swapaxes(slopes, -1, -2)
