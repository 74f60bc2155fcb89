"""Colours for eyes that lack a kind of cone, and in grey: what has to be told apart can be."""

import re
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from colour_vision import VISION, distance, lab

import widgets
from widgets.bands import band_plot
from widgets.inside_one_score import INSIDE_ONE_SCORE
from widgets.memory_wall import MEMORY_WALL
from widgets.operation_view import MATRICES
from widgets.theme import diverging_palette, heat_palette

WIDGETS = Path(widgets.__file__).parent
THEME = (WIDGETS / "theme.css").read_text("utf-8")
# CIE 1976: 2.3 is just seen, ten is seen at a glance.
APART = 10
# What stands side by side in a figure and means something else.
GROUPS = {
    "jobs": ("query", "key", "value"),
    "states and lanes": ("healthy", "uniform", "saturated"),
    "lines over bands": ("accent", "mark", "muted", "saturated", "ink"),
    "marks on a row": ("mark", "saturated", "ink"),
}
PAIRS = sorted({pair for group in GROUPS.values() for pair in combinations(group, 2)})
CONES = [name for name in VISION if name != "grey"]


def colour(name, theme):
    return re.search(rf"--{name}: light-dark\((#\w{{6}}), (#\w{{6}})\)", THEME)[1 + theme]


@pytest.mark.parametrize("vision", CONES)
@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_colours_that_mean_something_else_look_unlike_each_other(theme, vision):
    near = {pair: distance(*(colour(name, theme) for name in pair), vision) for pair in PAIRS}
    assert {pair: apart for pair, apart in near.items() if apart < APART} == {}


def test_key_and_value_differ_in_lightness_where_blue_and_green_are_one():
    for theme in (0, 1):
        key, value = (lab(colour(name, theme), "grey")[0] for name in ("key", "value"))
        assert value - key >= 10


@pytest.mark.parametrize("vision", VISION)
def test_darker_means_more_for_every_eye_and_in_grey(vision):
    levels = np.array([lab(each, vision)[0] for each in heat_palette()])
    assert (np.diff(levels) <= 0).all() and levels[0] - levels[-1] > 75
    # Even enough: a step of a tenth is a step of lightness everywhere.
    assert (levels[:-25] - levels[25:] > 5).all()


@pytest.mark.parametrize("vision", VISION)
def test_further_from_zero_is_darker_and_its_sign_is_seen_by_every_eye(vision):
    levels = np.array([lab(each, vision)[0] for each in diverging_palette()])
    middle = len(levels) // 2
    assert (np.diff(levels[: middle + 1]) >= 0).all() and (np.diff(levels[middle:]) <= 0).all()
    if vision != "grey":  # where the number in the cell, or the sentence about it, has the sign
        palette = diverging_palette()
        for away in (middle // 4, middle // 2, middle):
            assert distance(palette[middle - away], palette[middle + away], vision) > 25


def test_darker_means_more_on_every_ground():
    """One ramp for all themes, on white: the dark theme does not turn it round."""
    assert heat_palette()[0] == diverging_palette()[127] == "#ffffff"
    grounds = re.findall(r"background_fill_color=([^,]+),", (WIDGETS / "heatmap.py").read_text("utf-8"))
    assert grounds[0] == '"#ffffff"'


# In grey, colours are as good as one: each thing has a letter, a dash, a marker or a place of its own.
def test_jobs_have_a_letter_each():
    for name, matrix in MATRICES.items():
        if matrix["role"]:
            assert matrix["role"][0] in name.casefold().replace(".t", ""), name
    left, right = (bars.glyph for bars in INSIDE_ONE_SCORE.plots["components"]().renderers[-2:])
    assert (left.x, right.x) == ("left", "right")  # query and key of a component: sides


def test_states_have_a_sign_each():
    css = (WIDGETS / "figure.css").read_text("utf-8")
    signs = re.findall(r'\.kpi-state\[data-state="(\d)"\]::before \{ content: "(.)"', css)
    assert [code for code, _ in signs] == ["0", "1", "2", "3"] and len({sign for _, sign in signs}) == 4


def test_lanes_have_a_dash_each():
    css = (WIDGETS / "training_race.css").read_text("utf-8")
    dashes = re.findall(r"--lane: var\(--(\w+)\); --dash: (\w+)", css)
    assert len(dashes) == len(set(dict(dashes).values())) == 3


def test_lines_over_bands_have_a_dash_or_a_dot():
    plot = band_plot(y_title="", x_title="", high=1, ticks=[0, 1], limit=0.9)
    glyphs = {renderer.name: renderer.glyph for renderer in plot.renderers}
    dashes = {name: tuple(glyphs[name].line_dash) for name in ("middle", "limit", "law", "draw")}
    assert len({dashes["middle"], dashes["limit"], dashes["law"]}) == 3
    assert dashes["law"] == dashes["draw"] and "dot" in glyphs  # the draw's line has a dot at the chosen width


def test_costs_have_a_marker_each():
    renderers = MEMORY_WALL.plots["growth"]().renderers
    markers = {each.name: each.glyph.marker for each in renderers if hasattr(each.glyph, "marker")}
    assert len(markers) == len(set(markers.values())) == 2
