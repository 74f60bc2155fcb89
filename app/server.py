"""The server's application: what is asked for where, and what is made before the first visitor comes.

A learner's state lives in their browser and their link; Python computes tables. So any
process can answer any request, and a restarted one needs to know nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tornado.web import Application

from app import assets, handlers, health, table_handlers
from app.figures import FIGURES, MB, TABLES, compressed_payload, table_key
from app.hosting import SERVER, Hosting
from app.languages import Chosen
from app.lesson_pages import LessonPages
from app.lessons import LESSONS, Lesson, all_lessons
from app.services import Services
from app.watched import count_request
from widgets.words import languages


def make_app(root: Path = LESSONS, hosting: Hosting = SERVER, services: Services | None = None) -> Application:
    """The application; reads and checks every lesson first.

    Raises
    ------
    app.prose.LessonError
        If a lesson cannot be read.
    """
    lessons = {lesson.slug: lesson for lesson in all_lessons(root)}
    services = services or Services()
    lesson_pages = LessonPages(lessons, hosting, services.limits)
    app = Application(
        [
            (r"/", handlers.IndexHandler),
            (r"/lessons/([a-z0-9-]+)/?", handlers.LessonHandler),
            (r"/embed\.js", handlers.HostScriptHandler),
            (r"/embed/([a-z0-9-]+)/?", handlers.EmbedHandler),
            (r"/embed/?", handlers.BuilderHandler),
            (r"/files/([a-z0-9-]+)\.html", handlers.FileHandler),
            (r"/tables/([a-z0-9-]+)", table_handlers.TableHandler),
            (r"/races/([a-z0-9-]+)", table_handlers.RaceHandler),
            (r"/static/([a-z0-9_.]+)", handlers.StaticHandler),
            (r"/healthz", health.HealthHandler),
            (r"/readyz", health.ReadyHandler),
            (r"/metrics", health.MetricsHandler),
        ],
        default_handler_class=handlers.MissingHandler,
        log_function=count_request,
        hosting=hosting,
        lessons=lessons,
        lesson_pages=lesson_pages,
        services=services,
    )
    TABLES.most = services.limits.tables_mb * MB
    services.kept = (TABLES, lesson_pages.pages)
    warm_up(lessons, lesson_pages)
    return app


def warm_up(lessons: Mapping[str, Lesson], lesson_pages: LessonPages) -> None:
    """Make before the first visitor comes what is the same for all of them."""
    assets.all_assets()
    for lesson in lessons.values():
        for lang in languages():
            lesson_pages.make(lesson_pages.key(lesson.slug, {}, Chosen(lang, False, [])))
        for figure in lesson.figures:
            compressed_payload(figure.name, table_key(FIGURES[figure.name], figure.state))
