"""Which sentences are taken, and what is said of the others."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from widgets.sentence import LESSON_TEXT, parse_sentence

ALLOWED = "Use 2 to 12 words of letters, digits and punctuation, with at most 24 characters each."


def test_the_lessons_sentence_is_taken():
    assert parse_sentence(LESSON_TEXT) == ("Your", "journey", "starts", "with", "one", "step")


@pytest.mark.parametrize(
    "text", ["a b", "x " * 12, "a" * 24 + " b", "can't won't!", "5 % of €7", "Größe ñandú", "日本 東京"]
)
def test_ordinary_writing_is_taken(text):
    assert parse_sentence(text) == tuple(text.split())


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "is empty"),
        ("   ", "is empty"),
        ("one", "has 1 word"),
        ("x " * 13, "has 13 words"),
        ("a" * 25 + " b", "‘aaaaaaaaaaaaaaaaaaaaaaaa…’ has 25 characters"),
        ("x" * 100_000, "far too long"),
        ("a\tb", "control or invisible character"),
        ("a\nb", "control or invisible character"),
        ("a\x00b c", "control or invisible character"),
        ("a\u200db c", "control or invisible character"),
        ("a \ud800", "control or invisible character"),
        ("<script> a", "the character <"),
        ("a -> b", "the character >"),
        ("שלום עולם", "right-to-left writing"),
        ("مرحبا بكم", "right-to-left writing"),
        ("a 🙂", "the symbol 🙂"),
        ("cafe\u0301 noir", "a combining mark"),
    ],
)
def test_other_text_is_refused_with_the_reason_and_the_rule(text, reason):
    with pytest.raises(ValueError) as caught:
        parse_sentence(text)
    assert reason in str(caught.value) and str(caught.value).endswith(ALLOWED)
    assert "\n" not in str(caught.value)


@given(st.text())
def test_any_text_is_either_taken_whole_or_refused_in_one_line(text):
    try:
        tokens = parse_sentence(text)
    except ValueError as error:
        assert len(str(error)) < 250 and str(error).endswith(ALLOWED)
    else:
        assert 2 <= len(tokens) <= 12 and all(1 <= len(token) <= 24 for token in tokens)
        assert "".join(tokens) == "".join(text.split())
        assert all(unicodedata.category(c)[0] not in "CM" and c not in "<>" for c in "".join(tokens))
