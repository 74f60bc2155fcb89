"""The state in a link: read with care, written in full."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from attention import tokenize
from widgets.sentence import ALLOWED
from widgets.state import STATE_NAMES, LabState, state_dict

SHOWN = 40


@dataclass(frozen=True)
class Ignored:
    """A value of a link that could not be used, and what was used in its place."""

    name: str
    came: str
    used: str
    allowed: str


def read_state(query: Mapping[str, str]) -> tuple[dict[str, Any], list[Ignored]]:
    """Take the state out of a link's parameters.

    Parameters
    ----------
    query : mapping of str to str
        Parameters by name; names that are no part of the state are left to others.

    Returns
    -------
    dict
        The full state. A value that is missing, of the wrong type or out of range is
        replaced by its default; the rest still counts.
    list of Ignored
        What was replaced, for the notice on the page.
    """
    state = LabState()
    ignored = []
    for name in STATE_NAMES:
        if name not in query:
            continue
        try:
            setattr(state, name, _typed(name, query[name]))
        except ValueError:
            used = getattr(state, name)
            ignored.append(Ignored(name, _shorten(query[name]), _plain(used), _allowed(name)))
    # How many rows there are depends on the sentence, which is known only now.
    last = len(tokenize(state.text)) - 1
    if state.row > last:
        came, state.row = state.row, min(LabState.param.row.default, last)
        ignored.append(Ignored("row", str(came), str(state.row), f"0 to {last} for this sentence"))
    return state_dict(state), ignored


def write_query(state: Mapping[str, Any]) -> str:
    """The state as a link's parameters, every one of them."""
    return urlencode({name: _plain(state[name]) for name in STATE_NAMES})


def _typed(name: str, text: str) -> object:
    default = getattr(LabState, name)
    if isinstance(default, bool):
        if text not in ("0", "1"):
            raise ValueError(text)
        return text == "1"
    if isinstance(default, int):
        if not re.fullmatch(r"[0-9]{1,10}", text):
            raise ValueError(text)
        return int(text)
    return text


def _plain(value: object) -> str:
    return str(int(value)) if isinstance(value, bool) else str(value)


def _shorten(text: str) -> str:
    return text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"


def _allowed(name: str) -> str:
    parameter = LabState.param[name]
    if name == "text":
        return ALLOWED.removeprefix("Use ").removesuffix(".")
    if isinstance(parameter.default, bool):
        return "1 or 0"
    if hasattr(parameter, "objects"):
        return ", ".join(parameter.objects)
    low, high = parameter.bounds
    return f"{low} to {high}"
