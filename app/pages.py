"""From a lesson or a figure to a page; the server and the export make the same one."""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup

from app import __version__, assets
from app.activities import render_activity, render_progress
from app.figures import FIGURES, cached_table, compressed_payload, plots_asset, table_key
from app.lessons import Directive, Lesson
from app.links import Ignored
from widgets.figure import figure_html, script_json
from widgets.words import catalogue

MAIN_FIGURE = "attention-lab"


@dataclass(frozen=True)
class PlacedFigure:
    """A figure on a page, in its first state.

    An eager figure is brought to life at once, the others when they come near. `number`
    counts figures in a lesson; an embedded figure has none.
    """

    id: str
    name: str
    title: str
    caption: str
    html: Markup
    plots: Markup | None
    plots_url: str | None
    table: str | None
    inline_table: str | None
    eager: bool
    number: int | None


@cache
def _templates() -> Environment:
    return Environment(loader=FileSystemLoader(Path(__file__).parent / "templates"), autoescape=True, trim_blocks=True)


def table_url(name: str, key: Sequence[Any]) -> str:
    """Where a figure's table is; the version makes it safe to cache for good."""
    values = dict(zip(FIGURES[name].key, key, strict=True))
    return f"/tables/{name}?" + urlencode(values | {"v": assets.version()})


def place_figure(
    name: str, state: Mapping[str, Any], *, id: str, inline: bool = False, eager: bool = True, number: int | None = None
) -> PlacedFigure:
    """Draw a figure's first state as HTML, and say where its table is."""
    figure = FIGURES[name]
    key = table_key(figure, state)
    plots = plots_asset(name)
    return PlacedFigure(
        id=id,
        name=name,
        title=figure.title,
        caption=figure.caption,
        html=figure_html(figure, cached_table(name, key), state, id=id),
        # A page of nine figures would be mostly plots: those of figures that wait are fetched when they come near.
        plots=Markup(plots.body.decode()) if inline or eager else None,
        plots_url=None if inline or eager else plots.url,
        table=None if inline else table_url(name, key),
        inline_table=base64.b64encode(compressed_payload(name, key)[0]).decode() if inline else None,
        eager=eager,
        number=number,
    )


def render(
    template: str,
    *,
    title: str,
    figures: Sequence[PlacedFigure] = (),
    theme: str = "auto",
    ignored: Sequence[Ignored] = (),
    inline: bool = False,
    **values: Any,
) -> str:
    """Fill in a page's template.

    Parameters
    ----------
    template : str
        A file of ``app/templates``.
    title : str
        The document's title.
    figures : sequence of PlacedFigure, optional
        What the page's modules bring to life.
    theme : str, optional
        One of `widgets.state.THEMES`.
    ignored : sequence of Ignored, optional
        What of the link could not be used.
    inline : bool, optional
        Put styles, modules, BokehJS and tables into the page: a single file.
    **values
        What else the template asks for.
    """
    modules = {name: asset.url for name, asset in assets.modules().items()}
    return (
        _templates()
        .get_template(template)
        .render(
            title=title,
            figures=figures,
            theme=theme,
            ignored=ignored,
            modules=modules,
            preloaded=_preloaded([placed.name for placed in figures if placed.eager]),
            styles=assets.styles().url,
            font=assets.font().url,
            bokeh=assets.bokehjs().url,
            importmap=script_json({"imports": _inline_modules() if inline else modules}),
            inline=_inline_assets() if inline and figures else None,
            page_config=script_json(
                {} if inline else {"bokeh": assets.bokehjs().url, "health": "/healthz", "version": assets.version()}
            ),
            words=catalogue(),
            version=__version__,
            **values,
        )
    )


def lesson_page(
    lesson: Lesson,
    state: Mapping[str, Any] | None = None,
    ignored: Sequence[Ignored] = (),
    *,
    before: Lesson | None = None,
    after: Lesson | None = None,
    inline: bool = False,
) -> str:
    """A whole lesson, with its neighbours. A state given in the link is for its main figure."""
    blocks: list[Markup | PlacedFigure] = []
    # The link's state is for the lab, or where a lesson has none, for its first figure.
    names = [block.name for block in lesson.figures]
    main = names.index(MAIN_FIGURE) if MAIN_FIGURE in names else 0
    count = activities = 0
    for block in lesson.blocks:
        if isinstance(block, str):
            blocks.append(Markup(block))
            continue
        if not isinstance(block, Directive):
            activities += 1
            blocks.append(render_activity(block, id=f"a{activities}", sections=lesson.sections))
            continue
        eager = count == main
        chosen = state if state is not None and eager else block.state
        count += 1
        placed = place_figure(block.name, chosen, id=f"f{count}", inline=inline, eager=eager, number=count)
        blocks.append(placed)
    figures = [block for block in blocks if isinstance(block, PlacedFigure)]
    return render(
        "lesson.html",
        title=f"{lesson.meta['title']} · Attention Lessons",
        figures=figures,
        theme=str(state["theme"]) if state else "auto",
        ignored=ignored,
        inline=inline,
        lesson=lesson,
        blocks=blocks,
        home="/" if not inline else "#main",
        lesson_progress=render_progress(lesson.slug),
        before=before,
        after=after,
        body_class="lesson",
    )


def embed_page(name: str, state: Mapping[str, Any], ignored: Sequence[Ignored] = (), *, inline: bool = False) -> str:
    """One figure alone, without chrome."""
    placed = place_figure(name, state, id="f1", inline=inline)
    return render(
        "embed.html",
        title=f"{placed.title} · Attention Lessons",
        figures=[placed],
        theme=str(state["theme"]),
        ignored=ignored,
        inline=inline,
        body_class="embedded",
    )


def index_page(lessons: Sequence[Lesson]) -> str:
    """The list of lessons."""
    return render("index.html", title="Attention Lessons", lessons=lessons, body_class="index")


def message_page(title: str, message: str) -> str:
    """A page that says what went wrong and where to go."""
    return render("message.html", title=title, message=message, body_class="message")


def _preloaded(names: Sequence[str]) -> list[str]:
    """The modules that eager figures need, found by following their imports."""
    wanted, found = ["page", *names], []
    while wanted:
        name = wanted.pop()
        if name in found or name not in assets.modules():
            continue
        found.append(name)
        wanted += re.findall(r'^import .* from "([\w-]+)";$', assets.modules()[name].body.decode(), re.MULTILINE)
    return found


@cache
def _inline_modules() -> dict[str, str]:
    encode = base64.b64encode
    return {
        name: f"data:{asset.content_type};base64,{encode(asset.body).decode()}"
        for name, asset in assets.modules().items()
        if name != "page"
    }


@cache
def _inline_assets() -> dict[str, Markup]:
    font = f"data:font/woff2;base64,{base64.b64encode(assets.font().body).decode()}"
    bokeh = assets.bokehjs().body.decode()
    if "</script" in bokeh:
        raise RuntimeError("this BokehJS holds </script, which would end the element that carries it")
    return {
        "styles": Markup(assets.style_text(font)),
        "page": Markup(assets.modules()["page"].body.decode()),
        "bokeh": Markup(bokeh),
    }
