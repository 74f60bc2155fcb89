"""The attention lab: its HTML, its plot and its table, for any host.

`lab_html` makes the structure with the first state in it; ``attention_lab.mjs`` moves
it from there. `lab_payload` is what the module looks numbers up in.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from bokeh.embed import json_item
from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup

from attention.embedding import MAX_SEED
from attention.faults import FAULTS
from attention.tables import D_K_MIN, LabTable
from widgets.heatmap import weights_heatmap
from widgets.lab_view import D_MODEL, lab_texts, softmax_state_code
from widgets.numpy_script import TEMPLATE, script_parts
from widgets.sentence import LESSON_SEED, LESSON_TEXT
from widgets.state import LabState, state_dict
from widgets.theme import light_ink_from
from widgets.wire import pack
from widgets.words import catalogue, fixed

# Everything of a `LabTable` but its tokens and seed.
ARRAYS = tuple(field.name for field in fields(LabTable) if field.name not in ("tokens", "seed"))


@cache
def templates() -> Environment:
    """The figures' templates; text is escaped unless it is marked as HTML."""
    return Environment(loader=FileSystemLoader(Path(__file__).parent), autoescape=True, trim_blocks=True)


def script_json(value: object) -> Markup:
    """JSON that is safe inside a ``<script>`` element."""
    text = json.dumps(value, ensure_ascii=False).replace("<", "\\u003c").replace("\u2028", "\\u2028")
    return Markup(text.replace("\u2029", "\\u2029"))  # noqa: S704 - it cannot close the element


def lab_html(table: LabTable, state: Mapping[str, Any], *, id: str = "lab") -> Markup:
    """The whole lab in a given state; `id` sets it apart from others on the page."""
    return Markup(
        templates()
        .get_template("attention_lab.html")
        .render(
            id=id,
            words=catalogue(),
            state=state,
            faults=FAULTS,
            texts=lab_texts(table, state),
            state_code=softmax_state_code(table, state),
            parts=_parts(table, state),
            config=script_json({"state": dict(state), **lab_config()}),
        )
    )


@cache
def lab_config() -> dict[str, object]:
    """What the module needs besides the table; the same for every learner."""
    return {
        "words": catalogue(),
        "faults": FAULTS,
        "d_k": {"min": D_K_MIN, "default": LabState.param.d_k.default},
        "d_model": D_MODEL,
        "max_seed": MAX_SEED,
        "light_ink_from": light_ink_from(),
        "lesson": {"text": LESSON_TEXT, "seed": LESSON_SEED},
        "reset": {name: getattr(LabState, name) for name in ("d_k", "scaled", "fault", "row")},
        "script": {"template": TEMPLATE, "parts": script_parts()},
    }


def lab_payload(table: LabTable) -> bytes:
    """The table as the module reads it, with the HTML that depends on the sentence."""
    first = state_dict(LabState()) | {"row": min(LabState.row, len(table.tokens) - 1)}
    meta = {"tokens": table.tokens, "text": " ".join(table.tokens), "seed": table.seed, "parts": _parts(table, first)}
    return pack({name: getattr(table, name) for name in ARRAYS}, meta)


@cache
def lab_plot() -> str:
    """The plot as JSON for ``Bokeh.embed.embed_item``; it holds no state."""
    return json.dumps(json_item(weights_heatmap()), separators=(",", ":"))


def _parts(table: LabTable, state: Mapping[str, Any]) -> dict[str, Markup]:
    at = (state["d_k"] - D_K_MIN, FAULTS.index(state["fault"]), int(state["scaled"]))
    macros = templates().get_template("attention_lab_parts.html").module
    weights = [[fixed(weight) for weight in row] for row in table.weights[at].astype(np.float64)]
    sums = [fixed(total) for total in table.row_sum[at]]
    return {
        "rows": macros.rows(table.tokens, state["row"]),  # type: ignore[attr-defined]
        "table": macros.table(catalogue(), table.tokens, state["row"], weights, sums),  # type: ignore[attr-defined]
    }
