"""What is counted, in the text format of Prometheus, over all workers.

The numbers lie in memory that the workers share: a row for each, made before they are forked,
in which only that worker counts. A scrape asks any of them and gets the sums.
"""

from __future__ import annotations

import mmap
import os
import threading
import time
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from math import prod
from pathlib import Path

import numpy as np

from app import __version__

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
PREFIX = "attention_lessons_"
# Labels are patterns and never what somebody typed, so that there are only so many.
ROUTES = (
    "/",
    "/lessons/{slug}",
    "/embed",
    "/embed/{figure}",
    "/embed.js",
    "/files/{figure}.html",
    "/tables/{figure}",
    "/races/{figure}",
    "/static/{file}",
    "/healthz",
    "/readyz",
    "/metrics",
    "other",
)
STATUSES = ("200", "206", "304", "400", "404", "405", "414", "429", "500", "503", "other")
WORK = ("tables", "races", "files")
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


@dataclass(frozen=True)
class Family:
    """One metric. Of a sparse one only the samples that are not 0 are told."""

    name: str
    kind: str
    doc: str
    labels: tuple[tuple[str, tuple[str, ...]], ...] = ()
    sparse: bool = False

    @property
    def width(self) -> int:
        # A histogram has its buckets, the one without an end, and the sum.
        return len(BUCKETS) + 2 if self.kind == "histogram" else 1

    @property
    def size(self) -> int:
        return self.width * prod(len(values) for _, values in self.labels)

    def samples(self) -> Iterator[tuple[str, ...]]:
        return product(*(values for _, values in self.labels))


_ROUTE, _WORK = ("route", ROUTES), ("work", WORK)
FAMILIES = (
    Family("page_loads_total", "counter", "Pages that were answered.", (_ROUTE,), True),
    Family("requests_total", "counter", "Requests that were answered.", (_ROUTE, ("status", STATUSES)), True),
    Family("request_seconds", "histogram", "From a request to the end of its answer.", (_ROUTE,), True),
    Family("work_seconds", "histogram", "Computing tables and pages, races, and files.", (_WORK,)),
    Family("queue_length", "gauge", "Computations that run or wait.", (_WORK,)),
    Family("busy_total", "counter", "Learners told to try again, because too many wait.", (_WORK,)),
    Family("rate_limited_total", "counter", "Requests refused because of their client's rate."),
    Family("errors_total", "counter", "Errors of ours; each has an entry in the log."),
    Family("connections", "gauge", "Open connections."),
    Family("connections_refused_total", "counter", "Connections refused because there are too many."),
    Family("connections_cut_total", "counter", "Connections closed because they were too slow."),
    Family("workers_replaced_total", "counter", "Workers that ended by themselves and were replaced."),
)


class Metrics:
    """The numbers of all workers.

    Parameters
    ----------
    workers : int, optional
        How many processes count. One more row is for the process that looks after them.
    """

    def __init__(self, workers: int = 1) -> None:
        self._at: dict[tuple[str, ...], int] = {}
        size = 0
        for family in FAMILIES:
            for values in family.samples():
                self._at[(family.name, *values)] = size
                size += family.width
        self._rows = np.frombuffer(mmap.mmap(-1, (workers + 1) * size * 8)).reshape(workers + 1, size)
        self._pids = np.frombuffer(mmap.mmap(-1, (workers + 1) * 8), np.int64)
        self._gauges = [self._find(f.name, values) for f in FAMILIES if f.kind == "gauge" for values in f.samples()]
        self._begun = time.time()
        self._lock = threading.Lock()
        self.use(0)

    def use(self, row: int) -> None:
        """From here on this process counts in that row, and goes on where the one before it ended."""
        self._row = self._rows[row]
        self._pids[row] = os.getpid()
        self._row[self._gauges] = 0

    def count(self, name: str, *labels: str, by: int = 1) -> None:
        """Add one, or so many."""
        with self._lock:
            self._row[self._find(name, labels)] += by

    def set(self, name: str, value: float, *labels: str) -> None:
        """A gauge's value."""
        self._row[self._find(name, labels)] = value

    def observe(self, name: str, seconds: float, *labels: str) -> None:
        """One more duration for a histogram."""
        with self._lock:
            at = self._find(name, labels)
            self._row[at + bisect_left(BUCKETS, seconds)] += 1
            self._row[at + len(BUCKETS) + 1] += seconds

    def text(self) -> str:
        """All of it as Prometheus reads it."""
        return "".join(line + "\n" for line in [*self._counted(), *self._processes()])

    def _find(self, name: str, labels: tuple[str, ...]) -> int:
        at = self._at.get((name, *labels))
        if at is not None:
            return at
        family = next(family for family in FAMILIES if family.name == name)
        known = [
            label if label in values else "other" for label, (_, values) in zip(labels, family.labels, strict=True)
        ]
        return self._at[(name, *known)]

    def _counted(self) -> Iterator[str]:
        sums = self._rows.sum(axis=0)
        for family in FAMILIES:
            yield from _head(PREFIX + family.name, family.kind, family.doc)
            for values in family.samples():
                at = self._at[(family.name, *values)]
                numbers = sums[at : at + family.width]
                if family.sparse and not numbers.any():
                    continue
                labels = {name: value for (name, _), value in zip(family.labels, values, strict=True)}
                if family.kind == "histogram":
                    yield from _histogram(PREFIX + family.name, labels, numbers)
                else:
                    yield _sample(PREFIX + family.name, labels, numbers[0])

    def _processes(self) -> Iterator[str]:
        """What is known of the workers' processes, where the system tells it, and which release this is."""
        memory, cpu = [], []
        for row, pid in enumerate(self._pids[: max(1, len(self._pids) - 1)]):
            try:
                after_name = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
            except OSError:
                continue
            worker = {"worker": str(row)}
            ticks = int(after_name[11]) + int(after_name[12])
            cpu.append(_sample(f"{PREFIX}cpu_seconds_total", worker, ticks / os.sysconf("SC_CLK_TCK")))
            resident = int(after_name[21]) * os.sysconf("SC_PAGE_SIZE")
            memory.append(_sample(f"{PREFIX}memory_bytes", worker, resident))
        yield from [*_head(f"{PREFIX}cpu_seconds_total", "counter", "Processor time of a worker."), *cpu]
        yield from [*_head(f"{PREFIX}memory_bytes", "gauge", "Resident memory of a worker."), *memory]
        yield from _head(f"{PREFIX}start_time_seconds", "gauge", "When the server started.")
        yield _sample(f"{PREFIX}start_time_seconds", {}, self._begun)
        yield from _head(f"{PREFIX}build_info", "gauge", "Which release this is.")
        yield _sample(f"{PREFIX}build_info", {"version": __version__}, 1)


def _head(name: str, kind: str, doc: str) -> list[str]:
    return [f"# HELP {name} {doc}", f"# TYPE {name} {kind}"]


def _histogram(name: str, labels: dict[str, str], numbers: np.ndarray) -> Iterator[str]:
    so_far = np.cumsum(numbers[:-1])
    for bound, count in zip((*map(str, BUCKETS), "+Inf"), so_far, strict=True):
        yield _sample(f"{name}_bucket", labels | {"le": bound}, count)
    yield _sample(f"{name}_sum", labels, numbers[-1])
    yield _sample(f"{name}_count", labels, so_far[-1])


def _sample(name: str, labels: dict[str, str], value: float) -> str:
    told = ",".join(f'{label}="{text}"' for label, text in labels.items())
    return f"{name}{{{told}}} {float(value)!r}" if told else f"{name} {float(value)!r}"
