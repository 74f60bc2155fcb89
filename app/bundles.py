"""The modules as a browser gets them: few, for each one asked for costs it more than the bytes of several.

What the page, each figure and each part that comes later need for themselves goes with them. What two of
them need is in ``core``, once, so that it is one and the same for all.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from widgets.files import module_paths
from widgets.one_module import imports_of, linked, needs, objects, one_module, scoped, variable

CORE = "core"
STATIC = Path(__file__).parent / "static"
# A page without figures: it has nothing of what `core` looks for in a page.
ALONE = "builder"
# Panel loads it as a text of its own.
NOT_OURS = "panel-lab"


@cache
def bundles() -> dict[str, str]:
    """The texts of the modules by the name that they are imported by."""
    paths, core = _paths(), _core()
    texts = {name: one_module(name, paths, core) for name in _entries()}
    whole = "".join((*(scoped(name, paths) for name in core), f"export {objects(core)};\n"))
    texts |= {CORE: whole, ALONE: one_module(ALONE, paths)}
    return {name: _bare(text) for name, text in texts.items()}


@cache
def page_bundle(figures: tuple[str, ...]) -> str:
    """The text that a page with its modules in it runs first: ``page``, ``core`` and these figures.

    Such a text has no address that others could import, so it leaves them an object (`held_core`).
    """
    paths, core = _paths(), _core()
    before = needs([*core, *figures], paths)
    given = f"window.earlyModules = {{ core: {objects(core)} }};\n"
    given += "".join(f'window.earlyModules["{name}"] = {variable(name)};\n' for name in figures)
    own = needs(["page"], paths, before)[:-1]
    parts = *(scoped(name, paths) for name in before), given, *(scoped(name, paths) for name in own)
    return _bare("".join((*parts, linked("page", paths))))


@cache
def held_core() -> str:
    """What `core` is where `page_bundle` ran."""
    return f"export const {objects(_core())} = window.earlyModules.core;"


@cache
def _paths() -> Mapping[str, Path]:
    paths = module_paths() | {path.stem: path for path in STATIC.glob("*.mjs")}
    del paths[NOT_OURS]
    return paths


@cache
def _entries() -> list[str]:
    """The modules that no other imports, or only when it is needed."""
    imported = {name for path in _paths().values() for name in imports_of(path)}
    return [name for name in _paths() if name not in imported and name != ALONE]


@cache
def _core() -> list[str]:
    users = Counter(name for entry in _entries() for name in needs([entry], _paths()))
    return needs([name for name, count in users.items() if count > 1], _paths())


def _bare(code: str) -> str:
    """A module without the comments that have lines of their own: a fifth of what it weighs."""
    return re.sub(r"^ *(//.*|/\*\*[\s\S]*?\*/)\n", "", code, flags=re.MULTILINE)
