"""The trained head without a browser: its texts, its places, and what it says about single heads."""

import re
from itertools import product

import pytest

from app.lesson_data import TRAINED_HEADS, trained_heads
from widgets.figure import figure_html, figure_payload
from widgets.trained_head import HEADS, LAYERS, LOOKS, TOKENS, TrainedHeadState, trained_head_figure
from widgets.trained_head_view import head_texts, whom
from widgets.words import catalogue, figure_words, fill

FIGURE = trained_head_figure(trained_heads)
STATES = [
    {"layer": layer, "head": head, "scaled": scaled, "row": row}
    for layer, head, scaled, row in product(range(1, LAYERS + 1), range(1, HEADS + 1), (True, False), range(TOKENS))
]


@pytest.fixture(scope="module")
def table():
    return FIGURE.table()


@pytest.fixture(scope="module")
def html(table):
    return figure_html(FIGURE, table, TrainedHeadState.default(), id="x")


def test_the_state_reaches_every_head_and_row_of_the_data(table):
    assert table.weights.shape == (LAYERS, HEADS, 2, TOKENS, TOKENS)
    assert table.tokens == ("[CLS]", "your", "journey", "starts", "with", "one", "step", "[SEP]")


def test_every_text_is_filled_in_in_every_state(table):
    for state in STATES:
        for place, text in head_texts(table, state).items():
            assert text and not re.search(r"[{}]", text), (state, place, text)


def test_what_is_shown_lies_on_the_right_side_of_its_threshold(table):
    for state in STATES:
        texts = head_texts(table, state)
        assert (float(texts["peak-weight"]) >= 0.95) == (texts["softmax-state"] == "saturated (one-hot)"), state
        dead = table.norm[state["layer"] - 1, state["head"] - 1, int(state["scaled"]), state["row"]] <= 0.05
        assert (float(texts["row-norm"]) <= 0.05) == dead, state


def test_the_html_has_a_place_for_every_text_and_a_text_for_every_place(table, html):
    texts = head_texts(table, TrainedHeadState.default())
    places = set(re.findall(r'data-(?:text|kpi)="([\w-]+)"', html))
    assert places - {"cell"} == texts.keys()


def test_every_word_of_the_figure_is_used_and_its_source_is_named(table, html):
    own = {name for name in figure_words("trained-head") if name.startswith("trained")}
    assert all(catalogue()[name] for name in own)
    for name in ("trained-head.caption", "trained.source"):
        assert "all-MiniLM-L6-v2" in catalogue()[name] and "Apache-2.0" in catalogue()[name]
    assert fill(catalogue()["trained.overall"], {"rows": 6 * 12 * 8}) in html


@pytest.mark.parametrize(
    ("row", "key", "said"),
    [
        (0, 0, "self"), (7, 7, "self"), (1, 0, "first"), (6, 7, "last"),
        (2, 3, "after"), (3, 2, "before"), (1, 5, "other"),
    ],
)  # fmt: skip
def test_whom_a_query_looks_at(row, key, said):
    assert whom(row, key, 8) == said
    assert f"trained.whom.{said}" in catalogue()


def test_the_heads_worth_a_look_do_what_their_buttons_say(table):
    def looks(name, scaled):
        at = LOOKS[name]
        return table.peak_key[at["layer"] - 1, at["head"] - 1, scaled].tolist()

    back = table.weights[0, 2, 1]
    assert looks("before", 1) == [0, 0, 1, 2, 3, 4, 5, 6]
    assert all(back[i, i - 1] > 0.99 for i in range(1, 8)) and table.saturated_rows[0, 2].tolist() == [8, 8]
    assert sum(key == i + 1 for i, key in enumerate(looks("after", 1))) == 4
    assert looks("rest", 1) == looks("rest", 0) == [0] * 8


def test_the_overall_table_holds_the_numbers_of_the_reference(html):
    said = re.findall(r"<td data-setting=\"[01]\"(?: data-now)?>([^<]+)</td>", html)
    assert said == ["12 %", "78 %", "10 %", "77 %", "0.63", "0.94", "1.52", "8.61"]


def test_the_payload_is_small():
    assert TRAINED_HEADS.with_name("README.md").is_file()
    assert len(figure_payload(FIGURE, FIGURE.table())) < 130_000
