"""Read a lesson: front matter, prose with formulas, and blocks: figures, activities, callouts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import yaml
from markupsafe import escape

from app.activities import ACTIVITIES, Activity, check_sections, parse_activity
from app.figures import FIGURES
from app.links import shorten
from app.prose import CALLOUTS, Block, LessonError, Prose, headings, parse, render
from app.references import References, check_state, read_glossary
from app.translated import article, has_article
from app.yaml_text import read_yaml
from widgets.words import ENGLISH, catalogue, current, language, languages

LESSONS = Path(__file__).parent.parent / "lessons"
REQUIRED = {
    "title": str,
    "number": int,
    "minutes": int,
    "forced_by": str,
    "new_idea": str,
    "forces_next": str,
    "prerequisites": list,
    "goals": list,
}
KINDS = {str: "text", int: "a whole number", list: "a list"}


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
    sections : dict of str to str
        Titles by anchor, in reading order.
    blocks : list of str, Directive or Activity
        HTML, figures and activities, in reading order.
    lang : str
        What its text is written in.
    translations : dict of str to Lesson
        The same lesson in other languages.
    """

    slug: str
    meta: dict[str, Any]
    sections: dict[str, str]
    blocks: list[str | Directive | Activity] = field(default_factory=list)
    lang: str = ENGLISH
    translations: dict[str, Lesson] = field(default_factory=dict)

    def here(self) -> Lesson:
        """The lesson in the current language, or where there is none, in English."""
        return self.translations.get(current().tag, self)

    @property
    def figures(self) -> list[Directive]:
        return [block for block in self.blocks if isinstance(block, Directive)]


def load_lesson(folder: Path) -> Lesson:
    """Read a lesson's folder, with the translations that it holds.

    Raises
    ------
    LessonError
        One line with file and line: what is wrong and what to do.
    """
    made = {}
    for lang in languages():
        if lang == ENGLISH or has_article(folder, lang):
            with language(lang):
                made[lang] = _read(folder)
    return replace(made.pop(ENGLISH), translations=made)


def _read(folder: Path) -> Lesson:
    """The lesson in the current language."""
    path = article(folder)
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise LessonError(
            f"{path}: the lesson cannot be read ({reason}). Each lesson folder needs a lesson.md."
        ) from error
    meta, body, first_line = _front_matter(path, text)
    parts = parse(path, body, first_line)
    sections = dict(headings(parts))
    figures = [part.name for part in parts if isinstance(part, Block) and part.name in FIGURES]
    references = References(path, sections, figures, read_glossary(folder))
    lesson = Lesson(folder.name.replace("_", "-"), meta, sections, lang=current().tag)
    for part in parts:
        lesson.blocks.append(_block(path, folder, part, references))
    return lesson


def all_lessons(root: Path = LESSONS) -> list[Lesson]:
    """Every lesson, in the order of the folders' names."""
    folders = sorted(folder for folder in root.iterdir() if folder.is_dir() and not folder.name.startswith(("_", ".")))
    return [load_lesson(folder) for folder in folders]


def check(folders: Sequence[Path]) -> tuple[list[str], list[str]]:
    """Check lessons: what was read well, and what is wrong, a line each."""
    good, bad = [], []
    for folder in folders:
        try:
            lesson = load_lesson(folder)
        except LessonError as error:
            bad.append(str(error))
        else:
            told = f"; also in {', '.join(lesson.translations)}" if lesson.translations else ""
            good.append(f"{folder}: {lesson.meta['title']}, {len(lesson.figures)} figure(s){told}")
    return good, bad


def _front_matter(path: Path, text: str) -> tuple[dict[str, Any], str, int]:
    lines = text.split("\n")
    if lines[0] != "---" or "---" not in lines[1:]:
        raise LessonError(f"{path}:1: no front matter. Start with a line ---, then title: and the rest, then ---.")
    end = lines.index("---", 1)
    try:
        meta = read_yaml("\n".join(lines[1:end]))
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        raise LessonError(f"{path}:{mark.line + 2 if mark else 2}: the front matter is no YAML.") from error
    if not isinstance(meta, dict):
        raise LessonError(f"{path}:2: the front matter holds no names. Write one `name: value` a line.")
    for name, kind in REQUIRED.items():
        came = meta.get(name)
        # YAML's true is a number to Python.
        if not isinstance(came, kind) or isinstance(came, bool):
            raise LessonError(
                f"{path}:2: the front matter needs `{name}:` with {KINDS[kind]}; {shorten(repr(came))} came."
            )
        for item in came if isinstance(came, list) else ():
            if not isinstance(item, str):
                told = f"{path}:2: `{name}:` needs a list of texts; {shorten(repr(item))} came. Quote it."
                raise LessonError(told)
    return meta, "\n".join(lines[end + 1 :]), end + 2


def _block(path: Path, folder: Path, part: Prose | Block, references: References) -> str | Directive | Activity:
    if isinstance(part, Prose):
        references.resolve(part.tokens, part.line)
        return render(part.tokens)
    if part.name in CALLOUTS:
        inner = "".join(str(_block(path, folder, piece, references)) for piece in part.parts)
        title = escape(part.title or catalogue()[f"lesson.{part.name}"])
        head = f'<aside class="callout {part.name}" aria-label="{title}"><p class="callout-title">{title}</p>'
        return f"{head}{inner}</aside>"
    if part.name in ACTIVITIES:
        activity = parse_activity(part.name, part.body, f"{path}:{part.line}", folder)
        check_sections(activity, references.sections)
        return activity
    if part.name in FIGURES:
        return _figure(path, part)
    known = [*FIGURES, *ACTIVITIES, *CALLOUTS]
    near = get_close_matches(part.name, known, n=1)
    hint = f" Did you mean {near[0]!r}?" if near else f" There are: {', '.join(known)}."
    raise LessonError(f"{path}:{part.line}: no block is called {part.name!r}.{hint}")


def _figure(path: Path, block: Block) -> Directive:
    asked = []
    for offset, option in enumerate(block.body.split("\n"), start=1):
        if not option.strip():
            continue
        if not option.startswith(":state:"):
            raise LessonError(
                f"{path}:{block.line + offset}: {option.strip()!r} is no option. Use `:state: d_k=64&scaled=0`."
            )
        asked.append(option.removeprefix(":state:").strip())
    return Directive(block.name, check_state(path, block.line, block.name, "&".join(asked)), block.line)
