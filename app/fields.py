"""YAML that authors write, taken apart name by name: every mistake is told with file and line."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import TypeVar

import yaml
from markupsafe import Markup
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from app.figures import FIGURES
from app.prose import LessonError, inline
from app.references import check_state
from app.yaml_text import Loader

T = TypeVar("T")


@dataclass(frozen=True)
class Go:
    """A figure and the values that a link brings it to; values that are not named stay as they are."""

    figure: str
    query: str

    @property
    def href(self) -> str:
        return f"#{self.figure}?{self.query}"


class Fields:
    """One mapping of a YAML text.

    Each name is taken once; `done` refuses what nobody asked for.

    Parameters
    ----------
    node : MappingNode
    path : str
        The file, for messages.
    first_line : int
        The line of the file that the YAML text starts on.
    """

    def __init__(self, node: MappingNode, path: str, first_line: int):
        self._node, self._path, self._first = node, path, first_line
        self._left: dict[str, Node] = {}
        self._known: list[str] = []
        for key, value in node.value:
            if not isinstance(key, ScalarNode):
                raise self.wrong(f"a name is plain text; {_kind(key)} came. Write `name: value`.", key)
            if str(key.value) in self._left:
                raise self.wrong(f"`{key.value}:` stands here twice. Keep one.", key)
            self._left[str(key.value)] = value

    @classmethod
    def read(cls, text: str, path: str, first_line: int) -> Fields:
        """Read a YAML text that holds a mapping, or nothing at all."""
        try:
            node = yaml.compose(text, Loader=Loader)
        except yaml.YAMLError as error:
            mark = getattr(error, "problem_mark", None)
            line = first_line + (mark.line if mark else 0)
            problem = getattr(error, "problem", None) or "it does not parse"
            hint = "Indent with spaces, and quote text that holds ': ' or ' #'."
            raise LessonError(f"{path}:{line}: this is no YAML ({problem}). {hint}") from error
        if node is None:
            node = MappingNode("tag:yaml.org,2002:map", [], yaml.Mark(path, 0, 0, 0, "", 0))
        if not isinstance(node, MappingNode):
            raise LessonError(f"{path}:{first_line}: `name: value` lines are needed here; {_kind(node)} came.")
        return cls(node, path, first_line)

    def place(self, node: Node | None = None) -> str:
        """File and line of a value, or of the mapping itself."""
        return f"{self._path}:{self._first + (node or self._node).start_mark.line}"

    def wrong(self, message: str, node: Node | None = None) -> LessonError:
        """An error at a value, or at the mapping itself."""
        return LessonError(f"{self.place(node)}: {message}")

    def has(self, name: str) -> bool:
        self._known.append(name)
        return name in self._left

    def done(self) -> None:
        """Refuse the names that nobody took."""
        for name, node in self._left.items():
            raise self.wrong(f"`{name}:` is not known here. There are: {', '.join(dict.fromkeys(self._known))}.", node)

    # ---- values ----------------------------------------------------------------------

    def plain(self, name: str, wanted: str = "text") -> str:
        """A value as it is written."""
        node = self._take(name, wanted)
        if not isinstance(node, ScalarNode) or not node.value.strip():
            raise self.wrong(f"`{name}:` needs {wanted}; {_kind(node)} came. Write `{name}: …`.", node)
        return str(node.value).strip()

    def text(self, name: str) -> Markup:
        """A line of Markdown, as HTML; links to a figure's state act on it."""
        node = self._left.get(name)
        text = self.plain(name)
        try:
            html = str(inline(text))
        except LessonError as error:
            raise self.wrong(f"{error}. Check its braces and commands.", node) from error
        for found in re.findall(r'href="#([^"]*)"', html):
            self._go(Markup(found).unescape(), name, node)
        return Markup(re.sub(r'(href="#[^"]*")', r"\1 data-go", html))

    def maybe_text(self, name: str) -> Markup | None:
        return self.text(name) if self.has(name) else None

    def flag(self, name: str) -> bool:
        """``true`` or ``false``; false where it is missing."""
        return self.has(name) and self.choice(name, ("true", "false")) == "true"

    def choice(self, name: str, allowed: Sequence[str]) -> str:
        """One of several words."""
        node = self._left.get(name)
        wanted = f"one of {', '.join(allowed)}"
        value = self.plain(name, wanted)
        if value not in allowed:
            raise self.wrong(f"`{name}:` needs {wanted}; {value!r} came.", node)
        return value

    def number(self, name: str, default: float | None = None) -> float:
        """A finite number."""
        if default is not None and not self.has(name):
            return default
        node = self._left.get(name)
        text = self.plain(name, "a number")
        try:
            value = float(text)
        except ValueError:
            value = float("nan")
        if not isfinite(value):
            raise self.wrong(f"`{name}:` needs a number such as 0.5 or 2981; {text!r} came.", node)
        return value

    def go(self, name: str) -> Go:
        """A figure and its values, written as in a link but without the #."""
        node = self._left.get(name)
        return self._go(self.plain(name, "a figure and its values"), name, node)

    def items(self, name: str, least: int, make: Callable[[Fields], T]) -> list[T]:
        """A list of mappings, each read by `make`."""
        node = self._take(name, "a list")
        if not isinstance(node, SequenceNode) or len(node.value) < least:
            came = f"{len(node.value)} came" if isinstance(node, SequenceNode) else f"{_kind(node)} came"
            raise self.wrong(f"`{name}:` needs a list of at least {least}; {came}. Start each with `- `.", node)
        made = []
        for item in node.value:
            if not isinstance(item, MappingNode):
                raise self.wrong(f"each of `{name}:` needs `name: value` lines; {_kind(item)} came.", item)
            fields = Fields(item, self._path, self._first)
            made.append(make(fields))
            fields.done()
        return made

    def _take(self, name: str, wanted: str) -> Node:
        if not self.has(name):
            raise self.wrong(f"`{name}:` is missing: {wanted} is needed. Add `{name}: …`.")
        return self._left.pop(name)

    def _go(self, target: str, name: str, node: Node | None) -> Go:
        figure, mark, query = target.partition("?")
        if figure not in FIGURES or not mark:
            raise self.wrong(
                f"`{name}:` needs a figure and its values, such as attention-lab?d_k=64&scaled=0; {target!r} came. "
                f"Figures: {', '.join(FIGURES)}.",
                node,
            )
        path, _, line = self.place(node).rpartition(":")
        check_state(Path(path), int(line), figure, query)
        return Go(figure, query)


def _kind(node: Node) -> str:
    if isinstance(node, ScalarNode):
        return repr(node.value) if node.value.strip() else "nothing"
    return "a list" if isinstance(node, SequenceNode) else "a mapping"
