"""Lesson pages as a server sends them: made once for each link, and kept for those who come by the same."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from dataclasses import replace

from app import pages
from app.figures import FIGURES, MAIN_FIGURE, MB
from app.hosting import SERVER, Hosting
from app.kept import Kept
from app.languages import NAME, Chosen
from app.lessons import Lesson
from app.limits import DEFAULTS, Limits
from app.links import Ignored, read_state
from widgets.words import language

Query = tuple[tuple[str, str], ...]
# What a page is made of: the lesson, its link, the language, whether the link named that, and what was wrong with it.
Key = tuple[str, Query, str, bool, tuple[Ignored, ...]]
Page = tuple[bytes, bytes]  # plain and compressed


class LessonPages:
    """The lessons' pages.

    Most visitors come by the same few links, and a page of nine figures takes longer to
    draw and to compress than to send.
    """

    def __init__(self, lessons: Mapping[str, Lesson], hosting: Hosting = SERVER, limits: Limits = DEFAULTS) -> None:
        self._lessons, self._hosting = lessons, hosting
        self.pages = Kept(limits.pages_mb * MB)

    def key(self, slug: str, query: Mapping[str, str], chosen: Chosen) -> Key:
        """What a page depends on."""
        rest = tuple((name, value) for name, value in query.items() if name != NAME)
        return slug, rest, chosen.lang, chosen.linked, tuple(chosen.ignored)

    def kept(self, key: Key) -> Page | None:
        """The page, where it was made before."""
        page: Page | None = self.pages.get(key)
        return page

    def make(self, key: Key) -> Page:
        """The page, made if it is not kept."""
        page = self.kept(key)
        if page is None:
            slug, query, lang, linked, told = key
            with language(lang):
                body = self._html(slug, query, replace(self._hosting, lang=lang) if linked else self._hosting, told)
            page = body.encode(), gzip.compress(body.encode(), 6, mtime=0)
            self.pages.put(key, page, sum(map(len, page)))
        return page

    def _html(self, slug: str, query: Query, hosting: Hosting, told: tuple[Ignored, ...]) -> str:
        # Without a state in the link the lesson's own directives say where to start.
        state, ignored = read_state(dict(query), FIGURES[MAIN_FIGURE].State) if query else (None, [])
        slugs = list(self._lessons)
        here = slugs.index(slug)
        before = self._lessons[slugs[here - 1]] if here > 0 else None
        after = self._lessons[slugs[here + 1]] if here + 1 < len(slugs) else None
        return pages.lesson_page(
            self._lessons[slug], state, [*told, *ignored], before=before, after=after, hosting=hosting
        )
