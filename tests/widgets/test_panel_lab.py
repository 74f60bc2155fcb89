"""The lab in a notebook, without one: what a page may set and send."""

import json

import pytest
from bokeh.document import Document
from notebook_view import NotebookView
from page_events import changed

from widgets import AttentionLab
from widgets.state import LabState
from widgets.words import catalogue, fill


@pytest.fixture(scope="module")
def lab():
    return AttentionLab()


@pytest.fixture
def data(lab):
    """What a page has of it; `patch(name, value)` is what it sends."""
    doc = Document()
    doc.add_root(lab.get_root(doc))
    data = doc.roots[0].data

    def patch(name, value):
        doc.apply_json_patch({"events": [changed(data, name, value)]})

    return data, patch


def test_a_choice_of_a_page_counts(lab, data):
    _, patch = data
    patch("d_k", 9)
    patch("fault", "divide_by_d_k")
    assert (lab.d_k, lab.fault) == (9, "divide_by_d_k")


@pytest.mark.parametrize(
    ("name", "value"),
    [("d_k", 99), ("row", 6), ("fault", "x"), ("theme", ["light"]), ("text", "a <"), ("text", "a b"), ("seed", 7)]
    + [("plots", "{}"), ("lang", "de"), ("answer", "{}")],
)
def test_what_no_learner_can_choose_is_put_back(name, value, lab, data):
    model, patch = data
    before = getattr(lab, name)
    patch(name, value)
    assert getattr(lab, name) == before == getattr(model, name)


def test_a_choice_that_comes_in_one_parcel_with_a_sentence_counts():
    view = NotebookView(d_k=64)
    choose, say, lab = view.choose, view.say, view.lab
    view.send(choose("d_k", 62), choose("d_k", 61), say(id=1, text="one two three", seed=7), choose("scaled", False))
    assert (lab.d_k, lab.text, lab.seed, lab.scaled) == (61, "one two three", 7, False)
    lab.d_k = 64  # and Python still moves it
    assert view.data.d_k == 64


def told(lab, **message):
    lab._handle_msg(message)
    return json.loads(lab.answer)


def test_a_sentence_is_taken_and_the_row_stays_one_of_its_words(lab):
    lab.row = 5
    assert "error" not in told(lab, view="p1", id=1, text=" one  two ", seed=7)
    assert (lab.text, lab.seed, lab.row) == ("one two", 7, 1)


@pytest.mark.parametrize("seed", [None, True, "1", 1.0, -1, 2**32, [1]])
def test_a_seed_that_is_none_is_refused_in_words_and_nothing_else_of_the_message_counts(seed, lab):
    before = lab.values()
    words, allowed = catalogue(), LabState.schema()["seed"]["allowed"]
    answer = told(lab, view="p1", id=2, text="other words", seed=seed)
    assert answer["error"] == {
        "field": "seed",
        "message": fill(words["site.refused"], {"name": "seed", "allowed": allowed}),
    }
    assert lab.values() == before


@pytest.mark.parametrize(
    "message",
    [
        None,
        "x",
        {"view": ["p1"], "shown": {}},
        {"view": {}, "id": 1},
        {"view": "x" * 51, "id": 1},
        {"view": "p1", "id": float("nan")},
    ],
)
def test_a_message_that_nobody_can_be_answered_for_is_left_alone(message, lab):
    before = lab.answer
    lab._handle_msg(message)
    assert lab.answer == before
