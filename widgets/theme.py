"""Colours that Python draws with; those of the page are in ``theme.css``."""

from __future__ import annotations

from functools import cache

import numpy as np
from bokeh.palettes import Oranges256, Purples256


def luminance(colour: str) -> float:
    """Relative luminance of ``#rrggbb``, 0 to 1 (WCAG 2)."""
    channels = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def lightness(colour: str) -> float:
    """CIE lightness L* of ``#rrggbb``, 0 to 100."""
    return float(116 * np.cbrt(max(luminance(colour), 216 / 24389)) - 16)


@cache
def heat_palette(steps: int = 256) -> tuple[str, ...]:
    """One hue from white to dark, in even steps of lightness: darker means more.

    Bokeh's ramp lingers at the light end, which hides small weights; picking its
    colours at even lightness mends that.
    """
    return _even(Purples256, steps)


def _even(palette: tuple[str, ...], steps: int) -> tuple[str, ...]:
    """A ramp from white to a palette's dark end, in even steps of lightness."""
    ramp = ("#ffffff", *palette[::-1])
    levels = -np.array([lightness(colour) for colour in ramp])
    picks = np.interp(np.linspace(levels[0], levels[-1], steps), levels, np.arange(len(ramp)))
    return tuple(ramp[round(pick)] for pick in picks)


@cache
def diverging_palette(steps: int = 255) -> tuple[str, ...]:
    """Two hues from white: orange for less than nothing, purple for more; darker means further from 0."""
    half = steps // 2 + 1
    return (*_even(Oranges256, half)[:0:-1], *_even(Purples256, half))


@cache
def light_ink_from() -> float:
    """The weight from which white ink reads better on its cell than black ink."""
    palette = heat_palette()
    # Contrast with white and with black is equal at this luminance.
    dark = [luminance(colour) < (1.05 * 0.05) ** 0.5 - 0.05 for colour in palette]
    return dark.index(True) / len(palette)
