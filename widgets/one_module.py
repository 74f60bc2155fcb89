"""Several modules as one text: for hosts that run a module's text and have no address for it, and to spare requests.

A module keeps a scope of its own. What another one needs of it is the object ``text_module``
with all that it exports.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping
from pathlib import Path

from widgets.files import module_paths

IMPORT = re.compile(r'^import \{([^}]*)\} from "([\w-]+)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export ((?:async )?function|const) (\w+)", re.MULTILINE)


def one_module(name: str, paths: Mapping[str, Path] | None = None, core: Container[str] = ()) -> str:
    """The module with all that it imports in front of it, each in a scope of its own.

    Parameters
    ----------
    name : str
        The module. What it exports is exported by the whole, with an object for each of the others.
    paths : mapping of str to Path, optional
        All modules by the name that they are imported by; those of the figures unless given.
    core : container of str, optional
        Modules that are not put in front of it but imported, from a module ``core``.

    Raises
    ------
    RuntimeError
        If an import or export is written in a way that cannot be read here.
    """
    paths = module_paths() if paths is None else paths
    needed = needs([name], paths, core)
    held = sorted({other for module in needed for other in imports_of(paths[module]) if other in core})
    taken = f'import {objects(held)} from "core";\n' if held else ""
    before = needed[:-1]
    given = f"export {objects(before)};\n" if before else ""
    return "".join((taken, *(scoped(other, paths) for other in before), linked(name, paths), given))


def imports_of(path: Path) -> list[str]:
    """The names of the modules that a module imports, each once."""
    return list(dict.fromkeys(name for _, name in IMPORT.findall(path.read_text("utf-8"))))


def needs(names: Iterable[str], paths: Mapping[str, Path], without: Container[str] = ()) -> list[str]:
    """These modules and all that they import but `without`, each after what it needs itself."""
    found: list[str] = []

    def add(name: str) -> None:
        for other in imports_of(paths[name]):
            if other not in found and other not in without:
                add(other)
        found.append(name)

    for name in names:
        if name not in found:
            add(name)
    return found


def objects(names: Iterable[str]) -> str:
    """These modules by what `scoped` calls them, in braces."""
    return f"{{ {', '.join(map(variable, names))} }}"


def scoped(name: str, paths: Mapping[str, Path]) -> str:
    """A module's text as one constant: the object with what it exports."""
    code = linked(name, paths)
    given = ", ".join(export[1] for export in EXPORT.findall(code))
    code = EXPORT.sub(r"\1 \2", code)
    return f"const {variable(name)} = (() => {{\n{code}\nreturn {{ {given} }};\n}})();\n"


def linked(name: str, paths: Mapping[str, Path]) -> str:
    """A module's text that finds what it imports in the constants of `scoped`.

    Raises
    ------
    RuntimeError
        If an import or export is written in a way that cannot be read here.
    """
    code = paths[name].read_text("utf-8")
    code = IMPORT.sub(lambda found: f"const {{{found[1]}}} = {variable(found[2])};\n", code)
    if left := re.findall(r"^(?:import|export (?!(?:async )?function|const)).*", code, re.MULTILINE):
        raise RuntimeError(
            f"one_module.py cannot read {left[0]!r}: import names in braces, export functions or constants"
        )
    return code


def variable(name: str) -> str:
    """What `scoped` calls a module."""
    return name.replace("-", "_") + "_module"
