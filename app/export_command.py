"""`export` of the command line: reads what was asked for, writes it, says how large it is."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import parse_qsl

from tqdm import tqdm

from app.errors import UserError, one_line
from app.export import LOOK, Progress, figure_file, lesson_file, locks, look_of, pieces, write_whole, zipped
from app.figures import FIGURES, MAIN_FIGURE
from app.lessons import LESSONS, Lesson, all_lessons
from app.links import read_state
from app.scorm import scorm_package
from app.site import write_site
from widgets.words import ENGLISH, current


def export(arguments: argparse.Namespace) -> int:
    """Write what the command line asks for."""
    progress = _progress(arguments.quiet)
    if arguments.site and current().tag != ENGLISH:
        raise UserError("--site writes every language. Leave --lang out.")
    if arguments.site:
        if arguments.zip or arguments.scorm or arguments.state or arguments.theme:
            raise UserError("--site writes everything as it is. Leave --zip, --scorm, --state and --theme out.")
        size = write_site(arguments.out, all_lessons(LESSONS), progress)
        out = one_line(str(arguments.out))
        print(f"{out}: {size / 1e6:.0f} MB, for any static host. Try: python -m http.server -d {out}")
        return 0
    body = _scorm(arguments) if arguments.scorm else _page(arguments, progress)
    try:
        write_whole(arguments.out, body)
    except OSError as error:
        raise UserError(
            f"cannot write {arguments.out} ({error.strerror}). Name a file in a folder that exists and has room."
        ) from error
    use = "opens without a server or network"
    if arguments.scorm:
        use = f"a SCORM {arguments.scorm_version} package to upload to a learning platform"
    elif arguments.zip:
        use = "unpack it, or upload it where no HTML is taken"
    print(f"{one_line(str(arguments.out))}: {len(body) / 1e6:.1f} MB, {use}")
    return 0


def _page(arguments: argparse.Namespace, progress: Progress) -> bytes:
    query = dict(parse_qsl(arguments.state, keep_blank_values=True))
    if arguments.theme:
        query["theme"] = arguments.theme
    figure = MAIN_FIGURE if arguments.lesson else arguments.figure or MAIN_FIGURE
    if figure not in FIGURES:
        raise UserError(f"no figure is called {figure!r}. There are: {', '.join(FIGURES)}.")
    lesson = _lesson(arguments.lesson) if arguments.lesson else None
    state = _checked_state(figure, query)
    if lesson is None:
        page = figure_file(figure, state, look_of(query), progress)
    else:
        # Without a state of one's own the lesson's text says where to start.
        own = state if query.keys() - {"theme", *LOOK} else None
        page = lesson_file(lesson, own, str(state["theme"]), look_of(query), progress)
    return zipped({"index.html": page}) if arguments.zip else page.encode()


def _scorm(arguments: argparse.Namespace) -> bytes:
    if arguments.figure or arguments.state or arguments.theme:
        raise UserError("--scorm packs a whole lesson. Leave --figure, --state and --theme out.")
    lessons = all_lessons(LESSONS)
    lesson = _lesson(arguments.lesson) if arguments.lesson else lessons[0]
    return scorm_package(lesson, arguments.scorm_version)


def _lesson(slug: str) -> Lesson:
    lessons = {lesson.slug: lesson for lesson in all_lessons(LESSONS)}
    if slug not in lessons:
        raise UserError(f"no lesson is called {slug!r}. There are: {', '.join(lessons)}.")
    return lessons[slug]


def _checked_state(figure: str, query: Mapping[str, str]) -> dict[str, Any]:
    """The state that is asked for; who writes a file can still mend what a reader of a link cannot."""
    state, ignored = read_state(query, FIGURES[figure].State)
    if ignored:
        wrong = ignored[0]
        raise UserError(f"--state {wrong.name}={wrong.came} cannot be used; allowed: {wrong.allowed}.")
    known = {"hide": pieces(figure), "lock": locks(figure), "view": ["full", "compact"]}
    for name, allowed in known.items():
        for value in filter(None, query.get(name, "").split(",")):
            if value not in allowed:
                raise UserError(f"--state {name}={value} cannot be used; allowed: {', '.join(allowed)}.")
    strange = query.keys() - known.keys() - set(FIGURES[figure].State.names())
    if strange:
        raise UserError(
            f"--state knows no {min(strange)!r}. It takes: {', '.join([*FIGURES[figure].State.names(), *known])}."
        )
    return state


def _progress(quiet: bool) -> Progress:
    def show(work: Iterable[Any]) -> Iterable[Any]:
        bar: Iterable[Any] = tqdm(
            list(work), desc="Computing tables", unit="table", leave=False, disable=quiet or None, file=sys.stderr
        )
        return bar

    return show
