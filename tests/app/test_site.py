"""The static site: every address in it leads to a file in it, and nothing else in the folder is touched."""

import gzip
import json
import re
from urllib.parse import unquote, urlsplit

import pytest
from markup import check_scripts

from app.cli import main
from app.figures import FIGURES
from app.lessons import LESSONS, all_lessons
from app.site import write_site


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    write_site(folder, all_lessons(LESSONS))
    return folder


def addresses(page):
    """What a page refers to, in its HTML and in the JSON that its modules read."""
    page = re.sub(r"<script type=\"text/plain\".*?</script>", "", page, flags=re.DOTALL)
    yield from re.findall(r"(?:href|src|data-table-url|data-plots-url)=\"([^\"#]+)", page)
    for block in re.findall(r"<script type=\"importmap\">(.*?)</script>", page):
        yield from json.loads(block)["imports"].values()
    for block in re.findall(r"<script type=\"application/json\" data-page>(.*?)</script>", page):
        config = json.loads(block)
        yield config["bokeh"]
        yield from (item["from"] for tables in config["tables"].values() for item in tables)


def test_every_address_leads_to_a_file_of_the_site(folder):
    checked = 0
    for file in folder.rglob("index.html"):
        for address in addresses(file.read_text("utf-8")):
            parts = urlsplit(address)
            if parts.scheme == "data" or parts.netloc == "doi.org" or parts.scheme in ("http", "https"):
                continue
            assert not address.startswith("/"), (file, address)
            target = (file.parent / unquote(parts.path)).resolve()
            target = target / "index.html" if target.is_dir() else target
            assert target.is_relative_to(folder.resolve()) and target.is_file(), (file, address)
            checked += 1
    assert checked > 500


def test_it_has_every_figure_lesson_and_download(folder):
    for name in FIGURES:
        assert (folder / "embed" / name / "index.html").is_file() and (folder / "files" / f"{name}.html").is_file()
    for name in ("index.html", "embed/index.html", "embed.js", "lessons/05-trainable-attention/index.html"):
        assert (folder / name).is_file()


def test_compressed_copies_hold_the_same(folder):
    copies = list(folder.rglob("*.gz"))
    assert len(copies) > 50
    for copy in copies:
        assert gzip.decompress(copy.read_bytes()) == copy.with_suffix("").read_bytes()


def test_a_second_export_removes_what_only_the_first_had(folder):
    manifest = folder / "site.json"
    told = json.loads(manifest.read_text())
    (folder / "old.html").write_text("from an earlier version")
    (folder / "CNAME").write_text("the owner's")
    manifest.write_text(json.dumps(told | {"files": [*told["files"], "old.html", "../outside", "/etc/x"]}))
    write_site(folder, all_lessons(LESSONS))
    assert not (folder / "old.html").exists() and (folder / "CNAME").exists()
    assert json.loads(manifest.read_text()) == told


def test_a_folder_with_other_files_is_left_alone(tmp_path, capsys):
    (tmp_path / "thesis.txt").write_text("mine")
    assert main(["export", str(tmp_path), "--site"]) == 2
    assert "holds other files. Name a new or empty folder" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_a_page_or_file_runs_our_scripts_and_no_others(folder):
    for file in folder.rglob("*.html"):
        page, allowed = check_scripts(file.read_text("utf-8"))
        assert page.scripts and "frame-ancestors" not in allowed  # which a page cannot say of itself
        alone = "files" in file.parts
        assert allowed.get("connect-src") == (None if alone else ["'self'"])
        assert allowed.get("frame-src") == (None if alone else ["'self'" if file.parts[-2] == "embed" else "'none'"])
