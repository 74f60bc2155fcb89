"""The training race: one task, one start, three scales.

Previous-token task: the context of token i shall be the value of token i - 1 (that of
token 0 the value of the last). So the perfect weights are one-hot on the previous token.

Without the scale a lane can be chaotic: of the lesson's choices, d_k = 16 with a rate of
0.1 blows rounding errors up from 1e-16 to some 1e-3 of the loss, around step 134. Such a
lane may differ from one machine to another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attention.checks import Floats, as_floats, as_whole
from attention.core import Scale, scale_factor, softmax
from attention.diagnostics import DEAD_NORM, row_jacobian_norms
from attention.layer import LayerTrace, SelfAttention

RACE_LANES: tuple[Scale, ...] = ("none", "sqrt_d_k", "d_k")
MAX_STEPS = 10_000
# Below this weight a target counts as unseen. A tenfold other threshold flags nearly the same rows.
UNSEEN = 1e-3
NOTHING_TO_LEARN = 1e-12


@dataclass(frozen=True, eq=False)
class RaceTable:
    """Every step of a race.

    The leading axes are (3 lanes in the order of `RACE_LANES`: no scale, ÷√d_k, ÷d_k;
    steps + 1, from the start to after the last step).

    Attributes
    ----------
    d_k : int
    learning_rate : float
    loss : (3, steps + 1) ndarray of float32
        Squared error, averaged over d_k and summed over tokens.
    relative_loss : (3, steps + 1) ndarray of float32
        Over the lane's loss at the start; 0 where nothing was to be learned.
    weights : (3, steps + 1, T, T) ndarray of float32
    target_weight : (3, steps + 1, T) ndarray of float32
        Each row's weight on its target.
    stuck : (3, steps + 1, T) ndarray of uint8
        1 where the weight on the target is below 0.001 while the row is dead (softmax
        Jacobian norm ≤ 0.05): it looks elsewhere, and what could tell it is cut off.
    stuck_rows : (3, steps + 1) ndarray of int32
        How many rows are stuck.
    target_key : (T,) ndarray of uint8
        The key that each row shall look at.
    target : (T, T) ndarray of float32
        The perfect weights.
    """

    d_k: int
    learning_rate: float
    loss: NDArray[np.float32]
    relative_loss: NDArray[np.float32]
    weights: NDArray[np.float32]
    target_weight: NDArray[np.float32]
    stuck: NDArray[np.uint8]
    stuck_rows: NDArray[np.int32]
    target_key: NDArray[np.uint8]
    target: NDArray[np.float32]


def previous_token_targets(T: int) -> NDArray[np.intp]:
    """The key that each query shall look at: the token before it, for the first the last."""
    targets: NDArray[np.intp] = np.roll(np.arange(as_whole("T", T, low=1, high=255), dtype=np.intp), 1)
    return targets


def race(
    X: ArrayLike,
    W_q: ArrayLike,
    W_k: ArrayLike,
    W_v: ArrayLike,
    *,
    d_k: int,
    learning_rate: float,
    steps: int = 300,
    on_step: Callable[[int], object] | None = None,
) -> RaceTable:
    """Train W_q and W_k by plain gradient descent, in three lanes at once; W_v stays.

    Parameters
    ----------
    X : (T, d_model) array_like
    W_q, W_k, W_v : (d_model, width) array_like
        Where each lane starts; the first `d_k` columns are used. None is changed.
    d_k : int
    learning_rate : float
        Above 0.
    steps : int, optional
    on_step : callable, optional
        Called with 1, 2, … after each step. What it raises ends the race and reaches
        the caller, so that a progress bar can also cancel.

    Returns
    -------
    RaceTable

    Raises
    ------
    ValueError
        If sizes do not fit, an option is out of range, or a lane runs off to infinity.
    """
    matrices = {"W_q": W_q, "W_k": W_k, "W_v": W_v}
    layer = SelfAttention(*(as_floats(name, W).astype(np.float64) for name, W in matrices.items()))
    start = layer.narrow(d_k)(X)
    if start.X.ndim != 2:
        raise ValueError(f"X is {start.X.shape}: one sentence, (T, d_model), is needed.")
    as_whole("steps", steps, low=1, high=MAX_STEPS)
    _check_rate(learning_rate)
    keys = previous_token_targets(len(start.X))
    target = np.eye(len(keys))[keys]
    factors = np.array([scale_factor(scale, d_k) for scale in RACE_LANES])[:, None, None]
    loss, weights = np.empty((len(RACE_LANES), steps + 1)), np.empty((len(RACE_LANES), steps + 1, *target.shape))
    states = _descent(start, target, factors, float(learning_rate))
    for step in range(steps + 1):
        loss[:, step], weights[:, step] = next(states)
        if step > 0 and on_step is not None:
            on_step(step)
    target_weight = (weights * target).sum(axis=-1)
    stuck = (target_weight < UNSEEN) & (row_jacobian_norms(weights) <= DEAD_NORM)
    # Where all tokens are the same word, the loss is 0 up to rounding from the start.
    learnable = loss[:, :1] > NOTHING_TO_LEARN
    return RaceTable(
        d_k=start.Q.shape[-1],
        learning_rate=float(learning_rate),
        loss=loss.astype(np.float32),
        relative_loss=np.where(learnable, loss / np.where(learnable, loss[:, :1], 1), 0).astype(np.float32),
        weights=weights.astype(np.float32),
        target_weight=target_weight.astype(np.float32),
        stuck=stuck.astype(np.uint8),
        stuck_rows=stuck.sum(axis=-1, dtype=np.int32),
        target_key=keys.astype(np.uint8),
        target=target.astype(np.float32),
    )


def _check_rate(rate: object) -> None:
    number = isinstance(rate, int | float | np.integer | np.floating) and not isinstance(rate, bool)
    if not number or not 0 < rate < np.inf:  # type: ignore[operator]
        raise ValueError(f"learning_rate is {rate!r}: a finite number above 0 is needed.")


def _descent(start: LayerTrace, target: Floats, factors: Floats, rate: float) -> Iterator[tuple[Floats, Floats]]:
    """The losses (3,) and the weights (3, T, T) at the start and after each step, without end."""
    # W_q moves by rate · Xᵀ d_Q, so that Q = X W_q moves by rate · X Xᵀ d_Q: Q and K can be followed alone.
    moves = rate * factors * (start.X @ start.X.T)
    # The error is (weights - target) @ V: V enters only as V Vᵀ.
    pull = start.V @ start.V.T * (2 / start.V.shape[-1])
    Q, K = (np.repeat(projected[None], len(RACE_LANES), axis=0) for projected in (start.Q, start.K))
    while True:
        with np.errstate(over="ignore", invalid="ignore", under="ignore"):
            scores = factors * (Q @ np.swapaxes(K, -1, -2))
        if not np.isfinite(scores).all():
            raise ValueError(f"learning_rate is {rate}: the scores run off to infinity. Use a smaller one.")
        weights = softmax(scores)
        error = weights - target
        d_weights = error @ pull
        yield (error * d_weights).sum(axis=(-2, -1)) / 2, weights
        d_scores = weights * (d_weights - (d_weights * weights).sum(axis=-1, keepdims=True))
        with np.errstate(over="ignore", invalid="ignore", under="ignore"):
            Q, K = Q - moves @ (d_scores @ K), K - moves @ (np.swapaxes(d_scores, -1, -2) @ Q)
