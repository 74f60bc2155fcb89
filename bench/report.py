"""The table that a run prints, and the machine that it was measured on."""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from importlib.metadata import version
from pathlib import Path

from playwright import sync_api as playwright

COLUMNS = {
    "lesson": "our lesson",
    "lab": "our lab alone",
    "panel": "plain Panel",
    "vanilla": "plain JavaScript",
    "bare": "bare BokehJS file",
}


@dataclass(frozen=True)
class Row:
    """One thing that was measured.

    Attributes
    ----------
    what : str
    cells : dict
        Text by column, as in `COLUMNS`; a column that is missing was not measured.
    wanted : str
        The budget; it is printed beside, nothing is asserted.
    values : dict
        The number behind each cell, where a ratio makes sense.
    """

    what: str
    cells: dict[str, str]
    wanted: str = ""
    values: dict[str, float] = field(default_factory=dict)

    def ratio(self) -> str:
        """How many times plain Panel's figure ours (of the lesson page) is."""
        ours, theirs = self.values.get("lesson"), self.values.get("panel")
        return f"{ours / theirs:.2f}" if ours is not None and theirs else ""


def table(rows: Sequence[Row]) -> str:
    """All rows as a Markdown table."""
    head = ["measured", *COLUMNS.values(), "lesson ÷ Panel", "wanted of ours"]
    lines = [[row.what, *(row.cells.get(name, "") for name in COLUMNS), row.ratio(), row.wanted] for row in rows]
    return markdown(head, lines)


def markdown(head: Sequence[str], lines: Sequence[Sequence[str]], words: int = 1) -> str:
    """A Markdown table; all but the first `words` columns hold figures."""
    rule = ["---"] * words + ["--:"] * (len(head) - words)
    return "\n".join("| " + " | ".join(cells) + " |" for cells in [head, rule, *lines])


def machine(browser: str) -> str:
    """Date, processor and versions, in one line."""
    packages = ", ".join(f"{name} {version(name)}" for name in ("panel", "bokeh", "numpy"))
    return (
        f"{datetime.now():%Y-%m-%d %H:%M}; {os.cpu_count()} cores, {processor()}; "
        f"Python {platform.python_version()}, {packages}; {browser}"
    )


def busy() -> str:
    """The load average: above the number of cores, times say little."""
    return f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"


def processor() -> str:
    """The processor's name, where the system tells it."""
    try:
        found = re.search(r"model name\s*: (.+)", Path("/proc/cpuinfo").read_text())
    except OSError:
        found = None
    return found[1] if found else platform.processor() or platform.machine()


def print_report(measure: Callable[[], str], where: str) -> int:
    """Measure and print, with the machine above it; what cannot be measured is one line and status 2."""
    before = busy()
    try:
        shown = measure()
    except (OSError, RuntimeError, subprocess.SubprocessError, playwright.Error) as error:
        print(f"bench: {error}", file=sys.stderr)
        return 2
    print(f"{machine(where)}; load average {before} before and {busy()} after.\n\n{shown}")
    return 0
