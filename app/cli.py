"""The command line: serve, export, check. A user's mistake is one line and status 2."""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import parse_qsl

from app.prose import LessonError
from app.run import STOP_SIGNALS, ServeError, listen, serve


class UserError(Exception):
    """What a user has to change, in one line."""


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


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="attention-lessons", description="Understand trainable attention by driving it.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="{serve,export,check}")

    add = commands.add_parser("serve", help="serve the lessons to browsers")
    add.add_argument("--port", type=_whole(0, 65535), default=5006, help="0 takes a free one (default: 5006)")
    add.add_argument("--address", default="127.0.0.1", help="where to listen (default: 127.0.0.1; 0.0.0.0 for all)")
    add.add_argument("--workers", type=_whole(1, 64), default=1, help="processes (default: 1)")
    add.add_argument("--lessons", type=Path, metavar="DIR", help="where the lesson folders are (default: ours)")
    add.set_defaults(run=_serve)

    add = commands.add_parser("export", help="write a figure as one self-contained HTML file")
    add.add_argument("out", type=Path, metavar="OUT", help="the file to write")
    add.add_argument("--figure", default="attention-lab", help="which figure (default: attention-lab)")
    add.add_argument("--state", default="", metavar="'d_k=64&scaled=0'", help="the state that it starts in")
    add.set_defaults(run=_export)

    add = commands.add_parser("check", help="check that lessons parse and name real figures")
    add.add_argument("folders", nargs="*", type=Path, metavar="LESSON_DIR", help="default: all lessons")
    add.set_defaults(run=_check)
    return parser


def _serve(arguments: argparse.Namespace) -> int:
    # As process 1 of a container a signal without a handler would be lost while modules are loaded.
    for number in STOP_SIGNALS:
        signal.signal(number, lambda *_: sys.exit(0))
    from app.lessons import LESSONS
    from app.server import make_app

    root = arguments.lessons or LESSONS
    if not any(root.glob("*/lesson.md")):
        raise UserError(f"--lessons {root} holds no lesson. Name a folder in which each lesson has a folder.")
    listener = listen(arguments.address, arguments.port)
    app = make_app(root)
    first = next(iter(app.settings["lessons"]))
    host, port = listener.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    print(f"Open http://{shown}:{port}/lessons/{first}  (Ctrl+C stops)", flush=True)
    return serve(app, listener, workers=arguments.workers)


def _export(arguments: argparse.Namespace) -> int:
    from app.figures import FIGURES
    from app.links import read_state
    from app.pages import embed_page

    if arguments.figure not in FIGURES:
        raise UserError(f"no figure is called {arguments.figure!r}. There are: {', '.join(FIGURES)}.")
    query = dict(parse_qsl(arguments.state, keep_blank_values=True))
    state, ignored = read_state(query, FIGURES[arguments.figure].State)
    if ignored:
        wrong = ignored[0]
        raise UserError(f"--state {wrong.name}={wrong.came} cannot be used; allowed: {wrong.allowed}.")
    page = embed_page(arguments.figure, state, inline=True)
    try:
        arguments.out.write_text(page, "utf-8")
    except OSError as error:
        raise UserError(
            f"cannot write {arguments.out} ({error.strerror}). Name a file in a folder that exists."
        ) from error
    print(f"{arguments.out}: {len(page.encode()) / 1e6:.1f} MB, opens without a server or network")
    return 0


def _check(arguments: argparse.Namespace) -> int:
    from app.lessons import LESSONS, check

    folders = arguments.folders or sorted(path.parent for path in LESSONS.glob("*/lesson.md"))
    good, bad = check(folders)
    for line in good:
        print(line)
    for line in bad:
        print(f"attention-lessons: {line}", file=sys.stderr)
    return 2 if bad or not good else 0
