"""Read a lesson: front matter, prose with formulas, and figures named by directives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import yaml

from app.figures import FIGURES
from app.links import read_state
from app.prose import LessonError, markdown

LESSONS = Path(__file__).parent.parent / "lessons"
REQUIRED = {"title": str, "number": int, "forced_by": str, "new_idea": str, "forces_next": str, "minutes": int}


@dataclass(frozen=True)
class Directive:
    """A figure's place in a lesson, and the state that it starts in."""

    name: str
    state: dict[str, Any]
    line: int


@dataclass(frozen=True)
class Lesson:
    """One lesson.

    Attributes
    ----------
    slug : str
        Its name in addresses: the folder's name with hyphens.
    meta : dict
        The front matter.
    blocks : list of str or Directive
        HTML and figures, in reading order.
    """

    slug: str
    meta: dict[str, Any]
    blocks: list[str | Directive] = field(default_factory=list)

    @property
    def figures(self) -> list[Directive]:
        return [block for block in self.blocks if isinstance(block, Directive)]


def load_lesson(folder: Path) -> Lesson:
    """Read a lesson's folder.

    Raises
    ------
    LessonError
        One line with file and line: what is wrong and what to do.
    """
    path = folder / "lesson.md"
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise LessonError(
            f"{path}: the lesson cannot be read ({reason}). Each lesson folder needs a lesson.md."
        ) from error
    meta, body, first_line = _front_matter(path, text)
    lesson = Lesson(folder.name.replace("_", "-"), meta)
    for kind, content, line in markdown(path, body, first_line):
        lesson.blocks.append(_directive(path, content, line) if kind == "directive" else content)
    return lesson


def all_lessons(root: Path = LESSONS) -> list[Lesson]:
    """Every lesson, in the order of the folders' names."""
    folders = sorted(folder for folder in root.iterdir() if folder.is_dir() and not folder.name.startswith(("_", ".")))
    return [load_lesson(folder) for folder in folders]


def _front_matter(path: Path, text: str) -> tuple[dict[str, Any], str, int]:
    lines = text.split("\n")
    if lines[0] != "---" or "---" not in lines[1:]:
        raise LessonError(f"{path}:1: no front matter. Start with a line ---, then title: and the rest, then ---.")
    end = lines.index("---", 1)
    try:
        meta = yaml.safe_load("\n".join(lines[1:end]))
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        raise LessonError(f"{path}:{mark.line + 2 if mark else 2}: the front matter is no YAML.") from error
    if not isinstance(meta, dict):
        raise LessonError(f"{path}:2: the front matter holds no names. Write one `name: value` a line.")
    for name, kind in REQUIRED.items():
        if not isinstance(meta.get(name), kind):
            wanted = "a whole number" if kind is int else "text"
            raise LessonError(f"{path}:2: the front matter needs `{name}:` with {wanted}; {meta.get(name)!r} came.")
    return meta, "\n".join(lines[end + 1 :]), end + 2


def _directive(path: Path, text: str, line: int) -> Directive:
    head, *options = text.split("\n")
    name = head.strip().strip("{}")
    if name not in FIGURES:
        near = get_close_matches(name, FIGURES, n=1)
        hint = f" Did you mean {near[0]!r}?" if near else f" There are: {', '.join(FIGURES)}."
        raise LessonError(f"{path}:{line}: no figure is called {name!r}.{hint}")
    query: dict[str, str] = {}
    for offset, option in enumerate(options, start=1):
        if not option.strip():
            continue
        if not option.startswith(":state:"):
            raise LessonError(
                f"{path}:{line + offset}: {option.strip()!r} is no option. Use `:state: d_k=64&scaled=0`."
            )
        query |= _query(option.removeprefix(":state:").strip())
    state, ignored = read_state(query, FIGURES[name].State)
    if ignored:
        wrong = ignored[0]
        raise LessonError(f"{path}:{line}: {wrong.name}={wrong.came} cannot be used; allowed: {wrong.allowed}.")
    return Directive(name, state, line)


def _query(text: str) -> dict[str, str]:
    return dict(parse_qsl(text, keep_blank_values=True))


def check(folders: Sequence[Path]) -> tuple[list[str], list[str]]:
    """Check lessons: what was read well, and what is wrong, a line each."""
    good, bad = [], []
    for folder in folders:
        try:
            lesson = load_lesson(folder)
        except LessonError as error:
            bad.append(str(error))
        else:
            good.append(f"{folder}: {lesson.meta['title']}, {len(lesson.figures)} figure(s)")
    return good, bad
