"""A figure's tables: at once where they are kept, else made beside the event loop."""

from __future__ import annotations

import sys
from functools import partial
from typing import Any

from tornado.iostream import StreamClosedError
from tornado.web import HTTPError

from app import assets
from app.figures import FIGURES, compressed_payload, kept_payload, table_key
from app.handlers import FOR_GOOD, Handler
from app.links import allowed, read_value
from app.races import LONG_TABLES, chunks, long_payload
from widgets.sentence import parse_sentence
from widgets.state import FigureState
from widgets.words import catalogue, fill


class TableHandler(Handler):
    """A figure's table, for any value of what it depends on, with words in the language of its address."""

    route = "/tables/{figure}"

    def accepted_languages(self) -> str:
        return ""  # an address that may be kept for good gives everybody the same

    async def get(self, name: str) -> None:
        key = self.key(name)
        if key is None:
            return
        payload = kept_payload(name, key)
        if payload is None:
            payload = await self.computed("tables", ("table", name, key), partial(compressed_payload, name, key))
        self.set_header("Cache-Control", self.cached())
        self.send("application/octet-stream", *payload)

    def key(self, name: str) -> tuple[Any, ...] | None:
        """What the table depends on; None where the learner was told what is wrong with it."""
        if name not in FIGURES:
            raise HTTPError(404)
        figure, query = FIGURES[name], self.query()
        # Modules of one version do not read tables of another. A proxy asks another replica; a page whose version is
        # gone says so.
        if query.get("v", assets.version()) != assets.version():
            raise HTTPError(404)
        state = figure.State()
        for field in figure.key:
            text = query.get(field, "")
            try:
                setattr(state, field, read_value(field, text, figure.State))
            except ValueError:
                self.refuse(field, refusal(field, text, figure.State))
                return None
        return table_key(figure, state.values())

    def cached(self) -> str:
        """Where the address names this version, what it gives never changes."""
        return FOR_GOOD if self.query().get("v") == assets.version() else "no-cache"

    def refuse(self, field: str, message: str) -> None:
        # Status 200: what a learner typed is no fault, and browsers log every 4xx as an error.
        self.send_json({"error": {"field": field, "message": message}})

    def send_busy(self, message: str) -> None:
        self.refuse("busy", message)


class RaceHandler(TableHandler):
    """A table that takes long: its progress while it is made, and an end to it when the learner leaves."""

    SUPPORTED_METHODS = ("GET",)
    route = "/races/{figure}"

    async def get(self, name: str) -> None:
        if name not in LONG_TABLES:
            raise HTTPError(404)
        key = self.key(name)
        if key is None:
            return
        race = self.start("races", ("race", name, key), partial(long_payload, name, key))
        if race is None:
            return
        self.set_header("Content-Type", "application/octet-stream")
        self.allow_origin()
        self.set_header("Cache-Control", self.cached())
        self.set_header("X-Accel-Buffering", "no")  # proxies hold answers back otherwise
        try:
            async for chunk in chunks(race, lambda: catalogue()["site.restarts"]):
                self.write(chunk)
                await self.flush()
            if not race.given_up:
                return
        except StreamClosedError:
            return
        except Exception:
            self.log_exception(*sys.exc_info())
        # Not finished but cut off: nobody may keep for good that the server was restarted, or failed.
        self.request.connection.close()  # type: ignore[union-attr]


def refusal(field: str, text: str, State: type[FigureState]) -> str:
    """Why a value was not taken, for the learner who typed it."""
    if field == "text":
        try:
            parse_sentence(text)
        except ValueError as error:
            return str(error)
    return fill(catalogue()["site.refused"], {"name": field, "allowed": allowed(field, State)})
