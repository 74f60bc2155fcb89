"""Medians, percentiles and how numbers are printed."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from statistics import median


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least `share` of the values do not exceed."""
    return sorted(values)[max(0, ceil(len(values) * share) - 1)]


def number(value: float) -> str:
    """Three figures, and no more decimals than they need."""
    if abs(value) >= 100:
        return f"{value:.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def median_and_p95(values: Sequence[float]) -> str:
    """For a cell of the table; says so when nothing could be measured."""
    return f"{number(median(values))} / {number(percentile(values, 0.95))}" if values else "none"
