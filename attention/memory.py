"""How many bytes the table of scores takes, and how many a streaming evaluation keeps."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

# float16, float32.
ITEM_SIZES = (2, 4)
TOKEN_COUNTS = (6, *(2**power for power in range(3, 18)))
BLOCK, D_V = 128, 64
# From this many tokens on, the table takes more than a streaming evaluation keeps.
BREAK_EVEN = 2 * BLOCK + 2 + D_V


@dataclass(frozen=True, eq=False)
class MemoryTable:
    """Bytes of one head against the number of tokens.

    All numbers are whole and below 2**53, so that float64 holds them exactly.

    Attributes
    ----------
    T : (16,) ndarray of float64
        6, then powers of two from 8 to 131072.
    score_table : (16, 2) ndarray of float64
        Bytes of one T × T table in float16, float32.
    streaming : (16, 2) ndarray of float64
        Bytes that `attend_streaming` keeps beside inputs and output.
    ratio : (16,) ndarray of float64
        `score_table` over `streaming`; the same for both types.
    inverse : (16,) ndarray of float64
        `streaming` over `score_table`.
    """

    T: NDArray[np.float64]
    score_table: NDArray[np.float64]
    streaming: NDArray[np.float64]
    ratio: NDArray[np.float64]
    inverse: NDArray[np.float64]


def score_table_bytes(T: int, itemsize: int) -> int:
    """Bytes of one T × T table, for one head and one sentence."""
    return T * T * itemsize


def streaming_bytes(T: int, itemsize: int, *, block: int = BLOCK, d_v: int = D_V) -> int:
    """Bytes that a streaming evaluation keeps beside inputs and output.

    Parameters
    ----------
    T : int
        Number of queries and of keys.
    itemsize : int
        Bytes of a number: 2, 4 or 8.
    block : int, optional
        Keys looked at together.
    d_v : int, optional
        Width of the values. (The width of queries and keys does not matter.)

    Returns
    -------
    int
        One block of scores and one of weights, (T, block) each; the running maximum and
        the running sum, (T,) each; the blend that is being built, (T, d_v).
    """
    return T * (2 * min(block, T) + 2 + d_v) * itemsize


def memory_table() -> MemoryTable:
    """Bytes for 6 to 131,072 tokens, with blocks of 128 keys and values of width 64."""
    score_table = np.array([[score_table_bytes(T, size) for size in ITEM_SIZES] for T in TOKEN_COUNTS], dtype=float)
    streaming = np.array([[streaming_bytes(T, size) for size in ITEM_SIZES] for T in TOKEN_COUNTS], dtype=float)
    return MemoryTable(
        T=np.array(TOKEN_COUNTS, dtype=float),
        score_table=score_table,
        streaming=streaming,
        ratio=score_table[:, 0] / streaming[:, 0],
        inverse=streaming[:, 0] / score_table[:, 0],
    )
