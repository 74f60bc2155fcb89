"""`inside-one-score` without a browser: its texts, its places, and sums that add up as written."""

import re

import pytest

from attention import inside_table, tokenize
from widgets.figure import figure_html, figure_payload
from widgets.inside_one_score import INSIDE_ONE_SCORE, InsideState, ShownInside
from widgets.inside_one_score_view import blend, component_rows, inside_texts

STATES = [
    {"d_k": d_k, "scaled": scaled, "query": q, "key": k, "text": text, "seed": seed}
    for text, seed in (("Your journey starts with one step", 5108), ("yes no", 3), ("same same same", 0))
    for d_k in (2, 8, 9, 64)
    for scaled in (True, False)
    for q, k in ((1, 5), (0, 0))
]


def made(**changes):
    state = InsideState(**changes).values()
    return INSIDE_ONE_SCORE.table(state["text"], state["seed"]), state


def units(text):
    """A displayed number in units of its last digit."""
    return int(text.replace("−", "-").replace(".", ""))


@pytest.mark.parametrize("changes", STATES, ids=str)
def test_every_place_is_filled_in_and_sums_add_up_as_written(changes):
    table, state = made(**changes)
    texts = inside_texts(table, state)
    for place, text in texts.items():
        assert text and not re.search(r"[{}]", text), (place, text)
    components = component_rows(table, state)[: state["d_k"]]
    assert sum(units(row[2]) for row in components) == units(components[-1][3]) == units(texts["dot"])
    score, largest = texts["shift-how"].split(" − ", 1)
    assert units(score) - units(largest.strip("()")) == units(texts["shifted"])
    rows = blend(table, state)
    assert sum(map(units, rows.exponentials)) == units(texts["total"])
    assert sum(map(units, rows.weights)) == 10_000
    for c in range(min(8, state["d_k"])):
        assert sum(units(row[c]) for row in rows.contributions) == units(rows.context[c])
    assert set(rows.context[state["d_k"] :]) <= {"–"}


def test_the_html_has_a_place_for_every_text_but_the_spoken_ones():
    table, state = made()
    html = figure_html(INSIDE_ONE_SCORE, table, state, id="x")
    for place in inside_texts(table, state).keys() - {"summary", "d_k-spoken"}:
        assert f'data-text="{place}"' in html, place
    assert html.count("<tr hidden>") == 64 - 8


def test_the_lessons_score_is_told_step_by_step():
    texts = inside_texts(*made())
    assert (texts["dot"], texts["divide-how"], texts["score"]) == ("2.92", "2.9172 ÷ 2.8284", "1.0314")
    assert (texts["shift-how"], texts["shifted"]) == ("1.0314 − 1.4833", "−0.4519")
    assert (texts["exponential"], texts["total"], texts["weight"]) == ("0.6364", "3.2930", "0.1932")
    assert texts["blend-note"] == "all 8 components"
    assert inside_texts(*made(d_k=64))["blend-note"] == "first 8 of 64 components"


def test_without_the_scale_the_score_is_the_dot_product():
    texts = inside_texts(*made(scaled=False))
    assert (texts["divide"], texts["divide-how"], texts["score"]) == ("no scale", "2.9172 ÷ 1.0000", "2.9172")


def test_a_negative_number_that_is_taken_away_stands_in_brackets():
    told = [inside_texts(*made(text="yes no", seed=seed, query=0))["shift-how"] for seed in range(9)]
    assert any("− (−" in text for text in told) and not any("− −" in text for text in told)


def test_axes_hold_every_state_of_the_sentence():
    table, _ = made(seed=9)
    limits = INSIDE_ONE_SCORE.meta(table)["limits"]
    assert max(abs(table.Q).max(), abs(table.K).max()) <= limits["components"]
    assert abs(table.shown_products).max() <= limits["products"]
    assert abs(table.shown_running_sum).max() <= limits["sums"]


def test_only_what_is_shown_is_sent():
    tokens = tokenize("Your journey starts with one step")
    whole = sum(array.nbytes for array in vars(inside_table(tokens, 5108)).values() if hasattr(array, "nbytes"))
    sent = figure_payload(INSIDE_ONE_SCORE, made()[0])
    assert isinstance(made()[0], ShownInside) and len(sent) < 0.85 * whole
