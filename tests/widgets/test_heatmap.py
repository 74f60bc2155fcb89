"""The plot that Python draws: what does not depend on the browser."""

import json

from widgets.attention_lab import ATTENTION_LAB
from widgets.figure import figure_plots
from widgets.heatmap import weights_heatmap


def test_queries_run_down_and_keys_run_right():
    plot = weights_heatmap()
    assert plot.y_range.start > plot.y_range.end and plot.x_range.start < plot.x_range.end
    assert plot.yaxis[0].axis_label == "query: the token that looks"
    assert plot.xaxis[0].axis_label == "key: the token it looks at"


def test_the_colour_domain_is_fixed():
    bar = weights_heatmap().select_one({"name": "bar"})
    assert (bar.color_mapper.low, bar.color_mapper.high) == (0, 1)


def test_nothing_on_the_canvas_takes_the_pages_scroll():
    plot = weights_heatmap()
    assert plot.toolbar_location is None and plot.tools == []


def test_the_plot_is_json_without_code():
    item = figure_plots(ATTENTION_LAB)["heatmap"]
    assert "CustomJS" not in item and json.loads(item)["doc"]
