"""What the server logs: one event a line on stderr, never what a learner typed.

An event has a name, a message of ours, and fields of ours. Of an exception its type and where it
was raised are logged, and not its message, which may quote a sentence. The same goes for what
libraries log: only the sentence that their authors wrote, without what was put into it.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sys
import time
import traceback
from typing import Any

_log = logging.getLogger("attention_lessons")


def set_up(form: str = "text") -> None:
    """Log to stderr.

    Parameters
    ----------
    form : {"text", "json"}
        For people, or a JSON object a line for programs.
    """
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JSONForm() if form == "json" else TextForm())
    # A log that cannot be written, for the disk is full, is no reason to say so on the same disk.
    logging.raiseExceptions = False
    logging.root.handlers = [handler]
    logging.root.setLevel(logging.WARNING)
    _log.setLevel(logging.INFO)
    # Tornado's lines about requests have their addresses in them; `Handler` tells what is wrong with one itself.
    logging.getLogger("tornado.access").disabled = True


def event(
    name: str, message: str, *, level: int = logging.INFO, error: BaseException | None = None, **known: Any
) -> None:
    """Log an event.

    Parameters
    ----------
    name : str
        What programs know it by.
    message : str
        What people read; without anything that a learner typed.
    level : int, optional
        Of `logging`.
    error : BaseException, optional
        What was raised.
    **known
        What else is known.
    """
    _log.log(level, message, exc_info=error, extra={"event": name, "known": known})


def told_before(error: BaseException) -> bool:
    """Whether this very exception was asked about before: many may wait for what failed once."""
    before = getattr(error, "told", False)
    error.told = True  # type: ignore[attr-defined]
    return before


def on_loop_error(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """For what is raised in the event loop with nobody to hear of it."""
    event("error", "An error outside of any request.", level=logging.ERROR, error=context.get("exception"))


def frames(error: BaseException) -> list[str]:
    """Where an exception was raised, and those before it; types only."""
    lines, seen = [], set()
    now: BaseException | None = error
    while now is not None and id(now) not in seen:
        seen.add(id(now))
        lines.append(type(now).__name__)
        lines += [f"  {at.filename}:{at.lineno} in {at.name}" for at in traceback.extract_tb(now.__traceback__)]
        now = now.__cause__ or (None if now.__suppress_context__ else now.__context__)
    return lines


def _parts(record: logging.LogRecord) -> dict[str, Any]:
    ours = record.name == _log.name
    told = {
        "time": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{int(record.msecs):03}Z",
        "level": record.levelname.lower(),
        "event": record.event if ours else "library",  # type: ignore[attr-defined]
        # A library's message as it was written, without what was put into it.
        "message": str(record.msg) if ours or record.args else record.name,
        **(record.known if ours else {"logger": record.name}),  # type: ignore[attr-defined]
    }
    error = record.exc_info[1] if record.exc_info else None
    return told | ({"error": type(error).__name__, "traceback": frames(error)} if error else {})


class JSONForm(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        return json.dumps(_parts(record), ensure_ascii=False, default=str)


class TextForm(logging.Formatter):
    """A line for people, and below it where an exception came from."""

    def format(self, record: logging.LogRecord) -> str:
        told = _parts(record)
        lines = told.pop("traceback", None)
        head = f"{told.pop('time')} {told.pop('level').upper()} {told.pop('message')}"
        line = " ".join([head, *(f"{name}={value}" for name, value in told.items() if value not in ({}, ""))])
        return "\n".join([line, "Traceback, latest last:", *lines] if lines else [line])
