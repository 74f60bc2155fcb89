"""Markdown to HTML: headings with anchors, formulas as MathML, `:::{name}` blocks apart."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from latex2mathml.converter import convert
from markdown_it import MarkdownIt
from mdit_py_plugins.anchors import anchors_plugin
from mdit_py_plugins.attrs import attrs_plugin
from mdit_py_plugins.colon_fence import colon_fence_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin


class LessonError(ValueError):
    """Something in a lesson's files that its author has to mend."""


def formula(latex: str, *, display: bool) -> str:
    """Draw a formula as MathML.

    Raises
    ------
    LessonError
        If it does not parse.
    """
    try:
        mathml = convert(latex, display="block" if display else "inline")
    except Exception as error:  # the converter raises many kinds
        raise LessonError(f"the formula {latex!r} does not parse ({type(error).__name__})") from error
    # A command that the converter does not know comes back as it was written.
    unknown = re.search(r"\\[A-Za-z]+", html.unescape(mathml))
    if unknown:
        raise LessonError(f"the formula {latex!r} does not parse (unknown command {unknown[0]})")
    # Names of functions are identifiers; as operators they would be set with gaps around them.
    return re.sub(r"<mo>([A-Za-z]{2,})</mo>", r"<mi>\1</mi>", mathml)


def _render_math(content: str, options: dict[str, Any]) -> str:
    return formula(content, display=bool(options["display_mode"]))


@cache
def _parser() -> MarkdownIt:
    return (
        MarkdownIt("commonmark", {"typographer": False, "html": False})
        .enable("table")
        .use(dollarmath_plugin, allow_labels=False, renderer=_render_math)
        .use(anchors_plugin, min_level=2, max_level=3, slug_func=slug)
        .use(attrs_plugin, spans=True, allowed=["class", "id"])
        .use(colon_fence_plugin)
    )


def slug(title: str) -> str:
    """A heading's anchor: lower case, words joined by hyphens."""
    return "-".join(re.findall(r"[a-z0-9]+", title.casefold().replace("√", "sqrt ")))


def markdown(path: Path, text: str, first_line: int) -> Iterator[tuple[str, str, int]]:
    """Turn Markdown into blocks.

    Yields
    ------
    (kind, content, line)
        ``("html", …)`` for prose, ``("directive", …)`` for a `:::{name}` block: its
        name and options as written.

    Raises
    ------
    LessonError
        For a block that is not closed or a formula that does not parse.
    """
    parser, env = _parser(), {}  # type: ignore[var-annotated]
    lines = text.split("\n")
    tokens = parser.parse(text, env)
    prose: list[Any] = []
    for token in tokens:
        line = first_line + (token.map[0] if token.map else 0)
        if token.type != "colon_fence":
            prose.append((token, line))
            continue
        if not re.fullmatch(r":{3,}\s*", lines[token.map[1] - 1]):  # type: ignore[index]
            raise LessonError(f"{path}:{line}: this ::: block is not closed. End it with a line :::.")
        yield from _html(path, parser, prose, env)
        prose = []
        yield "directive", f"{token.info.strip()}\n{token.content}", line
    yield from _html(path, parser, prose, env)


def _html(path: Path, parser: MarkdownIt, prose: list[Any], env: dict[str, Any]) -> Iterator[tuple[str, str, int]]:
    """Render token by token, so that a bad formula can be told with its line."""
    if not prose:
        return
    for token, line in prose:
        for part in token.children or [token]:
            if part.type.startswith("math"):
                try:
                    formula(part.content, display="block" in part.type)
                except LessonError as error:
                    raise LessonError(f"{path}:{line}: {error}. Check its braces and commands.") from error
    yield "html", parser.renderer.render([token for token, _ in prose], parser.options, env), prose[0][1]
