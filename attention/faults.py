"""Five ways to break the layer, so that a learner can see why it is built as it is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from attention.core import softmax
from attention.layer import LayerTrace, SelfAttention

FAULTS = ("none", "divide_by_d_k", "softmax_over_queries", "shared_projection", "blend_embeddings")


def evaluate_with_fault(layer: SelfAttention, X: ArrayLike, *, scaled: bool = True, fault: str = "none") -> LayerTrace:
    """Evaluate a layer with one thing done wrong.

    Parameters
    ----------
    layer : SelfAttention
    X : (..., T, d_model) array_like
    scaled : bool, optional
        Whether raw scores are divided by √d_k.
    fault : str, optional
        One of `FAULTS`. ``divide_by_d_k`` divides by d_k whatever `scaled` says;
        ``softmax_over_queries`` normalises down the columns; ``shared_projection``
        uses W_q for all three roles; ``blend_embeddings`` blends X, not V.

    Returns
    -------
    LayerTrace
        With ``softmax_over_queries`` a row of `weights` need not sum to 1; with
        ``blend_embeddings`` `context` is (..., T, d_model).

    Raises
    ------
    ValueError
        For a fault that is not on the list.
    """
    if fault not in FAULTS:
        raise ValueError(f"fault is {fault!r}: use one of {', '.join(FAULTS)}.")
    if fault == "shared_projection":
        layer = SelfAttention(layer.W_q, layer.W_q, layer.W_q)
    trace = layer(X, scale="d_k" if fault == "divide_by_d_k" else "sqrt_d_k" if scaled else "none")
    if fault == "softmax_over_queries":
        weights = softmax(trace.scores, axis=-2)
        return replace(trace, weights=weights, context=np.matmul(weights, trace.V))
    if fault == "blend_embeddings":
        return replace(trace, context=np.matmul(trace.weights, trace.X))
    return trace
