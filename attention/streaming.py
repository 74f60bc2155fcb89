"""Attention one block of keys after another: the table of T × T weights is never built.

A running maximum and a running sum are enough to put the softmax together, which is
the idea of the online softmax and of FlashAttention (that one also splits the queries
into blocks, so that a block fits into a chip's fast memory).
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attention.checks import Floats, as_floats, as_whole
from attention.core import Scale, _check_fit, apply_mask, attend, scale_factor

MAX_BLOCK = 2**31 - 1


def attend_streaming(
    Q: ArrayLike,
    K: ArrayLike,
    V: ArrayLike,
    *,
    scale: Scale = "sqrt_d_k",
    mask: ArrayLike | Literal["causal"] | None = None,
    block: int = 128,
) -> Floats:
    """Compute the context of `attend` in memory that grows with T, not with T².

    Parameters
    ----------
    Q : (..., T_q, d_k) array_like
    K : (..., T_k, d_k) array_like
    V : (..., T_k, d_v) array_like
    scale
        As in `attend`.
    mask : "causal" or ndarray, optional
        An array as in `attend`. ``"causal"`` lets each token look at itself and at what
        came before it, and needs no array.
    block : int, optional
        How many keys are looked at together. Beside inputs and output, O(T_q · block)
        numbers are kept.

    Returns
    -------
    (..., T_q, d_v) ndarray
        The same as ``attend(...).context`` up to rounding.

    Raises
    ------
    ValueError
        As `attend`; also for a block below 1, or a causal mask when T_q is not T_k.
    """
    q, k, v = as_floats("Q", Q), as_floats("K", K), as_floats("V", V)
    _check_fit(q, k, v)
    block = as_whole("block", block, low=1, high=MAX_BLOCK)
    factor = scale_factor(scale, q.shape[-1])
    lead = np.broadcast_shapes(q.shape[:-2], k.shape[:-2])
    T_q, T_k = q.shape[-2], k.shape[-2]
    checked = _checked_mask(mask, (*lead, T_q, T_k))

    dtype = np.result_type(q, k)
    top = np.full((*lead, T_q, 1), -np.inf, dtype)
    total = np.zeros_like(top)
    blend = np.zeros((*np.broadcast_shapes(lead, v.shape[:-2]), T_q, v.shape[-1]), np.result_type(dtype, v))
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        for start in range(0, T_k, block):
            keys = slice(start, start + block)
            scores = _block_scores(q, k[..., keys, :], factor, _mask_of_block(checked, T_q, range(T_k)[keys]))
            new_top = np.maximum(top, scores.max(axis=-1, keepdims=True))
            # A row that has seen no key yet has no top; 0 keeps -inf - top from being NaN.
            anchor = np.where(np.isfinite(new_top), new_top, dtype.type(0))
            scores -= anchor
            shares = np.exp(scores)
            # All that was summed so far was measured from the old top.
            shrink = np.exp(top - anchor)
            total *= shrink
            total += shares.sum(axis=-1, keepdims=True)
            blend *= shrink
            blend += np.matmul(shares, v[..., keys, :])
            top = new_top
        context: Floats = blend / np.where(total == 0, dtype.type(1), total)
    if not np.isfinite(context).all():
        raise ValueError(f"the sum of the values overflows {context.dtype}: scale V down.")
    return context


def streaming_difference(Q: ArrayLike, K: ArrayLike, V: ArrayLike) -> float:
    """Measure how far the contexts of `attend_streaming` and `attend` are apart.

    Parameters
    ----------
    Q : (..., T_q, d_k) array_like
    K : (..., T_k, d_k) array_like
    V : (..., T_k, d_v) array_like

    Returns
    -------
    float
        The largest difference of two entries, over blocks of 1 to T_k keys.
    """
    context = attend(Q, K, V).context
    blocks = range(1, np.shape(K)[-2] + 1)
    return max(float(abs(attend_streaming(Q, K, V, block=block) - context).max()) for block in blocks)


def _block_scores(q: Floats, k: Floats, factor: float, mask: NDArray[Any] | None) -> Floats:
    """Scores of all queries with one block of keys, scaled and masked."""
    scaled = np.matmul(q, np.swapaxes(k, -1, -2))
    scaled *= factor
    scores = apply_mask(scaled, mask)
    # Only a mask may bring -inf in, as in `attend`.
    if not np.isfinite(scaled).all() or (mask is not None and (scores == np.inf).any()):
        raise ValueError(f"the scores overflow {scaled.dtype}: scale Q, K or the mask down.")
    return scores


def _checked_mask(mask: object, shape: tuple[int, ...]) -> NDArray[Any] | Literal["causal"] | None:
    """The mask as `apply_mask` would take it, checked against the whole table's shape."""
    if mask is None:
        return None
    if isinstance(mask, str):
        if mask != "causal":
            raise ValueError(f"mask is {mask!r}: use 'causal', an array or None.")
        if shape[-2] != shape[-1]:
            raise ValueError(
                f"mask is 'causal', but there are {shape[-2]} queries and {shape[-1]} keys: both need the same number."
            )
        return "causal"
    try:
        array: NDArray[Any] = np.asarray(mask)
    except ValueError as error:
        raise ValueError("mask is ragged: give every row the same length.") from error
    if array.dtype.kind == "f":
        array = as_floats("mask", array, min_ndim=0, allow_minus_inf=True)
    elif array.dtype.kind != "b":
        # One entry is enough for apply_mask to say what is wrong.
        apply_mask(np.zeros((1, 1)), array.reshape(-1)[:1])
    try:
        fits = np.broadcast_shapes(array.shape, shape) == shape
    except ValueError:
        fits = False
    if not fits:
        raise ValueError(f"mask is {array.shape} but the scores are {shape}: the mask has to broadcast to them.")
    return array


def _mask_of_block(mask: NDArray[Any] | Literal["causal"] | None, T_q: int, keys: range) -> NDArray[Any] | None:
    """The columns of a mask that belong to a block of keys."""
    if mask is None:
        return None
    if isinstance(mask, str):
        return np.arange(T_q)[:, None] >= np.arange(keys.start, keys.stop)
    if mask.ndim == 0 or mask.shape[-1] == 1:
        return mask
    return mask[..., keys.start : keys.stop]
