"""A figure on a page: its first state as HTML, and where the rest of it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from markupsafe import Markup

from app import assets
from app.figures import FIGURES, cached_table, plots_asset, table_key
from app.hosting import SERVER, Hosting
from app.languages import NAME
from app.prepared import Prepared, prepared_tables
from widgets.figure import figure_html
from widgets.words import ENGLISH, current


@dataclass(frozen=True)
class PlacedFigure:
    """A figure on a page, in its first state.

    An eager figure is brought to life at once, the others when they come near. `number`
    counts figures in a lesson; an embedded figure has none. `alone` is its own page.
    """

    id: str
    name: str
    title: str
    caption: str
    html: Markup
    plots: Markup | None
    plots_url: str | None
    table: str | None
    prepared: list[Prepared]
    alone: str | None
    eager: bool
    number: int | None


def table_url(name: str, key: Sequence[Any]) -> str:
    """Where a server has a figure's table; the version makes it safe to cache for good."""
    values = dict(zip(FIGURES[name].key, key, strict=True))
    # A table has words in it, too.
    lang = {} if current().tag == ENGLISH else {NAME: current().tag}
    return f"/tables/{name}?" + urlencode(values | lang | {"v": assets.version()})


def place_figure(
    name: str,
    state: Mapping[str, Any],
    *,
    id: str,
    hosting: Hosting = SERVER,
    eager: bool = True,
    number: int | None = None,
) -> PlacedFigure:
    """Draw a figure's first state as HTML, and say where its table is."""
    figure = FIGURES[name]
    key = table_key(figure, state)
    plots = plots_asset(name)
    prepared = prepared_tables(name, state, hosting) if hosting.static else []
    table = None if hosting.inline else hosting.asset(prepared[0].asset) if hosting.static else table_url(name, key)
    choices = [item.key for item in prepared] if hosting.static else None
    return PlacedFigure(
        id=id,
        name=name,
        title=figure.title,
        caption=figure.caption,
        html=figure_html(figure, cached_table(name, key), state, id=id, prepared=choices),
        # A page of nine figures would be mostly plots: those of figures that wait are fetched when they come near.
        plots=Markup(plots.body.decode()) if hosting.inline or eager else None,
        plots_url=None if hosting.inline or eager else hosting.asset(plots),
        table=table,
        prepared=prepared,
        alone=hosting.figure(name),
        eager=eager,
        number=number,
    )
