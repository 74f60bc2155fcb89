"""Tokens and embeddings: spelling and seed decide, nothing else."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention import embed, tokenize

WORDS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8)
SEEDS = st.integers(0, 2**32 - 1)


def test_the_lesson_gets_the_embeddings_of_the_reference(reference, lesson_tokens):
    np.testing.assert_allclose(embed(lesson_tokens, 5108), reference["lesson/X"], rtol=1e-9, atol=1e-12)


def test_the_sentence_splits_into_its_six_tokens(lesson_tokens):
    assert tokenize("Your journey starts with one step") == lesson_tokens
    assert tokenize("  Your\tjourney \n starts\u00a0with one\u2003step ") == lesson_tokens


@pytest.mark.parametrize("text", ["", "   ", "\n\t"])
def test_white_space_alone_has_no_tokens(text):
    assert tokenize(text) == ()


@given(st.text())
def test_tokenizing_drops_white_space_and_nothing_else(text):
    tokens = tokenize(text)
    assert "".join(tokens) == "".join(character for character in text if not character.isspace())
    assert all(tokens) and tokenize(" ".join(tokens)) == tokens


@given(st.lists(WORDS, min_size=1, max_size=6), SEEDS, st.integers(2, 40))
def test_each_row_has_mean_zero_and_spread_one(tokens, seed, d_model):
    X = embed(tokens, seed, d_model)
    assert X.shape == (len(tokens), d_model) and X.dtype == np.float64
    np.testing.assert_allclose(X.mean(axis=1), 0, atol=1e-12)
    np.testing.assert_allclose(X.std(axis=1), 1, rtol=1e-12)


@given(st.lists(WORDS, min_size=1, max_size=6), WORDS, SEEDS)
def test_the_neighbours_of_a_word_do_not_matter(neighbours, word, seed):
    np.testing.assert_array_equal(embed([*neighbours, word], seed)[-1], embed([word], seed)[0])


@given(WORDS, SEEDS)
def test_case_does_not_matter(word, seed):
    np.testing.assert_array_equal(embed([word], seed), embed([word.casefold()], seed))


@pytest.mark.parametrize(("one", "other"), [("STEP", "step"), ("Straße", "STRASSE"), ("ΌΣΟΣ", "όσος")])
def test_words_that_fold_to_one_spelling_share_an_embedding(one, other):
    np.testing.assert_array_equal(embed([one], 5108), embed([other], 5108))


@pytest.mark.parametrize(("one", "other"), [("step", "steps"), ("one", "eno"), ("é", "e\u0301"), ("a", "а")])
def test_another_spelling_is_another_draw(one, other):
    a, b = embed([one, other], 5108)
    assert abs(a - b).max() > 0.1


def test_another_seed_is_another_draw():
    assert abs(embed(["step"], 1) - embed(["step"], 2)).max() > 0.1


@pytest.mark.parametrize("tokens", [[], (), "", "Your journey"])
def test_a_list_with_tokens_is_needed(tokens):
    with pytest.raises(ValueError, match=r"^tokens is .*: a list with at least one token is needed; tokenize\(\)"):
        embed(tokens, 5108)


@pytest.mark.parametrize("bad", ["", None, 3, b"step", ["step"]])
def test_something_that_is_no_token_is_shown_in_the_message(bad):
    with pytest.raises(ValueError, match="^tokens holds .*: each token has to be a non-empty string") as error:
        embed(["Your", bad], 5108)
    assert repr(bad) in str(error.value)


@pytest.mark.parametrize("bad", ["\ud800", "a\udfff"])
def test_half_a_surrogate_pair_is_no_token(bad):
    with pytest.raises(ValueError, match=r"^tokens holds '.*\\ud.*': half a surrogate pair"):
        embed(["Your", bad], 5108)


@pytest.mark.parametrize("d_model", [1, 0, -3, 4097, True, 16.0])
def test_an_embedding_has_two_components_or_more(d_model):
    with pytest.raises(ValueError, match=rf"^d_model is {d_model}: .* from 2 to 4096"):
        embed(["step"], 5108, d_model)
