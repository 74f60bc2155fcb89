"""Histograms of many scores at every width, and the normal curves that theory lays over them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from attention.checks import Floats

BINS, POINTS = 64, 129
# The bins run from -limit to limit: raw scores in steps of 1, scaled scores in steps of 0.125.
RAW_LIMIT, SCALED_LIMIT = 32.0, 4.0


def bin_edges(limit: float) -> Floats:
    """Where the bins meet: (65,)."""
    return np.linspace(-limit, limit, BINS + 1)


def curve_points(limit: float) -> Floats:
    """Where the curve is evaluated: (129,), at the bins' edges and in their middles."""
    return np.linspace(-limit, limit, POINTS)


def bin_counts(values: Floats, limit: float) -> NDArray[np.int64]:
    """How many values of each row fall into each bin.

    Parameters
    ----------
    values : (n, ...) ndarray
        One histogram for each entry of the first axis.
    limit : float

    Returns
    -------
    (n, 66) ndarray of int64
        The first and the last column count what lies outside.
    """
    steps = np.floor(values.reshape(len(values), -1) * (BINS / (2 * limit)))
    columns = np.clip(steps + BINS // 2 + 1, 0, BINS + 1).astype(np.intp)
    columns += np.arange(len(values))[:, None] * (BINS + 2)
    counts = np.bincount(columns.ravel(), minlength=len(values) * (BINS + 2))
    return counts.reshape(len(values), BINS + 2).astype(np.int64)


def density(counts: NDArray[np.int64], limit: float) -> tuple[Floats, Floats]:
    """Heights of the bars and the share outside.

    Parameters
    ----------
    counts : (n, 66) ndarray
        From `bin_counts`.
    limit : float

    Returns
    -------
    bars : (n, 64) ndarray
        Times the bins' width they sum to 1 less the share outside.
    outside : (n,) ndarray
    """
    shares = counts / counts.sum(axis=1, keepdims=True)
    return shares[:, 1:-1] * (BINS / (2 * limit)), shares[:, 0] + shares[:, -1]


def normal_density(deviation: Floats, limit: float) -> Floats:
    """The normal curve around 0: deviations (...,) to heights (..., 129)."""
    standardized = curve_points(limit) / deviation[..., None]
    heights: Floats = np.exp(-(standardized**2) / 2) / (np.sqrt(2 * np.pi) * deviation[..., None])
    return heights
