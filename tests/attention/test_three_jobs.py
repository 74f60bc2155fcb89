"""One vector in three jobs: symmetric without projections, and broken anew by every draw of them."""

import numpy as np
import pytest

from attention import SelfAttention, embed, softmax, three_jobs_table


def close(ours, expected):
    np.testing.assert_allclose(ours, expected, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("draws", [1, 10])
def test_arrays_have_the_promised_types_and_shapes(any_sentence, check_arrays, draws):
    table, T = three_jobs_table(*any_sentence, draws=draws), len(any_sentence[0])
    check_arrays(
        table,
        dict.fromkeys(("raw_scores", "raw_weights", "raw_difference"), ("float32", T, T))
        | dict.fromkeys(("scores", "weights", "difference"), ("float32", draws, T, T))
        | {"raw_asymmetry": ("float32",), "asymmetry": ("float32", draws), "asymmetric_pair": ("uint8", draws, 2)},
    )
    assert (table.tokens, table.d_k, len(table.seeds)) == (any_sentence[0], 8, draws)


def test_without_projections_the_scores_are_those_of_the_embeddings(any_sentence):
    table, X = three_jobs_table(*any_sentence), embed(*any_sentence)
    close(table.raw_scores, [[sum(x * y) for y in X] for x in X])
    close(table.raw_weights, softmax([[sum(x * y) for y in X] for x in X]))
    # An embedding has 16 entries of mean square 1.
    close(np.diag(table.raw_scores), 16)


def test_without_projections_the_scores_are_symmetric_to_the_last_bit(any_sentence):
    table = three_jobs_table(*any_sentence)
    assert table.raw_asymmetry == 0 and (table.raw_difference == 0).all()
    np.testing.assert_array_equal(table.raw_scores, table.raw_scores.T)


@pytest.mark.parametrize("d_k", [2, 8, 64])
def test_each_draw_equals_the_layer(any_sentence, d_k):
    tokens, seed = any_sentence
    table = three_jobs_table(tokens, seed, draws=4, d_k=d_k)
    for i, each in enumerate(table.seeds):
        trace = SelfAttention.seeded(each).narrow(d_k)(embed(tokens, seed))
        close(table.scores[i], trace.scores)
        close(table.weights[i], trace.weights)
        close(table.difference[i], trace.scores - trace.scores.T)
        close(table.asymmetry[i], abs(trace.scores - trace.scores.T).max())
        one, other = table.asymmetric_pair[i]
        assert one <= other
        close(abs(trace.scores[one, other] - trace.scores[other, one]), table.asymmetry[i])


def test_the_seeds_follow_one_another_and_start_again_after_the_last(lesson_tokens):
    assert three_jobs_table(lesson_tokens, 5108).seeds == tuple(range(5108, 5118))
    assert three_jobs_table(lesson_tokens, 2**32 - 2, draws=4).seeds == (2**32 - 2, 2**32 - 1, 0, 1)


def test_every_draw_of_the_lesson_breaks_the_symmetry_and_in_its_own_way(lesson_tokens):
    table = three_jobs_table(lesson_tokens, 5108)
    assert (table.asymmetry > 1).all()
    for one in range(10):
        for other in range(one):
            assert abs(table.weights[one] - table.weights[other]).max() > 0.1
    close(table.difference, -np.swapaxes(table.difference, 1, 2))


@pytest.mark.parametrize(("name", "value"), [("draws", 0), ("draws", 1.5), ("d_k", 65), ("d_k", 0)])
def test_a_bad_option_is_refused_by_name(lesson_tokens, name, value):
    with pytest.raises(ValueError, match=f"^{name} is {value}: "):
        three_jobs_table(lesson_tokens, 5108, **{name: value})
