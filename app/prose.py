"""Markdown to HTML: formulas as MathML, roles in their colours, `:::{name}` blocks apart."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from latex2mathml.converter import convert
from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup
from mdit_py_plugins.anchors import anchors_plugin
from mdit_py_plugins.attrs import attrs_plugin
from mdit_py_plugins.colon_fence import colon_fence_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin

from app.errors import one_line
from app.links import shorten

# What wears the colour of a role: in formulas \query{…}, \key{…}, \val{…}; in code these names.
ROLE_COMMANDS = {"query": "query", "key": "key", "val": "value"}
ROLE_NAMES = {"query": r"Q|W_q", "key": r"K|W_k", "value": r"V|W_v"}


class LessonError(ValueError):
    """Something in a lesson's files that its author has to mend, in one line."""

    def __init__(self, message: str) -> None:
        super().__init__(one_line(message))


@dataclass(frozen=True)
class Prose:
    """A run of Markdown between two blocks."""

    tokens: list[Token]
    line: int


@dataclass(frozen=True)
class Block:
    """A `:::{name} title` block as it was written; `parts` is what a callout holds."""

    name: str
    title: str
    body: str
    line: int
    parts: list[Prose | Block] = field(default_factory=list)


# Their titles where an author writes none: the words lesson.trap, lesson.note.
CALLOUTS = ("trap", "note")


def parse(path: Path, text: str, first_line: int) -> list[Prose | Block]:
    """Cut Markdown into prose and blocks.

    Parameters
    ----------
    path : Path
        For messages.
    text : str
        The Markdown.
    first_line : int
        The line of the file that the text starts on.

    Raises
    ------
    LessonError
        For a block that is not closed, or a formula that does not parse.
    """
    lines = text.split("\n")
    parts: list[Prose | Block] = []
    run: list[Token] = []
    for token in _parser().parse(text):
        start, end = token.map or (0, 0)
        line = first_line + start
        if token.type != "colon_fence":
            _check_formulas(path, token, line)
            run.append(token)
            continue
        if not re.fullmatch(r":{3,}\s*", lines[end - 1]):
            raise LessonError(f"{path}:{line}: this ::: block is not closed. End it with a line :::.")
        if run:
            parts.append(Prose(run, first_line))
        run = []
        head = re.fullmatch(r"\{([\w-]+)\}\s*(.*)", token.info.strip())
        if not head:
            raise LessonError(f"{path}:{line}: ':::{token.info}' names no block. Write :::{{name}}.")
        inner = parse(path, token.content, line + 1) if head[1] in CALLOUTS else []
        parts.append(Block(head[1], head[2], token.content, line, inner))
    if run:
        parts.append(Prose(run, first_line))
    return parts


def render(tokens: list[Token]) -> str:
    """Tokens to HTML."""
    parser = _parser()
    return str(parser.renderer.render(tokens, parser.options, {}))


def inline(text: str) -> Markup:
    """A line of Markdown, formulas included, without a paragraph around it."""
    return Markup(_parser().renderInline(text))


def formula(latex: str, *, display: bool) -> str:
    """Draw a formula as MathML.

    Raises
    ------
    LessonError
        If it does not parse.
    """
    for command, role in ROLE_COMMANDS.items():
        latex = latex.replace(f"\\{command}{{", f"\\class{{{role}}}{{")
    try:
        mathml = convert(latex, display="block" if display else "inline")
    except Exception as error:  # the converter raises many kinds
        raise LessonError(f"the formula {shorten(latex)!r} does not parse ({type(error).__name__})") from error
    # A command that the converter does not know comes back as it was written.
    unknown = re.search(r"\\[A-Za-z]+", html.unescape(mathml))
    if unknown:
        raise LessonError(f"the formula {shorten(latex)!r} does not parse (unknown command {unknown[0]})")
    # Names of functions are identifiers; as operators they would be set with gaps around them.
    return re.sub(r"<mo>([A-Za-z]{2,})</mo>", r"<mi>\1</mi>", mathml)


def slug(title: str) -> str:
    """A heading's anchor: lower case, words joined by hyphens, without the section's number."""
    words = re.findall(r"[^\W_]+", title.casefold().replace("√", "sqrt "))
    return "-".join(words[1:] if words and words[0].isdigit() else words)


def headings(parts: list[Prose | Block]) -> Iterator[tuple[str, str]]:
    """The sections, in order: anchor and title."""
    for part in parts:
        if isinstance(part, Prose):
            for opening, content in zip(part.tokens, part.tokens[1:], strict=False):
                if opening.type == "heading_open" and opening.tag == "h2":
                    yield str(opening.attrs["id"]), content.content


def _colour_roles(code: str, language: str, _: str) -> str:
    """Query, key and value names in their colours, in Python listings."""
    text = html.escape(code)
    if language == "python":
        for role, names in ROLE_NAMES.items():
            text = re.sub(rf"(?<![\w/&;-])({names})(?![\w;-])", rf'<span class="{role}">\1</span>', text)
    return text


def _render_math(content: str, options: dict[str, Any]) -> str:
    return formula(content, display=bool(options["display_mode"]))


@cache
def _parser() -> MarkdownIt:
    return (
        MarkdownIt("commonmark", {"html": False, "highlight": _colour_roles})
        .enable("table")
        .use(dollarmath_plugin, allow_labels=False, renderer=_render_math)
        .use(anchors_plugin, min_level=2, max_level=3, slug_func=slug)
        .use(attrs_plugin, spans=True, allowed=["class", "id"])
        .use(colon_fence_plugin)
    )


def _check_formulas(path: Path, token: Token, line: int) -> None:
    for part in token.children or [token]:
        if part.type.startswith("math"):
            try:
                formula(part.content, display="block" in part.type)
            except LessonError as error:
                raise LessonError(f"{path}:{line}: {error}. Check its braces and commands.") from error
