"""The lab in a notebook: whatever a page sets or sends, the lab stays in a state of its own and can be used."""

import json
import traceback

import pytest
from bokeh.document import Document
from fuzz import ANY_TEXT, fuzz, inside
from hypothesis import strategies as st
from notebook_view import NotebookView
from page_events import changed, said

from widgets import AttentionLab
from widgets.state import LabState


class Shown:
    """A lab on a page: its model, as a browser patches it."""

    def __init__(self):
        self.lab, self.doc = AttentionLab(), Document()
        self.doc.add_root(self.lab.get_root(self.doc))
        self.model = self.doc.roots[0]
        self.data = self.model.data
        self.fixed = {name: getattr(self.lab, name) for name in ("html", "plots", "lang")}

    def patch(self, name, value):
        self.apply(changed(self.data, name, value))

    def apply(self, event):
        """What Bokeh itself refuses, for no such thing can be read, never comes to the lab."""
        try:
            self.doc.apply_json_patch({"events": [event]})
        except Exception as error:
            passed = [frame.filename for frame in traceback.extract_tb(error.__traceback__)]
            assert not any("/widgets/" in name or "/panel/" in name for name in passed), error

    def sound(self):
        """It is in a state that it may have, the page is told the same, and it still moves both ways."""
        lab = self.lab
        assert inside(lab.values(), LabState) and lab.row <= lab.last_token()
        for name in lab.names():
            assert getattr(self.data, name) == getattr(lab, name), name
        for name, value in self.fixed.items():
            assert getattr(lab, name) == value == getattr(self.data, name), name
        width = 40 if lab.d_k == 41 else 41
        self.patch("d_k", width)
        assert lab.d_k == width
        lab.d_k = 7
        assert self.data.d_k == 7


@pytest.fixture(scope="module")
def shown():
    return Shown()


SCALARS = st.one_of(ANY_TEXT, st.integers(), st.booleans(), st.none(), st.floats(allow_nan=False, allow_infinity=False))
NUMBERS = st.sampled_from([{"type": "number", "value": value} for value in ("nan", "+inf", "-inf")])
TYPED = st.sampled_from(
    [
        {"type": "bytes", "data": "AAAA"},
        {"type": "set", "entries": [1]},
        {"type": "map", "entries": [["a", 1]]},
        {"type": "value"},
    ]
    + [
        {
            "type": "ndarray",
            "array": {"type": "bytes", "data": "AAAAAAAA8D8="},
            "shape": [1],
            "dtype": "float64",
            "order": "little",
        }
    ]
    + [
        {"id": "p1"},
        {"type": "object", "name": "Range1d"},
        {"type": "slice", "start": 0, "stop": 9, "step": 1},
        {"type": "nothing"},
    ]
)
VALUES = st.recursive(
    SCALARS | NUMBERS | TYPED,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(ANY_TEXT, inner, max_size=4),
    max_leaves=6,
)
LIKELY = st.sampled_from(
    [2, 8, 64, 65, 1, 5, 6, 11, 12, True, False, "none", "divide_by_d_k", "light", 5108, 2**32, "a b", "de", 8.0]
)
PARAMS = st.sampled_from(
    [
        *LabState.names() * 2,
        "lang",
        "html",
        "table",
        "plots",
        "answer",
        "name",
        "tags",
        "width",
        "esm_constants",
        "no_such",
    ]
)


@fuzz(60, changes=st.lists(st.tuples(PARAMS, LIKELY | VALUES), min_size=1, max_size=4))
def test_a_page_sets_what_a_learner_could_and_nothing_else(changes, shown):
    for name, value in changes:
        shown.patch(name, value)
    shown.sound()


MESSAGES = VALUES | st.fixed_dictionaries(
    {},
    optional={
        "view": st.sampled_from(["p1", "", "x" * 99]) | VALUES,
        "id": st.sampled_from([1, 2, 2**60, -1, True]) | VALUES,
        "text": st.sampled_from(["one two three", "a b", "one"]) | VALUES,
        "seed": st.sampled_from([1, 2**32 - 1, 2**32, -1, True, 1.0, "1"]) | VALUES,
        "shown": VALUES | st.dictionaries(st.sampled_from(LabState.names()), VALUES),
    },
)


@fuzz(60, message=MESSAGES, own=st.booleans())
def test_a_message_is_answered_in_words_or_left_alone(message, own, shown):
    if own and isinstance(message, dict):
        message = {**message, "view": shown.data.id}
    before = shown.lab.answer
    shown.apply(said(shown.model, message))
    if shown.lab.answer != before:
        answer = json.loads(shown.lab.answer, parse_constant=lambda name: pytest.fail(name))
        assert len(answer["view"]) <= 50 and len(shown.lab.answer) < 1000
    shown.lab._handle_msg(message)
    shown.sound()


@pytest.fixture(scope="module")
def views():
    return NotebookView(), NotebookView()


# Rows that each of the sentences has: of several choices in one parcel Panel reads only the last.
ACTS = st.one_of(
    st.tuples(st.just("d_k"), st.integers(2, 64)),
    st.tuples(st.just("row"), st.integers(0, 1)),
    st.tuples(st.just("scaled"), st.booleans()),
    st.tuples(st.just("fault"), st.sampled_from(["none", "divide_by_d_k"])),
    st.tuples(st.just("said"), st.sampled_from(["one two", "one two three", "one", "a b c d e f g"])),
)


@fuzz(60, acts=st.lists(ACTS, min_size=2, max_size=6))
def test_a_parcel_counts_as_its_parts_one_by_one(acts, views):
    for view in views:
        view.lab.param.update(LabState().values())
        events = [
            view.say(id=1, text=value, seed=7) if name == "said" else view.choose(name, value) for name, value in acts
        ]
        for parcel in [events] if view is views[0] else [[event] for event in events]:
            view.send(*parcel)
        assert all(getattr(view.data, name) == value for name, value in view.lab.values().items())
    assert views[0].lab.values() == views[1].lab.values()
