"""What all activities share, and those that need no lab: predictions and interview prompts."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Self

from markupsafe import Markup

from app.fields import Fields, Go


@dataclass(frozen=True)
class Activity:
    """Something to do in a lesson.

    Attributes
    ----------
    title : Markup or None
        A heading above it; without one the section's own heading serves.
    anchors : tuple of (str, str)
        The sections that it sends learners to, each with file and line.
    """

    kind: ClassVar[str]

    title: Markup | None

    @property
    def anchors(self) -> tuple[tuple[str, str], ...]:
        return ()

    @classmethod
    def read(cls, fields: Fields, folder: Path) -> Self:
        """Read it from its YAML."""
        raise NotImplementedError

    def config(self) -> dict[str, Any]:
        """What its module in the browser has to know besides its HTML."""
        return {}


@dataclass(frozen=True)
class Choice:
    """One answer of a single choice, and what is said to those who give it."""

    text: Markup
    reply: Markup
    right: bool

    @classmethod
    def read(cls, fields: Fields) -> Self:
        return cls(fields.text("text"), fields.text("reply"), fields.flag("right"))


def read_choices(fields: Fields) -> list[Choice]:
    """The `choices:` of a question: exactly one of them is right."""
    choices = fields.items("choices", 2, Choice.read)
    right = sum(choice.right for choice in choices)
    if right != 1:
        raise fields.wrong(f"one of the choices needs `right: true`; {right} have it.")
    return choices


@dataclass(frozen=True)
class Predict(Activity):
    """Say what will happen; then the figure shows it."""

    kind = "predict"

    question: Markup
    choices: list[Choice]
    then: Go

    @classmethod
    def read(cls, fields: Fields, folder: Path) -> Self:
        return cls(fields.maybe_text("title"), fields.text("question"), read_choices(fields), fields.go("then"))

    def config(self) -> dict[str, Any]:
        return {"figure": self.then.figure, "query": self.then.query}


@dataclass(frozen=True)
class Prompt:
    """A question as an interviewer would ask it."""

    question: Markup
    answer: Markup
    section: str
    place: str

    @classmethod
    def read(cls, fields: Fields) -> Self:
        return cls(fields.text("question"), fields.text("answer"), fields.plain("section"), fields.place())


@dataclass(frozen=True)
class Interview(Activity):
    """Questions to answer in own words, to compare, and to mark oneself."""

    kind = "interview"

    prompts: list[Prompt]

    @property
    def anchors(self) -> tuple[tuple[str, str], ...]:
        return tuple((prompt.section, prompt.place) for prompt in self.prompts)

    @classmethod
    def read(cls, fields: Fields, folder: Path) -> Self:
        return cls(fields.maybe_text("title"), fields.items("prompts", 1, Prompt.read))
