"""Folders of languages (`--words`): taken in as they have to be, or refused in words; ours stay as they are."""

import json
import shutil

import pytest
from fuzz import ANY_TEXT, ends, fuzz
from hypothesis import strategies as st

from widgets import words
from widgets.words import add_languages, catalogue, fill, languages

RECORD = json.dumps({"name": "Xy", "dir": "ltr"})
ENGLISH = dict(catalogue("en"))
VALUES = st.recursive(
    ANY_TEXT | st.integers() | st.floats() | st.booleans() | st.none(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(ANY_TEXT, inner, max_size=3),
    max_leaves=6,
)
RAW = st.sampled_from(
    [
        "",
        "{",
        "[" * 2000,
        '{"a":' * 2000,
        "\ufeff{}",
        "null",
        "1",
        '"x"',
        "[]",
        '[["name", "x"], ["dir", "ltr"]]',
        "NaN",
        '{"name": "\\ud800", "dir": "ltr"}',
        "9" * 5000,
    ]
)
FILES = (
    RAW
    | VALUES.map(json.dumps)
    | st.dictionaries(st.sampled_from([*list(ENGLISH)[:40], "x"]), VALUES, max_size=5).map(json.dumps)
)
RECORDS = (
    st.just(RECORD)
    | RAW
    | st.fixed_dictionaries({"name": VALUES, "dir": st.sampled_from(["ltr", "rtl"]) | VALUES}).map(json.dumps)
)
TAGS = st.sampled_from(["xy", "pt-BR", "en", "de", "..x", "a b", "<b>", "x" * 100, "\u202e", "e\u0301"])


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("words") / "more"


@fuzz(40, tag=TAGS, record=RECORDS, strings=FILES, raw=st.binary(max_size=9) | st.none())
def test_languages_are_taken_in_or_refused(folder, tag, record, strings, raw):
    before = dict(languages())
    shutil.rmtree(folder, ignore_errors=True)
    (folder / tag).mkdir(parents=True)
    (folder / tag / "language.json").write_text(record, "utf-8")
    (folder / tag / "common.json").write_bytes(strings.encode() if raw is None else raw)
    try:
        with ends():
            add_languages(folder)
    except ValueError as error:
        assert str(error)
        assert languages() == before
        return
    try:
        assert languages().keys() - before.keys() == {tag}
        for known in languages().values():
            assert isinstance(known.name, str) and known.name.isprintable() and known.dir in ("ltr", "rtl")
            assert all(isinstance(text, str) and fill(text, {}) is not None for text in catalogue(known.tag).values())
        assert catalogue("en") == ENGLISH
    finally:
        words._folders.remove(folder)
        words._forget()
