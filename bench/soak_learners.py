"""Learners who ask for anything: valid and invalid, own sentences, races that they begin and drop."""

from __future__ import annotations

import asyncio
from collections import Counter
from random import Random
from urllib.parse import quote, urlencode

from bench.client import ClientError, Connection
from bench.learner import WORDS
from bench.lesson_page import LESSON

FIGURES = (
    "attention-lab inside-one-score three-jobs gradient-health whole-operation variance-law memory-wall trained-head "
    "training-race no-such-figure"
).split()
NAMES = "text seed d_k scaled fault row learning_rate theme lang view hide lock v".split()
VALUES = [*"0 -1 8 64 1e9 NaN none true <script> %00 ünï 💥".split(), "", "\x00", "a b c", "9" * 400, "x " * 200]
PATHS = ["/", "/embed", "/healthz", "/static/none.mjs", "/../etc/passwd", "/lessons/none", "/%ff%00", "/tables/"]
# Clear answers, whatever was asked for.
CLEAR = frozenset(("200", "400", "404", "405", "414", "429", "431", "503"))
PAUSE_S = (0.02, 0.3)
DROP_AFTER_S = 0.05


class FuzzingLearner:
    """One of them, until they are cancelled."""

    def __init__(self, port: int, random: Random, asked: Counter[str], faults: Counter[str]) -> None:
        self.port, self.random, self.asked, self.faults = port, random, asked, faults
        self.connection = Connection(port)

    async def learn(self) -> None:
        often = (self.own_sentence, self.anything)
        acts = (*often, *often, self.page, self.race, self.drop_a_race)
        try:
            while True:
                act = self.random.choice(acts)
                self.asked[act.__name__.replace("_", " ")] += 1
                try:
                    await act()
                except ClientError as error:
                    self.faults[str(error)] += 1
                await asyncio.sleep(self.random.uniform(*PAUSE_S))
        finally:
            self.connection.close()

    async def page(self) -> None:
        figure = self.random.choice(FIGURES)
        path = self.random.choice((LESSON, f"/embed/{figure}"))
        await self.connection.get(f"{path}?{self.query()}", CLEAR)

    async def own_sentence(self) -> None:
        await self.connection.get(f"/tables/{self.random.choice(FIGURES)}?{urlencode(self.draw())}", CLEAR)

    async def anything(self) -> None:
        target = self.random.choice([*PATHS, *(f"/tables/{name}" for name in FIGURES), f"/x{quote(self.value())}"])
        await self.connection.get(f"{target}?{self.query()}", CLEAR)

    async def race(self) -> None:
        query = urlencode(self.draw() | {"d_k": 4, "learning_rate": 0.1})
        await self.connection.get(f"/races/training-race?{query}", CLEAR)

    async def drop_a_race(self) -> None:
        """Go away in the middle: its computation has to end."""
        connection = Connection(self.port)
        target = f"/races/training-race?{urlencode(self.draw() | {'d_k': 64, 'learning_rate': 0.03})}"
        asking = asyncio.create_task(connection.get(target, CLEAR))
        await asyncio.wait({asking}, timeout=self.random.uniform(0, DROP_AFTER_S))
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)
        connection.close()

    def draw(self) -> dict[str, object]:
        words = self.random.choices(WORDS, k=self.random.randint(1, 13))
        return {"text": " ".join(words), "seed": self.random.randrange(2**33)}

    def query(self) -> str:
        names = self.random.choices(NAMES, k=self.random.randint(0, 5))
        return urlencode([(name, self.value()) for name in names])

    def value(self) -> str:
        own = " ".join(self.random.choices(WORDS, k=5))
        return self.random.choice([*VALUES, own, str(self.random.randrange(2**32))])
