"""One learner of a class, as requests: opens the lesson, reads on, tries own sentences and a race, and leaves.

What a page fetches was noted from a real browser. Dragging needs no server; while somebody uses the page it asks now
and then whether the server is there.
"""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from random import Random
from time import perf_counter
from urllib.parse import urlencode

from bench.client import CONNECTIONS, Answer, ClientError, Connection, fetch_all

WORDS = "the a small bright river light word that this key query value sees finds takes holds lets turns".split()
OWN_FIGURES = ("attention-lab", "attention-lab", "inside-one-score", "three-jobs", "gradient-health", "whole-operation")
# Of all learners; each of them so often.
WITH_OWN_SENTENCES, SENTENCES_MOST = 0.5, 4
WITH_A_RACE = 0.2
# The page asks at most every 4 s while it is used; nobody uses it all the time.
HEALTH_EVERY_S = (4.0, 20.0)


@dataclass(frozen=True)
class Visit:
    """The addresses that a first visitor's browser asks for: on opening the lesson, and on reading it to its end."""

    page: str
    opening: tuple[str, ...]
    reading: tuple[str, ...]
    version: str


@dataclass
class Found:
    """What all learners of a class met; seconds by what was waited for."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    served: int = 0
    bytes: int = 0
    requests: int = 0
    errors: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)

    def note(self, what: str, answer: Answer) -> None:
        self.count(answer)
        if answer.refused:
            self.refused[answer.refused] += 1
        else:
            self.seconds[what].append(answer.seconds)

    def count(self, *answers: Answer) -> None:
        self.requests += len(answers)
        self.bytes += sum(answer.bytes for answer in answers)


class Learner:
    """One of them, on connections of their own."""

    def __init__(self, port: int, visit: Visit, stay_s: float, random: Random, found: Found) -> None:
        self.visit, self.stay_s, self.random, self.found = visit, stay_s, random, found
        self.connections = [Connection(port) for _ in range(CONNECTIONS)]

    async def attend(self) -> None:
        """Come, stay and go; an error ends the visit and is counted."""
        until = perf_counter() + self.stay_s
        try:
            await self.open()
            plan = sorted(self.plan(until), key=lambda item: item[0])
            for at, act in plan:
                await asyncio.sleep(max(0.0, at - perf_counter()))
                await act()
            await asyncio.sleep(max(0.0, until - perf_counter()))
            self.found.served += 1
        except ClientError as error:
            self.found.errors[str(error)] += 1
        finally:
            for connection in self.connections:
                connection.close()

    async def open(self) -> None:
        started = perf_counter()
        page = await self.connections[0].get(self.visit.page)
        self.found.note("page", page)
        self.found.count(*await fetch_all(self.connections, self.visit.opening))
        self.found.seconds["opened"].append(perf_counter() - started)

    def plan(self, until: float) -> list[tuple[float, Callable[[], Awaitable[None]]]]:
        """What is done when, in any order."""
        now, random = perf_counter(), self.random

        def some_time() -> float:
            return random.uniform(now, until)

        # They read on for the first half of their stay.
        plan: list[tuple[float, Callable[[], Awaitable[None]]]] = [
            (now + (until - now) / 2 * (index + 1) / len(self.visit.reading), self.reader(target))
            for index, target in enumerate(self.visit.reading)
        ]
        if random.random() < WITH_OWN_SENTENCES:
            plan += [(some_time(), self.own_sentence) for _ in range(random.randint(1, SENTENCES_MOST))]
        if random.random() < WITH_A_RACE:
            plan.append((some_time(), self.race))
        at = now + random.uniform(*HEALTH_EVERY_S)
        while at < until:
            plan.append((at, self.health))
            at += random.uniform(*HEALTH_EVERY_S)
        return plan

    def reader(self, target: str) -> Callable[[], Awaitable[None]]:
        async def read() -> None:
            self.found.count(await self.connections[0].get(target))

        return read

    async def health(self) -> None:
        self.found.note("health", await self.connections[0].get("/healthz"))

    async def own_sentence(self) -> None:
        figure = self.random.choice(OWN_FIGURES)
        target = f"/tables/{figure}?{urlencode(self.draw())}"
        self.found.note("own sentence", await self.connections[1].get(target))

    async def race(self) -> None:
        chosen = {"d_k": self.random.choice((4, 16, 64)), "learning_rate": self.random.choice((0.03, 0.1))}
        target = f"/races/training-race?{urlencode(self.draw() | chosen)}"
        self.found.note("race", await self.connections[2].get(target))

    def draw(self) -> dict[str, object]:
        """A sentence of 4 to 12 words and a seed that nobody else has."""
        words = self.random.choices(WORDS, k=self.random.randint(4, 12))
        return {"text": " ".join(words), "seed": self.random.randrange(2**32), "v": self.visit.version}
