"""Pages as files that need no server: a figure or a lesson as one file, plain or zipped."""

from __future__ import annotations

import io
import os
import re
import zipfile
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from app.figures import FIGURES, MAIN_FIGURE
from app.hosting import FILE, LESSON_FILE, Hosting
from app.lessons import Lesson
from app.pages import embed_page, lesson_page
from app.prepared import prepare, prepared_keys
from widgets.words import cached_by_language

# Of a link, what says how a figure is shown and not what it shows; see app/static/pieces.mjs.
LOOK = ("hide", "lock", "view")
# The earliest time that a zip file can hold: the same page gives the same bytes.
ZIP_TIME = (1980, 1, 1, 0, 0, 0)

Progress = Callable[[Iterable[Any]], Iterable[Any]]


def look_of(query: Mapping[str, str]) -> str:
    """The part of a link's parameters that a file keeps beside its state."""
    return urlencode({name: query[name] for name in LOOK if query.get(name)})


def figure_file(name: str, state: Mapping[str, Any], look: str = "", progress: Progress = iter) -> str:
    """One figure as one file, in a state."""
    prepare(_work([(name, state)], FILE), progress)
    return embed_page(name, state, hosting=FILE, start=look)


@cached_by_language()
def plain_figure_file(name: str) -> str:
    """One figure as one file in its first state; the builder's page puts another state in."""
    return figure_file(name, FIGURES[name].State.default())


def lesson_file(
    lesson: Lesson, state: Mapping[str, Any] | None, theme: str, look: str = "", progress: Progress = iter
) -> str:
    """A whole lesson as one file; the state is for its main figure."""
    prepare(lesson_work(lesson, LESSON_FILE, state), progress)
    return lesson_page(lesson, state, hosting=LESSON_FILE, theme=theme, start=look)


def lesson_work(
    lesson: Lesson, hosting: Hosting, state: Mapping[str, Any] | None = None
) -> list[tuple[str, dict[str, Any]]]:
    """The tables that a lesson's page needs, by figure and key."""
    states: list[tuple[str, Mapping[str, Any]]] = [(figure.name, figure.state) for figure in lesson.here().figures]
    if state is not None:
        states = [(name, state if name == MAIN_FIGURE else own) for name, own in states]
    return _work(states, hosting)


def _work(states: Iterable[tuple[str, Mapping[str, Any]]], hosting: Hosting) -> list[tuple[str, dict[str, Any]]]:
    return [(name, key) for name, state in states for key in prepared_keys(name, state, hosting)]


def write_whole(path: Path, body: bytes) -> None:
    """Write a file or, on a full disk, none: an earlier one stays as it was.

    Raises
    ------
    OSError
        If it cannot be written.
    """
    path = path.resolve()
    if path.exists() and not path.is_file():
        path.write_bytes(body)  # a pipe, say; a folder refuses
        return
    part = path.with_name(f".{os.getpid()}.part")
    try:
        part.write_bytes(body)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def zipped(files: Mapping[str, str]) -> bytes:
    """Texts by file name as the bytes of a zip file."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, text in files.items():
            entry = zipfile.ZipInfo(name, ZIP_TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3  # as on Unix, wherever it is made
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, text.encode(), compresslevel=9)
    return packed.getvalue()


@cache
def pieces(name: str) -> list[str]:
    """What ``hide=`` can leave out of a figure, in the order of the page."""
    page = embed_page(name, FIGURES[name].State.default())
    found = [piece for names in re.findall(r'data-piece="([^"]+)"', page) for piece in names.split()]
    return list(dict.fromkeys(found))


def locks(name: str) -> list[str]:
    """What ``lock=`` can hold fast in a figure: all of its state but how the page looks."""
    return [choice for choice in FIGURES[name].State.names() if choice != "theme"]
