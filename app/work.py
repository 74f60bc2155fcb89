"""What takes long: made beside the event loop, once for all who ask for the same, given up when nobody waits.

Each `Work` has one thread and a bounded queue. The thread shares Python's lock with the event
loop; what tells its progress steps aside after each step.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Hashable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from functools import partial
from typing import Any

from app.metrics import Metrics

# Sleeping hands Python's lock to the event loop at once; without it a request may wait 5 ms for each turn.
ASIDE_S = 0.0001

# Makes something; is given what to call after each step of it.
Compute = Callable[[Callable[[int], None]], Any]


class Busy(Exception):
    """Too much waits already."""


class GivenUp(Exception):
    """It is not made: nobody waits for it any more, or the server stops."""


class Job:
    """One computation: how far it is, and how many wait for it."""

    def __init__(self, compute: Compute, executor: Executor, on_made: Callable[[float], None]) -> None:
        self.step = 0
        self.waiting = 0
        self._compute, self._on_made = compute, on_made
        self._given_up = threading.Event()
        self._error: Exception | None = None
        self._ending: Future[Any] = executor.submit(self._run)

    @property
    def done(self) -> bool:
        return self._ending.done()

    @property
    def given_up(self) -> bool:
        return self._given_up.is_set()

    def ending(self) -> asyncio.Future[Any]:
        """Done when the job is; not to be awaited by itself, because whoever leaves it would stop it for all."""
        return asyncio.wrap_future(self._ending)

    def on_end(self, call: Callable[[], None]) -> None:
        """Call this once it has ended, in whichever thread that comes about."""
        self._ending.add_done_callback(lambda _: call())

    def leave(self) -> None:
        """One of those who wait no longer does; with the last one it is given up."""
        self.waiting -= 1
        if self.waiting <= 0 and not self.done:
            self.give_up()

    def give_up(self) -> None:
        """End it at its next step, or before its first."""
        self._given_up.set()
        self._ending.cancel()

    async def result(self) -> Any:
        """Wait for it, and give what it made or raise what it raised.

        Raises
        ------
        GivenUp
            If it was.
        """
        await asyncio.wait({self.ending()})
        if self._ending.cancelled():
            raise GivenUp
        if self._error is not None:
            raise self._error
        return self._ending.result()

    def _run(self) -> Any:
        # What goes wrong is kept and not raised: perhaps nobody is left to hear of it.
        begun = time.perf_counter()
        try:
            self._on_step(0)
            made = self._compute(self._on_step)
        except Exception as error:
            self._error = error
            return None
        self._on_made(time.perf_counter() - begun)
        return made

    def _on_step(self, step: int) -> None:
        if self.given_up:
            raise GivenUp
        self.step = step
        time.sleep(ASIDE_S)


class Work:
    """Makes one thing after another; as much as a learner will wait for may queue.

    Parameters
    ----------
    name : str
        What the metrics call it, one of `app.metrics.WORK`.
    waiting_most : int
        How many jobs may run or wait at once.
    metrics : Metrics
        What is counted.
    executor : Executor, optional
        What runs the jobs: one thread.
    """

    def __init__(
        self, name: str, waiting_most: int, metrics: Metrics | None = None, executor: Executor | None = None
    ) -> None:
        # Its thread starts with the first job, and so in the process that runs it.
        self._executor = executor or ThreadPoolExecutor(1, thread_name_prefix=name)
        self._name, self._waiting_most, self._metrics = name, waiting_most, metrics or Metrics()
        self._jobs: dict[Hashable, Job] = {}
        self._lock = threading.RLock()

    @property
    def jobs(self) -> list[Job]:
        """What runs or waits."""
        with self._lock:
            return list(self._jobs.values())

    def start(self, key: Hashable, compute: Compute) -> Job:
        """Queue a job, or wait for the one that makes the same already; whoever waits has to `leave`.

        Parameters
        ----------
        key : hashable
            What is made, with all that it depends on.
        compute : callable
            Makes it; is given what to call after each step.

        Raises
        ------
        Busy
            If too many wait already.
        """
        with self._lock:
            job = self._jobs.get(key)
            # One that was given up and still runs is nobody's to join.
            if job is None or job.given_up:
                if len(self._jobs) >= self._waiting_most:
                    self._metrics.count("busy_total", self._name)
                    raise Busy
                job = Job(compute, self._executor, self._made)
                self._jobs[key] = job
                self._metrics.count("queue_length", self._name)
                job.on_end(partial(self._ended, key, job))
            job.waiting += 1
            return job

    def stop(self) -> None:
        """Give up all that runs or waits."""
        for job in self.jobs:
            job.give_up()
        self._executor.shutdown(wait=False, cancel_futures=True)

    def _made(self, seconds: float) -> None:
        self._metrics.observe("work_seconds", seconds, self._name)

    def _ended(self, key: Hashable, job: Job) -> None:
        # In the thread that made it, or in that of whoever left last.
        with self._lock:
            if self._jobs.get(key) is job:
                del self._jobs[key]
        self._metrics.count("queue_length", self._name, by=-1)
