"""Activities that follow the lab: checkpoint, failure modes, checklist."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from markupsafe import Markup

from app.activity_kinds import Activity, Choice, read_choices
from app.fields import Fields, Go
from attention.checklist import CHECKS
from attention.diagnostics import SoftmaxState
from attention.faults import FAULTS
from attention.tables import D_K_MAX, D_K_MIN
from widgets.words import catalogue

LAB = "attention-lab"
STATES = {"healthy": SoftmaxState.HEALTHY, "uniform": SoftmaxState.UNIFORM, "saturated": SoftmaxState.SATURATED}


@dataclass(frozen=True)
class Task:
    """A drag of d_k in the lab, nothing broken, and what the softmax state has to be at its end or all along."""

    text: Markup
    scaled: bool
    start: int
    stop: int
    ends: int | None
    throughout: int | None

    @classmethod
    def read(cls, fields: Fields) -> Self:
        text, scaled = fields.text("text"), fields.choice("scaled", ("true", "false")) == "true"
        start, stop = fields.number("from"), fields.number("to")
        if not (D_K_MIN <= start < stop <= D_K_MAX and start.is_integer() and stop.is_integer()):
            raise fields.wrong(
                f"`from:` and `to:` need whole numbers from {D_K_MIN} to {D_K_MAX}, the smaller first; "
                f"{start:g} and {stop:g} came."
            )
        told = {name: STATES[fields.choice(name, tuple(STATES))] for name in ("ends", "throughout") if fields.has(name)}
        if not told:
            raise fields.wrong(f"a task needs `ends:` or `throughout:` with one of {', '.join(STATES)}.")
        return cls(text, scaled, int(start), int(stop), told.get("ends"), told.get("throughout"))


@dataclass(frozen=True)
class Checkpoint(Activity):
    """Tasks that tick themselves when they are done on the lab, then a question."""

    kind = "checkpoint"

    tasks: list[Task]
    question: Markup
    choices: list[Choice]

    @classmethod
    def read(cls, fields: Fields, folder: Path) -> Self:
        return cls(
            fields.maybe_text("title"),
            fields.items("tasks", 1, Task.read),
            fields.text("question"),
            read_choices(fields),
        )

    def config(self) -> dict[str, Any]:
        names = ("scaled", "start", "stop", "ends", "throughout")
        return {"figure": LAB, "tasks": [{name: getattr(task, name) for name in names} for task in self.tasks]}


@dataclass(frozen=True)
class FailureMode:
    """A way to break the layer."""

    name: Markup
    wrong: Markup
    signal: Markup
    go: Go

    @classmethod
    def read(cls, fields: Fields) -> Self:
        return cls(fields.text("name"), fields.text("wrong"), fields.text("signal"), fields.go("try"))


@dataclass(frozen=True)
class FailureModes(Activity):
    """A table of ways to break the layer, each to be tried in the lab and undone."""

    kind = "failure-modes"

    rows: list[FailureMode]

    @classmethod
    def read(cls, fields: Fields, folder: Path) -> Self:
        return cls(fields.maybe_text("title"), fields.items("rows", 1, FailureMode.read))


@dataclass(frozen=True)
class Line:
    """A line of the checklist; `check` is its place in `CHECKS`, `go` a state that breaks it."""

    check: int
    text: Markup
    go: Go

    @classmethod
    def read(cls, fields: Fields) -> Self:
        return cls(CHECKS.index(fields.choice("check", CHECKS)), fields.text("text"), fields.go("break"))


@dataclass(frozen=True)
class Checklist(Activity):
    """Lines that hold or are broken, told from the layer in the lab as it is now."""

    kind = "checklist"

    lines: list[Line]

    @classmethod
    def read(cls, fields: Fields, folder: Path) -> Self:
        return cls(fields.maybe_text("title"), fields.items("lines", 1, Line.read))

    def config(self) -> dict[str, Any]:
        return {"figure": LAB, "faults": {fault: catalogue()[f"fault.{fault}"] for fault in FAULTS}}
