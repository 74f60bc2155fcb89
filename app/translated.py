"""The files of a lesson in a language: ``lesson.de.md`` beside ``lesson.md``, and so on."""

from __future__ import annotations

from pathlib import Path

from widgets.words import ENGLISH, current

ARTICLE = "lesson.md"


def beside(folder: Path, name: str) -> tuple[Path, str]:
    """A lesson's file in the current language and that language; in English where it is not translated."""
    lang = current().tag
    stem, suffix = name.split(".")
    path = folder / f"{stem}.{lang}.{suffix}"
    return (path, lang) if lang != ENGLISH and path.exists() else (folder / name, ENGLISH)


def article(folder: Path) -> Path:
    """The lesson's text."""
    return beside(folder, ARTICLE)[0]


def has_article(folder: Path, lang: str) -> bool:
    """Whether the lesson's text is there in a language: the other files count only beside it."""
    return (folder / f"lesson.{lang}.md").exists()
