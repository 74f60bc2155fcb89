"""The server's application: what is asked for where, and what is made before the first visitor comes.

A learner's state lives in their browser and their link; Python computes tables. So any
process can answer any request, and a restarted one needs to know nothing.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from tornado.web import Application

from app import assets, handlers, pages
from app.figures import FIGURES, compressed_payload, table_key
from app.hosting import SERVER, Hosting
from app.languages import NAME, Chosen
from app.lessons import LESSONS, Lesson, all_lessons
from app.links import Ignored, read_state
from app.races import Races
from widgets.words import ENGLISH, cached_by_language, current, language

Query = tuple[tuple[str, str], ...]
LessonPage = Callable[[str, Query, Chosen], tuple[bytes, bytes]]

PAGES_KEPT = 32


def make_app(root: Path = LESSONS, hosting: Hosting = SERVER) -> Application:
    """The application; reads and checks every lesson first.

    Raises
    ------
    app.prose.LessonError
        If a lesson cannot be read.
    """
    lessons = {lesson.slug: lesson for lesson in all_lessons(root)}
    lesson_page = lesson_pages(lessons, hosting)
    app = Application(
        [
            (r"/", handlers.IndexHandler),
            (r"/lessons/([a-z0-9-]+)/?", handlers.LessonHandler),
            (r"/embed\.js", handlers.HostScriptHandler),
            (r"/embed/([a-z0-9-]+)/?", handlers.EmbedHandler),
            (r"/embed/?", handlers.BuilderHandler),
            (r"/files/([a-z0-9-]+)\.html", handlers.FileHandler),
            (r"/tables/([a-z0-9-]+)", handlers.TableHandler),
            (r"/races/([a-z0-9-]+)", handlers.RaceHandler),
            (r"/static/([a-z0-9_.]+)", handlers.StaticHandler),
            (r"/healthz", handlers.HealthHandler),
        ],
        default_handler_class=handlers.MissingHandler,
        hosting=hosting,
        lessons=lessons,
        lesson_page=lesson_page,
        races=Races(),
    )
    warm_up(lessons, lesson_page)
    return app


def lesson_pages(lessons: dict[str, Lesson], hosting: Hosting = SERVER) -> LessonPage:
    """A function from (slug, query, language) to the lesson's page, plain and compressed.

    Most visitors come by the same few links, and a page of nine figures takes longer to
    draw and to compress than to send.
    """
    slugs = list(lessons)

    @cached_by_language(PAGES_KEPT)
    def made(slug: str, query: Query, linked: bool, told: tuple[Ignored, ...]) -> tuple[bytes, bytes]:
        # Without a state in the link the lesson's own directives say where to start.
        state, ignored = read_state(dict(query), FIGURES[pages.MAIN_FIGURE].State) if query else (None, [])
        here = slugs.index(slug)
        before = lessons[slugs[here - 1]] if here > 0 else None
        after = lessons[slugs[here + 1]] if here + 1 < len(slugs) else None
        at = replace(hosting, lang=current().tag) if linked else hosting
        page = pages.lesson_page(lessons[slug], state, [*told, *ignored], before=before, after=after, hosting=at)
        body = page.encode()
        return body, gzip.compress(body, 6, mtime=0)

    def page(slug: str, query: Query, chosen: Chosen) -> tuple[bytes, bytes]:
        query = tuple((name, value) for name, value in query if name != NAME)
        with language(chosen.lang):
            return made(slug, query, chosen.linked, tuple(chosen.ignored))

    return page


def warm_up(lessons: dict[str, Lesson], page: LessonPage) -> None:
    """Make before the first visitor comes what is the same for all of them."""
    assets.all_assets()
    for lesson in lessons.values():
        page(lesson.slug, (), Chosen(ENGLISH, False, []))
        for figure in lesson.figures:
            compressed_payload(figure.name, table_key(FIGURES[figure.name], figure.state))
