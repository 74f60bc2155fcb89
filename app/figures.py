"""The one list of figures: the name in lessons and addresses, and what makes each."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from markupsafe import Markup

from attention import lab_table, tokenize
from attention.tables import LabTable
from widgets import attention_lab

TABLES_KEPT = 64


@dataclass(frozen=True)
class Figure:
    """How a figure is made.

    Attributes
    ----------
    title, caption : str
    html : callable
        (table, state, id) to the figure's HTML.
    payload : callable
        Table to the bytes that the figure's module looks states up in.
    plot : callable
        The Bokeh plot as JSON text.
    """

    title: str
    caption: str
    html: Callable[..., Markup]
    payload: Callable[[LabTable], bytes]
    plot: Callable[[], str]


FIGURES: dict[str, Figure] = {
    "attention-lab": Figure(
        title="The attention lab",
        caption=(
            "Attention over one sentence, computed by NumPy for every setting. "
            "Rows are queries, columns are keys; darker means more weight."
        ),
        html=attention_lab.lab_html,
        payload=attention_lab.lab_payload,
        plot=attention_lab.lab_plot,
    ),
}


@lru_cache(maxsize=TABLES_KEPT)
def cached_table(tokens: tuple[str, ...], seed: int) -> LabTable:
    """The lab's table; one sentence and seed are asked for by many learners."""
    return lab_table(tokens, seed)


def table_for(state: Mapping[str, Any]) -> LabTable:
    """The table that a state looks into."""
    return cached_table(tokenize(str(state["text"])), int(state["seed"]))


@lru_cache(maxsize=TABLES_KEPT)
def compressed_payload(name: str, tokens: tuple[str, ...], seed: int) -> tuple[bytes, bytes]:
    """A figure's table as sent: plain, and compressed once. Level 1: floats hardly shrink further."""
    body = FIGURES[name].payload(cached_table(tokens, seed))
    return body, gzip.compress(body, 1, mtime=0)
