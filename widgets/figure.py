"""What every figure is made of, and how its HTML, table and plots reach a host.

A figure is a record: its state, the table that its states are looked up in, and the
words that follow from both. Its files share a stem: ``attention_lab.py``, ``.html``
(structure, made here once) and ``.mjs`` (moves what is in it).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cache
from pathlib import Path
from typing import Any, cast

import numpy as np
from bokeh.embed import json_item
from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup

from widgets.scripts import Script
from widgets.state import FigureState
from widgets.wire import pack
from widgets.words import cached_by_language, catalogue, figure_words, keys_for_words, put_words

HERE = Path(__file__).parent

Values = Mapping[str, Any]


def _nothing(*_: Any) -> dict[str, Any]:
    return {}


@dataclass(frozen=True, eq=False)
class Figure:
    """One figure.

    Attributes
    ----------
    name : str
        In lessons, addresses and imports: ``attention-lab``.
    State : type
        A `FigureState`: what a learner can choose.
    key : tuple of str
        The names of the state that the table depends on.
    table : callable
        The values of `key`, by name, to a table: a dataclass with arrays.
    texts : callable
        (table, state) to every text that depends on the state, by its place's name.
    context : callable
        (table, state) to what else the template shows in its first state.
    parts : callable
        (table, state) to the pieces of HTML that are sent anew with another table.
    meta : callable
        Table to what the module has to know of it besides its arrays.
    config : callable
        What the module has to know besides the table; the same for every learner.
    plots : dict of str to callable
        The Bokeh plots, empty, by the name of their ``data-canvas``.
    script : Script
        Rebuilds what is shown with NumPy alone.
    """

    name: str
    State: type[FigureState]
    key: tuple[str, ...]
    table: Callable[..., Any]
    texts: Callable[[Any, Values], dict[str, str]] = _nothing
    context: Callable[[Any, Values], dict[str, Any]] = _nothing
    parts: Callable[[Any, Values], dict[str, str]] = _nothing
    meta: Callable[[Any], dict[str, Any]] = _nothing
    config: Callable[[], dict[str, Any]] = _nothing
    plots: dict[str, Callable[[], Any]] = field(default_factory=dict)
    script: Script | None = None

    @property
    def stem(self) -> str:
        """The name of its files."""
        return self.name.replace("-", "_")

    @property
    def title(self) -> str:
        return catalogue()[f"{self.name}.title"]

    @property
    def caption(self) -> str:
        return catalogue()[f"{self.name}.caption"]


def figure_html(
    figure: Figure, table: Any, state: Values, *, id: str, prepared: Sequence[Values] | None = None
) -> Markup:
    """A figure in a given state; `id` sets it apart from others on the page.

    `prepared` is for a page without a server: the values of the figure's key that tables
    lie ready for. A choice of these stands where a learner would type their own.
    """
    template = _templates().get_template(f"{figure.stem}.html")
    values = {
        "figure": figure,
        "id": id,
        "words": catalogue(),
        "state": state,
        "prepared": prepared,
        "texts": figure.texts(table, state),
        "parts": {name: Markup(part) for name, part in figure.parts(table, state).items()},
        "config": script_json(
            {
                "state": dict(state),
                "schema": figure.State.schema(),
                "key": figure.key,
                "words": figure_words(figure.name),
                **figure.config(),
            }
        ),
        **figure.context(table, state),
    }
    return Markup(template.render(values))


def figure_payload(figure: Figure, table: Any, *, dense: bool = False) -> bytes:
    """The table as the figure's module reads it; see `widgets.wire.pack`."""
    arrays = {}
    for item in fields(table):
        value = getattr(table, item.name)
        if isinstance(value, np.ndarray):
            arrays[item.name] = value
    parts = figure.parts(table, figure.State.default())
    return pack(arrays, {"parts": parts, **figure.meta(table)}, dense=dense)


@cached_by_language()
def figure_plots(figure: Figure) -> dict[str, str]:
    """The plots as JSON for ``Bokeh.embed.embed_item``; they hold no state."""
    return {name: put_words(text) for name, text in _plots_without_words(figure).items()}


@cache
def _plots_without_words(figure: Figure) -> dict[str, str]:
    # Bokeh takes a second or two for them all: once, and not for each language.
    with keys_for_words():
        items = {name: json_item(make()) for name, make in figure.plots.items()}
    for item in items.values():
        # The kinds of models of whoever runs in this process: Panel, in a notebook. A plot has none of them.
        cast(dict[str, Any], item["doc"]).pop("defs", None)
    return {name: json.dumps(item, separators=(",", ":")) for name, item in items.items()}


def macros(template: str) -> Any:
    """The macros of a template, to make a part with."""
    return _templates().get_template(template).module


def script_json(value: object) -> Markup:
    """JSON that is safe inside a ``<script>`` element."""
    text = json.dumps(value, ensure_ascii=False)
    for character in "<\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Markup(text)


@cache
def _templates() -> Environment:
    return Environment(loader=FileSystemLoader(HERE), autoescape=True, trim_blocks=True, lstrip_blocks=True)
