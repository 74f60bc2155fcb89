"""References in a lesson's prose: to sections, to figures, to a figure's state, to the glossary."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path
from urllib.parse import parse_qsl

import yaml
from markdown_it.token import Token
from markupsafe import escape

from app.figures import FIGURES
from app.links import read_state
from app.prose import LessonError, inline, slug
from app.translated import beside
from app.yaml_text import read_yaml
from widgets.words import catalogue, fill


@dataclass
class References:
    """What a lesson's prose may refer to.

    Attributes
    ----------
    path : Path
        For messages.
    sections : dict of str to str
        Titles by anchor.
    figures : list of str
        Names in the order in which they stand; the first is Figure 1.
    glossary : mapping of str to str
        Definitions by term, in lower case.
    """

    path: Path
    sections: dict[str, str]
    figures: list[str]
    glossary: Mapping[str, str]
    explained: set[str] = field(default_factory=set)

    def resolve(self, tokens: list[Token], line: int) -> None:
        """Finish the links and terms in some tokens, in place.

        Raises
        ------
        LessonError
            For a reference to nothing.
        """
        for token in tokens:
            here = line + (token.map[0] if token.map else 0)
            children = token.children or []
            for i, child in enumerate(children):
                if child.type == "link_open":
                    self._link(child, children[i + 1 :], here)
                elif child.type == "span_open" and "term" in str(child.attrs.get("class", "")).split():
                    self._term(child, children[i + 1 :], here)

    def _link(self, link: Token, after: list[Token], line: int) -> None:
        target = str(link.attrs.get("href", ""))
        if not target.startswith("#"):
            return
        name, _, query = target[1:].partition("?")
        if name in self.figures:
            told = fill(catalogue()["lesson.figure"], {"number": self.figures.index(name) + 1})
        elif name in self.sections and not query:
            told = fill(catalogue()["lesson.section"], {"number": self.sections[name].split(" ")[0]})
        else:
            known = ", ".join([*self.figures, *self.sections])
            raise LessonError(f"{self.path}:{line}: '{target}' refers to nothing. There are: {known}.")
        if query:
            check_state(self.path, line, name, query)
            link.attrs["data-go"] = ""
        if after and after[0].type == "link_close":
            # A link without words is told by its number.
            after[0].type, after[0].content = "html_inline", f"{escape(told)}</a>"

    def _term(self, span: Token, after: list[Token], line: int) -> None:
        # Each opening token is 1 deeper, each closing one 1 less; the span's own closes it.
        depths = accumulate((token.nesting for token in after), initial=1)
        end = next(i for i, depth in enumerate(depths) if depth == 0) - 1
        closing, words = after[end], "".join(token.content for token in after[:end])
        term = words.casefold()
        if term not in self.glossary:
            where = f"{self.path}:{line}"
            raise LessonError(f"{where}: {words!r} is not in glossary.yaml. Add it, or take .term away.")
        span.type = closing.type = "html_inline"
        span.content = closing.content = ""
        if term in self.explained:
            return
        self.explained.add(term)
        id = f"term-{slug(term)}"
        span.content = f'<button type="button" class="term" popovertarget="{id}">'
        closing.content = f'</button><span popover class="definition" id="{id}">{inline(self.glossary[term])}</span>'


def read_glossary(folder: Path) -> dict[str, str]:
    """The folder's ``glossary.yaml``: definitions by term; nothing where there is no such file."""
    path, _ = beside(folder, "glossary.yaml")
    if not path.exists():
        return {}
    try:
        terms = read_yaml(path.read_text("utf-8"))
    except (OSError, yaml.YAMLError, UnicodeDecodeError) as error:
        raise LessonError(f"{path}:1: the glossary is no YAML. Write one `term: definition` a line.") from error
    if not isinstance(terms, dict) or not all(isinstance(text, str) for text in [*terms, *terms.values()]):
        raise LessonError(f"{path}:1: the glossary holds something else than text. Write `term: definition` lines.")
    return {term.casefold(): definition for term, definition in terms.items()}


def check_state(path: Path, line: int, name: str, query: str) -> dict[str, object]:
    """The state that a query asks of a figure.

    Raises
    ------
    LessonError
        For a name or value that the figure does not have.
    """
    asked = dict(parse_qsl(query, keep_blank_values=True))
    state, ignored = read_state(asked, FIGURES[name].State)
    for unknown in asked.keys() - state.keys():
        raise LessonError(f"{path}:{line}: {name} has no {unknown!r}. It has: {', '.join(state)}.")
    if ignored:
        wrong = ignored[0]
        raise LessonError(f"{path}:{line}: {wrong.name}={wrong.came} cannot be used; allowed: {wrong.allowed}.")
    return state
