"""A page's template filled in: what every page has, wherever it will be."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup

from app import __version__, assets
from app.bundles import CORE
from app.figures import FIGURES, MAIN_FIGURE
from app.headers import EARLY_TABLE, early_module, import_map, meta_policy
from app.hosting import SERVER, Hosting
from app.inline import inline_assets, inline_modules
from app.languages import NONE, Tongue
from app.links import Ignored
from app.placed import PlacedFigure
from widgets.figure import script_json
from widgets.state import THEMES
from widgets.words import ENGLISH, Language, catalogue, current, languages

# Where a static site says which edition it is.
EDITION = "edition.json"


@cache
def _templates() -> Environment:
    return Environment(loader=FileSystemLoader(Path(__file__).parent / "templates"), autoescape=True, trim_blocks=True)


def render(
    template: str,
    *,
    title: str,
    hosting: Hosting = SERVER,
    figures: Sequence[PlacedFigure] = (),
    theme: str = "auto",
    ignored: Sequence[Ignored] = (),
    start: str = "",
    in_text: Tongue = NONE,
    scripts: Sequence[str] = (),
    **values: Any,
) -> str:
    """Fill in a page's template, in the current language.

    Parameters
    ----------
    template : str
        A file of ``app/templates``.
    title : str
        The document's title.
    hosting : Hosting, optional
        Where the page will be. A file has styles, modules, BokehJS and tables in it.
    figures : sequence of PlacedFigure, optional
        What the page's modules bring to life.
    theme : str, optional
        One of `widgets.state.THEMES`.
    ignored : sequence of Ignored, optional
        What of the link could not be used.
    start : str, optional
        The parameters that a page without a server takes where its address has none.
    in_text : Tongue, optional
        How text and interface say their languages, where these are not the same.
    scripts : sequence of str, optional
        The texts of scripts in the page that only its own template puts there.
    **values
        What else the template asks for.
    """
    modules = {name: hosting.asset(asset) for name, asset in assets.modules().items()}
    on_page = [placed.name for placed in figures]
    eager = [placed.name for placed in figures if placed.eager]
    inline = None
    if hosting.inline and figures:
        (first,), article = eager, template == "lesson.html"
        inline = inline_assets(on_page, first=first, article=article)
        modules = inline_modules(on_page, first=first, article=article)
    importmap = import_map(modules)
    if hosting.static:
        held = [inline["page"]] if inline else list(map(early_module, eager))
        scripts = [assets.early_script(), *scripts, *([importmap, EARLY_TABLE, *held] if figures else [])]
    return (
        _templates()
        .get_template(template)
        .render(
            title=title,
            hosting=hosting,
            language=current(),
            languages=_menu(hosting),
            tongue=in_text,
            figures=figures,
            theme=theme,
            themes=THEMES,
            ignored=ignored,
            start=start,
            modules=modules,
            preloaded=[CORE, "page", *eager],
            styles=hosting.asset(assets.styles()),
            font=hosting.asset(assets.font()),
            bokeh=hosting.asset(assets.bokehjs()),
            early=Markup(assets.early_script()),
            importmap=importmap,
            early_table=EARLY_TABLE,
            early_module=early_module,
            policy=meta_policy(hosting, scripts, frames=template == "builder.html") if hosting.static else None,
            inline=inline,
            page_config=script_json(_page_config(hosting, figures)),
            words=catalogue(),
            version=__version__,
            **values,
        )
    )


def _menu(hosting: Hosting) -> list[tuple[Language, str]]:
    """The languages that this very page is in, with their addresses; none where there is no choice."""
    return [(lang, hosting.alternate(lang.tag)) for lang in languages().values()] if not hosting.inline else []


def _page_config(hosting: Hosting, figures: Sequence[PlacedFigure]) -> dict[str, Any]:
    """What the page's modules have to know of where they are."""
    words = {name.removeprefix("page."): text for name, text in catalogue().items() if name.startswith("page.")}
    words |= {name: text for name, text in catalogue().items() if name.startswith(("keys.", "tools.theme."))}
    config: dict[str, Any] = {"words": words, "figurePage": hosting.figure("{figure}"), "origins": hosting.origins}
    config["release"] = __version__
    # Together, because they are much alike: a file carries them in half the room. The lab has its own.
    scripts = {placed.name: FIGURES[placed.name].script for placed in figures if placed.name != MAIN_FIGURE}
    config["scripts"] = {name: script.config() for name, script in scripts.items() if script}
    if current().tag != ENGLISH:
        config["lang"] = current().tag
    if hosting.static:
        config["languages"] = [current().tag] if hosting.inline else list(languages())
    if not hosting.inline:
        health = f"{hosting.root}{EDITION}" if hosting.static else "/healthz"
        config |= {"bokeh": hosting.asset(assets.bokehjs()), "health": health, "edition": assets.edition()}
    if not hosting.static:
        return config | {"version": assets.version()}
    where = (lambda item: item.asset.name) if hosting.inline else (lambda item: hosting.asset(item.asset))
    tables = {placed.name: [{"key": item.key, "from": where(item)} for item in placed.prepared] for placed in figures}
    return config | {"tables": tables}
