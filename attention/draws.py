"""What many draws of embeddings and projections give: the bands behind a single draw.

One draw is one draw: its spread and peaks do not climb evenly with d_k. What the
lesson says about the scale is true of many draws, and is counted here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from attention.checks import Floats
from attention.diagnostics import DEAD_NORM
from attention.embedding import embed
from attention.histograms import RAW_LIMIT, SCALED_LIMIT, bin_edges, curve_points, density, normal_density
from attention.layer import SelfAttention
from attention.sampling import GRADIENT_WIDTHS, Sample, query_gradient_norms, sample_every_width
from attention.tables import D_K_MAX, WIDTHS

SEEDS = range(400)
QUANTILES = (0.05, 0.5, 0.95)
HIGH_PEAK = 0.9


@dataclass(frozen=True, eq=False)
class DrawsTable:
    """Read-outs over many draws, for the tokens of one sentence.

    Axes: 63 widths d_k = 2…64; 2: scale off, on; 3 quantiles: 5, 50, 95 %. All arrays
    are float32, but `gradient_widths`.

    Attributes
    ----------
    tokens : tuple of str
    n_draws : int
    spread_band : (63, 2, 3) ndarray
        Score spread, over draws.
    peak_band, norm_band : (63, 2, 3) ndarray
        Largest weight and softmax Jacobian norm of a row, over all rows of all draws.
    norm_median_of_draws : (63, 2) ndarray
        Median over draws of the draw's median row norm.
    all_rows_peaked : (63, 2) ndarray
        Share of draws in which every row has a peak above 0.9.
    dead_band : (63, 2, 3) ndarray
        How many rows of a draw are dead, over draws.
    dead_share : (63, 2) ndarray
        Share of all rows that are dead.
    expected_deviation, measured_deviation : (63,) ndarray
        Of q·k: √d_k, and over all pairs of all draws.
    raw_edges, scaled_edges : (65,) ndarray
        Where the bins of the histograms meet: steps of 1, steps of 0.125.
    raw_density, scaled_density : (63, 64) ndarray
        Heights of the bars of q·k and of q·k / √d_k.
    outside : (63, 2) ndarray
        Share of raw and of scaled scores that lie beyond the bins.
    raw_points, scaled_points : (129,) ndarray
    raw_normal : (63, 129) ndarray
        Normal curve of standard deviation √d_k at `raw_points`.
    scaled_normal : (129,) ndarray
        Normal curve of standard deviation 1 at `scaled_points`.
    gradient_widths : (3,) ndarray of int32
        The widths of the next three: 4, 16, 64.
    gradient_mean : (3, 2) ndarray
        Mean over draws of the norm of dL/dW_q, for the loss of the previous-token task
        (see `attention.training`) before any training.
    gradient_band : (3, 2, 3) ndarray
    gradient_ratio : (3,) ndarray
        Mean without the scale over mean with it.
    """

    tokens: tuple[str, ...]
    n_draws: int
    spread_band: NDArray[np.float32]
    peak_band: NDArray[np.float32]
    norm_band: NDArray[np.float32]
    norm_median_of_draws: NDArray[np.float32]
    all_rows_peaked: NDArray[np.float32]
    dead_band: NDArray[np.float32]
    dead_share: NDArray[np.float32]
    expected_deviation: NDArray[np.float32]
    measured_deviation: NDArray[np.float32]
    raw_edges: NDArray[np.float32]
    scaled_edges: NDArray[np.float32]
    raw_density: NDArray[np.float32]
    scaled_density: NDArray[np.float32]
    outside: NDArray[np.float32]
    raw_points: NDArray[np.float32]
    scaled_points: NDArray[np.float32]
    raw_normal: NDArray[np.float32]
    scaled_normal: NDArray[np.float32]
    gradient_widths: NDArray[np.int32]
    gradient_mean: NDArray[np.float32]
    gradient_band: NDArray[np.float32]
    gradient_ratio: NDArray[np.float32]


def many_draws(tokens: Sequence[str], seeds: Sequence[int] = SEEDS) -> DrawsTable:
    """Draw again and again, and count.

    Parameters
    ----------
    tokens : sequence of str
    seeds : sequence of int, optional
        One draw each, of embeddings and projections, as `embed` and
        `SelfAttention.seeded` make them.

    Returns
    -------
    DrawsTable
    """
    if len(seeds) == 0:
        raise ValueError("seeds is empty: give at least one seed.")
    X = np.stack([embed(tokens, seed) for seed in seeds])
    layers = [SelfAttention.seeded(seed, width=D_K_MAX) for seed in seeds]
    Q, K, V = (X @ np.stack([getattr(layer, name) for layer in layers]) for name in ("W_q", "W_k", "W_v"))
    sample = sample_every_width(Q, K)
    arrays = {**_rows(sample), **_histograms(sample), **_gradients(query_gradient_norms(X, Q, K, V))}
    return DrawsTable(
        tokens=tuple(tokens),
        n_draws=len(seeds),
        gradient_widths=np.array(GRADIENT_WIDTHS, dtype=np.int32),
        **{name: np.ascontiguousarray(array, dtype=np.float32) for name, array in arrays.items()},
    )


def _band(values: Floats) -> Floats:
    """Quantiles over the last axis, which they replace."""
    return np.moveaxis(np.quantile(values, QUANTILES, axis=-1), 0, -1)


def _rows(sample: Sample) -> dict[str, Floats]:
    dead = sample.norm <= DEAD_NORM
    every_row = (*sample.norm.shape[:2], -1)
    return {
        "spread_band": _band(sample.spread),
        "peak_band": _band(sample.peak.reshape(every_row)),
        "norm_band": _band(sample.norm.reshape(every_row)),
        "norm_median_of_draws": np.median(np.median(sample.norm, axis=-1), axis=-1),
        "all_rows_peaked": (sample.peak > HIGH_PEAK).all(axis=-1).mean(axis=-1),
        "dead_band": _band(dead.sum(axis=-1)),
        "dead_share": dead.mean(axis=(-2, -1)),
    }


def _histograms(sample: Sample) -> dict[str, Floats]:
    raw_density, raw_outside = density(sample.raw_counts, RAW_LIMIT)
    scaled_density, scaled_outside = density(sample.scaled_counts, SCALED_LIMIT)
    return {
        "expected_deviation": np.sqrt(WIDTHS),
        "measured_deviation": sample.deviation,
        "raw_edges": bin_edges(RAW_LIMIT),
        "scaled_edges": bin_edges(SCALED_LIMIT),
        "raw_density": raw_density,
        "scaled_density": scaled_density,
        "outside": np.stack([raw_outside, scaled_outside], axis=-1),
        "raw_points": curve_points(RAW_LIMIT),
        "scaled_points": curve_points(SCALED_LIMIT),
        "raw_normal": normal_density(np.sqrt(WIDTHS), RAW_LIMIT),
        "scaled_normal": normal_density(np.ones(()), SCALED_LIMIT),
    }


def _gradients(norms: Floats) -> dict[str, Floats]:
    mean = norms.mean(axis=-1)
    return {"gradient_mean": mean, "gradient_band": _band(norms), "gradient_ratio": mean[:, 0] / mean[:, 1]}
