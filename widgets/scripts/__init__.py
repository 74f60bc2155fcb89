"""Scripts that rebuild what a figure shows with NumPy alone, for learners to take along.

A script is a template; the browser (``script.mjs``) and `Script.fill` fill it in alike, so
that a page without a server has it too. It is written to be read: plain, short, no project.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from widgets.words import fill

# What most scripts begin with; in a template a line #embed or #softmax stands for it.
PIECES = {
    "#embed\n": """\
def embed(token, seed):  # the same word always gets the same embedding
    x = np.random.default_rng([seed, *token.casefold().encode()]).standard_normal(16)
    return (x - x.mean()) / x.std()
""",
    "#softmax\n": """\
def softmax(scores):
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)
""",
}


def template(text: str) -> str:
    """A template with its pieces put in."""
    for mark, piece in PIECES.items():
        text = text.replace(mark, piece)
    return text


@dataclass(frozen=True)
class Script:
    """A template, and the parts of it that some names of the state choose among.

    Attributes
    ----------
    template : str
        Python with ``{names}`` of the state and of the parts.
    by : tuple of str
        The names of the state that choose; booleans count as 0 and 1.
    parts : dict
        For each choice, joined by full stops, the parts by name.
    """

    template: str
    by: tuple[str, ...] = ()
    parts: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def config(self) -> dict[str, Any]:
        """What the module needs of it."""
        return {"template": self.template, "by": self.by, "parts": self.parts}

    def fill(self, state: Mapping[str, Any], extra: Mapping[str, str] | None = None) -> str:
        """The script for a state; what is `extra` goes in as it is."""
        chosen = ".".join(str(int(v) if isinstance(v, bool) else v) for v in (state[name] for name in self.by))
        values = {name: _python(value) for name, value in state.items()}
        return fill(self.template, values | dict(self.parts.get(chosen, {})) | dict(extra or {}))


def _python(value: Any) -> str:
    # A JSON string is a Python string for every text that a figure accepts.
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else str(value)
