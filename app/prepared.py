"""Tables made ahead, for pages without a server: other sentences, draws and races to choose from.

In a file they come on top of all that it weighs, so there are few, with short sentences. A
site fetches them one by one and has more.
"""

from __future__ import annotations

import base64
import gzip
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

from app.assets import Asset, make_asset
from app.figures import FIGURES, cached_table, table_key
from app.hosting import Hosting
from widgets.figure import figure_payload
from widgets.sentence import LESSON_SEED, LESSON_TEXT
from widgets.words import cached_by_language

# Each shows something: a word that comes twice, what a longer row does to the peaks, how much is chance.
SENTENCES = (
    LESSON_TEXT,
    "dog bites dog",
    "she said that he said so",
    "the cat that the dog saw ran up the tall old tree",
)
SEEDS = (LESSON_SEED, 7, 42)
# In a file only those that a learner can choose a draw in, and the one that the lab leads to with its own.
CHOOSERS = ("attention-lab", "gradient-health", "inside-one-score")
IN_A_FILE = ((LESSON_TEXT, LESSON_SEED), ("dog bites dog", LESSON_SEED), ("dog bites dog", 7))
IN_A_LESSON = IN_A_FILE[:2]


@dataclass(frozen=True)
class Prepared:
    """One table: the values that it depends on, and itself, compressed."""

    key: dict[str, Any]
    asset: Asset

    @property
    def base64(self) -> str:
        return base64.b64encode(self.asset.body).decode()


def prepared_keys(name: str, state: Mapping[str, Any], hosting: Hosting) -> list[dict[str, Any]]:
    """What a figure's tables are prepared for: the state that it starts in first."""
    figure = FIGURES[name]
    keys = [dict(zip(figure.key, table_key(figure, state), strict=True))]
    if not figure.key:
        return keys
    default = {part: figure.State.default()[part] for part in figure.key}
    draws = tuple(product(SENTENCES, SEEDS))
    if hosting.inline:
        draws = () if name not in CHOOSERS else IN_A_LESSON if hosting.crowded else IN_A_FILE
    if "learning_rate" not in figure.key:
        others = [default | {"text": text, "seed": seed} for text, seed in draws]
    elif hosting.inline:
        others = [default]  # a race is as heavy as the lab
    else:
        rule = figure.State.schema()
        pairs = product(rule["d_k"]["values"], rule["learning_rate"]["values"])
        others = [default | {"d_k": d_k, "learning_rate": rate} for d_k, rate in pairs]
    return keys + [key for key in others if key not in keys]


def prepare(work: Iterable[tuple[str, dict[str, Any]]], progress: Callable[[Any], Iterable[Any]] = iter) -> None:
    """Make tables ahead, by figure and key, and tell how it goes; `prepared_tables` has them at once then."""
    wanted = {(name, tuple(key[part] for part in FIGURES[name].key)) for name, key in work}
    for name, key in progress(sorted(wanted, key=str)):
        _table(name, key)


def prepared_tables(name: str, state: Mapping[str, Any], hosting: Hosting) -> list[Prepared]:
    """The tables of `prepared_keys`, as a page without a server reads them."""
    figure = FIGURES[name]
    return [
        Prepared(key, _table(name, tuple(key[part] for part in figure.key)))
        for key in prepared_keys(name, state, hosting)
    ]


@cached_by_language(512)
def _table(name: str, key: tuple[Any, ...]) -> Asset:
    # Compressed as hard as can be, and kept so on any host: the page's module unpacks it.
    body = gzip.compress(figure_payload(FIGURES[name], cached_table(name, key), dense=True), 9, mtime=0)
    return make_asset(FIGURES[name].stem, ".table", body)
