"""One head at every width: what a d_k slider runs through.

Arrays start with two axes: 63 widths d_k = 2…64, and 2 for scale off, scale on.
"""

from __future__ import annotations

import numpy as np

from attention.checks import Floats
from attention.tables import D_K_MAX, D_K_MIN, WIDTHS

# What the raw scores are divided by: (63, 2).
DIVISORS = np.stack([np.ones(len(WIDTHS)), np.sqrt(WIDTHS)], axis=1)


def raw_scores_at_every_width(Q: Floats, K: Floats) -> Floats:
    """Raw scores of the first d_k components, for every d_k.

    Parameters
    ----------
    Q : (..., T_q, 64) ndarray
    K : (..., T_k, 64) ndarray

    Returns
    -------
    (63, ..., T_q, T_k) ndarray
    """
    products = np.moveaxis(Q, -1, 0)[..., :, None] * np.moveaxis(K, -1, 0)[..., None, :]
    # q·k at width d_k is the running sum of the products of the components.
    return np.cumsum(products, axis=0)[D_K_MIN - 1 : D_K_MAX]


def scores_at_every_width(Q: Floats, K: Floats) -> Floats:
    """Scores without and with the scale: (63, 2, ..., T_q, T_k)."""
    raw = raw_scores_at_every_width(Q, K)[:, None]
    scores: Floats = raw / DIVISORS.reshape(*DIVISORS.shape, *(1,) * (raw.ndim - 2))
    return scores
