"""The law of √d_k: one draw beside many, at every width."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from attention.draws import DrawsTable
from attention.every_width import DIVISORS
from attention.faults import FAULTS
from attention.tables import lab_table


@dataclass(frozen=True, eq=False)
class VarianceTable:
    """Many draws of one sentence, and one draw of it to compare with them.

    Axes: 63 widths d_k = 2…64; 2: scale off, on; 3 quantiles: 5, 50, 95 %. All arrays
    are float32, but `peaked_draws`.

    Attributes
    ----------
    tokens : tuple of str
    seed, row : int
        Which draw, and which of its queries `peak` is about.
    n_draws : int
        How many draws the bands are made of.
    law : (63, 2) ndarray
        The standard deviation that theory expects: √d_k, and 1.
    deviation : (63, 2) ndarray
        The one measured over all pairs of all draws.
    spread_band, peak_band : (63, 2, 3) ndarray
        Score spread over draws; largest weight over all rows of all draws.
    spread, peak : (63, 2) ndarray
        Of this draw; the peak is that of its `row`.
    scores : (63, 2, T, T) ndarray
        Of this draw.
    peaked_draws : (63, 2) ndarray of int32
        How many draws have all their rows' peaks above 0.9.
    peaked_percent, dead_percent : (63, 2) ndarray
        Those draws in percent of all; dead rows in percent of all rows of all draws.
    raw_edges, scaled_edges : (65,) ndarray
    raw_density, scaled_density : (63, 64) ndarray
    raw_points, scaled_points : (129,) ndarray
    raw_normal : (63, 129) ndarray
    scaled_normal : (129,) ndarray
        Histograms and normal curves, as in `DrawsTable`.
    """

    tokens: tuple[str, ...]
    seed: int
    row: int
    n_draws: int
    law: NDArray[np.float32]
    deviation: NDArray[np.float32]
    spread_band: NDArray[np.float32]
    peak_band: NDArray[np.float32]
    spread: NDArray[np.float32]
    peak: NDArray[np.float32]
    scores: NDArray[np.float32]
    peaked_draws: NDArray[np.int32]
    peaked_percent: NDArray[np.float32]
    dead_percent: NDArray[np.float32]
    raw_edges: NDArray[np.float32]
    scaled_edges: NDArray[np.float32]
    raw_density: NDArray[np.float32]
    scaled_density: NDArray[np.float32]
    raw_points: NDArray[np.float32]
    scaled_points: NDArray[np.float32]
    raw_normal: NDArray[np.float32]
    scaled_normal: NDArray[np.float32]


SHARED = (
    ("spread_band", "peak_band", "raw_edges", "scaled_edges", "raw_density", "scaled_density")
    + ("raw_points", "scaled_points", "raw_normal", "scaled_normal")
)  # fmt: skip


def variance_table(draws: DrawsTable, seed: int, row: int) -> VarianceTable:
    """Put one draw beside many.

    Parameters
    ----------
    draws : DrawsTable
        Many draws; its tokens are the sentence.
    seed : int
        The one draw.
    row : int
        The query whose peak is followed, counted from 0.

    Returns
    -------
    VarianceTable
    """
    lab, healthy = lab_table(draws.tokens, seed), FAULTS.index("none")
    share = draws.all_rows_peaked.astype(np.float64)
    arrays = {
        "law": draws.expected_deviation[:, None] / DIVISORS,
        "deviation": draws.measured_deviation[:, None] / DIVISORS,
        "spread": lab.spread[:, healthy],
        "peak": lab.peak[:, healthy, :, row],
        "scores": lab.scores[:, healthy],
        "peaked_percent": 100 * share,
        "dead_percent": 100 * draws.dead_share.astype(np.float64),
        **{name: getattr(draws, name) for name in SHARED},
    }
    return VarianceTable(
        tokens=draws.tokens,
        seed=int(seed),
        row=int(row),
        n_draws=draws.n_draws,
        peaked_draws=np.rint(share * draws.n_draws).astype(np.int32),
        **{name: np.ascontiguousarray(array, dtype=np.float32) for name, array in arrays.items()},
    )
