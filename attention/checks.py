"""Checks at the door of the core: what came, what was wanted, what to do."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating[Any]]


def as_floats(name: str, value: object, *, min_ndim: int = 2, allow_minus_inf: bool = False) -> Floats:
    """Turn an argument into an array of floats, or say why it cannot be one.

    Parameters
    ----------
    name : str
        The argument's name, for the message.
    value : array_like
        What the caller passed. It is never changed; float32 stays float32.
    min_ndim : int, optional
        The fewest axes that make sense.
    allow_minus_inf : bool, optional
        Scores and masks may hold ``-inf`` ("never look here").

    Returns
    -------
    ndarray of float32 or float64

    Raises
    ------
    ValueError
        For non-numeric, ragged, empty, too flat or non-finite input.
    """
    try:
        array = np.asarray(value)
    except ValueError as error:
        raise ValueError(f"{name} is ragged: give every row the same length.") from error
    if array.dtype.kind not in "iuf":
        raise ValueError(
            f"{name} holds {array.dtype} values: real numbers are needed. "
            f"Convert it with np.asarray({name}, dtype=float)."
        )
    if array.ndim < min_ndim:
        raise ValueError(
            f"{name} has shape {array.shape}: at least {min_ndim} {'axis is' if min_ndim == 1 else 'axes are'} needed."
        )
    if array.size == 0:
        raise ValueError(f"{name} is empty, shape {array.shape}: every axis needs at least one entry.")
    # Half precision is too narrow for scores, and integers have no fractions.
    floats = array.astype(np.result_type(array.dtype, np.float32), copy=False)
    bad = ~np.isfinite(floats)
    if allow_minus_inf:
        bad &= floats != -np.inf
    if bad.any():
        first = tuple(int(i) for i in np.argwhere(bad)[0])
        wanted = "finite numbers or -inf" if allow_minus_inf else "finite numbers"
        raise ValueError(f"{name}{list(first)} is {floats[first]}: only {wanted} can be used.")
    return floats


def as_whole(name: str, value: object, *, low: int, high: int) -> int:
    """Turn an argument into an integer within bounds, both included.

    Raises
    ------
    ValueError
        If it is no whole number or lies outside the bounds.
    """
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | np.integer):
        raise ValueError(f"{name} is {value!r}: a whole number from {low} to {high} is needed.")
    if not low <= value <= high:
        raise ValueError(f"{name} is {value}: it has to lie from {low} to {high}.")
    return int(value)
