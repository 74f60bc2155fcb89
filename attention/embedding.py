"""From a sentence to token embeddings."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from attention.checks import as_whole

MAX_SEED = 2**32 - 1


def tokenize(text: str) -> tuple[str, ...]:
    """Split a sentence at white space; each piece is a token."""
    return tuple(text.split())


def embed(tokens: Sequence[str], seed: int, d_model: int = 16) -> NDArray[np.float64]:
    """Draw an embedding for each token.

    The draw depends on the seed and the token's case-folded spelling alone, so the
    same word has the same embedding in every sentence. Each row is shifted and
    stretched to mean 0 and standard deviation 1.

    Parameters
    ----------
    tokens : sequence of str
        T tokens, none of them empty.
    seed : int
        0 to 2**32 - 1.
    d_model : int, optional
        Width of an embedding, at least 2.

    Returns
    -------
    (T, d_model) ndarray

    Raises
    ------
    ValueError
        For no tokens, something that is no token, or a seed or width out of range.
    """
    as_whole("seed", seed, low=0, high=MAX_SEED)
    as_whole("d_model", d_model, low=2, high=4096)
    if isinstance(tokens, str) or len(tokens) == 0:
        raise ValueError(f"tokens is {tokens!r}: a list with at least one token is needed; tokenize() makes one.")
    for token in tokens:
        if not isinstance(token, str) or not token:
            raise ValueError(f"tokens holds {token!r}: each token has to be a non-empty string.")
        if any("\ud800" <= character <= "\udfff" for character in token):
            raise ValueError(f"tokens holds {token!r}: half a surrogate pair is no character; use whole ones.")
    draws = np.stack(
        [np.random.default_rng([seed, *token.casefold().encode()]).standard_normal(d_model) for token in tokens]
    )
    centred = draws - draws.mean(axis=1, keepdims=True)
    embeddings: NDArray[np.float64] = centred / centred.std(axis=1, keepdims=True)
    return embeddings
