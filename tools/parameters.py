"""Write from the code what the docs say of links, answers, limits and metrics: python tools/parameters.py [--check].

The pages are docs/instructors.md and docs/operating.md.
"""

from __future__ import annotations

import runpy
import sys
from collections.abc import Callable, Sequence
from dataclasses import fields
from functools import cache
from itertools import zip_longest
from pathlib import Path
from typing import Any

from app.export import locks, pieces
from app.figures import FIGURES
from app.limits import Limits
from app.metrics import FAMILIES, PREFIX
from widgets.words import catalogue, languages

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "instructors.md"
OPERATING = ROOT / "docs" / "operating.md"

# The same in every figure that has them: told once.
SHARED = ("text", "seed", "theme")
LOOK = (
    ("hide", "names of pieces, with commas between", "", "Leaves these out. Every figure has {pieces}; more below."),
    ("lock", "names of parameters, with commas between", "", "Shows these and holds them fast; they say “locked”."),
    ("view", "`full`, `compact`", "`full`", "`compact` shows the essentials."),
    ("lang", ", ".join(f"`{lang}`" for lang in languages()), "the browser’s", "Its language; not yet of lessons."),
)


def parameters() -> str:
    """A table of what all links take, then one for each figure."""
    common = [_row(name, *_shared(name)) for name in SHARED]
    everywhere = _listed([f"`{piece}` ({_word(piece)})" for piece in _everywhere()])
    told = [_line(f"`{name}`", *rest).replace("{pieces}", everywhere) for name, *rest in LOOK]
    return "\n\n".join(["\n".join([*_head(), *common, *told]), *map(_figure, FIGURES)])


def _figure(name: str) -> str:
    figure = FIGURES[name]
    schema = figure.State.schema()
    own = [_row(item, schema[item], figure.State.param[item].doc) for item in schema if item not in SHARED]
    also = [f"`{item}`" for item in SHARED if item in schema]
    hidden = [f"`{piece}` ({_word(piece)})" for piece in _pieces(name) if piece not in _everywhere()]
    return "\n\n".join(
        [
            f"### {figure.title}: `/embed/{name}/`",
            "\n".join([*_head(), *own]),
            f"And {_listed(also)}, as above.",
            f"`lock=` takes {', '.join(f'`{item}`' for item in locks(name))}.",
            f"`hide=` takes {', '.join(hidden)}, and those of every figure.",
        ]
    )


def _word(piece: str) -> str:
    return catalogue()[f"piece.{piece}"]


@cache
def _pieces(name: str) -> list[str]:
    return pieces(name)


@cache
def _everywhere() -> list[str]:
    """The pieces that every figure has."""
    return [piece for piece in _pieces(next(iter(FIGURES))) if all(piece in _pieces(name) for name in FIGURES)]


def _head() -> list[str]:
    return ["| name | values | default | meaning |", "|---|---|---|---|"]


def _row(name: str, rule: dict[str, Any], doc: str) -> str:
    values = rule["allowed"]
    if rule["type"] == "choice":
        values = ", ".join(f"`{value}`" for value in rule["values"])
    elif rule["type"] == "boolean":
        values = "`1` on, `0` off"
    elif rule["token"]:
        values += ", at most the sentence’s last token"
    default = int(rule["default"]) if rule["type"] == "boolean" else rule["default"]
    return _line(f"`{name}`", values, f"`{default}`", doc)


def _line(*cells: str) -> str:
    # A bar would start another cell.
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def _shared(name: str) -> tuple[dict[str, Any], str]:
    """The rule and meaning that all figures with this name have; the table says them once only if that is true."""
    states = [figure.State for figure in FIGURES.values() if name in figure.State.names()]
    found = [(state.schema()[name], state.param[name].doc) for state in states]
    if any(other != found[0] for other in found):
        raise ValueError(f"{name} is not the same in every figure. Take it out of SHARED in tools/parameters.py.")
    return found[0]


def _listed(items: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(items[:-1]), items[-1]]))


def _answers() -> str:
    key: str = runpy.run_path(str(ROOT / "tools" / "answer_key.py"))["answer_key"]()
    return key


def limits() -> str:
    """A table of what one process takes."""
    rows = [(item.name, item.default, item.metadata) for item in fields(Limits)]
    lines = [
        _line(f"`{name}`", f"{known['low']} to {known['high']}", str(at), known["doc"]) for name, at, known in rows
    ]
    return "\n".join(["| name | values | default | meaning |", "|---|---|---|---|", *lines])


def metrics() -> str:
    """A table of what is counted over all workers."""
    lines = [
        _line(f"`{PREFIX}{family.name}`", family.kind, ", ".join(f"`{name}`" for name, _ in family.labels), family.doc)
        for family in FAMILIES
    ]
    return "\n".join(["| name | kind | labels | meaning |", "|---|---|---|---|", *lines])


Parts = dict[str, Callable[[], str]]
PARTS: Parts = {"parameters": parameters, "answers": _answers}
OPERATING_PARTS: Parts = {"limits": limits, "metrics": metrics}


def rewritten(text: str, parts: Parts) -> str:
    """The page with its parts as they follow from the code."""
    for name, make in parts.items():
        marks = [f"<!-- {name} -->\n", f"\n<!-- /{name} -->"]
        if [text.count(mark) for mark in marks] != [1, 1] or text.index(marks[0]) > text.index(marks[1]):
            raise ValueError(f"it needs one line <!-- {name} --> and after it one line <!-- /{name} -->")
        before, after = text.split(marks[0])[0], text.split(marks[1])[1]
        text = f"{before}{marks[0]}\n{make()}\n{marks[1]}{after}"
    return text


def main(*arguments: str) -> int:
    """Rewrite the pages, or with --check only say whether they are in step."""
    if arguments not in ((), ("--check",)):
        print("usage: python tools/parameters.py [--check]", file=sys.stderr)
        return 2
    return max(_write(PAGE, PARTS, arguments), _write(OPERATING, OPERATING_PARTS, arguments))


def _write(page: Path, parts: Parts, arguments: Sequence[str]) -> int:
    text = page.read_text("utf-8")
    try:
        wanted = rewritten(text, parts)
    except ValueError as error:
        print(f"{page.name}: {error}", file=sys.stderr)
        return 2
    if wanted == text:
        return 0
    if arguments:
        lines = zip_longest(text.split("\n"), wanted.split("\n"))
        first = next(number for number, (old, new) in enumerate(lines, start=1) if old != new)
        print(f"{page.name}:{first}: not what the code says. Run: python tools/parameters.py", file=sys.stderr)
        return 1
    page.write_text(wanted, "utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
