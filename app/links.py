"""The state in a link: read with care, written in full."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from widgets.state import FigureState
from widgets.words import catalogue, fill

SHOWN = 40


@dataclass(frozen=True)
class Ignored:
    """A value of a link that could not be used, and what was used in its place."""

    name: str
    came: str
    used: str
    allowed: str


def read_state(query: Mapping[str, str], State: type[FigureState]) -> tuple[dict[str, Any], list[Ignored]]:
    """Take a figure's state out of a link's parameters.

    Parameters
    ----------
    query : mapping of str to str
        Parameters by name; names that are no part of the state are left to others.
    State : type
        The figure's `FigureState`.

    Returns
    -------
    dict
        The full state. A value that is missing, of the wrong type or out of range is
        replaced by its default; the rest still counts.
    list of Ignored
        What was replaced, for the notice on the page.
    """
    state = State()
    ignored = []
    for name in State.names():
        if name not in query:
            continue
        try:
            setattr(state, name, read_value(name, query[name], State))
        except ValueError:
            used = getattr(state, name)
            ignored.append(Ignored(name, shorten(query[name]), _plain(used), allowed(name, State)))
    # How many rows there are depends on the sentence, which is known only now.
    for name in State.token_names:
        last = state.last_token()
        if getattr(state, name) > last:
            came = getattr(state, name)
            setattr(state, name, min(State.param[name].default, last))
            told = fill(catalogue()["allowed.token"], {"last": last})
            ignored.append(Ignored(name, str(came), str(getattr(state, name)), told))
    return state.values(), ignored


def write_query(state: Mapping[str, Any]) -> str:
    """The state as a link's parameters, every one of them."""
    return urlencode({name: _plain(value) for name, value in state.items()})


def read_value(name: str, text: str, State: type[FigureState]) -> object:
    """One value of a link, typed as the state wants it.

    Raises
    ------
    ValueError
        If the text is no such value; bounds are checked where the state takes it in.
    """
    default = State.param[name].default
    if isinstance(default, bool):
        if text not in ("0", "1"):
            raise ValueError(f"{name} is 1 or 0")
        return text == "1"
    if isinstance(default, int):
        if not re.fullmatch(r"[0-9]{1,10}", text):
            raise ValueError(f"{name} is a whole number")
        return int(text)
    if isinstance(default, float):
        # Only choices are fractions: they are written as they are listed.
        choices = {str(choice): choice for choice in State.param[name].objects}
        if text not in choices:
            raise ValueError(f"{name} is one of {', '.join(choices)}")
        return choices[text]
    return text


def allowed(name: str, State: type[FigureState]) -> str:
    """What a value of the state may be, in words."""
    return str(State.schema()[name]["allowed"])


def _plain(value: object) -> str:
    return str(int(value)) if isinstance(value, bool) else str(value)


def shorten(text: str) -> str:
    return text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"
