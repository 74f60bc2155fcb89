"""Answers to requests: pages, tables and static files, all without a session."""

from __future__ import annotations

import asyncio
import gzip
import json
import re
from contextvars import copy_context
from dataclasses import replace
from functools import partial
from typing import Any

from tornado.iostream import StreamClosedError
from tornado.web import HTTPError, RequestHandler

from app import __version__, assets, pages
from app.export import plain_figure_file
from app.figures import FIGURES, compressed_payload, find_plots, table_key
from app.hosting import SERVER, Hosting
from app.languages import Chosen, choose
from app.links import allowed, read_state, read_value
from app.races import LONG_TABLES, Busy, Race, long_payload
from widgets.sentence import parse_sentence
from widgets.state import FigureState
from widgets.words import ENGLISH, catalogue, fill, set_language

FOR_GOOD = "public, max-age=31536000, immutable"


class Handler(RequestHandler):
    """What all answers share: compression, caching, and errors that read well."""

    # Until a request is read: English.
    chosen = Chosen(ENGLISH, False, [])

    def prepare(self) -> None:
        # Each request is answered in a task of its own, and the language is that task's.
        self.chosen = choose(self.query(), self.accepted_languages())
        set_language(self.chosen.lang)

    def accepted_languages(self) -> str:
        return self.request.headers.get("Accept-Language", "")

    def head(self, *args: str) -> None:
        self.get(*args)

    def set_default_headers(self) -> None:
        self.set_header("Server", f"attention-lessons/{__version__}")
        self.set_header("X-Content-Type-Options", "nosniff")
        self.set_header("Cache-Control", "no-cache")
        if self.hosting.frame_ancestors:
            self.set_header("Content-Security-Policy", f"frame-ancestors {' '.join(self.hosting.frame_ancestors)}")

    def send(self, content_type: str, body: bytes, compressed: bytes | None = None) -> None:
        """Answer, compressed where the browser takes it."""
        self.set_header("Content-Type", content_type)
        self.set_header("Vary", "Accept-Encoding, Accept-Language, Origin")
        self.allow_origin()
        if re.search(r"\bgzip\b", self.request.headers.get("Accept-Encoding", "")):
            self.set_header("Content-Encoding", "gzip")
            body = compressed if compressed is not None else gzip.compress(body, 5, mtime=0)
        self.finish(body)

    def allow_origin(self) -> None:
        """Let pages of other origins read this: a sandboxed frame is of another origin than its own files."""
        origin, named = self.request.headers.get("Origin"), self.hosting.origins
        if not named:
            self.set_header("Access-Control-Allow-Origin", "*")
        elif origin == "null" or origin in named:
            self.set_header("Access-Control-Allow-Origin", origin)

    @property
    def hosting(self) -> Hosting:
        hosting: Hosting = self.settings.get("hosting", SERVER)
        # What a link chose stays chosen from page to page; what a browser asks for it asks for each time.
        return replace(hosting, lang=self.chosen.lang) if self.chosen.linked else hosting

    def send_page(self, html: str) -> None:
        self.send("text/html; charset=utf-8", html.encode())

    def send_json(self, value: dict[str, Any]) -> None:
        self.send("application/json", json.dumps(value, ensure_ascii=False).encode())

    def query(self) -> dict[str, str]:
        """Parameters by name; of several with one name the last counts."""
        return {name: values[-1].decode("utf-8", "replace") for name, values in self.request.query_arguments.items()}

    def write_error(self, status_code: int, **kwargs: Any) -> None:
        words = catalogue()
        title = words["site.missing" if status_code == 404 else "site.failed"]
        message = fill(words["site.answered"], {"status": status_code, "reason": self._reason})
        self.send_page(pages.message_page(title, message, hosting=self.hosting))


class IndexHandler(Handler):
    def get(self) -> None:
        self.send_page(pages.index_page(list(self.settings["lessons"].values()), hosting=self.hosting))


class LessonHandler(Handler):
    def get(self, slug: str) -> None:
        if slug not in self.settings["lessons"]:
            raise HTTPError(404)
        made = self.settings["lesson_page"](slug, tuple(self.query().items()), self.chosen)
        self.send("text/html; charset=utf-8", *made)


class EmbedHandler(Handler):
    def get(self, name: str) -> None:
        if name not in FIGURES:
            raise HTTPError(404)
        state, ignored = read_state(self.query(), FIGURES[name].State)
        self.send_page(pages.embed_page(name, state, self.chosen.ignored + ignored, hosting=self.hosting))


class BuilderHandler(Handler):
    def get(self) -> None:
        self.send_page(pages.builder_page(hosting=self.hosting))


class FileHandler(Handler):
    """A figure as one file, for the builder to put a state into."""

    SUPPORTED_METHODS = ("GET",)

    async def get(self, name: str) -> None:
        if name not in FIGURES:
            raise HTTPError(404)
        # The first time takes a second, in which others are answered.
        page = await asyncio.to_thread(plain_figure_file, name)
        self.send_page(page)


class TableHandler(Handler):
    """A figure's table, for any value of what it depends on, with words in the language of its address."""

    def accepted_languages(self) -> str:
        return ""  # an address that may be kept for good gives everybody the same

    def get(self, name: str) -> None:
        key = self.key(name)
        if key is not None:
            self.set_header("Cache-Control", self.cached())
            self.send("application/octet-stream", *compressed_payload(name, key))

    def key(self, name: str) -> tuple[Any, ...] | None:
        """What the table depends on; None where the learner was told what is wrong with it."""
        if name not in FIGURES:
            raise HTTPError(404)
        figure, query = FIGURES[name], self.query()
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


class RaceHandler(TableHandler):
    """A table that takes long: its progress while it is made, and an end to it when the learner leaves."""

    SUPPORTED_METHODS = ("GET",)

    race: Race | None = None

    async def get(self, name: str) -> None:  # type: ignore[override]
        if name not in LONG_TABLES:
            raise HTTPError(404)
        key = self.key(name)
        if key is None:
            return
        try:
            # A thread knows nothing of this task's language.
            compute = partial(copy_context().run, partial(long_payload, name, key))
            self.race = self.settings["races"].start(compute)
        except Busy as error:
            return self.refuse("race", str(error))
        self.set_header("Content-Type", "application/octet-stream")
        self.allow_origin()
        self.set_header("Cache-Control", self.cached())
        self.set_header("X-Accel-Buffering", "no")  # proxies hold answers back otherwise
        try:
            async for chunk in self.race.chunks():
                self.write(chunk)
                await self.flush()
        except StreamClosedError:
            self.race.cancel()

    def on_connection_close(self) -> None:
        if self.race is not None:
            self.race.cancel()


class StaticHandler(Handler):
    def get(self, name: str) -> None:
        asset = assets.all_assets().get(name) or find_plots(name)
        if asset is None:
            raise HTTPError(404)
        self.set_header("Cache-Control", FOR_GOOD)
        self.send(asset.content_type, asset.body, asset.compressed)


class HostScriptHandler(Handler):
    """The script for pages that show a figure; its address stays, so that it may not be kept for long."""

    def get(self) -> None:
        asset = assets.host_script()
        self.set_header("Cache-Control", "public, max-age=600")
        self.send(asset.content_type, asset.body, asset.compressed)

    def allow_origin(self) -> None:
        self.set_header("Access-Control-Allow-Origin", "*")  # the same public file for everyone


class HealthHandler(Handler):
    def get(self) -> None:
        self.send_json({"status": "ok", "version": __version__})


class MissingHandler(Handler):
    def prepare(self) -> None:
        super().prepare()
        raise HTTPError(404)


def refusal(field: str, text: str, State: type[FigureState]) -> str:
    """Why a value was not taken, for the learner who typed it."""
    if field == "text":
        try:
            parse_sentence(text)
        except ValueError as error:
            return str(error)
    return fill(catalogue()["site.refused"], {"name": field, "allowed": allowed(field, State)})
