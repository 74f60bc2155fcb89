"""Many draws of the lesson's sentence: computed once a process, shared by figures."""

from __future__ import annotations

from functools import cache

from attention import DrawsTable, many_draws, tokenize
from widgets.sentence import LESSON_TEXT


@cache
def lesson_draws() -> DrawsTable:
    """The bands that single draws are compared with."""
    return many_draws(tokenize(LESSON_TEXT))
