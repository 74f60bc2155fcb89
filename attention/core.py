"""Scaled dot-product attention, one step after another.

Everywhere in this package a row is a query (the token that looks) and a column is a
key (the token it looks at). Arrays may carry any leading axes (batch, heads) before
the last two.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attention.checks import Floats, as_floats

Scale = Literal["sqrt_d_k", "none", "d_k"] | float
SCALES = ("sqrt_d_k", "none", "d_k")


@dataclass(frozen=True, eq=False)
class AttentionTrace:
    """Every step of one evaluation; the lesson is about the steps.

    Attributes
    ----------
    raw_scores : (..., T_q, T_k) ndarray
        ``Q @ K.T``.
    scores : (..., T_q, T_k) ndarray
        What enters the softmax: raw scores, scaled, then masked.
    weights : (..., T_q, T_k) ndarray
        Softmax of `scores` along the keys; each row sums to 1.
    context : (..., T_q, d_v) ndarray
        ``weights @ V``.
    """

    raw_scores: Floats
    scores: Floats
    weights: Floats
    context: Floats


def softmax(scores: ArrayLike, axis: int = -1) -> Floats:
    """Turn scores into shares that sum to 1 along an axis.

    Parameters
    ----------
    scores : array_like
        Finite numbers of any size; ``-inf`` means "never" and gets exactly 0.
    axis : int, optional
        The axis that is normalised; the last one holds the keys.

    Returns
    -------
    ndarray
        Same shape. Where every entry along the axis is ``-inf`` all shares are 0.

    Raises
    ------
    ValueError
        For non-numeric or empty input, NaN, ``+inf``, or an axis that is not there.
    """
    s = as_floats("scores", scores, min_ndim=1, allow_minus_inf=True)
    if isinstance(axis, bool) or not isinstance(axis, int | np.integer) or not -s.ndim <= axis < s.ndim:
        raise ValueError(f"axis is {axis!r}, but scores has {s.ndim} axes: use {-s.ndim} to {s.ndim - 1}.")
    top = s.max(axis=axis, keepdims=True)
    # A row that hides everything has no top; 0 keeps -inf - top from being NaN.
    top = np.where(np.isfinite(top), top, s.dtype.type(0))
    # The largest exponent is 0, so exp cannot overflow; far below it, 0 is the right answer.
    with np.errstate(over="ignore", under="ignore"):
        # In place, because each array of a long sequence's size costs more time than what is computed in it.
        shares: Floats = s - top
        np.exp(shares, out=shares)
        total = shares.sum(axis=axis, keepdims=True)
        shares /= np.where(total == 0, s.dtype.type(1), total)
    return shares


def scale_factor(scale: Scale, d_k: int) -> float:
    """The number that multiplies the raw scores.

    Parameters
    ----------
    scale : {"sqrt_d_k", "none", "d_k"} or float
        What the raw scores are divided by, or the factor itself.
    d_k : int
        Width of queries and keys.

    Raises
    ------
    ValueError
        For an unknown name or a factor that is not finite.
    """
    if isinstance(scale, str):
        factors = {"sqrt_d_k": 1 / float(np.sqrt(d_k)), "none": 1.0, "d_k": 1 / d_k}
        if scale in factors:
            return factors[scale]
    elif isinstance(scale, int | float | np.integer | np.floating) and not isinstance(scale, bool):
        if abs(scale) < 1e300:  # also refuses NaN, infinity and integers that no float holds
            return float(scale)
    raise ValueError(f"scale is {scale!r}: use one of {', '.join(map(repr, SCALES))} or a finite number.")


def apply_mask(scores: Floats, mask: ArrayLike | None) -> Floats:
    """Hide keys from queries.

    Parameters
    ----------
    scores : (..., T_q, T_k) ndarray
    mask : ndarray or None
        Boolean: True where the query in that row may look at the key in that
        column. Float: added to the scores. Broadcast over leading axes.

    Raises
    ------
    ValueError
        If the mask is neither boolean nor float, or does not fit the scores.
    """
    if mask is None:
        return scores
    try:
        m: NDArray[Any] = np.asarray(mask)
    except ValueError as error:
        raise ValueError("mask is ragged: give every row the same length.") from error
    if m.dtype.kind == "f":
        m = as_floats("mask", m, min_ndim=0, allow_minus_inf=True)
    elif m.dtype.kind != "b":
        raise ValueError(
            f"mask holds {m.dtype} values: use booleans (True = may look) or floats that are added to the scores."
        )
    try:
        fits = np.broadcast_shapes(m.shape, scores.shape) == scores.shape
    except ValueError:
        fits = False
    if not fits:
        raise ValueError(f"mask is {m.shape} but the scores are {scores.shape}: the mask has to broadcast to them.")
    if m.dtype.kind == "b":
        return np.where(m, scores, scores.dtype.type(-np.inf))
    masked: Floats = scores + m.astype(scores.dtype)
    return masked


def causal_mask(T: int) -> NDArray[np.bool_]:
    """Let each token look at itself and at what came before it.

    Parameters
    ----------
    T : int
        Number of tokens.

    Returns
    -------
    (T, T) ndarray of bool
        True on and below the diagonal.
    """
    if isinstance(T, bool) or not isinstance(T, int | np.integer) or T < 1:
        raise ValueError(f"T is {T!r}: a whole number of tokens, at least 1, is needed.")
    return np.tri(int(T), dtype=bool)


def attend(
    Q: ArrayLike, K: ArrayLike, V: ArrayLike, *, scale: Scale = "sqrt_d_k", mask: ArrayLike | None = None
) -> AttentionTrace:
    """Mix the values by how well each query matches each key.

    Parameters
    ----------
    Q : (..., T_q, d_k) array_like
        Queries.
    K : (..., T_k, d_k) array_like
        Keys.
    V : (..., T_k, d_v) array_like
        Values.
    scale : {"sqrt_d_k", "none", "d_k"} or float, optional
        What the raw scores are divided by; a float multiplies them.
    mask : ndarray, optional
        Boolean (True = may look) or float (added), broadcast to (..., T_q, T_k).
        A query that may look nowhere gets weights and a context of zeros.

    Returns
    -------
    AttentionTrace
        `weights` has rows that sum to 1; `context` is (..., T_q, d_v).

    Raises
    ------
    ValueError
        If shapes do not fit, values are not finite numbers, or scores overflow.

    References
    ----------
    Vaswani et al., "Attention Is All You Need" (2017), section 3.2.1.
    """
    q, k, v = as_floats("Q", Q), as_floats("K", K), as_floats("V", V)
    _check_fit(q, k, v)
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        raw_scores = np.matmul(q, np.swapaxes(k, -1, -2))
        scaled = raw_scores * scale_factor(scale, q.shape[-1])
        scores = apply_mask(scaled, mask)
    # Only a mask may bring -inf in: an overflow that did so would hide the key unasked.
    if not np.isfinite(scaled).all() or (scores == np.inf).any():
        raise ValueError(f"the scores overflow {raw_scores.dtype}: scale Q, K or the mask down.")
    weights = softmax(scores)
    return AttentionTrace(raw_scores, scores, weights, np.matmul(weights, v))


def _check_fit(q: Floats, k: Floats, v: Floats) -> None:
    if q.shape[-1] != k.shape[-1]:
        raise ValueError(
            f"Q is {q.shape} but K is {k.shape}: queries and keys need the same last size, d_k. "
            "Project both with the same d_k."
        )
    if k.shape[-2] != v.shape[-2]:
        raise ValueError(f"K is {k.shape} but V is {v.shape}: each key needs one value, so T_k has to agree.")
    try:
        np.broadcast_shapes(q.shape[:-2], k.shape[:-2], v.shape[:-2])
    except ValueError as error:
        raise ValueError(
            f"Q is {q.shape}, K is {k.shape}, V is {v.shape}: the leading axes (batch, heads) have to broadcast."
        ) from error
