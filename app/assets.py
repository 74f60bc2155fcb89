"""Static files: named by their content, compressed once, cached by browsers for good."""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import bokeh

from app.bundles import bundles
from widgets.files import module_styles
from widgets.words import word_files

ROOT = Path(__file__).parent
WIDGETS = ROOT.parent / "widgets"
BOKEHJS = Path(bokeh.__file__).parent / "server" / "static" / "js" / "bokeh.min.js"

STYLES = (
    WIDGETS / "theme.css",
    WIDGETS / "figure.css",
    *module_styles(),
    ROOT / "static" / "page.css",
    ROOT / "static" / "article.css",
    ROOT / "static" / "lesson.css",
    ROOT / "static" / "builder.css",
    ROOT / "static" / "tools.css",
    ROOT / "static" / "touch.css",
    ROOT / "static" / "print.css",
    ROOT / "static" / "languages.css",
)
FONT = ROOT / "static" / "math.woff2"

mimetypes.add_type("text/javascript", ".mjs")
mimetypes.add_type("font/woff2", ".woff2")


@dataclass(frozen=True)
class Asset:
    """A file as it is sent."""

    name: str
    content_type: str
    body: bytes
    compressed: bytes


def make_asset(stem: str, suffix: str, body: bytes) -> Asset:
    """Name a file by its content, so that a changed file has a new address."""
    digest = hashlib.sha256(body).hexdigest()[:12]
    content_type = mimetypes.guess_type(f"x{suffix}")[0] or "application/octet-stream"
    # mtime=0: the same file gives the same bytes on every replica.
    return Asset(f"{stem}.{digest}{suffix}", content_type, body, gzip.compress(body, 9, mtime=0))


@cache
def modules() -> dict[str, Asset]:
    """The modules by the name that they are imported by."""
    return {name: make_asset(name.replace("-", "_"), ".mjs", text.encode()) for name, text in bundles().items()}


@cache
def bokehjs() -> Asset:
    return make_asset("bokeh", ".js", BOKEHJS.read_bytes())


@cache
def font() -> Asset:
    return make_asset("math", ".woff2", FONT.read_bytes())


def style_text(font_url: str | None, left_out: Collection[str] = ()) -> str:
    """The styles as one text, with the formulas' font at the given address, or without it."""
    text = "\n".join(path.read_text("utf-8") for path in STYLES if path.stem not in left_out)
    if font_url is None:
        return re.sub(r"@font-face \{[^}]*\}", "", text)
    return text.replace("FONT_URL", font_url)


@cache
def styles() -> Asset:
    # The font is in the same folder, wherever that is.
    return make_asset("page", ".css", style_text(font().name).encode())


@cache
def early_script() -> str:
    """What a page runs before its first paint."""
    return (ROOT / "static" / "early.js").read_text("utf-8")


@cache
def host_script() -> Asset:
    """The script that gives other pages <attention-lesson>; its address is the same in each version."""
    return make_asset("embed", ".js", (ROOT / "static" / "embed.js").read_bytes())


@cache
def all_assets() -> dict[str, Asset]:
    """Every file that the server hands out under /static/, by its name there."""
    assets = [*modules().values(), bokehjs(), font(), styles()]
    return {asset.name: asset for asset in assets}


@cache
def edition() -> str:
    """Changes whenever something does that a page asks for: its files and its tables belong together."""
    return hashlib.sha256(" ".join([version(), *sorted(all_assets())]).encode()).hexdigest()[:12]


@cache
def version() -> str:
    """Changes whenever something does that a cached table depends on."""
    core = sorted((ROOT.parent / "attention").glob("*.py")) + sorted(WIDGETS.rglob("*"))
    core += sorted((ROOT.parent / "lessons").rglob("*.npz")) + word_files()
    digest = hashlib.sha256()
    for path in core:
        if path.is_file() and path.suffix in {".py", ".html", ".json", ".npz"}:
            digest.update(path.read_bytes())
    return digest.hexdigest()[:12]
