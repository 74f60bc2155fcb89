"""Which sentences a learner may type, and what they are told of others."""

from __future__ import annotations

import unicodedata

from attention import tokenize
from widgets.words import catalogue, fill

LESSON_TEXT = "Your journey starts with one step"
LESSON_SEED = 5108
MIN_TOKENS, MAX_TOKENS, MAX_TOKEN_LENGTH = 2, 12, 24
# Mathematical and currency signs on every keyboard; < and > look like markup and stay out.
SIGNS = frozenset("$+=^`|~°€£¥×÷±−")


def parse_sentence(text: str) -> tuple[str, ...]:
    """Split a sentence into tokens, or say what is wrong with it.

    Parameters
    ----------
    text : str
        What was typed, or came in a link.

    Returns
    -------
    tuple of str
        2 to 12 tokens of 1 to 24 characters each.

    Raises
    ------
    ValueError
        One line for the learner: what came, and what is allowed. Emoji, combining
        marks, right-to-left writing, control characters and ``<`` or ``>`` are refused:
        the heatmap's labels cannot show them all well, and a figure that misprints a
        word teaches nothing.
    """
    if len(text) > (MAX_TOKEN_LENGTH + 1) * MAX_TOKENS * 4:
        raise _refusal("long")
    for character in text:
        problem = _problem(character)
        if problem:
            raise _refusal(problem, character=character)
    tokens = tokenize(text)
    if not MIN_TOKENS <= len(tokens) <= MAX_TOKENS:
        raise _refusal({0: "empty", 1: "one"}.get(len(tokens), "many"), count=len(tokens))
    for token in tokens:
        if len(token) > MAX_TOKEN_LENGTH:
            raise _refusal("word", start=token[:MAX_TOKEN_LENGTH], count=len(token))
    return tokens


def _refusal(problem: str, **values: object) -> ValueError:
    """What is wrong, and what is allowed, in the learner's language."""
    words = catalogue()
    rule = fill(words["text.rule"], {"allowed": words["allowed.text"]})
    return ValueError(f"{fill(words[f'text.{problem}'], values)} {rule}")


def _problem(character: str) -> str | None:
    """What keeps a character out: the name of the words that say so."""
    if character == " ":
        return None
    category = unicodedata.category(character)
    if category.startswith("C"):
        return "control"
    if category.startswith("Z"):
        # Tabs and line ends are control characters; these are the wider kinds of space.
        return None if character.isspace() else "control"
    if category.startswith("M"):
        return "combining"
    if unicodedata.bidirectional(character) in ("R", "AL", "AN"):
        return "right-to-left"
    if character in "<>":
        return "character"
    if category.startswith("S") and character not in SIGNS:
        return "symbol"
    return None
