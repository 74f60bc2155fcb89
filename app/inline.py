"""What a single file carries of the static files: no more than its figures need."""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence
from functools import cache
from urllib.parse import quote

from markupsafe import Markup

from app import assets
from app.figures import FIGURES

ARTICLE_STYLES = ("article", "lesson")
# A file holds no builder.
SITE_STYLES = {"builder"}
# What may stand as it is in a data address inside JSON: the less is escaped, the better it compresses.
PLAIN = " !\"$&'()*+,-./:;<=>?@[\\]^_`{|}~"


def module_names(wanted: Sequence[str]) -> list[str]:
    """The modules that these modules need, themselves included, found by following their imports."""
    waiting, found = list(wanted), []
    while waiting:
        name = waiting.pop()
        if name in found or name not in assets.modules():
            continue
        found.append(name)
        waiting += re.findall(r'^import .* from "([\w-]+)";$', assets.modules()[name].body.decode(), re.MULTILINE)
    return found


def inline_modules(figures: Sequence[str]) -> dict[str, str]:
    """The modules of a page with these figures as data addresses, by the names they are imported by."""
    # `page` stands in the page; the others are imported when they are needed.
    names = module_names(["page", "contents", "lesson", "frame", "takeaway", "paper", *figures])
    return {
        name: "data:text/javascript," + quote(_bare(assets.modules()[name].body.decode()), safe=PLAIN)
        for name in names
        if name != "page"
    }


def _bare(code: str) -> str:
    """A module without the comments that have lines of their own: a fifth of what it weighs."""
    return re.sub(r"^ *(//.*|/\*\*[\s\S]*?\*/)\n", "", code, flags=re.MULTILINE)


@cache
def _bokeh() -> Markup:
    text = assets.bokehjs().body.decode()
    if "</script" in text:
        raise RuntimeError("this BokehJS holds </script, which would end the element that carries it")
    return Markup(text)


def inline_assets(figures: Sequence[str], *, article: bool) -> dict[str, Markup]:
    """Styles, the page's module and BokehJS as text; the formulas' font only where there are formulas."""
    stems = {figure.stem for figure in FIGURES.values()} - {FIGURES[name].stem for name in figures}
    left_out = stems | SITE_STYLES if article else stems | SITE_STYLES | set(ARTICLE_STYLES)
    font = f"data:font/woff2;base64,{base64.b64encode(assets.font().body).decode()}" if article else None
    return {
        "styles": Markup(assets.style_text(font, left_out)),
        "page": Markup(_bare(assets.modules()["page"].body.decode())),
        "bokeh": _bokeh(),
    }
