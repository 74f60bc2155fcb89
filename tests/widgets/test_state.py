"""The state: one place for names, bounds and meaning."""

import pytest

from widgets.state import LabState


def test_every_choice_says_what_it_means():
    assert all(LabState.param[name].doc for name in LabState.names())


def test_the_defaults_are_the_lessons():
    assert LabState.default() == {
        "d_k": 8,
        "scaled": True,
        "fault": "none",
        "row": 1,
        "seed": 5108,
        "text": "Your journey starts with one step",
        "theme": "auto",
    }


@pytest.mark.parametrize(
    "bad",
    [
        {"d_k": 1},
        {"d_k": 65},
        {"d_k": 8.5},
        {"scaled": 2},
        {"fault": "x"},
        {"row": -1},
        {"seed": 2**32},
        {"text": "one"},
        {"theme": "x"},
    ],
)
def test_values_out_of_range_are_refused(bad):
    with pytest.raises(ValueError, match=next(iter(bad)) if "text" not in bad else "1 word"):
        LabState(**bad)
