"""The lab as a Panel component, for notebooks and Panel apps: `AttentionLab(d_k=64, scaled=False)`.

The learner's choices are its params, both ways: ``lab.d_k = 64`` moves the slider, and
a drag updates the param.
"""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import param
from panel.custom import JSComponent

from attention import lab_table, tokenize
from widgets.attention_lab import lab_html, lab_payload, lab_plot
from widgets.sentence import parse_sentence
from widgets.state import LabState, state_dict

HERE = Path(__file__).parent


def _module(name: str) -> str:
    # A component's code is loaded from a blob, where relative imports lead nowhere; data addresses work offline.
    code = base64.b64encode((HERE / f"{name}.mjs").read_bytes()).decode()
    return f"data:text/javascript;base64,{code}"


class AttentionLab(LabState, JSComponent):
    """The attention lab, live in a notebook or a Panel app.

    Parameters
    ----------
    **params
        Any of `widgets.state.LabState`: d_k, scaled, fault, row, seed, text, theme.
    """

    html = param.String(constant=True, doc="The lab's HTML in its first state.")
    table = param.Bytes(constant=True, doc="Every state for this sentence and seed, as wire.py packs them.")
    plot = param.String(constant=True, doc="The heatmap as Bokeh JSON.")

    _esm = HERE / "panel_lab.mjs"
    _importmap = {
        "imports": {name: _module(name) for name in ("figure", "heatmap", "grid", "script")}
        | {"attention-lab": _module("attention_lab")}
    }
    _stylesheets = [(HERE / "theme.css").read_text("utf-8"), (HERE / "attention_lab.css").read_text("utf-8")]

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        table = lab_table(tokenize(self.text), self.seed)
        with param.edit_constant(self):
            self.param.update(html=str(self._html(table)), table=lab_payload(table), plot=lab_plot())

    def _html(self, table: Any) -> str:
        state = state_dict(self) | {"row": min(self.row, len(table.tokens) - 1)}
        return lab_html(table, state, id=f"lab-{id(self)}")

    @param.depends("text", "seed", watch=True)
    def _draw(self) -> None:
        with param.edit_constant(self):
            self.table = lab_payload(lab_table(tokenize(self.text), self.seed))

    def _handle_msg(self, msg: Any) -> None:
        """A sentence or seed that a learner typed; whatever is wrong with it is told, not raised."""
        request = msg if isinstance(msg, dict) else {}
        try:
            field = "text"
            text = " ".join(parse_sentence(str(request.get("text", ""))))
            field = "seed"
            self.param.update(text=text, seed=request.get("seed"))
        except ValueError as error:
            self._send_msg({"id": request.get("id"), "error": {"field": field, "message": str(error)}})
        else:
            self._send_msg({"id": request.get("id")})
