"""The variance law without a browser: texts of every kind of state, and a place for each of them."""

import re

import numpy as np
import pytest

from widgets.figure import figure_html, figure_payload
from widgets.variance_law import AXES, COLUMNS, TABLE_WIDTHS, VARIANCE_LAW, VarianceState, variance_texts
from widgets.words import catalogue, figure_words


@pytest.fixture(scope="module")
def table():
    return VARIANCE_LAW.table()


def texts_of(table, **state):
    return variance_texts(table, VarianceState(**state).values())


@pytest.mark.parametrize("scaled", [False, True])
@pytest.mark.parametrize("d_k", [2, 8, 33, 64])
def test_every_text_is_filled_in_and_has_its_place(table, d_k, scaled):
    state = VarianceState(d_k=d_k, scaled=scaled).values()
    html = figure_html(VARIANCE_LAW, table, state, id="x")
    for place, text in variance_texts(table, state).items():
        assert text and not re.search(r"[{}]", text), (place, text)
        assert f'data-text="{place}"' in html or f'data-kpi="{place}"' in html, place


def test_the_widest_head_says_what_the_lesson_says(table):
    raw, scaled = texts_of(table, d_k=64, scaled=False), texts_of(table, d_k=64, scaled=True)
    assert (raw["deviation"], raw["deviation-note"]) == ("7.99", "theory: √d_k = 8.00")
    assert (raw["draw-spread"], raw["draw-peak"], raw["peaked-draws"]) == ("7.85", "1.00", "38 of 400")
    assert raw["peaked-note"] == "draws (9.5 %); dead rows: 49.9 %"
    assert (scaled["deviation"], scaled["draw-spread"], scaled["draw-peak"]) == ("1.00", "0.98", "0.53")
    assert scaled["peaked-draws"] == "0 of 400"


def test_the_table_has_the_chosen_width_and_some_others(table):
    texts = texts_of(table, d_k=23, scaled=False)
    assert texts["now-law"] == "4.80" and texts["64-law"] == "8.00" and texts["2-spread"] == "2.05"
    for column in COLUMNS:
        same = texts_of(table, d_k=16, scaled=False)
        assert same[f"now-{column}"] == texts[f"16-{column}"]
    assert TABLE_WIDTHS == (2, 4, 8, 16, 32, 64)


def test_the_fixed_axes_hold_all_that_is_drawn(table):
    for scaled, (bell, spread) in enumerate(zip(AXES["bell"], AXES["spread"], strict=True)):
        heights = (table.raw_density, table.scaled_density)[scaled]
        assert heights.max() < bell["high"] and (table.raw_normal, table.scaled_normal)[scaled].max() < bell["high"]
        assert abs(table.scores[:, scaled]).max() < bell["end"]
        drawn = (table.spread_band, table.law, table.spread)
        assert max(array[:, scaled].max() for array in drawn) < spread["high"]


def test_it_has_a_title_a_caption_and_every_word_of_its_own(table):
    own = figure_words("variance-law")
    assert VARIANCE_LAW.title == "The variance law" and "√d_k" in VARIANCE_LAW.caption
    assert all(catalogue()[key] == text for key, text in own.items()), "a word of another figure hides one of these"
    assert VarianceState.names() == ("d_k", "scaled", "theme")


def test_the_table_is_small_enough_to_send(table):
    assert len(figure_payload(VARIANCE_LAW, table)) < 130_000
    assert np.isfinite(table.raw_density).all()
