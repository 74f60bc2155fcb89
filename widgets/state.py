"""What a learner can choose in the lab: one place for names, defaults, bounds and meaning."""

from __future__ import annotations

import param

from attention.embedding import MAX_SEED
from attention.faults import FAULTS
from attention.tables import D_K_MAX, D_K_MIN
from widgets.sentence import LESSON_SEED, LESSON_TEXT, MAX_TOKENS, parse_sentence

THEMES = ("auto", "light", "dark", "projector")


class Sentence(param.String):
    """A string that `parse_sentence` accepts."""

    def _validate_value(self, val: str | None, allow_None: bool) -> None:
        super()._validate_value(val, allow_None)
        if isinstance(val, str):
            parse_sentence(val)


class LabState(param.Parameterized):
    """The lab's state; every other value on screen follows from it."""

    d_k = param.Integer(default=8, bounds=(D_K_MIN, D_K_MAX), doc="Width of each query and key.")
    scaled = param.Boolean(default=True, doc="Whether raw scores are divided by √d_k.")
    fault = param.Selector(default="none", objects=list(FAULTS), doc="What is broken in the layer.")
    row = param.Integer(default=1, bounds=(0, MAX_TOKENS - 1), doc="The highlighted query, counted from 0.")
    seed = param.Integer(default=LESSON_SEED, bounds=(0, MAX_SEED), doc="Draws embeddings and projections.")
    text = Sentence(default=LESSON_TEXT, doc="The sentence: 2 to 12 tokens, split at white space.")
    theme = param.Selector(default="auto", objects=list(THEMES), doc="Colours: as the system, light, dark, projector.")


STATE_NAMES = ("d_k", "scaled", "fault", "row", "seed", "text", "theme")


def state_dict(state: LabState) -> dict[str, object]:
    """The state as plain values, in the order in which links carry them."""
    return {name: getattr(state, name) for name in STATE_NAMES}
