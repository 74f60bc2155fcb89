"""Where a page is put, and so how it finds its files: a server, one file, or a static site."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from app.assets import Asset
from widgets.words import ENGLISH


@dataclass(frozen=True)
class Hosting:
    """How the addresses in a page are made.

    Attributes
    ----------
    kind : {"server", "file", "site"}
        A server computes tables when asked; the others hold those that were prepared. A
        file holds all that it needs; a site is a folder of pages that share their files.
    root : str
        What leads from the page to the top: ``/`` on a server, ``../../`` in a site.
    crowded : bool
        Whether a file holds many figures, each of which then brings less along.
    origins : tuple of str
        Which other origins a server's pages exchange messages with; all where none is named.
    frame_ancestors : tuple of str
        Who may frame a server's pages; anyone where none is named.
    lang : str
        The language that the page's links lead to: in a site the one whose folder it is in, on
        a server the one that its own link named, if any.
    path : str
        Where the page is in a site, below its language's top: ``embed/attention-lab/``.
    """

    kind: Literal["server", "file", "site"]
    root: str = "/"
    crowded: bool = False
    origins: tuple[str, ...] = ()
    frame_ancestors: tuple[str, ...] = ()
    lang: str = ""
    path: str = ""

    @property
    def inline(self) -> bool:
        return self.kind == "file"

    @property
    def static(self) -> bool:
        return self.kind != "server"

    def asset(self, asset: Asset) -> str:
        return f"{self.root}static/{asset.name}"

    def home(self) -> str:
        return "#main" if self.inline else self._page("")

    def lesson(self, slug: str) -> str | None:
        """Another lesson's page; a single file has none."""
        return None if self.inline else self._page(f"lessons/{slug}")

    def figure(self, name: str) -> str | None:
        """A figure's own page; a single file has none."""
        return None if self.inline else self._page(f"embed/{name}")

    def builder(self) -> str | None:
        return None if self.inline else self._page("embed")

    def alternate(self, lang: str) -> str:
        """This very page in another language; a single file has only its own."""
        return self._in_site(self.path, lang) if self.kind == "site" else f"?lang={lang}"

    def _page(self, path: str) -> str:
        # In a site each page is a folder's index, which every static host serves.
        if self.kind == "site":
            return self._in_site(f"{path}/" if path else "", self.lang)
        return f"{self.root}{path}?lang={self.lang}" if self.lang else f"{self.root}{path}"

    def _in_site(self, path: str, lang: str) -> str:
        return f"{self.root}{folder_of(lang)}{path}"


SERVER = Hosting("server")
FILE = Hosting("file", root="")
LESSON_FILE = Hosting("file", root="", crowded=True)


def site(path: str = "", lang: str = ENGLISH) -> Hosting:
    """A page of a static site, by its place: every address in it is relative, so it works below any other."""
    return Hosting("site", "../" * f"{folder_of(lang)}{path}".count("/") or "./", lang=lang, path=path)


def folder_of(lang: str) -> str:
    """The folder of a language's pages in a site; English ones are at the top."""
    return "" if lang in ("", ENGLISH) else f"{lang}/"
