"""The memory wall's texts and HTML, without a browser."""

import re

import pytest

from attention import memory_table
from widgets.figure import figure_html, figure_payload, figure_plots
from widgets.memory_wall import DTYPES, MEMORY_WALL, MemoryState, bytes_text, difference_text, memory_texts
from widgets.words import catalogue

STATES = [MemoryState(length=length, dtype=dtype).values() for length in range(16) for dtype in DTYPES]


@pytest.fixture(scope="module")
def table():
    return memory_table()


@pytest.mark.parametrize(
    ("count", "text"),
    [(72, "72 B"), (999, "999 B"), (1000, "1.00 kB"), (9994, "9.99 kB"), (9996, "10.0 kB"), (32768, "32.8 kB")]
    + [(99_960, "100 kB"), (134_217_728, "134 MB"), (34_359_738_368, "34.4 GB"), (68_719_476_736, "68.7 GB")],
)
def test_bytes_come_in_human_units_with_three_digits(count, text):
    assert bytes_text(count) == text


@pytest.mark.parametrize("state", STATES, ids=lambda state: f"{state['length']}-{state['dtype']}")
def test_every_text_is_filled_and_has_its_place(table, state):
    html = figure_html(MEMORY_WALL, table, state, id="x")
    for place, text in memory_texts(table, state).items():
        assert text and not re.search(r"[{}]", text), (place, text)
        assert f'data-text="{place}"' in html or f'data-kpi="{place}"' in html
    assert not re.search(r"\{\w+\}", html.split("</script>", 1)[1])


def test_short_texts_say_that_streaming_costs_more(table):
    texts = memory_texts(table, MemoryState(length=0).values())
    assert (texts["table"], texts["streaming"], texts["times"]) == ("72 B", "936 B", "13.0 times")
    assert texts["times-label"] == "streaming takes"
    texts = memory_texts(table, MemoryState(length=5).values())
    assert (texts["times"], texts["times-label"]) == ("2.5 times", "streaming takes")


def test_long_texts_say_what_the_table_costs(table):
    texts = memory_texts(table, MemoryState(length=15, dtype="float32").values())
    assert (texts["length-value"], texts["table"], texts["streaming"]) == ("131,072", "68.7 GB", "169 MB")
    assert (texts["times"], texts["times-label"]) == ("407.1 times", "the table takes")


def test_the_measured_difference_is_rounding():
    assert re.fullmatch(r"\d × 10⁻¹[⁵⁶⁷]", difference_text())


def test_the_plot_and_the_payload_are_made_once_without_a_key(table):
    assert MEMORY_WALL.key == () and set(figure_plots(MEMORY_WALL)) == {"growth"}
    assert len(figure_payload(MEMORY_WALL, table)) < 4000
    assert {"memory-wall.title", "memory-wall.caption"} <= catalogue().keys()
