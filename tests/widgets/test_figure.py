"""What is the same for every figure."""

import json

from bokeh.core.properties import Int
from bokeh.model import DataModel

from widgets import figure
from widgets.attention_lab import ATTENTION_LAB


def test_a_plot_carries_nothing_of_what_else_runs_in_the_process():
    class Elsewhere(DataModel):
        number = Int()

    (text,) = figure._plots_without_words.__wrapped__(ATTENTION_LAB).values()
    assert "Elsewhere" not in text
    assert list(json.loads(text)["doc"]) == ["version", "title", "config", "roots"]
