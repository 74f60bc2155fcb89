"""The command line: serve, export, check. A user's mistake is one line and status 2."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from app.errors import UserError, one_line
from app.prose import LessonError
from app.run import ServeError
from app.serve_command import add_options


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> None:  # type: ignore[override]
        raise UserError(f"{message}. See {self.prog} --help.")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status."""
    try:
        arguments = _parser().parse_args(argv)
        result: int = arguments.run(arguments)
        return result
    except (UserError, LessonError, ServeError) as error:
        print(f"attention-lessons: {one_line(str(error))}", file=sys.stderr)
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="attention-lessons", description="Understand trainable attention by driving it.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="{serve,export,check}")

    add = commands.add_parser("serve", help="serve the lessons to browsers")
    add_options(add)

    add = commands.add_parser("export", help="write a figure or a lesson as one file, or everything as a folder")
    add.add_argument("out", type=Path, metavar="OUT", help="the file to write, or the folder with --site")
    what = add.add_mutually_exclusive_group()
    what.add_argument("--figure", help="which figure (default: attention-lab)")
    what.add_argument("--lesson", metavar="SLUG", help="a whole lesson: 05-trainable-attention")
    what.add_argument("--site", action="store_true", help="all lessons and figures, for a static host")
    add.add_argument(
        "--state", default="", metavar="'d_k=64&scaled=0'", help="what it starts in; hide=, lock= and view= count too"
    )
    add.add_argument(
        "--theme", help="its colours: auto, light, dark or projector (default: auto, as the reader's system)"
    )
    add.add_argument("--lang", default="en", help="the language of a file (default: en; a site has them all)")
    form = add.add_mutually_exclusive_group()
    form.add_argument("--zip", action="store_true", help="put the file into a zip file, for sites that take no HTML")
    form.add_argument("--scorm", action="store_true", help="a lesson as a package for a learning platform")
    add.add_argument("--scorm-version", choices=("1.2", "2004"), default="1.2", help="default: 1.2")
    add.add_argument("--quiet", action="store_true", help="no progress bar")
    add.set_defaults(run=_export)

    add = commands.add_parser("check", help="check that lessons parse and name real figures, and what languages lack")
    add.add_argument("folders", nargs="*", type=Path, metavar="LESSON_DIR", help="default: all lessons")
    add.set_defaults(run=_check)
    return parser


def _export(arguments: argparse.Namespace) -> int:
    from app.export_command import export
    from widgets.words import language, languages

    if arguments.lang not in languages():
        raise UserError(f"--lang {arguments.lang} is not there. There are: {', '.join(languages())}.")
    with language(arguments.lang):
        return export(arguments)


def _check(arguments: argparse.Namespace) -> int:
    from app.languages import check_words
    from app.lessons import LESSONS, check

    folders = arguments.folders or sorted(path.parent for path in LESSONS.glob("*/lesson.md"))
    good, bad = check(folders)
    if not arguments.folders:
        told, wrong = check_words()
        good, bad = good + told, bad + wrong
    for line in good:
        print(one_line(line))
    for line in bad:
        print(f"attention-lessons: {one_line(line)}", file=sys.stderr)
    return 2 if bad or not good else 0
