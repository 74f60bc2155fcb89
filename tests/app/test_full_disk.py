"""Export to a disk that is full: one line, status 2, and no half of a file."""

import json

import pytest

from app import site
from app.cli import main
from app.errors import UserError
from app.site import write_site

resource = pytest.importorskip("resource")


@pytest.fixture
def full():
    """From now on no file grows beyond so many bytes, as on a disk that has no more."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    yield lambda size: resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_file_is_whole_or_as_it_was(full, tmp_path, capsys):
    new, old = tmp_path / "new.html", tmp_path / "old.html"
    old.write_text("the last one")
    full(100_000)
    for out in (new, old):
        assert main(["export", "--quiet", "--figure", "variance-law", str(out)]) == 2
        told = capsys.readouterr().err
        assert told.startswith(f"attention-lessons: cannot write {out} (") and told.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["old.html"]
    assert old.read_text() == "the last one"


def test_a_site_goes_on_where_it_stopped_once_there_is_room(full, tmp_path, monkeypatch):
    made = [("index.html", b"first"), ("static/a.bin", b"a" * 5000), ("static/b.bin", b"b")]
    monkeypatch.setattr(site, "_files", lambda *_: iter(made))
    folder = tmp_path / "site"
    full(4000)
    with pytest.raises(UserError, match=r"cannot write into .* has room"):
        write_site(folder, [])
    assert sorted(path.name for path in folder.rglob("*") if path.is_file()) == ["index.html", "site.json"]
    full(100_000)
    write_site(folder, [])
    assert {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()} == {
        "index.html",
        "site.json",
        "static/a.bin",
        "static/b.bin",
    }
    assert json.loads((folder / "site.json").read_text())["files"] == ["index.html", "static/a.bin", "static/b.bin"]
