"""Gradient health without a browser: texts of every kind of state, places, parts and colours."""

import re
import zlib

import pytest

from attention import FAULTS, lab_table, tokenize
from widgets.figure import figure_html, figure_payload
from widgets.gradient_health import ENTRY_LIMIT, GRADIENT_HEALTH, HealthState, health_texts, white_ink
from widgets.sentence import LESSON_TEXT
from widgets.theme import diverging_palette
from widgets.words import catalogue, figure_words

SENTENCES = [LESSON_TEXT, "yes no", "a link carries the state , the page says so A link"]


@pytest.fixture(scope="module")
def lesson():
    return GRADIENT_HEALTH.table(text=LESSON_TEXT, seed=5108)


@pytest.mark.parametrize("text", SENTENCES)
@pytest.mark.parametrize("scaled", [False, True])
def test_every_text_is_filled_in_and_has_its_place(text, scaled):
    table = GRADIENT_HEALTH.table(text=text, seed=3)
    for d_k in (2, 64):
        state = HealthState(text=text, seed=3, d_k=d_k, scaled=scaled, row=1).values()
        html = figure_html(GRADIENT_HEALTH, table, state, id="x")
        for place, told in health_texts(table, state).items():
            assert told and not re.search(r"[{}]", told), (place, told)
            assert f'data-text="{place}"' in html or f'data-kpi="{place}"' in html, place
        assert html.count('type="radio"') == html.count("<option") == len(tokenize(text))


def test_the_widest_head_says_what_the_lesson_says(lesson):
    state = HealthState(d_k=64, scaled=False, row=5).values()
    texts = health_texts(lesson, state)
    assert (texts["norm"], texts["norm-note"], texts["dead-rows"]) == ("0.058", "alive: above 0.05", "5 of 6")
    assert health_texts(lesson, state | {"row": 4})["norm-note"] == "dead: 0.05 or less"
    for told in (
        "mean over 400 untrained draws is 16.6",
        "4.3 with it",
        "median 14.6 against 4.2",
        "49.9 % of all rows",
    ):
        assert told in texts["wild"]
    assert "5 of 6 in this draw" in texts["wild"]
    assert re.fullmatch(r"Checked by finite differences: agrees to \d\.\de−1[0-3]\.", texts["checked"])


def test_dead_rows_are_those_of_the_lab(lesson):
    lab = lab_table(tokenize(LESSON_TEXT), 5108)
    assert (lesson.dead_rows == lab.dead_rows[:, FAULTS.index("none")]).all()


def test_white_ink_begins_where_the_colours_are_dark():
    low, high = white_ink()
    assert -ENTRY_LIMIT < low < 0 < high < ENTRY_LIMIT
    assert diverging_palette()[127] == "#ffffff"


def test_what_a_learner_typed_is_text_in_the_html():
    text = "a&b \"q\" 'x' ${y}"
    table = GRADIENT_HEALTH.table(text=text, seed=1)
    html = figure_html(GRADIENT_HEALTH, table, HealthState(text=text, seed=1).values(), id="x")
    assert "a&amp;b" in html and "a&b" not in html.replace('"a&b', "")


def test_it_has_a_title_a_caption_and_every_word_of_its_own():
    own = figure_words("gradient-health")
    assert GRADIENT_HEALTH.title == "Gradient health" and "0.05" in GRADIENT_HEALTH.caption
    assert all(catalogue()[key] == text for key, text in own.items()), "a word of another figure hides one of these"
    assert HealthState.names() == ("d_k", "scaled", "row", "seed", "text", "theme")


def test_the_table_is_small_enough_to_send(lesson):
    assert len(zlib.compress(figure_payload(GRADIENT_HEALTH, lesson), 1)) < 40_000
