"""The race's words and plots, without a browser."""

import json
import re

import numpy as np
import pytest

from attention.race_story import NEVER, RaceProgress, race_story_table
from widgets.figure import figure_html, figure_plots
from widgets.sentence import LESSON_SEED, LESSON_TEXT
from widgets.training_race import RATES, TRAINING_RACE, WIDTHS, RaceState
from widgets.training_race_plots import LANE_DASHES
from widgets.training_race_view import LANES, course_top, label_places, race_texts
from widgets.words import catalogue, figure_words


@pytest.fixture(scope="module")
def lesson():
    return race_story_table(LESSON_TEXT.split(), LESSON_SEED, 64, 0.1)


def texts(table, **state):
    return race_texts(table, RaceState(**state).values())


def test_the_words_are_true_at_step_50(lesson):
    told = texts(lesson, step=50)
    assert [told[f"loss-{lane}"] for lane in LANES] == ["0.558", "0.002", "0.372"]
    assert told["so-far"] == "After 50 steps" and told["step-value"] == "50 of 300"
    assert told["story-none"] == "Stalled: hardly any change since step 17."
    assert told["story-sqrt_d_k"] == "Arrived: at or below 0.02 since step 7."
    assert told["story-d_k"] == "Under way: 0.372 of its loss at the start is left."
    assert told["stuck-none"] == "2 of 6"
    assert told["stuck-words-none"] == "✕ 2 of 6 rows stuck: ‘journey’, ‘starts’"
    assert told["stuck-words-sqrt_d_k"] == told["stuck-words-d_k"] == "✓ no row stuck"


def test_the_words_are_true_at_both_ends(lesson):
    start, end = texts(lesson), texts(lesson, step=300)
    assert start["so-far"] == "At the start" and texts(lesson, step=1)["so-far"] == "After 1 step"
    assert {start[f"loss-{lane}"] for lane in LANES} == {"1.000"}
    assert [end[f"loss-{lane}"] for lane in LANES] == ["0.558", "0.000", "0.011"]
    assert end["story-d_k"] == "Arrived: at or below 0.02 since step 217."


def test_the_note_is_true_of_the_lessons_narrow_head():
    table = race_story_table(LESSON_TEXT.split(), LESSON_SEED, 4, 0.03)
    none, *others = table.since[:, -1]
    assert (table.progress[:, -1] == RaceProgress.ARRIVED).all() and NEVER < none < min(others)
    assert "d_k 4 at a rate of 0.03 is won without it" in catalogue()["race.choice.note"]


def test_the_caption_is_true_of_the_lessons_wide_heads():
    for rate in RATES:
        table = race_story_table(LESSON_TEXT.split(), LESSON_SEED, 64, rate)
        none, root, d_k = table.progress[:, -1]
        assert none == RaceProgress.STALLED and table.stuck_rows[0, -1] == 2
        assert root == RaceProgress.ARRIVED and table.since[1, -1] <= 25
        assert d_k != RaceProgress.ARRIVED or table.since[2, -1] > 200


@pytest.mark.parametrize("d_k", WIDTHS)
def test_every_place_is_in_the_html_and_filled(d_k):
    tokens = ["yes", "no", "maybe"]
    table = race_story_table(tokens, 3, d_k, 0.1)
    for step in (0, 1, 17, 300):
        state = RaceState(text="yes no maybe", seed=3, d_k=d_k, step=step, lane="d_k").values()
        told = race_texts(table, state)
        html = figure_html(TRAINING_RACE, table, state, id="x")
        for place, text in told.items():
            assert text and not re.search(r"[{}]", text), (place, text)
            assert (f'data-text="{place}"' in html or f'data-kpi="{place}"' in html) and text in html, place


def test_each_kind_of_progress_and_each_lane_has_its_words():
    words = figure_words("training-race")
    assert {f"race.story.{code}" for code in map(int, RaceProgress)} <= words.keys()
    assert {f"race.lane.{lane}" for lane in LANES} <= words.keys()
    assert {"training-race.title", "training-race.caption"} <= words.keys()


def test_no_word_is_left_over():
    used = "".join(path.read_text("utf-8") for path in _sources())
    for key in json.loads(_own_words().read_text("utf-8")):
        stem = re.sub(r"\.(\d|none|sqrt_d_k|d_k|learning_rate)$", ".", key)
        assert key in used or stem in used or key.startswith("training-race."), key


def _sources():
    from widgets.files import HERE

    return [path for path in HERE.glob("training_race*") if path.suffix != ".css"]


def _own_words():
    from widgets.words import HERE

    return HERE / "en" / "training-race.json"


def test_lanes_are_told_apart_without_colours():
    assert list(LANE_DASHES) == list(LANES) and len({tuple(dash) for dash in LANE_DASHES.values()}) == len(LANES)


def test_names_beside_the_lines_keep_their_distance(lesson):
    for table in (lesson, race_story_table(["a", "b"], 20, 64, 0.1), race_story_table(["a", "A"], 1, 4, 0.1)):
        top = course_top(table)
        places = sorted(label_places(table, top))
        assert all(np.diff(places) >= 0.115 * top - 1e-9) and places[0] > 0 and places[-1] < top
        assert top > table.relative_loss.max()


def test_the_plots_are_json_without_code_and_take_no_scroll():
    plots = figure_plots(TRAINING_RACE)
    assert set(plots) == {"course", *LANES}
    for item in plots.values():
        assert "CustomJS" not in item and json.loads(item)["doc"]
    for make in TRAINING_RACE.plots.values():
        assert make().toolbar_location is None and make().tools == []


def test_what_a_learner_typed_is_text_in_the_html():
    text = "a&b \"q\" 'x' ${y}"
    table = race_story_table(text.split(), 1, 4, 0.1)
    html = figure_html(TRAINING_RACE, table, RaceState(text=text, d_k=4).values(), id="x")
    assert "a&amp;b" in html and "a&b" not in html.replace('"a&b', "")
