"""Gradient health: one draw's softmax Jacobians beside what many draws give."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from attention.checks import Floats
from attention.draws import DrawsTable
from attention.gradient_health import gradient_table
from attention.rounding import shown_decimals

SHOWN_DECIMALS = 2


@dataclass(frozen=True, eq=False)
class HealthTable:
    """Jacobians of one draw as they are shown, and the bands of many draws.

    Axes: 63 widths d_k = 2…64; 2: scale off, on; T rows; 3 quantiles: 5, 50, 95 %.

    Attributes
    ----------
    tokens : tuple of str
    seed : int
    jacobian : (63, 2, T, T, T) ndarray of float32
        ``diag(a) - a aᵀ`` of each row at 2 decimals: how weight i moves with score j.
        Rounded, because so few different numbers take a quarter of the way to send.
    norm : (63, 2, T) ndarray of float32
        Its Frobenius norm, not rounded, 0 to 0.5.
    dead : (63, 2, T) ndarray of uint8
        1 where the norm is at most 0.05.
    dead_rows : (63, 2) ndarray of int32
    error_digits, error_exponent : (63, 2) ndarray of float32
        By how much the Jacobian and finite differences differ at most: digits times ten
        to the exponent, the digits from 1 to 9.9 at one decimal (both 0 for no difference).
    draws_tokens : tuple of str
        The sentence that the many draws are of.
    n_draws : int
    norm_band : (63, 2, 3) ndarray of float32
        Norms over all rows of all draws.
    dead_percent : (63, 2) ndarray of float32
        Dead rows in percent of all rows of all draws.
    gradient_widths : (3,) ndarray of int32
    gradient_mean : (3, 2) ndarray of float32
    gradient_band : (3, 2, 3) ndarray of float32
        The norm of dL/dW_q over draws, as in `DrawsTable`.
    """

    tokens: tuple[str, ...]
    seed: int
    jacobian: NDArray[np.float32]
    norm: NDArray[np.float32]
    dead: NDArray[np.uint8]
    dead_rows: NDArray[np.int32]
    error_digits: NDArray[np.float32]
    error_exponent: NDArray[np.float32]
    draws_tokens: tuple[str, ...]
    n_draws: int
    norm_band: NDArray[np.float32]
    dead_percent: NDArray[np.float32]
    gradient_widths: NDArray[np.int32]
    gradient_mean: NDArray[np.float32]
    gradient_band: NDArray[np.float32]


def health_table(tokens: Sequence[str], seed: int, draws: DrawsTable) -> HealthTable:
    """Put one draw's Jacobians beside many draws.

    Parameters
    ----------
    tokens : sequence of str
    seed : int
        0 to 2**32 - 1; draws embeddings and projections.
    draws : DrawsTable
        Many draws; they may be of another sentence.

    Returns
    -------
    HealthTable
    """
    table = gradient_table(tokens, seed)
    digits, exponent = scientific(table.finite_difference_error.astype(np.float64))
    return HealthTable(
        tokens=table.tokens,
        seed=table.seed,
        jacobian=shown_decimals(table.jacobian.astype(np.float64), SHOWN_DECIMALS).astype(np.float32),
        norm=table.norm,
        dead=table.dead,
        dead_rows=table.dead_rows,
        error_digits=digits.astype(np.float32),
        error_exponent=exponent.astype(np.float32),
        draws_tokens=draws.tokens,
        n_draws=draws.n_draws,
        norm_band=draws.norm_band,
        dead_percent=(100 * draws.dead_share.astype(np.float64)).astype(np.float32),
        gradient_widths=draws.gradient_widths,
        gradient_mean=draws.gradient_mean,
        gradient_band=draws.gradient_band,
    )


def scientific(values: Floats) -> tuple[Floats, Floats]:
    """Digits and exponents of numbers that are not negative, the digits at one decimal.

    Parameters
    ----------
    values : ndarray

    Returns
    -------
    digits : ndarray
        1 to 9.9, or 0 for 0.
    exponent : ndarray
        Whole numbers.
    """
    there = values > 0
    exponent = np.floor(np.log10(np.where(there, values, 1)))
    digits = np.round(values / 10.0**exponent, 1)
    # 9.96 is shown as 1.0 of the next power; a logarithm that is a hair off ends here too.
    carried = digits >= 10
    return np.where(carried, digits / 10, digits), exponent + carried
