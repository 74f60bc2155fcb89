"""The one list of figures, and their tables as they are sent."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from app.assets import Asset, make_asset
from app.kept import Kept
from app.lesson_data import trained_heads
from app.limits import DEFAULTS
from widgets.attention_lab import ATTENTION_LAB
from widgets.figure import Figure, figure_payload, figure_plots
from widgets.gradient_health import GRADIENT_HEALTH
from widgets.inside_one_score import INSIDE_ONE_SCORE
from widgets.memory_wall import MEMORY_WALL
from widgets.sentence import parse_sentence
from widgets.three_jobs import THREE_JOBS
from widgets.trained_head import trained_head_figure
from widgets.training_race import TRAINING_RACE
from widgets.variance_law import VARIANCE_LAW
from widgets.whole_operation import WHOLE_OPERATION
from widgets.words import cached_by_language, current, language, languages

FIGURES: dict[str, Figure] = {
    figure.name: figure
    for figure in (
        ATTENTION_LAB,
        WHOLE_OPERATION,
        MEMORY_WALL,
        VARIANCE_LAW,
        GRADIENT_HEALTH,
        THREE_JOBS,
        TRAINING_RACE,
        INSIDE_ONE_SCORE,
        trained_head_figure(trained_heads),
    )
}
# Whose state a link of a lesson carries.
MAIN_FIGURE = ATTENTION_LAB.name

MB = 1_000_000
# One and the same table is asked for by many learners. A server sets how much is kept.
TABLES = Kept(DEFAULTS.tables_mb * MB)


def table_key(figure: Figure, state: Mapping[str, Any]) -> tuple[Any, ...]:
    """The values that a figure's table depends on, in the order of its `key`."""
    # A sentence is known by its tokens: how much space is between them makes no other table.
    return tuple(" ".join(parse_sentence(state[name])) if name == "text" else state[name] for name in figure.key)


@cached_by_language()
def plots_asset(name: str) -> Asset:
    """A figure's plots as a file: one JSON object, by the plots' names."""
    plots = figure_plots(FIGURES[name])
    body = "{" + ",".join(f"{json.dumps(plot)}:{item}" for plot, item in plots.items()) + "}"
    return make_asset(f"{FIGURES[name].stem}_plots", ".json", body.encode())


@cached_by_language()
def plots_assets() -> dict[str, Asset]:
    """The plots of all figures, by the name of the file."""
    return {asset.name: asset for asset in map(plots_asset, FIGURES)}


def find_plots(name: str) -> Asset | None:
    """The plots by the name of the file, whatever language they are in."""
    if "_plots." not in name:
        return None
    for lang in languages():
        with language(lang):
            if name in plots_assets():
                return plots_assets()[name]
    return None


def has_table(name: str, key: tuple[Any, ...]) -> bool:
    """Whether `cached_table` has it and need not compute."""
    return (name, key) in TABLES


def cached_table(name: str, key: tuple[Any, ...]) -> Any:
    """A figure's table, computed if it is not kept."""
    table = TABLES.get((name, key))
    if table is None:
        figure = FIGURES[name]
        table = figure.table(**dict(zip(figure.key, key, strict=True)))
        arrays = (getattr(table, item.name) for item in fields(table))
        TABLES.put((name, key), table, sum(getattr(array, "nbytes", 0) for array in arrays))
    return table


def kept_payload(name: str, key: tuple[Any, ...]) -> tuple[bytes, bytes] | None:
    """What `compressed_payload` gives, where it was made before."""
    payload: tuple[bytes, bytes] | None = TABLES.get((name, key, current().tag))
    return payload


def compressed_payload(name: str, key: tuple[Any, ...]) -> tuple[bytes, bytes]:
    """A figure's table as sent, in the current language: plain, and compressed once."""
    made = kept_payload(name, key)
    if made is None:
        body = figure_payload(FIGURES[name], cached_table(name, key))
        # Level 1: floats hardly shrink further.
        made = body, gzip.compress(body, 1, mtime=0)
        TABLES.put((name, key, current().tag), made, sum(map(len, made)))
    return made
