"""`serve`: its options, and the server that they make."""

from __future__ import annotations

import argparse
import ipaddress
import os
import re
import signal
import sys
from collections.abc import Callable
from pathlib import Path

from app.errors import UserError
from app.run import STOP_SIGNALS, listen, serve

# Sockets that wait for a refusal, health checks, modules and pipes.
SPARE_FILES = 200


def whole(low: int, high: int):  # type: ignore[no-untyped-def]
    """An option's type: a whole number within bounds."""

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


def _network(text: str) -> ipaddress.IPv4Network | ipaddress.IPv6Network:
    try:
        return ipaddress.ip_network(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is no address or network. Write 10.0.0.5 or 10.0.0.0/8") from error


def add_options(add: argparse.ArgumentParser) -> None:
    """All options of `serve`."""
    add.add_argument("--port", type=whole(0, 65535), default=5006, help="0 takes a free one (default: 5006)")
    add.add_argument("--address", default="127.0.0.1", help="where to listen (default: 127.0.0.1; 0.0.0.0 for all)")
    add.add_argument("--workers", type=whole(1, 64), default=1, help="processes (default: 1)")

    def several(name: str, metavar: str, doc: str, convert: Callable[[str], object] = str) -> None:
        add.add_argument(name, action="append", default=[], type=convert, metavar=metavar, help=doc)

    several(
        "--allow-origin",
        "ORIGIN",
        "whose pages may exchange messages with a framed page: https://example.org (repeatable; default: all)",
        _origin,
    )
    several(
        "--frame-ancestors",
        "SOURCE",
        "who may frame the pages: https://*.example.org, 'self' or 'none' (repeatable; default: anyone)",
        _ancestor,
    )
    several(
        "--proxy",
        "NETWORK",
        "whose X-Forwarded-For says where a client is: 10.0.0.0/8 (repeatable; default: this machine)",
        _network,
    )
    several("--metrics", "NETWORK", "who may read /metrics (repeatable; default: this machine)", _network)
    several("--limit", "NAME=VALUE", "change a limit, see docs/operating.md (repeatable)")
    add.add_argument("--log-format", choices=("text", "json"), default="text", help="of stderr (default: text)")
    add.add_argument("--access-log", action="store_true", help="log each request, without what was typed")
    add.add_argument("--lessons", type=Path, metavar="DIR", help="where the lesson folders are (default: ours)")
    add.add_argument("--words", type=Path, metavar="DIR", help="a folder of more languages, as widgets/words is")
    add.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Serve until told to stop."""
    # As process 1 of a container a signal without a handler would be lost while modules are loaded.
    for number in STOP_SIGNALS:
        signal.signal(number, lambda *_: sys.exit(0))
    from app.hosting import Hosting
    from app.lessons import LESSONS
    from app.limits import limits_from
    from app.logs import set_up
    from app.metrics import Metrics
    from app.server import make_app
    from app.services import LOOPBACK, Services
    from widgets.words import add_languages

    limits = limits_from(arguments.limit)
    room_for(limits.connections)
    root = arguments.lessons or LESSONS
    try:
        found = any(root.glob("*/lesson.md"))
    except OSError:  # a name that is too long, a folder that may not be read
        found = False
    if not found:
        raise UserError(f"--lessons {root} holds no lesson. Name a folder in which each lesson has a folder.")
    if arguments.words:
        try:
            add_languages(arguments.words)
        except ValueError as error:
            raise UserError(
                f"--words {arguments.words} cannot be read ({error}). Name a folder with a folder a language."
            ) from error
    listener = listen(arguments.address, arguments.port)
    services = Services(
        limits,
        Metrics(arguments.workers),
        proxies=arguments.proxy or LOOPBACK,
        readers=arguments.metrics or LOOPBACK,
        access_log=arguments.access_log,
    )
    hosting = Hosting("server", origins=tuple(arguments.allow_origin), frame_ancestors=tuple(arguments.frame_ancestors))
    app = make_app(root, hosting, services)
    set_up(arguments.log_format)
    first = next(iter(app.settings["lessons"]))
    host, port = listener.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    say(f"Open http://{shown}:{port}/lessons/{first}  (Ctrl+C stops)")
    return serve(app, listener, services, workers=arguments.workers)


def room_for(connections: int) -> None:
    """Let the process have so many connections open.

    Raises
    ------
    UserError
        If the system does not allow it.
    """
    import resource  # not on every system that can export and check

    wanted = connections + SPARE_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        if hard != resource.RLIM_INFINITY and hard < wanted:
            raise UserError(
                f"{connections} connections need {wanted} open files, and this system allows {hard}. "
                f"Raise that (ulimit -Hn), or take fewer: --limit connections={max(10, hard - SPARE_FILES)}."
            )
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def say(line: str) -> None:
    """Print a line; that nobody can read it stops no server."""
    try:
        print(line, flush=True)
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
