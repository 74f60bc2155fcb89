"""Several modules as one text, for hosts that run a module's text: it has no address there to import others from."""

from __future__ import annotations

import re

from widgets.files import module_paths

IMPORT = re.compile(r'^import \{([^}]*)\} from "([\w-]+)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export ((?:async )?function|const) (\w+)", re.MULTILINE)


def one_module(name: str) -> str:
    """The module with all that it imports in front of it, each in a scope of its own."""
    paths, done, parts = module_paths(), set[str](), []

    def variable(name: str) -> str:
        return name.replace("-", "_") + "_module"

    def add(name: str) -> str:
        text = paths[name].read_text("utf-8")
        for needed in dict.fromkeys(IMPORT.findall(text)):
            if needed[1] not in done:
                done.add(needed[1])
                code = add(needed[1])
                given = ", ".join(export[1] for export in EXPORT.findall(code))
                code = EXPORT.sub(r"\1 \2", code)
                parts.append(f"const {variable(needed[1])} = (() => {{\n{code}\nreturn {{ {given} }};\n}})();\n")
        return IMPORT.sub(lambda found: f"const {{{found[1]}}} = {variable(found[2])};\n", text)

    entry = add(name)
    whole = "".join((*parts, entry))
    if left := re.findall(r"^(?:import|export (?!(?:async )?function|const)).*", whole, re.MULTILINE):
        raise RuntimeError(
            f"one_module.py cannot read {left[0]!r}: import names in braces, export functions or constants"
        )
    return whole
