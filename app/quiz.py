"""The graded quiz: questions of one choice or one number, from the ``quiz.yaml`` of a lesson's folder."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from markupsafe import Markup

from app.activity_kinds import Activity, Choice, read_choices
from app.fields import Fields
from app.prose import LessonError
from app.translated import beside

FEWEST = 8
FILE = "quiz.yaml"


@dataclass(frozen=True)
class Mistake:
    """A wrong number that has a reason, and what is said to those who give it."""

    number: float
    tolerance: float
    reply: Markup

    @classmethod
    def read(cls, fields: Fields) -> Self:
        return cls(fields.number("number"), _tolerance(fields), fields.text("reply"))


@dataclass(frozen=True)
class Choose:
    """A question with one right choice."""

    question: Markup
    choices: list[Choice]

    def config(self) -> dict[str, Any]:
        return {"right": next(i for i, choice in enumerate(self.choices) if choice.right)}


@dataclass(frozen=True)
class Calculate:
    """A question whose answer is a number; `reply` is for the right one, `otherwise` for any other."""

    question: Markup
    number: float
    tolerance: float
    reply: Markup
    mistakes: list[Mistake]
    otherwise: Markup

    def config(self) -> dict[str, Any]:
        return {
            "number": self.number,
            "tolerance": self.tolerance,
            "mistakes": [{"number": known.number, "tolerance": known.tolerance} for known in self.mistakes],
        }


@dataclass(frozen=True)
class Quiz(Activity):
    """A short test, graded in the browser."""

    kind = "quiz"

    questions: list[Choose | Calculate]
    lang: str  # a translated lesson may still have the English quiz

    @classmethod
    def read(cls, fields: Fields, folder: Path) -> Self:
        path, lang = beside(folder, FILE)
        try:
            text = path.read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
            raise LessonError(
                f"{path}:1: the quiz cannot be read ({reason}). Put a {FILE} beside lesson.md."
            ) from error
        quiz = Fields.read(text, str(path), 1)
        questions = quiz.items("questions", FEWEST, _question)
        quiz.done()
        return cls(fields.maybe_text("title"), questions, lang)

    def config(self) -> dict[str, Any]:
        return {"questions": [question.config() for question in self.questions]}


def _question(fields: Fields) -> Choose | Calculate:
    question = fields.text("question")
    if not fields.has("number"):
        return Choose(question, read_choices(fields))
    number, tolerance = fields.number("number"), _tolerance(fields)
    mistakes = fields.items("mistakes", 1, Mistake.read) if fields.has("mistakes") else []
    for known in mistakes:
        if abs(known.number - number) <= tolerance + known.tolerance:
            raise fields.wrong(f"the mistake {known.number:g} is within the tolerance of the answer {number:g}.")
    return Calculate(question, number, tolerance, fields.text("reply"), mistakes, fields.text("otherwise"))


def _tolerance(fields: Fields) -> float:
    tolerance = fields.number("tolerance", 0)
    if tolerance < 0:
        raise fields.wrong(f"`tolerance:` needs 0 or more; {tolerance:g} came.")
    return tolerance
