"""What a lesson asks learners to do: `:::{predict}`, `:::{checkpoint}` and the others, whose body is YAML."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields as names_of
from dataclasses import is_dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup

from app.activity_kinds import Activity, Interview, Predict
from app.fields import Fields
from app.lab_activities import Checklist, Checkpoint, FailureModes
from app.languages import Tongue, tongue
from app.prose import LessonError
from app.quiz import Quiz
from widgets.figure import script_json
from widgets.words import ENGLISH, catalogue

__all__ = [
    "ACTIVITIES",
    "Activity",
    "check_sections",
    "parse_activity",
    "render_activity",
    "render_print",
    "render_progress",
]

ACTIVITIES: dict[str, type[Activity]] = {
    kind.kind: kind for kind in (Predict, Checkpoint, FailureModes, Checklist, Interview, Quiz)
}


def parse_activity(name: str, body: str, where: str, folder: Path) -> Activity:
    """Read a directive's body.

    Parameters
    ----------
    name : str
        One of `ACTIVITIES`.
    body : str
        The YAML between the directive's first and last line.
    where : str
        File and line of the directive's first line: ``lesson.md:12``.
    folder : Path
        The lesson's folder: a quiz is read from its ``quiz.yaml``.

    Raises
    ------
    LessonError
        One line with file and line: what was wanted, what came and what to do.
    """
    path, _, line = where.rpartition(":")
    fields = Fields.read(body, path, int(line) + 1)
    activity = ACTIVITIES[name].read(fields, folder)
    fields.done()
    return activity


def check_sections(activity: Activity, sections: Mapping[str, str]) -> None:
    """Refuse an activity that sends learners to a section that the lesson does not have."""
    for anchor, place in activity.anchors:
        if anchor not in sections:
            raise LessonError(f"{place}: there is no section {anchor!r}. There are: {', '.join(sections)}.")


def render_activity(
    activity: Activity, id: str, sections: Mapping[str, str] | None = None, lang: str = ENGLISH
) -> Markup:
    """An activity as HTML; `id` sets it apart, `sections` are its lesson's titles by anchor, `lang` its language."""
    words = catalogue()
    around = tongue(lang)
    texts = tongue(getattr(activity, "lang", lang))
    if texts.own:
        activity = _marked(activity, texts.own)
    config = {
        **activity.config(),
        "words": {key: text for key, text in words.items() if key.startswith(f"{activity.kind}.")},
    }
    macro = getattr(_templates(), activity.kind.replace("-", "_"))
    return Markup(macro(activity, id, words, script_json(config), sections or {}, around.ui))


def _marked(value: Any, attributes: Markup) -> Any:
    """What an author wrote, saying which language it is in, where the words around it are in another."""
    if isinstance(value, Markup):
        return Markup("<span{}>{}</span>").format(attributes, value)
    if isinstance(value, list):
        return [_marked(item, attributes) for item in value]
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{item.name: _marked(getattr(value, item.name), attributes) for item in names_of(value)})
    return value


def render_progress(slug: str, around: Tongue | None = None) -> Markup:
    """The line that says what has been done in a lesson, and "Start over"; one on each lesson's page.

    `slug` names the learner's answers in their browser.
    """
    words = catalogue()
    config = {"slug": slug, "words": {key: text for key, text in words.items() if key.startswith("progress.")}}
    return Markup(_templates().progress(words, script_json(config), around.ui if around else ""))


def render_print(around: Tongue | None = None) -> Markup:
    """The button that prints a lesson, with a choice of what is printed."""
    words = catalogue()
    config = {"words": {key: text for key, text in words.items() if key.startswith("print.")}}
    return Markup(_templates().print_button(words, script_json(config), around.ui if around else ""))


@cache
def _templates() -> Any:
    loader = FileSystemLoader(Path(__file__).parent / "templates")
    environment = Environment(loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True)
    return environment.get_template("activities.html").module
