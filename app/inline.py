"""What a single file carries of the static files: no more than its figures need."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from urllib.parse import quote

from markupsafe import Markup

from app import assets
from app.bundles import CORE, bundles, held_core, page_bundle
from app.figures import FIGURES

ARTICLE_STYLES = ("article", "lesson")
# A file holds no builder.
SITE_STYLES = {"builder"}
# What may stand as it is in a data address inside JSON: the less is escaped, the better it compresses.
PLAIN = " !\"$&'()*+,-./:;<=>?@[\\]^_`{|}~"


def inline_modules(figures: Sequence[str], *, first: str, article: bool) -> dict[str, str]:
    """What a page with these figures imports later, as data addresses by name; `first` stands in the page."""
    names = ["frame", "takeaway", "paper", *(["contents", "lesson"] if article else []), *figures]
    texts = {name: bundles()[name] for name in names if name != first} | {CORE: held_core()}
    return {name: "data:text/javascript," + quote(text, safe=PLAIN) for name, text in texts.items()}


def inline_assets(figures: Sequence[str], *, first: str, article: bool) -> dict[str, Markup]:
    """Styles, the page's modules and BokehJS as text; the formulas' font only where there are formulas."""
    stems = {figure.stem for figure in FIGURES.values()} - {FIGURES[name].stem for name in figures}
    left_out = stems | SITE_STYLES if article else stems | SITE_STYLES | set(ARTICLE_STYLES)
    font = f"data:font/woff2;base64,{base64.b64encode(assets.font().body).decode()}" if article else None
    return {
        "styles": Markup(assets.style_text(font, left_out)),
        "page": Markup(page_bundle((first,))),
        # Compressed: what is read of a page before its modules run is half as long.
        "bokeh": Markup(base64.b64encode(assets.bokehjs().compressed).decode()),
    }
