"""The gallery in docs/ shows every page there is, in each theme and width, and no picture that is not there."""

import re
import runpy
from pathlib import Path

from app.figures import FIGURES

ROOT = Path(__file__).parents[2]


def test_every_page_is_shown_in_every_theme_and_width(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    gallery = runpy.run_path(str(ROOT / "tools" / "gallery.py"))
    shown = re.findall(r'src="(gallery/[^"]+)" alt="([^"]+)"', (ROOT / "docs" / "gallery.md").read_text("utf-8"))
    files = {
        gallery["file_name"](name, theme, width)
        for name, page in gallery["SHOWN_PAGES"].items()
        for theme in page.themes
        for width in gallery["WIDTHS"]
    }
    assert FIGURES.keys() | {"index", "lesson", "builder"} <= gallery["SHOWN_PAGES"].keys()
    assert {file for file, _ in shown} == files == {f"gallery/{path.name}" for path in ROOT.glob("docs/gallery/*")}
    assert len({alt for _, alt in shown}) == len(files)
