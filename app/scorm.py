"""A lesson as a SCORM package: a zip that learning platforms take, and that reports to them."""

from __future__ import annotations

import re
from pathlib import Path

from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup

from app.export import zipped
from app.hosting import LESSON_FILE
from app.lessons import Lesson
from app.pages import lesson_page

HERE = Path(__file__).parent
# Every platform takes 1.2. The third edition of 2004 says all that a lesson needs, and more platforms take it than
# the fourth.
MANIFESTS = {"1.2": "imsmanifest_12.xml", "2004": "imsmanifest_2004.xml"}
VERSIONS = tuple(MANIFESTS)
PAGE = "index.html"


def scorm_package(lesson: Lesson, version: str = "1.2") -> bytes:
    """The package as the bytes of a zip.

    Parameters
    ----------
    lesson : Lesson
        Becomes one page that needs no other file and no network.
    version : {"1.2", "2004"}
        Of the standard.
    """
    if version not in MANIFESTS:
        raise ValueError(f"there is no SCORM version {version!r}. Use one of {', '.join(VERSIONS)}.")
    page = lesson_page(lesson, hosting=LESSON_FILE, head_script=_script(version))
    return zipped({"imsmanifest.xml": _manifest(lesson, version), PAGE: page})


def _script(version: str) -> Markup:
    text = (HERE / "static" / "scorm.js").read_text("utf-8")
    return Markup('<script data-version="{}">{}</script>').format(version, Markup(text))


def _manifest(lesson: Lesson, version: str) -> str:
    templates = Environment(loader=FileSystemLoader(HERE / "templates"), autoescape=True, trim_blocks=True)
    return templates.get_template(MANIFESTS[version]).render(
        # An XML name: a platform knows the same lesson again by it.
        identifier="attention-lessons-" + re.sub(r"[^A-Za-z0-9.-]", "-", lesson.slug),
        title=lesson.here().meta["title"],
        files=[PAGE],
    )
