"""Rounded numbers that still add up: what a reader can check with a pencil.

Rounding each number by itself leaves sums that are off in the last digit. Here a sum
is rounded from its true value, and the addends give way: none by a whole unit of the
last digit.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from attention.checks import Floats


class Shown(NamedTuple):
    """Addends and sums that agree to the last digit shown.

    Attributes
    ----------
    addends : (..., n) ndarray
    sums : ndarray
        (..., n) for running sums, (...) for totals.
    """

    addends: Floats
    sums: Floats


def shown_decimals(values: Floats, decimals: int) -> Floats:
    """Round to a number of decimals, without a negative zero."""
    rounded: Floats = np.round(values, decimals) + 0.0
    return rounded


def shown_running_sums(addends: Floats, decimals: int) -> Shown:
    """Round running sums along the last axis; an addend is the step from one to the next.

    Parameters
    ----------
    addends : (..., n) ndarray
    decimals : int

    Returns
    -------
    Shown
        `sums` is (..., n), each the rounded true running sum.
    """
    units = np.rint(np.cumsum(addends, axis=-1) * 10.0**decimals) + 0.0
    steps = np.diff(units, axis=-1, prepend=0)
    return Shown(steps / 10.0**decimals, units / 10.0**decimals)


def shown_total(addends: Floats, decimals: int) -> Shown:
    """Round a total over the last axis; the addends furthest above a digit are rounded up.

    This is the method of the largest remainder, known from seats in parliaments. An
    addend that needs no rounding keeps its value.

    Parameters
    ----------
    addends : (..., n) ndarray
    decimals : int

    Returns
    -------
    Shown
        `sums` is (...), the rounded true total.
    """
    units = addends * 10.0**decimals
    down = np.floor(units)
    total = np.rint(units.sum(axis=-1)) + 0.0
    missing = total - down.sum(axis=-1)
    largest_first = np.argsort(down - units, axis=-1, kind="stable")
    rank = np.argsort(largest_first, axis=-1, kind="stable")
    shown = down + (rank < missing[..., None])
    return Shown(shown / 10.0**decimals, total / 10.0**decimals)
