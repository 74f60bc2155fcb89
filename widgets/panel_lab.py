"""The lab as a Panel component, for notebooks and Panel apps: `AttentionLab(d_k=64, scaled=False)`.

The learner's choices are its params, both ways: ``lab.d_k = 64`` moves the slider, and
a drag updates the param. A lab may be shown in several places; each is a view of the
same state.
"""

from __future__ import annotations

import json
from contextlib import nullcontext
from itertools import count
from typing import Any

import param
from panel.custom import JSComponent
from panel.io import block_comm, state

from widgets.attention_lab import ATTENTION_LAB as LAB
from widgets.figure import figure_html, figure_payload, figure_plots
from widgets.files import HERE
from widgets.notebook import ensure_loaded, inline, inline_styles
from widgets.one_module import one_module
from widgets.sentence import parse_sentence
from widgets.state import LabState
from widgets.words import ENGLISH, catalogue, fill, language, languages

LONGEST_ID = 50  # Bokeh's are shorter


def _style(name: str) -> str:
    # In a notebook or an app the room that a figure has is not the window's.
    return (HERE / name).read_text("utf-8").replace("@media (max-width:", "@container (max-width:")


# Beside a notebook's margins the controls need their width more than the picture. A theme of the lab's own brings
# its own ground.
HOST_STYLE = """
:host { container-type: inline-size; }
.fig[data-own-ground] { background: var(--paper); padding: 1rem; }
@container (min-width: 52.01rem) { .lab { grid-template-columns: minmax(0, 27rem) minmax(27rem, 1fr); } }
"""


def is_value(name: str, value: Any) -> bool:
    """Whether the lab's state may have it, and it is of the very type: to Python True is a 1."""
    try:
        LabState(**{name: value})
    except (ValueError, TypeError):
        return False
    return type(value) is type(LabState.param[name].default)


class AttentionLab(LabState, JSComponent):
    """The attention lab, live in a notebook or a Panel app.

    Parameters
    ----------
    **params
        Any of `widgets.state.LabState`: d_k, scaled, fault, row, seed, text, theme; and `lang`.

    Raises
    ------
    ValueError
        If a value is out of its range, or there is no such language.
    """

    lang = param.String(ENGLISH, constant=True, doc="The language of its words, for instance de; set when it is made.")

    # As bytes: Panel writes a notebook's values into a script element, which an end tag in the HTML would end.
    html = param.Bytes(constant=True, doc="The lab's HTML in its first state.")
    table = param.Bytes(constant=True, doc="Every state for this sentence and seed, as wire.py packs them.")
    plots = param.String(constant=True, doc="The plots as JSON, by name.")
    answer = param.String(constant=True, doc="The last answer to what a view said, as JSON.")

    _esm = one_module("panel-lab")
    _stylesheets = [*map(_style, ("theme.css", "figure.css", "attention_lab.css")), HOST_STYLE]

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """What a learner can choose; the params above are how it reaches the browser."""
        return LabState.names()

    def __init__(self, **params: Any) -> None:
        if not params.keys() & {"width", "sizing_mode"}:
            params["sizing_mode"] = "stretch_width"
        super().__init__(**params)
        if self.lang not in languages():
            raise ValueError(f"lang is one of {', '.join(languages())}; {self.lang!r} came")
        self._unseen: set[str] = set()
        self._numbers = count()
        self.row = min(self.row, self.last_token())
        table = LAB.table(self.text, self.seed)
        with language(self.lang), param.edit_constant(self):
            plots = "{" + ",".join(f"{json.dumps(name)}:{item}" for name, item in figure_plots(LAB).items()) + "}"
            html = figure_html(LAB, table, self.values(), id=f"lab-{id(self)}")
            self.param.update(html=html.encode(), table=figure_payload(LAB, table), plots=plots)

    @param.depends("text", "seed", watch=True)
    def _draw(self) -> None:
        self.row = min(self.row, self.last_token())
        with language(self.lang), param.edit_constant(self):
            self.table = figure_payload(LAB, LAB.table(self.text, self.seed))

    # A view is a page, and what comes from it may be anything: it counts where a learner could have done it.

    def _process_events(self, events: dict[str, Any]) -> None:
        """What a view sets: a learner's choices. All else, and what is no such choice, is put back as it was."""
        taken = {name: value for name, value in events.items() if self._takes(name, value)}
        super()._process_events(taken)
        if refused := {name: getattr(self, name) for name in events.keys() - taken.keys() if name in self.param}:
            for ref, (model, _) in self._models.copy().items():
                self._apply_update({}, dict(refused), model, ref)

    def _takes(self, name: str, value: Any) -> bool:
        # Sentence and seed come as messages, so that their answer can be told.
        if name not in self.names() or name in LAB.key or not is_value(name, value):
            return False
        return name not in self.token_names or value <= self.last_token()

    def _handle_msg(self, msg: Any) -> None:
        """What a view says: that it stands on a page, or a sentence or seed that a learner typed."""
        request = msg if isinstance(msg, dict) else {}
        view, id, seen = (request.get(name) for name in ("view", "id", "shown"))
        if type(view) is not str or len(view) > LONGEST_ID:
            return  # nobody to answer
        self._take_held()
        if isinstance(seen, dict):
            self._catch_up(view, seen)
        elif type(id) is int and 0 < id < 2**53:
            self._answer({"view": view, "id": id, **self._use(request.get("text"), request.get("seed"))})

    def _take_held(self) -> None:
        """Take the choices that came in one parcel with what a view says.

        Panel holds those of a notebook's page until it has read the whole parcel, and loses them if an answer goes
        out before.
        """
        for model, _ in self._in_notebooks():
            shown = {name: getattr(model.data, name) for name in self.names()}
            self._process_events({name: value for name, value in shown.items() if value != getattr(self, name)})

    def _in_notebooks(self) -> list[tuple[Any, Any]]:
        """The model and document of each view in a notebook; a server's lose nothing and come in turn."""
        views = [(model, *state._views.get(ref, (None,) * 4)[2:]) for ref, (model, _) in self._models.items()]
        return [(model, doc) for model, doc, comm in views if comm]

    def _use(self, text: Any, seed: Any) -> dict[str, Any]:
        """Take what was typed; whatever is wrong with it is told, not raised."""
        with language(self.lang):
            try:
                text = " ".join(parse_sentence(text if isinstance(text, str) else ""))
            except ValueError as error:
                return {"error": {"field": "text", "message": str(error)}}
            if not is_value("seed", seed):
                told = {"name": "seed", "allowed": LabState.schema()["seed"]["allowed"]}
                return {"error": {"field": "seed", "message": fill(catalogue()["site.refused"], told)}}
        self.param.update(text=text, seed=seed)
        return {}

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        with inline():
            ensure_loaded()
            return super()._repr_mimebundle_(include, exclude)

    # A notebook's page drops what comes before a view stands there, at worst half of a message, and then reads
    # all later ones wrongly. So a view is told nothing until it says that it is there.

    def _get_model(self, doc: Any, root: Any = None, parent: Any = None, comm: Any = None) -> Any:
        model = super()._get_model(doc, root, parent, comm)
        if comm:
            self._unseen.add(model.data.id)
        return model

    def _apply_update(self, events: Any, msg: Any, model: Any, ref: str) -> bool:
        with block_comm() if model.data.id in self._unseen else nullcontext():
            return super()._apply_update(events, msg, model, ref)

    def _catch_up(self, view: str, seen: dict[str, Any]) -> None:
        """Answer a view that stands on a page, with what has changed since it was made, perhaps days ago."""
        self._unseen.discard(view)
        late = [
            name for name, value in self.values().items() if not (is_value(name, at := seen.get(name)) and at == value)
        ]
        if {"text", "seed"} & set(late):
            late.append("table")
        for model, doc in self._in_notebooks():
            if model.data.id == view:
                for name in late:
                    doc.callbacks.notify_change(model.data, name, None, getattr(self, name))
        self._answer({"view": view, "heard": True})

    def _answer(self, answer: dict[str, Any]) -> None:
        # As a param: marimo's page lets nothing else through. With a number, so that no two are the same.
        with param.edit_constant(self):
            self.answer = json.dumps({**answer, "number": next(self._numbers)})

    def _render_model(self, doc: Any = None, comm: Any = None) -> Any:
        root = super()._render_model(doc, comm)
        if comm:
            inline_styles(root)
        return root
