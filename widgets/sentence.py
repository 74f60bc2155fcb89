"""Which sentences a learner may type, and what they are told of others."""

from __future__ import annotations

import unicodedata

from attention import tokenize

LESSON_TEXT = "Your journey starts with one step"
LESSON_SEED = 5108
MIN_TOKENS, MAX_TOKENS, MAX_TOKEN_LENGTH = 2, 12, 24
ALLOWED = "Use 2 to 12 words of letters, digits and punctuation, with at most 24 characters each."
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
        raise ValueError(f"That text is far too long. {ALLOWED}")
    for character in text:
        problem = _problem(character)
        if problem:
            raise ValueError(f"The sentence holds {problem}. {ALLOWED}")
    tokens = tokenize(text)
    if not MIN_TOKENS <= len(tokens) <= MAX_TOKENS:
        count = {0: "is empty", 1: "has 1 word"}.get(len(tokens), f"has {len(tokens)} words")
        raise ValueError(f"The sentence {count}. {ALLOWED}")
    for token in tokens:
        if len(token) > MAX_TOKEN_LENGTH:
            raise ValueError(f"‘{token[:MAX_TOKEN_LENGTH]}…’ has {len(token)} characters. {ALLOWED}")
    return tokens


def _problem(character: str) -> str | None:
    """What keeps a character out, in words."""
    if character == " ":
        return None
    category = unicodedata.category(character)
    if category.startswith("C"):
        return "a control or invisible character"
    if category.startswith("Z"):
        # Tabs and line ends are control characters; these are the wider kinds of space.
        return None if character.isspace() else "a control or invisible character"
    if category.startswith("M"):
        return "a combining mark"
    if unicodedata.bidirectional(character) in ("R", "AL", "AN"):
        return "right-to-left writing"
    if character in "<>":
        return f"the character {character}"
    if category.startswith("S") and character not in SIGNS:
        return f"the symbol {character}"
    return None
