"""Whether something grows: a straight line through samples, with how sure its slope is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

# Of a normal distribution; below some 30 samples the interval would be too narrow.
SURE = 1.96
LEAST = 30
# What a verdict calls flat: less than this share of the level in an hour.
FLAT = 0.02


@dataclass(frozen=True)
class Trend:
    """The line's level in the middle, and its slope with half of the 95 % interval, both an hour."""

    level: float
    slope: float
    half: float
    samples: int

    @property
    def verdict(self) -> str:
        """In words; what is not known is not called flat."""
        if self.samples < LEAST:
            return f"too few samples ({self.samples})"
        low, high, small = self.slope - self.half, self.slope + self.half, FLAT * abs(self.level)
        if max(abs(low), abs(high)) <= small:
            return "flat"
        if low <= 0 <= high:
            return "no slope seen" if self.half <= 10 * small else "too short to tell"
        return "grows" if low > 0 else "falls"


def trend(times_s: Sequence[float], values: Sequence[float]) -> Trend:
    """Least squares; neighbours that are alike count as fewer samples.

    Parameters
    ----------
    times_s : sequence of float
        When the samples were taken, in seconds.
    values : sequence of float
        As many.
    """
    t, y = np.asarray(times_s) / 3600, np.asarray(values)
    n = len(t)
    if n < 3:
        return Trend(float(y.mean()) if n else 0.0, 0.0, float("inf"), n)
    away = t - t.mean()
    slope = (away @ y) / (away @ away)
    rest = y - y.mean() - slope * away
    spread = rest @ rest
    alike = (rest[1:] @ rest[:-1]) / spread if spread else 0.0
    # So many independent samples say as much as these, whose neighbours are alike.
    free = n * (1 - max(0.0, alike)) / (1 + max(0.0, alike))
    error = sqrt(spread / (n - 2) / (away @ away) * n / max(1.0, free))
    return Trend(float(y.mean()), float(slope), SURE * error, n)
