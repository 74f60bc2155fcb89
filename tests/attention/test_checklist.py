"""Each fault turns the right lines of the checklist red, and only those."""

from dataclasses import replace

import numpy as np
import pytest

from attention import FAULTS, SelfAttention, embed, evaluate_with_fault, lab_table
from attention.checklist import CHECKS, check_layer

BROKEN = {
    ("none", True): set(),
    ("none", False): {"scaled_scores"},
    ("divide_by_d_k", True): {"scaled_scores"},
    ("softmax_over_queries", True): {"row_sums"},
    ("shared_projection", True): {"three_matrices"},
    ("blend_embeddings", True): {"blends_values", "context_shape"},
    ("blend_embeddings", False): {"scaled_scores", "blends_values", "context_shape"},
}


@pytest.fixture
def layer():
    return SelfAttention.seeded(5108).narrow(8)


@pytest.fixture
def X(lesson_tokens):
    return embed(lesson_tokens, 5108)


def broken(truths):
    return {name for name, holds in zip(CHECKS, truths, strict=True) if not holds}


@pytest.mark.parametrize(("fault", "scaled"), BROKEN, ids=str)
def test_a_fault_breaks_its_own_lines(fault, scaled, layer, X, lesson_tokens):
    trace = evaluate_with_fault(layer, X, scaled=scaled, fault=fault)
    used = SelfAttention(layer.W_q, layer.W_q, layer.W_q) if fault == "shared_projection" else layer
    assert broken(check_layer(used, trace)) == BROKEN[fault, scaled]
    assert (
        broken(lab_table(lesson_tokens, 5108).checks[8 - 2, FAULTS.index(fault), int(scaled)]) == BROKEN[fault, scaled]
    )


def test_the_shape_fits_by_chance_where_the_head_is_as_wide_as_the_embedding(lesson_tokens):
    checks = lab_table(lesson_tokens, 5108).checks[:, FAULTS.index("blend_embeddings"), 1]
    assert np.flatnonzero(checks[:, CHECKS.index("context_shape")]).tolist() == [16 - 2]
    assert not checks[:, CHECKS.index("blends_values")].any()


@pytest.mark.parametrize("shared", [("W_q", "W_k"), ("W_q", "W_v"), ("W_k", "W_v")])
def test_any_two_equal_matrices_break_the_first_line(shared, layer, X):
    first, second = shared
    used = replace(layer, **{second: getattr(layer, first)})
    assert broken(check_layer(used, used(X))) == {"three_matrices"}


def test_values_of_another_width_are_no_matrix_of_the_checklist(layer, X):
    wide = SelfAttention(layer.W_q, layer.W_k, SelfAttention.seeded(1).W_v)
    assert broken(check_layer(wide, wide(X))) == {"three_matrices", "context_shape"}


def test_a_small_change_of_the_result_is_seen(layer, X):
    trace = layer(X)
    for name, line in {"scores": "scaled_scores", "weights": "row_sums", "context": "blends_values"}.items():
        changed = getattr(trace, name).copy()
        changed[1, 2] += 1e-6
        assert line in broken(check_layer(layer, replace(trace, **{name: changed})))
