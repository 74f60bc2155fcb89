"""The training race of one sentence, with what has happened in each lane at each step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from attention.checks import Floats
from attention.embedding import embed
from attention.layer import SelfAttention
from attention.training import RaceTable, race

RACE_STEPS = 300
# A lane has arrived where this share of its loss is left, or less.
ARRIVED = 0.02
# A lane has stalled where its relative loss stayed this close for so many steps.
STILL, STILL_STEPS = 0.005, 20
# Above this the relative loss is shown as more than 1.000.
WORSE_FROM = 1.0005
NEVER = -1


class RaceProgress(IntEnum):
    """What has happened in a lane so far; the numbers are what the tables store."""

    AT_THE_START = 0
    UNDER_WAY = 1
    ARRIVED = 2
    STALLED = 3
    WORSE_OFF = 4
    NOTHING_TO_LEARN = 5


@dataclass(frozen=True, eq=False)
class RaceStoryTable(RaceTable):
    """A `RaceTable` of a sentence, and how its lanes stand at each step.

    Attributes
    ----------
    tokens : tuple of str
    seed : int
    progress : (3, steps + 1) ndarray of uint8
        A `RaceProgress`: of what lies behind the step, never of what comes.
    since : (3, steps + 1) ndarray of int32
        Where a lane has arrived or stalled: the step from which on that has been so
        without a break; elsewhere `NEVER`.
    """

    tokens: tuple[str, ...]
    seed: int
    progress: NDArray[np.uint8]
    since: NDArray[np.int32]


def race_story_table(
    tokens: Sequence[str],
    seed: int,
    d_k: int,
    learning_rate: float,
    *,
    on_step: Callable[[int], object] | None = None,
) -> RaceStoryTable:
    """Race over 300 steps from the embeddings and projections that a seed draws.

    Parameters
    ----------
    tokens : sequence of str
        T tokens.
    seed : int
        Draws the embeddings and the projections.
    d_k, learning_rate, on_step
        As in `race`.

    Returns
    -------
    RaceStoryTable
    """
    layer = SelfAttention.seeded(seed)
    table = race(
        embed(tokens, seed), layer.W_q, layer.W_k, layer.W_v,
        d_k=d_k, learning_rate=learning_rate, steps=RACE_STEPS, on_step=on_step,
    )  # fmt: skip
    progress, since = _story(table.relative_loss.astype(np.float64))
    return RaceStoryTable(**vars(table), tokens=tuple(tokens), seed=int(seed), progress=progress, since=since)


def _story(relative_loss: Floats) -> tuple[NDArray[np.uint8], NDArray[np.int32]]:
    """The progress and since when, both (3, steps + 1), from the relative losses."""
    lanes, length = relative_loss.shape
    steps = np.arange(length)
    arrived = relative_loss <= ARRIVED
    arrived_since = _unbroken_since(np.broadcast_to(arrived[:, None, :], (lanes, length, length)))
    still_since = _unbroken_since(abs(relative_loss[:, :, None] - relative_loss[:, None, :]) <= STILL)
    stalled = ~arrived & (steps - still_since >= STILL_STEPS)
    progress = np.select(
        [arrived, stalled, relative_loss > WORSE_FROM],
        [RaceProgress.ARRIVED, RaceProgress.STALLED, RaceProgress.WORSE_OFF],
        RaceProgress.UNDER_WAY,
    ).astype(np.uint8)
    progress[:, 0] = RaceProgress.AT_THE_START
    progress[relative_loss[:, 0] == 0] = RaceProgress.NOTHING_TO_LEARN
    since = np.full(progress.shape, NEVER, dtype=np.int32)
    for code, begin in ((RaceProgress.ARRIVED, arrived_since), (RaceProgress.STALLED, still_since)):
        since[progress == code] = begin[progress == code]
    return progress, since


def _unbroken_since(holds: NDArray[np.bool_]) -> NDArray[np.intp]:
    """For each step s the first step from which on ``holds[..., s, :]`` is true up to s."""
    steps = np.arange(holds.shape[-1])
    broken = ~holds & (steps <= steps[:, None])
    last: NDArray[np.intp] = np.where(broken, steps, -1).max(axis=-1)
    return last + 1
