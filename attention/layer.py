"""The trainable layer: three projections in front of `attend`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from attention.checks import Floats, as_floats, as_whole
from attention.core import AttentionTrace, Scale, attend, scale_factor
from attention.embedding import MAX_SEED
from attention.gradients import attention_backward


@dataclass(frozen=True, eq=False)
class LayerTrace(AttentionTrace):
    """An `AttentionTrace` that also holds what the projections made.

    Attributes
    ----------
    X : (..., T, d_model) ndarray
    Q, K : (..., T, d_k) ndarray
    V : (..., T, d_v) ndarray
    factor : float
        What the raw scores were multiplied by.
    """

    X: Floats
    Q: Floats
    K: Floats
    V: Floats
    factor: float


@dataclass(frozen=True, eq=False)
class LayerGradients:
    """Gradients of a loss with respect to the layer's input, weights and scores."""

    d_X: Floats
    d_W_q: Floats
    d_W_k: Floats
    d_W_v: Floats
    d_scores: Floats


@dataclass(frozen=True, eq=False)
class SelfAttention:
    """Self-attention with trainable query, key and value projections.

    A row vector times a matrix: ``Q = X @ W_q``. (Many texts write ``W_q x`` for
    column vectors; theirs is the transpose of ours.)

    Attributes
    ----------
    W_q, W_k : (d_model, d_k) ndarray
    W_v : (d_model, d_v) ndarray

    Raises
    ------
    ValueError
        If a matrix is not two-dimensional or the sizes do not fit.
    """

    W_q: Floats
    W_k: Floats
    W_v: Floats

    def __post_init__(self) -> None:
        for name in ("W_q", "W_k", "W_v"):
            matrix = as_floats(name, getattr(self, name))
            if matrix.ndim != 2:
                raise ValueError(f"{name} is {matrix.shape}: a (d_model, d_k) matrix is needed.")
            object.__setattr__(self, name, matrix)
        if self.W_q.shape != self.W_k.shape:
            raise ValueError(
                f"W_q is {self.W_q.shape} but W_k is {self.W_k.shape}: both need the shape (d_model, d_k)."
            )
        if self.W_v.shape[0] != self.W_q.shape[0]:
            raise ValueError(
                f"W_v is {self.W_v.shape} but W_q is {self.W_q.shape}: all need the same first size, d_model."
            )

    @classmethod
    def seeded(cls, seed: int, d_model: int = 16, width: int = 64) -> SelfAttention:
        """Draw W_q, W_k, W_v, in that order, with entries of variance 1 / d_model.

        Parameters
        ----------
        seed : int
            0 to 2**32 - 1; the same seed gives the same layer.
        d_model, width : int, optional
            The embedding's width and the projections' width.
        """
        as_whole("seed", seed, low=0, high=MAX_SEED)
        shape = (as_whole("d_model", d_model, low=1, high=4096), as_whole("width", width, low=1, high=4096))
        rng = np.random.default_rng(seed)
        W_q, W_k, W_v = (rng.standard_normal(shape) / np.sqrt(d_model) for _ in range(3))
        return cls(W_q, W_k, W_v)

    def narrow(self, d_k: int) -> SelfAttention:
        """The same head with only the first `d_k` columns of each projection.

        So a slider that widens d_k keeps every component that was there before.
        """
        as_whole("d_k", d_k, low=1, high=min(self.W_q.shape[1], self.W_v.shape[1]))
        return SelfAttention(self.W_q[:, :d_k], self.W_k[:, :d_k], self.W_v[:, :d_k])

    def __call__(self, X: ArrayLike, *, scale: Scale = "sqrt_d_k", mask: ArrayLike | None = None) -> LayerTrace:
        """Evaluate the layer.

        Parameters
        ----------
        X : (..., T, d_model) array_like
            One row a token.
        scale, mask
            As in `attend`.

        Returns
        -------
        LayerTrace
        """
        x = as_floats("X", X)
        d_model = self.W_q.shape[0]
        if x.shape[-1] != d_model:
            raise ValueError(
                f"X is {x.shape} but W_q is {self.W_q.shape}: the last size of X has to be d_model, {d_model}."
            )
        with np.errstate(over="ignore", invalid="ignore", under="ignore"):
            Q, K, V = x @ self.W_q, x @ self.W_k, x @ self.W_v
        if not all(np.isfinite(projected).all() for projected in (Q, K, V)):
            raise ValueError(f"the projections of X overflow {Q.dtype}: scale X or the W matrices down.")
        trace = attend(Q, K, V, scale=scale, mask=mask)
        return LayerTrace(**vars(trace), X=x, Q=Q, K=K, V=V, factor=scale_factor(scale, Q.shape[-1]))

    def backward(self, trace: LayerTrace, d_context: ArrayLike) -> LayerGradients:
        """Gradients of a loss, given its gradient at the context.

        Parameters
        ----------
        trace : LayerTrace
            What the forward pass returned.
        d_context : (..., T, d_v) array_like

        Returns
        -------
        LayerGradients
            `d_X` has the shape of X; the weight gradients are summed over leading axes.
        """
        g = attention_backward(trace.Q, trace.K, trace.V, trace.weights, trace.factor, d_context)
        return LayerGradients(
            d_X=g.d_Q @ self.W_q.T + g.d_K @ self.W_k.T + g.d_V @ self.W_v.T,
            d_W_q=_sum_outer(trace.X, g.d_Q),
            d_W_k=_sum_outer(trace.X, g.d_K),
            d_W_v=_sum_outer(trace.X, g.d_V),
            d_scores=g.d_scores,
        )


def _sum_outer(x: Floats, g: Floats) -> Floats:
    """``Xᵀ g`` summed over tokens and every leading axis."""
    return x.reshape(-1, x.shape[-1]).T @ g.reshape(-1, g.shape[-1])
