"""The catalogue: numbers as the page shows them, and names that are all filled in."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention import FAULTS, SoftmaxState, lab_table
from widgets.attention_lab import ATTENTION_LAB
from widgets.figure import figure_html
from widgets.lab_view import lab_texts
from widgets.state import LabState
from widgets.words import catalogue, fill, fixed


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0.00"), (1.005, "1.00"), (-0.001, "0.00"), (-1.25, "−1.25"), (0.125, "0.12"), (12.346, "12.35")],
)
def test_numbers_have_fixed_decimals_and_a_true_minus(value, text):
    assert fixed(value) == text


@given(st.text(), st.text())
def test_a_value_is_filled_in_as_it_is(a, b):
    assert fill("{a}–{b}", {"a": a, "b": b}) == f"{a}–{b}"


def test_every_place_of_the_lab_is_filled_in_every_kind_of_state():
    table = lab_table(["yes", "no", "maybe"], 3)
    for fault in FAULTS:
        for scaled in (True, False):
            for d_k in (2, 64):
                state = LabState(fault=fault, scaled=scaled, d_k=d_k, text="yes no maybe").values()
                for place, text in lab_texts(table, state).items():
                    assert text and not re.search(r"[{}]", text), (place, text)


def test_the_html_has_a_place_for_every_text():
    state = LabState(text="yes no maybe").values()
    table = lab_table(["yes", "no", "maybe"], 3)
    html = figure_html(ATTENTION_LAB, table, state, id="x")
    for place in lab_texts(table, state):
        assert f'data-text="{place}"' in html or f'data-kpi="{place}"' in html


def test_each_softmax_state_and_fault_has_its_words():
    for code in SoftmaxState:
        assert {f"state.{code}", f"state.note.{code}", f"sentence.{code}"} <= catalogue().keys()
    for fault in FAULTS:
        assert {f"fault.{fault}", f"fault.note.{fault}"} <= catalogue().keys()


def test_what_a_learner_typed_is_text_in_the_html():
    text = "a&b \"q\" 'x' ${y}"
    html = figure_html(ATTENTION_LAB, lab_table(text.split(), 1), LabState(text=text).values(), id="x")
    assert "a&amp;b" in html and "a&b" not in html.replace('"a&b', "")
