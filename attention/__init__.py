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
from attention.draws import DrawsTable, many_draws
from attention.embedding import embed, tokenize
from attention.faults import FAULTS, evaluate_with_fault
from attention.gradient_health import GradientTable, gradient_table
from attention.gradients import softmax_jacobian
from attention.heads import HeadsTable, trained_heads_table
from attention.inside import InsideTable, inside_table
from attention.layer import LayerGradients, LayerTrace, SelfAttention
from attention.memory import MemoryTable, memory_table, score_table_bytes, streaming_bytes
from attention.operation import OPERATION_WIDTHS, OperationTable, operation_table
from attention.streaming import attend_streaming, streaming_difference
from attention.tables import LabTable, lab_table
from attention.three_jobs import ThreeJobsTable, three_jobs_table
from attention.training import RACE_LANES, RaceTable, previous_token_targets, race

__all__ = [
    "FAULTS",
    "OPERATION_WIDTHS",
    "RACE_LANES",
    "AttentionTrace",
    "DrawsTable",
    "GradientTable",
    "HeadsTable",
    "InsideTable",
    "LabTable",
    "LayerGradients",
    "LayerTrace",
    "MemoryTable",
    "OperationTable",
    "RaceTable",
    "SelfAttention",
    "SoftmaxState",
    "ThreeJobsTable",
    "attend",
    "attend_streaming",
    "causal_mask",
    "dead_rows",
    "embed",
    "entropy",
    "evaluate_with_fault",
    "gradient_table",
    "inside_table",
    "lab_table",
    "many_draws",
    "memory_table",
    "operation_table",
    "peak_weight",
    "previous_token_targets",
    "race",
    "row_jacobian_norms",
    "score_spread",
    "score_table_bytes",
    "softmax",
    "softmax_jacobian",
    "softmax_state",
    "streaming_bytes",
    "streaming_difference",
    "three_jobs_table",
    "tokenize",
    "trained_heads_table",
]
