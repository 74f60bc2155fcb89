"""Where a page is put, and so how it finds its files: a server, one file, or a static site."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from app.assets import Asset


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
    """

    kind: Literal["server", "file", "site"]
    root: str = "/"
    crowded: bool = False
    origins: tuple[str, ...] = ()
    frame_ancestors: tuple[str, ...] = ()

    @property
    def inline(self) -> bool:
        return self.kind == "file"

    @property
    def static(self) -> bool:
        return self.kind != "server"

    def asset(self, asset: Asset) -> str:
        return f"{self.root}static/{asset.name}"

    def home(self) -> str:
        return self.root if not self.inline else "#main"

    def lesson(self, slug: str) -> str | None:
        """Another lesson's page; a single file has none."""
        return None if self.inline else self._page(f"lessons/{slug}")

    def figure(self, name: str) -> str | None:
        """A figure's own page; a single file has none."""
        return None if self.inline else self._page(f"embed/{name}")

    def builder(self) -> str | None:
        return None if self.inline else self._page("embed")

    def _page(self, path: str) -> str:
        # In a site each page is a folder's index, which every static host serves.
        return f"{self.root}{path}/" if self.kind == "site" else f"{self.root}{path}"


SERVER = Hosting("server")
FILE = Hosting("file", root="")
LESSON_FILE = Hosting("file", root="", crowded=True)


def site(depth: int) -> Hosting:
    """A page of a static site, `depth` folders below its top: it works below any address."""
    return Hosting("site", "../" * depth or "./")
