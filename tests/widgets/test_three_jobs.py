"""`three-jobs` without a browser: its texts, its places, its numbers."""

import re

import pytest

from widgets.figure import figure_html
from widgets.three_jobs import D_K, DRAWS, THREE_JOBS, ThreeJobsState
from widgets.three_jobs_view import jobs_texts
from widgets.words import catalogue

STATES = [
    {"query": q, "key": k, "draw": draw, "show": show, "text": text}
    for text in ("Your journey starts with one step", "yes no", "same same same")
    for q, k in ((1, 5), (0, 0), (11, 0))
    for draw in (0, DRAWS - 1)
    for show in ("scores", "weights")
]


def made(**changes):
    state = ThreeJobsState(**changes).values()
    return THREE_JOBS.table(state["text"], state["seed"]), state


@pytest.mark.parametrize("changes", STATES, ids=str)
def test_every_place_is_filled_in(changes):
    for place, text in jobs_texts(*made(**changes)).items():
        assert text and not re.search(r"[{}]", text), (place, text)


def test_the_html_has_a_place_for_every_text_but_the_spoken_one():
    table, state = made()
    html = figure_html(THREE_JOBS, table, state, id="x")
    for place in jobs_texts(table, state).keys() - {"summary"}:
        assert f'data-text="{place}"' in html or f'data-kpi="{place}"' in html, place


def test_the_lessons_pair_is_told_as_it_is():
    texts = jobs_texts(*made())
    assert texts["raw-pair"] == "‘journey’ scores ‘step’ 6.04, ‘step’ scores ‘journey’ 6.04: the same both ways."
    assert texts["made-pair"].startswith("‘journey’ scores ‘step’ 1.03, ‘step’ scores ‘journey’ 0.75: each way")
    assert texts["raw-self"].startswith("‘journey’ scores itself 16.00,")
    assert (texts["raw-asymmetry"], texts["asymmetry"]) == ("0.00", "4.52")
    assert texts["asymmetry-note"] == "‘starts’ and ‘step’"


def test_equal_words_score_each_other_alike_and_the_text_says_so():
    texts = jobs_texts(*made(text="same same other", query=0, key=1))
    assert texts["made-pair"].endswith("alike, to two decimals.")


def test_other_matrices_leave_the_left_side_alone():
    before, after = (jobs_texts(*made(draw=draw)) for draw in (0, 3))
    assert {name: text for name, text in before.items() if name.startswith("raw-")} == {
        name: text for name, text in after.items() if name.startswith("raw-")
    }
    assert before["made-pair"] != after["made-pair"]


def test_what_can_be_trained_is_counted_in_python():
    table, state = made()
    context = THREE_JOBS.context(table, state)
    assert context["trainable"] == 3 * 16 * D_K == 384
    assert re.search(r"384\s+numbers", figure_html(THREE_JOBS, table, state, id="x"))


def test_colours_end_where_they_say_and_ink_turns_light_only_on_dark_cells():
    config = THREE_JOBS.config()
    for side, limit in config["limits"].items():
        plot = THREE_JOBS.plots[side]()
        mapper = plot.select_one({"name": "bar"}).color_mapper
        assert (mapper.low, mapper.high) == (-limit, limit)
        ink = config["light_ink_from"]["scores"][side]
        assert -limit < ink["below"] < 0 < ink["above"] < limit
    assert config["ticks"]["raw"] == [-16, -8, 0, 8, 16]


def test_each_kind_of_pair_has_its_words():
    for side in ("raw", "made"):
        for show in ("scores", "weights"):
            assert {
                f"jobs.{side}.{show}.{kind}" for kind in ("apart", "same", "self", "diagonal")
            } <= catalogue().keys()
