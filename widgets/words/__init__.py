"""The interface's strings, one catalogue a language, shared by Python and the modules.

A catalogue is a folder: ``common.json``, and a file for each figure.

A string may hold ``{names}``; both sides fill them in with `fill` (here and in
``figure.mjs``).
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent


@cache
def catalogue(lang: str = "en") -> dict[str, str]:
    """All strings of a language, by key."""
    strings: dict[str, str] = {}
    for path in sorted((HERE / lang).glob("*.json")):
        strings |= json.loads(path.read_text("utf-8"))
    return strings


@cache
def figure_words(name: str, lang: str = "en") -> dict[str, str]:
    """What one figure's module needs of them: the common strings and its own."""
    strings: dict[str, str] = {}
    for file in ("common", name):
        strings |= json.loads((HERE / lang / f"{file}.json").read_text("utf-8"))
    return strings


def fill(template: str, values: Mapping[str, object]) -> str:
    """Put values in place of ``{names}``; braces around anything else are left alone."""
    return re.sub(r"\{(\w+)\}", lambda found: str(values.get(found[1], found[0])), template)


def fixed(value: float, digits: int = 2) -> str:
    """A number as the page shows it: fixed decimals, and − for minus."""
    text = f"{value:.{digits}f}"
    if not text.strip("-0."):
        text = text.lstrip("-")  # a rounded zero has no sign
    return text.replace("-", "−")
