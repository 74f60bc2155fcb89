"""What answers and pages tell a browser to refuse: any script but ours, other hosts, other uses of the machine.

Pages are cached and sent to many, so a script that stands in a page is allowed by its hash and
not by a number used once. The hashes are of texts known here, never of a finished page, which
would allow whatever got into it. docs/security.md has the reasons line by line.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Mapping
from functools import cache

from markupsafe import Markup

from app import assets
from app.figures import FIGURES
from app.hosting import SERVER, Hosting
from widgets.figure import script_json

# In the head, where `data-table` names the main figure's table: it is there when the page's module asks for it.
EARLY_TABLE = Markup(
    "{ const { table } = document.currentScript.dataset;"
    " (window.earlyTables ??= {})[table] ="
    " fetch(table, { signal: AbortSignal.timeout(20000) })"
    ".then((answer) => (answer.ok && !/json/.test(answer.headers.get('content-type')) ? answer.arrayBuffer() : null))"
    ".catch(() => null); }"
)

NOTHING = "default-src 'none'"
# What a page does with its own address and forms, which the line above does not speak of.
HERE = "base-uri 'none'; form-action 'none'"
# What a learner typed is in a page's address: no other site is told of it.
ALWAYS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Permissions-Policy": "camera=(), display-capture=(), geolocation=(), microphone=(), midi=(), payment=(), usb=()",
    "Content-Security-Policy": f"{NOTHING}; frame-ancestors 'none'",  # an answer that is no page
}


def answer_headers(shared: bool) -> dict[str, str]:
    """The headers of every answer; a page has another policy.

    Parameters
    ----------
    shared : bool
        Whether pages of other origins load it, other than with `fetch`.
    """
    return ALWAYS | {"Cross-Origin-Resource-Policy": "cross-origin" if shared else "same-origin"}


def page_policy(hosting: Hosting = SERVER, *, frames: bool = False) -> str:
    """What a server's page may do, as a header says it.

    Parameters
    ----------
    hosting : Hosting, optional
        Who may frame it.
    frames : bool, optional
        Whether it frames pages of its own server.
    """
    return _with_server(_server_hashes(), frames) + _ancestors(hosting)


def file_policy(hosting: Hosting = SERVER) -> str:
    """What a single file may do that a server hands out; the file itself says what its scripts may."""
    return HERE + _ancestors(hosting)


def meta_policy(hosting: Hosting, scripts: Iterable[str], *, frames: bool = False) -> str:
    """The same for a page without a server, as the page itself says it: it cannot speak of frames around it.

    Parameters
    ----------
    hosting : Hosting
        A site's page loads the site's files; a single file loads nothing.
    scripts : iterable of str
        The texts of the scripts that stand in the page.
    frames : bool, optional
        Whether it frames pages of its own server.
    """
    hashes = [script_hash(text) for text in scripts]
    return _with_server(hashes, frames) if hosting.kind == "site" else _in_a_file(hashes)


def script_hash(text: str) -> str:
    """A script's text as a policy names it."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def import_map(modules: Mapping[str, str]) -> Markup:
    """What a page's modules are imported by, and where they are."""
    return script_json({"imports": modules})


def early_module(name: str) -> Markup:
    """The script that loads a figure's module while the page is still being read."""
    script = Markup("import * as figure from {}; (window.earlyModules ??= {{}})[{}] = figure;")
    return script.format(script_json(name), script_json(name))


@cache
def _server_hashes() -> list[str]:
    """Of every script that may stand in a server's page; the same for all pages and states."""
    modules = {name: SERVER.asset(asset) for name, asset in assets.modules().items()}
    scripts = [assets.early_script(), EARLY_TABLE, import_map(modules)]
    return [script_hash(text) for text in [*scripts, *map(early_module, FIGURES)]]


def _ancestors(hosting: Hosting) -> str:
    return f"; frame-ancestors {' '.join(hosting.frame_ancestors)}" if hosting.frame_ancestors else ""


def _with_server(hashes: Iterable[str], frames: bool) -> str:
    # BokehJS writes style elements into its plots, and tables have colours in attributes. Styles load nothing from
    # elsewhere, so that there is nothing that they could tell.
    allowed = (
        f"script-src 'self' {' '.join(hashes)}",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self'",
        "connect-src 'self'",
        "frame-src 'self'" if frames else "frame-src 'none'",
    )
    return "; ".join((NOTHING, *allowed, HERE))


def _in_a_file(hashes: Iterable[str]) -> str:
    # Modules are data addresses, BokehJS is a blob. 'strict-dynamic' instead of both would stop a module's imports.
    allowed = (
        f"script-src data: blob: {' '.join(hashes)}",
        "style-src 'unsafe-inline'",
        "img-src data: blob:",
        "font-src data:",
    )
    return "; ".join((NOTHING, *allowed, HERE))
