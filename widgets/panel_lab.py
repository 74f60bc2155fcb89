"""The lab as a Panel component, for notebooks and Panel apps: `AttentionLab(d_k=64, scaled=False)`.

The learner's choices are its params, both ways: ``lab.d_k = 64`` moves the slider, and
a drag updates the param.
"""

from __future__ import annotations

import base64
import json
from typing import Any

import param
from panel.custom import JSComponent

from widgets.attention_lab import ATTENTION_LAB as LAB
from widgets.figure import figure_html, figure_payload, figure_plots
from widgets.files import HERE, module_paths, module_styles
from widgets.sentence import parse_sentence
from widgets.state import LabState


def _data_address(code: bytes) -> str:
    # A component's code is loaded from a blob, where relative imports lead nowhere; data addresses work offline.
    return f"data:text/javascript;base64,{base64.b64encode(code).decode()}"


class AttentionLab(LabState, JSComponent):
    """The attention lab, live in a notebook or a Panel app.

    Parameters
    ----------
    **params
        Any of `widgets.state.LabState`: d_k, scaled, fault, row, seed, text, theme.
    """

    html = param.String(constant=True, doc="The lab's HTML in its first state.")
    table = param.Bytes(constant=True, doc="Every state for this sentence and seed, as wire.py packs them.")
    plots = param.String(constant=True, doc="The plots as JSON, by name.")

    _esm = HERE / "panel_lab.mjs"
    _importmap = {
        "imports": {
            name: _data_address(path.read_bytes()) for name, path in module_paths().items() if name != "panel-lab"
        }
    }
    _stylesheets = [path.read_text("utf-8") for path in (HERE / "theme.css", HERE / "figure.css", *module_styles())]

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """What a learner can choose; the params above are how it reaches the browser."""
        return LabState.names()

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self.row = min(self.row, self.last_token())
        table = LAB.table(self.text, self.seed)
        plots = "{" + ",".join(f"{json.dumps(name)}:{item}" for name, item in figure_plots(LAB).items()) + "}"
        html = figure_html(LAB, table, self.values(), id=f"lab-{id(self)}")
        with param.edit_constant(self):
            self.param.update(html=str(html), table=figure_payload(LAB, table), plots=plots)

    @param.depends("text", "seed", watch=True)
    def _draw(self) -> None:
        with param.edit_constant(self):
            self.table = figure_payload(LAB, LAB.table(self.text, self.seed))

    def _handle_msg(self, msg: Any) -> None:
        """A sentence or seed that a learner typed; whatever is wrong with it is told, not raised."""
        request = msg if isinstance(msg, dict) else {}
        field = "text"
        try:
            text = " ".join(parse_sentence(str(request.get("text", ""))))
            field = "seed"
            self.param.update(text=text, seed=request.get("seed"))
        except ValueError as error:
            self._send_msg({"id": request.get("id"), "error": {"field": field, "message": str(error)}})
        else:
            self._send_msg({"id": request.get("id")})
