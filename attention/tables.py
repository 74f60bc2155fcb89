"""Every state that a figure's controls can reach, computed at once.

A figure in the browser looks its numbers up here; it never computes. The d_k axis
comes first, so that one width's states lie side by side.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from attention import diagnostics
from attention.checklist import CHECKS, distinct_by_width, rows_sum_to_one, same_by_width, scaled_by_root
from attention.checks import Floats
from attention.core import softmax
from attention.diagnostics import SoftmaxState
from attention.embedding import embed
from attention.faults import FAULTS
from attention.layer import SelfAttention

D_K_MIN, D_K_MAX = 2, 64
WIDTHS = np.arange(D_K_MIN, D_K_MAX + 1)
NO_COUNT = -1


@dataclass(frozen=True, eq=False)
class LabTable:
    """All states of the lab for one sentence and one seed.

    The leading axes of every array are (63 widths d_k = 2…64, 5 faults in the order
    of `FAULTS`, 2: scale off, scale on).

    Attributes
    ----------
    tokens : tuple of str
    seed : int
    scores, weights : (63, 5, 2, T, T) ndarray of float32
        Row = query, column = key.
    row_sum, peak, context_norm : (63, 5, 2, T) ndarray of float32
        Sum and largest weight of each row; Euclidean length of its context vector.
    peak_key, state : (63, 5, 2, T) ndarray of uint8
        Column of the largest weight; a `SoftmaxState`.
    spread, expected_spread : (63, 5, 2) ndarray of float32
        Measured, and what theory expects: √d_k, 1 or 1/√d_k.
    dead_rows : (63, 5, 2) ndarray of int8
        `NO_COUNT` where rows are no distributions.
    checks : (63, 5, 2, 5) ndarray of uint8
        1 where a line of the checklist holds, 0 where it is broken; the last axis is
        in the order of `attention.checklist.CHECKS`.
    """

    tokens: tuple[str, ...]
    seed: int
    scores: NDArray[np.float32]
    weights: NDArray[np.float32]
    row_sum: NDArray[np.float32]
    peak: NDArray[np.float32]
    peak_key: NDArray[np.uint8]
    state: NDArray[np.uint8]
    context_norm: NDArray[np.float32]
    spread: NDArray[np.float32]
    expected_spread: NDArray[np.float32]
    dead_rows: NDArray[np.int8]
    checks: NDArray[np.uint8]


def lab_table(tokens: Sequence[str], seed: int) -> LabTable:
    """Compute every state of the lab.

    Parameters
    ----------
    tokens : sequence of str
        1 to 127 tokens; the lab uses 2 to 12.
    seed : int
        0 to 2**32 - 1; draws embeddings and projections.

    Returns
    -------
    LabTable
    """
    X = embed(tokens, seed)
    if len(tokens) > 127:
        raise ValueError(f"tokens has {len(tokens)} entries: the table counts rows in a signed byte, so 127 at most.")
    layer = SelfAttention.seeded(seed, width=D_K_MAX)
    Q, K, V = X @ layer.W_q, X @ layer.W_k, X @ layer.W_v
    raw, scores, expected_spread = _all_scores(Q, K)
    columns = FAULTS.index("softmax_over_queries")
    weights = softmax(scores)
    weights[:, columns] = softmax(scores[:, columns], axis=-2)
    state = diagnostics.softmax_state(weights)
    state[:, columns] = SoftmaxState.NOT_A_DISTRIBUTION
    dead = diagnostics.dead_rows(weights).astype(np.int8)
    dead[:, columns] = NO_COUNT
    return LabTable(
        tokens=tuple(tokens),
        seed=int(seed),
        scores=scores.astype(np.float32),
        weights=weights.astype(np.float32),
        row_sum=weights.sum(axis=-1).astype(np.float32),
        peak=diagnostics.peak_weight(weights).astype(np.float32),
        peak_key=weights.argmax(axis=-1).astype(np.uint8),
        state=state,
        context_norm=_context_norms(weights, X, Q, V).astype(np.float32),
        spread=diagnostics.score_spread(scores).astype(np.float32),
        expected_spread=expected_spread.astype(np.float32),
        dead_rows=dead,
        checks=_checks(layer, X, Q, V, raw, scores, weights),
    )


def _all_scores(Q: Floats, K: Floats) -> tuple[Floats, Floats, Floats]:
    """Raw scores (63, 5, 1, T, T), scores (63, 5, 2, T, T), and the spread that theory expects (63, 5, 2)."""

    def raw_for_every_width(q: Floats, k: Floats) -> Floats:
        # q·k at width d_k is the running sum of the products of the components.
        running = np.cumsum(q[:, None, :] * k[None, :, :], axis=-1)
        every: Floats = np.moveaxis(running, -1, 0)[WIDTHS - 1]
        return every

    root = np.sqrt(WIDTHS)
    expected = np.empty((len(WIDTHS), len(FAULTS), 2))
    expected[:, :, 0], expected[:, :, 1] = root[:, None], 1
    expected[:, FAULTS.index("divide_by_d_k")] = (1 / root)[:, None]

    raw = np.repeat(raw_for_every_width(Q, K)[:, None, None], len(FAULTS), axis=1)
    raw[:, FAULTS.index("shared_projection"), 0] = raw_for_every_width(Q, Q)
    # The factor is what theory expects of the result over what it expects of the raw scores.
    factor = expected / root[:, None, None]
    return raw, raw * factor[..., None, None], expected


def _context_norms(weights: Floats, X: Floats, Q: Floats, V: Floats) -> Floats:
    """Length of each context vector: (63, 5, 2, T)."""
    blended = {"shared_projection": Q, "blend_embeddings": X}
    norms = np.empty(weights.shape[:-1])
    for i, fault in enumerate(FAULTS):
        values = blended.get(fault, V)
        squares = np.square(weights[:, i] @ values)
        # A head of width d_k has the first d_k components; embeddings keep all of theirs.
        kept = np.arange(values.shape[1]) < (WIDTHS[:, None] if values is not X else values.shape[1])
        norms[:, i] = np.sqrt(np.einsum("dsqc,dc->dsq", squares, np.broadcast_to(kept, (len(WIDTHS), values.shape[1]))))
    return norms


def _checks(
    layer: SelfAttention, X: Floats, Q: Floats, V: Floats, raw: Floats, scores: Floats, weights: Floats
) -> NDArray[np.uint8]:
    """Which lines of the checklist hold: (63, 5, 2, 5)."""
    checks = np.empty((*weights.shape[:3], len(CHECKS)), dtype=np.uint8)
    of = {name: i for i, name in enumerate(CHECKS)}
    checks[..., of["scaled_scores"]] = scaled_by_root(scores, raw, WIDTHS[:, None, None])
    checks[..., of["row_sums"]] = rows_sum_to_one(weights)
    for i, fault in enumerate(FAULTS):
        shared = fault == "shared_projection"
        matrices = (layer.W_q,) * 3 if shared else (layer.W_q, layer.W_k, layer.W_v)
        values = Q if shared else V
        blended = X if fault == "blend_embeddings" else values
        # A head of width d_k blends the first d_k columns of its values; embeddings keep all of theirs.
        fits = WIDTHS == (X.shape[1] if blended is X else WIDTHS)
        same = same_by_width(blended, values)
        checks[:, i, :, of["three_matrices"]] = distinct_by_width(*matrices)[WIDTHS - 1, None]
        checks[:, i, :, of["blends_values"]] = (fits & same[np.minimum(WIDTHS, len(same)) - 1])[:, None]
        checks[:, i, :, of["context_shape"]] = fits[:, None]
    return checks
