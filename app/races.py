"""Tables that take long: made beside the event loop, with their progress, given up when nobody waits.

A race is some 20 ms of Python. One thread runs them, one after another, and steps aside
after each training step, so that pages and tables for others are answered in between.
"""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import Any

from app.figures import FIGURES
from widgets.figure import figure_payload
from widgets.words import catalogue

# The figures with such tables; their `table` tells its progress to `on_step`.
LONG_TABLES = ("training-race",)
TOLD_EVERY_S = 0.05
# Sleeping hands Python's lock to the event loop at once; without it a request may wait 5 ms for each turn.
ASIDE_S = 0.0001
WAITING_MOST = 16

Compute = Callable[[Callable[[int], None]], bytes]


class Busy(Exception):
    """Too many races wait; the message is for the learner."""


class Cancelled(Exception):
    """Nobody waits for this race any more."""


class Race:
    """One race: what it has come to, and whether somebody waits for it."""

    def __init__(self, compute: Compute, executor: Executor) -> None:
        self.step = 0
        self._compute = compute
        self._cancelled = threading.Event()
        self._ending = executor.submit(self._run)

    @property
    def done(self) -> bool:
        return self._ending.done()

    def cancel(self) -> None:
        """End it at its next step, or before its first."""
        self._cancelled.set()
        self._ending.cancel()

    async def chunks(self) -> AsyncIterator[bytes]:
        """Lines of JSON that tell the progress, ``{"bytes": n}``, then the table in n bytes.

        A race that cannot be run ends with a line that tells why, as other refusals do.
        """
        ending = asyncio.wrap_future(self._ending)
        told = None
        while not ending.done():
            if told != self.step:
                told = self.step
                yield _line({"step": told})
            await asyncio.wait({ending}, timeout=TOLD_EVERY_S)
        if not ending.cancelled():
            for chunk in ending.result():
                yield chunk

    def _run(self) -> list[bytes]:
        """The last chunks; what happened is returned and not raised: perhaps nobody is left to hear of it."""
        try:
            self._on_step(0)
            table = self._compute(self._on_step)
        except Cancelled:
            return []
        except ValueError as error:
            return [_line({"error": {"field": "race", "message": str(error)}})]
        return [_line({"step": self.step}), _line({"bytes": len(table)}), table]

    def _on_step(self, step: int) -> None:
        if self._cancelled.is_set():
            raise Cancelled
        self.step = step
        time.sleep(ASIDE_S)


class Races:
    """Runs races one after another; as many as a learner will wait for may queue."""

    def __init__(self, executor: Executor | None = None, waiting_most: int = WAITING_MOST) -> None:
        # Its thread starts with the first race, and so in the worker that runs it.
        self._executor = executor or ThreadPoolExecutor(1, thread_name_prefix="race")
        self._waiting_most = waiting_most
        self._running: list[Race] = []

    def start(self, compute: Compute) -> Race:
        """Queue a race.

        Parameters
        ----------
        compute : callable
            Makes the table's bytes; is given what to call after each step.

        Raises
        ------
        Busy
            If too many wait already.
        """
        self._running = [race for race in self._running if not race.done]
        if len(self._running) >= self._waiting_most:
            raise Busy(catalogue()["site.busy"])
        race = Race(compute, self._executor)
        self._running.append(race)
        return race


def long_payload(name: str, key: tuple[Any, ...], on_step: Callable[[int], object]) -> bytes:
    """One of the `LONG_TABLES` as it is sent; not kept: hardly anyone asks for another learner's."""
    figure = FIGURES[name]
    return figure_payload(figure, figure.table(**dict(zip(figure.key, key, strict=True)), on_step=on_step))


def _line(value: dict[str, object]) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode() + b"\n"
