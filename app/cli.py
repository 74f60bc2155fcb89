"""The command line: serve, export, check. A user's mistake is one line and status 2."""

from __future__ import annotations

import argparse
import re
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from app.errors import UserError
from app.prose import LessonError
from app.run import STOP_SIGNALS, ServeError, listen, serve


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
        print(f"attention-lessons: {error}", file=sys.stderr)
        return 2


def _whole(low: int, high: int):  # type: ignore[no-untyped-def]
    def convert(text: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) < 10 and low <= int(text) <= high):
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from {low} to {high}")
        return int(text)

    return convert


def _origin(text: str) -> str:
    if not re.fullmatch(r"https?://[a-z0-9.-]+(:[0-9]{1,5})?", text):
        raise argparse.ArgumentTypeError(
            f"{text!r} is not an origin. Write it like https://example.org or http://127.0.0.1:8000"
        )
    return text


def _ancestor(text: str) -> str:
    if text in ("self", "none", "'self'", "'none'"):
        return f"'{text.strip(chr(39))}'"
    if not re.fullmatch(r"(https?://)?(\*\.)?[a-z0-9.-]+(:([0-9]{1,5}|\*))?|https?:", text):
        raise argparse.ArgumentTypeError(f"{text!r} is no source. Write it like https://*.example.org, self or none")
    return text


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="attention-lessons", description="Understand trainable attention by driving it.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="{serve,export,check}")

    add = commands.add_parser("serve", help="serve the lessons to browsers")
    add.add_argument("--port", type=_whole(0, 65535), default=5006, help="0 takes a free one (default: 5006)")
    add.add_argument("--address", default="127.0.0.1", help="where to listen (default: 127.0.0.1; 0.0.0.0 for all)")
    add.add_argument("--workers", type=_whole(1, 64), default=1, help="processes (default: 1)")
    add.add_argument(
        "--allow-origin",
        action="append",
        default=[],
        type=_origin,
        metavar="ORIGIN",
        help="whose pages may exchange messages with a framed page: https://example.org (repeatable; default: all)",
    )
    add.add_argument(
        "--frame-ancestors",
        action="append",
        default=[],
        type=_ancestor,
        metavar="SOURCE",
        help="who may frame the pages: https://*.example.org, 'self' or 'none' (repeatable; default: anyone)",
    )
    add.add_argument("--lessons", type=Path, metavar="DIR", help="where the lesson folders are (default: ours)")
    add.add_argument("--words", type=Path, metavar="DIR", help="a folder of more languages, as widgets/words is")
    add.set_defaults(run=_serve)

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


def _serve(arguments: argparse.Namespace) -> int:
    # As process 1 of a container a signal without a handler would be lost while modules are loaded.
    for number in STOP_SIGNALS:
        signal.signal(number, lambda *_: sys.exit(0))
    from app.hosting import Hosting
    from app.lessons import LESSONS
    from app.server import make_app
    from widgets.words import add_languages

    root = arguments.lessons or LESSONS
    if not any(root.glob("*/lesson.md")):
        raise UserError(f"--lessons {root} holds no lesson. Name a folder in which each lesson has a folder.")
    if arguments.words:
        try:
            add_languages(arguments.words)
        except ValueError as error:
            raise UserError(
                f"--words {arguments.words} cannot be read ({error}). Name a folder with a folder a language."
            ) from error
    listener = listen(arguments.address, arguments.port)
    app = make_app(
        root, Hosting("server", origins=tuple(arguments.allow_origin), frame_ancestors=tuple(arguments.frame_ancestors))
    )
    first = next(iter(app.settings["lessons"]))
    host, port = listener.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    print(f"Open http://{shown}:{port}/lessons/{first}  (Ctrl+C stops)", flush=True)
    return serve(app, listener, workers=arguments.workers)


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
        print(line)
    for line in bad:
        print(f"attention-lessons: {line}", file=sys.stderr)
    return 2 if bad or not good else 0
