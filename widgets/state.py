"""What a learner can choose in a figure: one place for names, defaults, bounds and meaning."""

from __future__ import annotations

from typing import Any, ClassVar

import param

from attention import tokenize
from attention.embedding import MAX_SEED
from attention.faults import FAULTS
from attention.tables import D_K_MAX, D_K_MIN
from widgets.sentence import LESSON_SEED, LESSON_TEXT, MAX_TOKENS, parse_sentence
from widgets.words import catalogue, fill

THEMES = ("auto", "light", "dark", "projector")


class Sentence(param.String):
    """A string that `parse_sentence` accepts."""

    def _validate_value(self, val: str | None, allow_None: bool) -> None:
        super()._validate_value(val, allow_None)
        if isinstance(val, str):
            parse_sentence(val)


class FigureState(param.Parameterized):
    """The state of any figure; every other value on screen follows from it."""

    theme = param.Selector(default="auto", objects=list(THEMES), doc="Colours: as the system, light, dark, projector.")

    # Names of the params that point at a token, and so depend on the sentence.
    token_names: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """What a link carries, a figure's own choices first."""
        found: dict[str, None] = {}
        for base in cls.__mro__:
            found |= {
                name: None
                for name, value in vars(base).items()
                if issubclass(base, FigureState) and isinstance(value, param.Parameter) and name != "name"
            }
        return tuple(found)

    @classmethod
    def default(cls) -> dict[str, Any]:
        """The state that a figure has when nobody asked for another."""
        return cls().values()

    @classmethod
    def schema(cls) -> dict[str, dict[str, Any]]:
        """What a link or a host may set, as the modules read it: each name's type, range and default."""
        rules = {name: _rule(cls.param[name]) | {"token": name in cls.token_names} for name in cls.names()}
        for name in cls.token_names:
            rules[name]["allowed_tokens"] = catalogue()["allowed.token"]  # known once the sentence is
        return rules

    def values(self) -> dict[str, Any]:
        """The state as plain values, in the order in which links carry them."""
        return {name: getattr(self, name) for name in self.names()}


def _rule(parameter: param.Parameter) -> dict[str, Any]:
    """One name's type, its range as values and in words, and its default."""
    words, rule = catalogue(), {"default": parameter.default}
    if isinstance(parameter, Sentence):
        return rule | {"type": "text", "allowed": words["allowed.text"]}
    if isinstance(parameter.default, bool):
        return rule | {"type": "boolean", "allowed": words["allowed.boolean"]}
    if hasattr(parameter, "objects"):
        choices = list(parameter.objects)
        return rule | {"type": "choice", "values": choices, "allowed": ", ".join(map(str, choices))}
    low, high = parameter.bounds
    allowed = fill(words["allowed.range"], {"low": low, "high": high})
    return rule | {"type": "integer", "min": low, "max": high, "allowed": allowed}


class SentenceState(FigureState):
    """The state of a figure that shows one sentence under one draw of the projections."""

    seed = param.Integer(default=LESSON_SEED, bounds=(0, MAX_SEED), doc="Draws embeddings and projections.")
    text = Sentence(default=LESSON_TEXT, doc="The sentence: 2 to 12 tokens, split at white space.")

    def last_token(self) -> int:
        """The largest value that a name in `token_names` may have."""
        return len(tokenize(self.text)) - 1


class LabState(SentenceState):
    """The lab's state."""

    token_names = ("row",)

    d_k = param.Integer(default=8, bounds=(D_K_MIN, D_K_MAX), doc="Width of each query and key.")
    scaled = param.Boolean(default=True, doc="Whether raw scores are divided by √d_k.")
    fault = param.Selector(default="none", objects=list(FAULTS), doc="What is broken in the layer.")
    row = param.Integer(default=1, bounds=(0, MAX_TOKENS - 1), doc="The highlighted query, counted from 0.")
