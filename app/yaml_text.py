"""YAML that authors write: what no lesson has a use for is refused, because some of it takes for ever to read."""

from __future__ import annotations

from typing import Any

import yaml
from yaml.composer import ComposerError
from yaml.constructor import ConstructorError
from yaml.events import AliasEvent
from yaml.nodes import Node

DEEPEST = 20  # lists and mappings in each other; ours have 5


class Loader(yaml.SafeLoader):
    """A loader that raises `yaml.YAMLError` for whatever it cannot take."""

    _depth = 0

    def compose_node(self, parent: Node | None, index: Any) -> Node | None:
        mark: Any = self.peek_event().start_mark  # type: ignore[no-untyped-call]
        if self.check_event(AliasEvent):
            # A few lines of them can stand for more text than any machine holds.
            raise ComposerError(None, None, "*names are not taken: write the text out", mark)
        if self._depth == DEEPEST:
            raise ComposerError(None, None, f"more than {DEEPEST} levels", mark)
        self._depth += 1
        try:
            return super().compose_node(parent, index)
        finally:
            self._depth -= 1

    def construct_object(self, node: Node, deep: bool = False) -> Any:
        try:
            return super().construct_object(node, deep)
        except (ValueError, LookupError, AttributeError, TypeError) as error:
            raise ConstructorError(None, None, f"{node.tag} does not fit its value", node.start_mark) from error


def read_yaml(text: str) -> Any:
    """The values in a YAML text.

    Raises
    ------
    yaml.YAMLError
        If it is none, or holds aliases, more than `DEEPEST` levels or values that are not as they say.
    """
    return yaml.load(text, Loader)
