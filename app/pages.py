"""From a lesson or a figure to a page; the server and the export make the same one."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup

from app import __version__, assets
from app.figures import FIGURES, compressed_payload, table_for
from app.lessons import Directive, Lesson
from app.links import Ignored
from widgets.attention_lab import script_json
from widgets.words import catalogue


@dataclass(frozen=True)
class PlacedFigure:
    """A figure on a page, in its first state."""

    id: str
    name: str
    title: str
    caption: str
    html: Markup
    table: str | None
    inline_table: str | None


@cache
def _templates() -> Environment:
    return Environment(loader=FileSystemLoader(Path(__file__).parent / "templates"), autoescape=True, trim_blocks=True)


def table_url(name: str, tokens: Sequence[str], seed: int) -> str:
    """Where a figure's table is; the version makes it safe to cache for good."""
    return f"/tables/{name}?" + urlencode({"text": " ".join(tokens), "seed": seed, "v": assets.version()})


def place_figure(name: str, state: Mapping[str, Any], *, id: str, inline: bool = False) -> PlacedFigure:
    """Draw a figure's first state as HTML, and say where its table is."""
    figure, table = FIGURES[name], table_for(state)
    return PlacedFigure(
        id=id,
        name=name,
        title=figure.title,
        caption=figure.caption,
        html=figure.html(table, state, id=id),
        table=None if inline else table_url(name, table.tokens, table.seed),
        inline_table=base64.b64encode(compressed_payload(name, table.tokens, table.seed)[0]).decode()
        if inline
        else None,
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
            styles=assets.styles().url,
            importmap=script_json({"imports": _inline_modules() if inline else modules}),
            inline=_inline_assets() if inline and figures else None,
            plots={placed.name: Markup(FIGURES[placed.name].plot()) for placed in figures},  # noqa: S704 - our own JSON
            page_config=script_json(
                {} if inline else {"bokeh": assets.bokehjs().url, "health": "/healthz", "version": assets.version()}
            ),
            words=catalogue(),
            version=__version__,
            **values,
        )
    )


def lesson_page(
    lesson: Lesson, state: Mapping[str, Any] | None = None, ignored: Sequence[Ignored] = (), *, inline: bool = False
) -> str:
    """A whole lesson. A state given in the link is for its first figure."""
    blocks: list[Markup | PlacedFigure] = []
    for block in lesson.blocks:
        if isinstance(block, Directive):
            count = sum(isinstance(placed, PlacedFigure) for placed in blocks)
            chosen = state if state is not None and count == 0 else block.state
            blocks.append(place_figure(block.name, chosen, id=f"f{count + 1}", inline=inline))
        else:
            blocks.append(Markup(block))  # noqa: S704 - made by our own Markdown, which escapes HTML
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
        "styles": Markup(assets.style_text(font)),  # noqa: S704 - our own files
        "page": Markup(assets.modules()["page"].body.decode()),  # noqa: S704
        "bokeh": Markup(bokeh),  # noqa: S704
    }
