"""Trainable self-attention in pure NumPy: the numbers behind every figure."""

from attention.core import AttentionTrace, attend, causal_mask, softmax
from attention.diagnostics import (
    SoftmaxState,
    dead_rows,
    entropy,
    peak_weight,
    row_jacobian_norms,
    score_spread,
    softmax_state,
)
from attention.embedding import embed, tokenize
from attention.faults import FAULTS, evaluate_with_fault
from attention.gradients import softmax_jacobian
from attention.layer import LayerGradients, LayerTrace, SelfAttention
from attention.tables import LabTable, lab_table

__all__ = [
    "FAULTS",
    "AttentionTrace",
    "LabTable",
    "LayerGradients",
    "LayerTrace",
    "SelfAttention",
    "SoftmaxState",
    "attend",
    "causal_mask",
    "dead_rows",
    "embed",
    "entropy",
    "evaluate_with_fault",
    "lab_table",
    "peak_weight",
    "row_jacobian_norms",
    "score_spread",
    "softmax",
    "softmax_jacobian",
    "softmax_state",
    "tokenize",
]
