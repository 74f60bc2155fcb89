"""Tables that take long: what is told while one is made, in a stream.

A race is some 20 ms of Python. Races run one after another in a thread of their own, see `app.work`.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable
from typing import Any

from app.figures import FIGURES
from app.work import GivenUp, Job
from widgets.figure import figure_payload

# The figures with such tables; their `table` tells its progress to `on_step`.
LONG_TABLES = ("training-race",)
TOLD_EVERY_S = 0.05
# Who waits for its turn is told so too: browsers and proxies give up where nothing comes.
TOLD_AT_LEAST_S = 5.0


async def chunks(job: Job, why_given_up: Callable[[], str]) -> AsyncIterator[bytes]:
    """Lines of JSON that tell the progress, ``{"bytes": n}``, then the table in n bytes.

    A race that cannot be run, or is given up while somebody still waits, ends with a line that
    tells why, as other refusals do.
    """
    ending, told, when = job.ending(), None, 0.0
    while not ending.done():
        if told != job.step or time.monotonic() - when > TOLD_AT_LEAST_S:
            told, when = job.step, time.monotonic()
            yield _line({"step": told})
        await asyncio.wait({ending}, timeout=TOLD_EVERY_S)
    try:
        table = await job.result()
    except ValueError as error:
        yield _refusal(str(error))
    except GivenUp:
        yield _refusal(why_given_up())
    else:
        yield _line({"step": job.step})
        yield _line({"bytes": len(table)})
        yield table


def long_payload(name: str, key: tuple[Any, ...], on_step: Callable[[int], object]) -> bytes:
    """One of the `LONG_TABLES` as it is sent; not kept: hardly anyone asks for another learner's."""
    figure = FIGURES[name]
    return figure_payload(figure, figure.table(**dict(zip(figure.key, key, strict=True)), on_step=on_step))


def _refusal(message: str) -> bytes:
    return _line({"error": {"field": "race", "message": message}})


def _line(value: dict[str, object]) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode() + b"\n"
