"""Answers to requests: pages, tables and static files, all without a session."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Awaitable
from dataclasses import replace
from functools import partial
from typing import Any

from tornado.web import HTTPError

from app import __version__, assets, pages
from app.export import plain_figure_file
from app.figures import FIGURES, find_plots, has_table, table_key
from app.headers import answer_headers, file_policy, page_policy
from app.hosting import SERVER, Hosting
from app.languages import Chosen, choose
from app.lesson_pages import LessonPages
from app.links import read_state
from app.watched import BUSY_S, Watched
from widgets.words import ENGLISH, catalogue, fill, set_language

FOR_GOOD = "public, max-age=31536000, immutable"


class Handler(Watched):
    """What all answers share: compression, caching, and errors that read well."""

    # Until a request is read: English.
    chosen = Chosen(ENGLISH, False, [])
    # Whether pages of other origins load it, other than with fetch: a host page, a sandboxed frame.
    shared = False

    def prepare(self) -> None:
        # Each request is answered in a task of its own, and the language is that task's.
        self.chosen = choose(self.query(), self.accepted_languages())
        set_language(self.chosen.lang)
        self.check_limits()

    def accepted_languages(self) -> str:
        return self.request.headers.get("Accept-Language", "")

    def head(self, *args: str) -> Awaitable[None] | None:
        answer: Awaitable[None] | None = self.get(*args)
        return answer

    def set_default_headers(self) -> None:
        self.set_header("Server", f"attention-lessons/{__version__}")
        self.set_header("Cache-Control", "no-cache")
        for name, value in answer_headers(self.shared).items():
            self.set_header(name, value)

    def send(self, content_type: str, body: bytes, compressed: bytes | None = None, policy: str | None = None) -> None:
        """Answer, compressed where the browser takes it; a page with the policy that pages have, or its own."""
        self.set_header("Content-Type", content_type)
        if content_type.startswith("text/html"):
            self.set_header("Content-Security-Policy", policy or page_policy(self.hosting))
        self.set_header("Vary", "Accept-Encoding, Accept-Language, Origin")
        self.allow_origin()
        if re.search(r"\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))", self.request.headers.get("Accept-Encoding", "")):
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

    def send_page(self, html: str, policy: str | None = None) -> None:
        self.send("text/html; charset=utf-8", html.encode(), policy=policy)

    def send_json(self, value: dict[str, Any]) -> None:
        self.send("application/json", json.dumps(value, ensure_ascii=False).encode())

    def query(self) -> dict[str, str]:
        """Parameters by name; of several with one name the last counts."""
        return {name: values[-1].decode("utf-8", "replace") for name, values in self.request.query_arguments.items()}

    def send_busy(self, message: str) -> None:
        """Tell the learner to try again; a page does so by itself."""
        if self.get_status() == 200:
            self.set_status(503)
        self.set_header("Refresh", str(BUSY_S))
        self.send_page(pages.message_page(catalogue()["site.moment"], message, hosting=self.hosting))

    def write_error(self, status_code: int, **kwargs: Any) -> None:
        words = catalogue()
        title = words["site.missing" if status_code == 404 else "site.failed"]
        message = fill(words["site.answered"], {"status": status_code, "reason": self._reason})
        if status_code == 500:
            message += " " + fill(words["site.reference"], {"id": self.id})
        self.send_page(pages.message_page(title, message, hosting=self.hosting))


class IndexHandler(Handler):
    route, page = "/", True

    def get(self) -> None:
        self.send_page(pages.index_page(list(self.settings["lessons"].values()), hosting=self.hosting))


class LessonHandler(Handler):
    route, page = "/lessons/{slug}", True

    async def get(self, slug: str) -> None:
        if slug not in self.settings["lessons"]:
            raise HTTPError(404)
        lessons: LessonPages = self.settings["lesson_pages"]
        key = lessons.key(slug, self.query(), self.chosen)
        made = lessons.kept(key) or await self.computed("tables", ("lesson", key), partial(lessons.make, key))
        self.send("text/html; charset=utf-8", *made)


class EmbedHandler(Handler):
    route, page = "/embed/{figure}", True

    async def get(self, name: str) -> None:
        if name not in FIGURES:
            raise HTTPError(404)
        state, ignored = read_state(self.query(), FIGURES[name].State)
        make = partial(pages.embed_page, name, state, self.chosen.ignored + ignored, hosting=self.hosting)
        if has_table(name, table_key(FIGURES[name], state)):
            html = make()
        else:
            html = await self.computed("tables", ("embed", self.request.uri), make)
        self.send_page(html)


class BuilderHandler(Handler):
    route, page = "/embed", True

    def get(self) -> None:
        self.send_page(pages.builder_page(hosting=self.hosting), page_policy(self.hosting, frames=True))


class FileHandler(Handler):
    """A figure as one file, for the builder to put a state into."""

    SUPPORTED_METHODS = ("GET",)
    route = "/files/{figure}.html"

    async def get(self, name: str) -> None:
        if name not in FIGURES:
            raise HTTPError(404)
        # The first time takes a second.
        page = await self.computed("files", name, partial(plain_figure_file, name))
        self.send_page(page, file_policy(self.hosting))


class StaticHandler(Handler):
    shared = True
    route = "/static/{file}"

    def get(self, name: str) -> None:
        asset = assets.all_assets().get(name) or find_plots(name)
        if asset is None:
            raise HTTPError(404)
        self.set_header("Cache-Control", FOR_GOOD)
        self.send(asset.content_type, asset.body, asset.compressed)


class HostScriptHandler(Handler):
    """The script for pages that show a figure; its address stays, so that it may not be kept for long."""

    shared = True
    route = "/embed.js"

    def get(self) -> None:
        asset = assets.host_script()
        self.set_header("Cache-Control", "public, max-age=600")
        self.send(asset.content_type, asset.body, asset.compressed)

    def allow_origin(self) -> None:
        self.set_header("Access-Control-Allow-Origin", "*")  # the same public file for everyone


class MissingHandler(Handler):
    def prepare(self) -> None:
        super().prepare()
        raise HTTPError(404)
