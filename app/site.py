"""The whole product as a folder for a static host or a CDN: it serves more people than one machine can.

Every address is relative, so the folder works below any other; files under ``static/`` are
named by their content and can be cached for good. Text is there compressed too, for hosts
that send such files as they are.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from app import __version__, assets, pages
from app.assets import Asset
from app.errors import UserError
from app.export import Progress, lesson_work, plain_figure_file, write_whole
from app.figures import FIGURES, plots_assets
from app.hosting import folder_of, site
from app.lessons import Lesson
from app.page_template import EDITION
from app.prepared import prepare, prepared_keys, prepared_tables
from widgets.words import current, language, languages

MANIFEST = "site.json"
# Smaller files do not get smaller by it.
COMPRESSED_FROM = 1000
COMPRESSED = {".html", ".css", ".js", ".mjs", ".json"}


def write_site(folder: Path, lessons: list[Lesson], progress: Progress = iter) -> int:
    """Write the site into a folder that is new, empty, or held an earlier one; returns how many bytes.

    Raises
    ------
    UserError
        If the folder holds something else, or cannot be written.
    """
    earlier = _earlier_files(folder)
    files = {name: body for made in _files(lessons, progress) for name, body in _with_compressed(*made)}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # First, and with both: where the disk is full on the way, the next export knows what is ours.
        _write_manifest(folder, {*files, *earlier})
        for name, body in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            write_whole(folder / name, body)
        for name in earlier - files.keys():
            (folder / name).unlink(missing_ok=True)
        _write_manifest(folder, files)
    except OSError as error:
        raise UserError(
            f"cannot write into {folder} ({error.strerror}). Name a folder that you may write to and that has room."
        ) from error
    return sum(map(len, files.values()))


def _write_manifest(folder: Path, names: Iterable[str]) -> None:
    text = json.dumps({"version": __version__, "files": sorted(names)}, indent=1)
    write_whole(folder / MANIFEST, text.encode())


def _earlier_files(folder: Path) -> set[str]:
    """What an earlier export left here; only that is ever removed."""
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return set()
    try:
        files = json.loads((folder / MANIFEST).read_text("utf-8"))["files"]
        return {name for name in files if not Path(name).is_absolute() and ".." not in Path(name).parts}
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise UserError(
            f"{folder} holds other files. Name a new or empty folder, or one with an earlier site."
        ) from error


def _files(lessons: list[Lesson], progress: Progress) -> Iterator[tuple[str, bytes]]:
    yield ".nojekyll", b""  # GitHub Pages takes the files as they are
    yield "embed.js", assets.host_script().body
    yield EDITION, json.dumps({"version": __version__, "edition": assets.edition()}).encode()
    held = dict(assets.all_assets())
    for lang in languages():
        with language(lang):
            yield from _pages(lessons, progress, held)
    for name, asset in held.items():
        yield f"static/{name}", asset.body


def _pages(lessons: list[Lesson], progress: Progress, held: dict[str, Asset]) -> Iterator[tuple[str, bytes]]:
    """The pages in the current language; what they need is put into `held`."""
    lang = current().tag
    defaults = {name: figure.State.default() for name, figure in FIGURES.items()}
    alone = [(name, key) for name in FIGURES for key in prepared_keys(name, defaults[name], site())]
    prepare(alone + [work for lesson in lessons for work in lesson_work(lesson, site())], progress)

    top = folder_of(lang)

    yield f"{top}index.html", pages.index_page(lessons, hosting=site("", lang)).encode()
    yield f"{top}embed/index.html", pages.builder_page(hosting=site("embed/", lang)).encode()
    held |= plots_assets()
    for name, state in defaults.items():
        path = f"embed/{name}/"
        yield f"{top}{path}index.html", pages.embed_page(name, state, hosting=site(path, lang)).encode()
        yield f"{top}files/{name}.html", plain_figure_file(name).encode()
        held |= {item.asset.name: item.asset for item in prepared_tables(name, state, site())}
    for i, lesson in enumerate(lessons):
        before, after = lessons[i - 1] if i else None, lessons[i + 1] if i + 1 < len(lessons) else None
        path = f"lessons/{lesson.slug}/"
        page = pages.lesson_page(lesson, before=before, after=after, hosting=site(path, lang))
        yield f"{top}{path}index.html", page.encode()
        for figure in lesson.here().figures:
            tables = prepared_tables(figure.name, figure.state, site())
            held |= {item.asset.name: item.asset for item in tables}


def _with_compressed(path: str, body: bytes) -> Iterator[tuple[str, bytes]]:
    yield path, body
    if Path(path).suffix in COMPRESSED and len(body) >= COMPRESSED_FROM:
        yield f"{path}.gz", gzip.compress(body, 9, mtime=0)
