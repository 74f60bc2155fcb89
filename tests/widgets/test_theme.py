"""Colours that numbers depend on: darker means more, in even steps, with legible ink."""

import re
from pathlib import Path

import numpy as np
import pytest

import widgets
from widgets.bands import FAINT, band_plot
from widgets.heatmap import weights_heatmap
from widgets.theme import diverging_palette, heat_palette, light_ink_from, lightness, luminance
from widgets.training_race_plots import STUCK_COLOUR, TARGET_COLOUR
from widgets.variance_law import bell_plot

CSS = (Path(widgets.__file__).parent / "theme.css").read_text("utf-8")


def contrast(a, b):
    light, dark = sorted((luminance(a), luminance(b)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def colours(name):
    """A variable's colour in the light and in the dark theme."""
    return re.search(rf"--{name}: light-dark\((#\w{{6}}), (#\w{{6}})\)", CSS).groups()


def test_darker_means_more_in_even_steps():
    levels = np.array([lightness(colour) for colour in heat_palette()])
    steps = -np.diff(levels)
    assert levels[0] == pytest.approx(100) and levels[-1] < 20
    assert (steps >= 0).all()
    ideal = np.linspace(levels[0], levels[-1], len(levels))
    assert np.abs(levels - ideal).max() < 1.0


def test_numbers_in_cells_are_legible_at_every_weight():
    palette = heat_palette()
    for i, colour in enumerate(palette):
        ink = "#ffffff" if i / len(palette) >= light_ink_from() else "#000000"
        assert contrast(colour, ink) >= 4.5


@pytest.mark.parametrize(
    "name", ["ink", "muted", "accent", "mark", "query", "key", "value", "healthy", "uniform", "saturated"]
)
@pytest.mark.parametrize("ground", ["paper", "raised"])
def test_text_colours_have_contrast_in_both_themes(name, ground):
    for text, under in zip(colours(name), colours(ground), strict=True):
        assert contrast(text, under) >= 4.5


@pytest.mark.parametrize("name", ["edge", "focus", "accent", "mark"])
@pytest.mark.parametrize("ground", ["paper", "raised"])
def test_edges_focus_and_controls_are_seen_in_both_themes(name, ground):
    for line, under in zip(colours(name), colours(ground), strict=True):
        assert contrast(line, under) >= 3


@pytest.mark.parametrize("name", ["muted", "healthy", "uniform", "saturated"])
def test_faint_lines_of_plots_are_seen_in_both_themes(name):
    for line, under in zip(colours(name), colours("paper"), strict=True):
        pairs = zip(bytes.fromhex(line[1:]), bytes.fromhex(under[1:]), strict=True)
        mixed = bytes(round(FAINT * over + (1 - FAINT) * below) for over, below in pairs)
        assert contrast(f"#{mixed.hex()}", under) >= 3


@pytest.mark.parametrize("plot", [bell_plot(), band_plot(y_title="", x_title="", high=1, ticks=[0, 1])])
def test_areas_too_faint_to_be_seen_by_all_have_an_edge(plot):
    faint = [each for each in plot.renderers if getattr(each.glyph, "fill_alpha", 1) < FAINT]
    assert faint
    for area in faint:
        edges = [each.glyph for each in plot.renderers if each.name == area.name and each is not area]
        assert edges and all(edge.line_alpha == 1 for edge in edges)


def test_frames_on_heatmaps_are_seen_on_their_light_ground():
    # A row's weights sum to 1, so most of its cells are light; what is framed is told in words besides.
    frames = [each.glyph for each in weights_heatmap().renderers if getattr(each.glyph, "line_width", 0) >= 2]
    assert len(frames) == 2
    for colour in (TARGET_COLOUR, STUCK_COLOUR, *(glyph.line_color for glyph in frames)):
        assert contrast(colour, heat_palette()[0]) >= 3


def test_text_on_the_accent_is_legible():
    for text, under in zip(colours("on-accent"), colours("accent"), strict=True):
        assert contrast(text, under) >= 4.5


def test_the_diverging_palette_is_white_in_the_middle_and_darker_outwards():
    palette = diverging_palette()
    levels = [lightness(colour) for colour in palette]
    middle = len(palette) // 2
    assert levels[middle] == pytest.approx(100)
    assert sorted(levels[:middle]) == levels[:middle] and sorted(levels[middle:], reverse=True) == levels[middle:]
