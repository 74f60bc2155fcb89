"""Languages: every catalogue has the strings of English and no others, and what is missing is English."""

import json

import pytest

import widgets.words
from app.assets import version
from app.figures import FIGURES
from widgets.figure import figure_plots
from widgets.words import (
    ENGLISH,
    add_languages,
    catalogue,
    current,
    figure_words,
    fill,
    language,
    languages,
    own_strings,
    placeholders,
)

OTHERS = [lang for lang in languages() if lang != ENGLISH]


@pytest.fixture
def more(tmp_path):
    """Take in languages for a test, by tag and strings."""
    before = list(widgets.words._folders)

    def add(**tongues):
        for lang, strings in tongues.items():
            (tmp_path / lang).mkdir()
            (tmp_path / lang / "language.json").write_text(json.dumps({"name": lang, "dir": "rtl"}))
            (tmp_path / lang / "any.json").write_text(json.dumps(strings))
        add_languages(tmp_path)

    yield add
    widgets.words._folders[:] = before
    widgets.words._forget()


@pytest.mark.parametrize("lang", OTHERS)
def test_a_language_has_no_string_that_english_has_not_and_fills_in_the_same(lang):
    english = own_strings(ENGLISH)
    for key, text in own_strings(lang).items():
        assert key in english, f"{key} is shown nowhere"
        assert placeholders(text) == placeholders(english[key]), key
        assert bool(text.strip()) == bool(english[key].strip()), key


def test_german_is_complete():
    assert own_strings("de").keys() == own_strings(ENGLISH).keys()
    assert languages()["de"].name == "Deutsch"


def test_english_comes_first_and_every_direction_is_one():
    assert next(iter(languages())) == ENGLISH
    assert {lang.dir for lang in languages().values()} <= {"ltr", "rtl"}


def test_a_string_that_is_missing_is_english(more):
    more(qaa={"axis.weight": "GEWICHT"})
    with language("qaa"):
        assert current().dir == "rtl"
        assert catalogue()["axis.weight"] == figure_words("attention-lab")["axis.weight"] == "GEWICHT"
        assert catalogue()["axis.key"] == catalogue(ENGLISH)["axis.key"]
    assert current().tag == ENGLISH and catalogue()["axis.weight"] == "weight"


def test_a_tables_address_changes_with_every_language(more):
    # Tables hold words, and browsers keep them for good.
    before = version()
    version.cache_clear()
    more(qac={"corner.weights": "query"})
    try:
        assert version() != before
    finally:
        version.cache_clear()


@pytest.mark.parametrize(
    ("tag", "record", "strings", "told"),
    [
        ("a b", '{"name": "x", "dir": "ltr"}', "{}", "'a b' is no tag of a language"),
        ("qad", '{"name": 5, "dir": "ltr"}', "{}", "qad/language.json holds something else than texts"),
        ("qad", '{"name": "x", "dir": "up"}', "{}", "qad/language.json is not like"),
        ("qad", '[["name", "x"], ["dir", "ltr"]]', "{}", "qad/language.json holds something else"),
        ("qad", '{"name": "x", "dir": "ltr"}', '{"axis.key": 5}', "qad/any.json holds something else"),
        ("qad", '{"name": "x", "dir": "ltr"}', '{"axis.key": "\\ud800"}', "qad/any.json holds something else"),
        ("qad", '{"name": "x", "dir": "ltr"}', '{"a":' * 2000, "qad/any.json is no JSON"),
    ],
)
def test_what_is_no_language_is_told_and_changes_nothing(tag, record, strings, told, tmp_path):
    before = languages()
    (tmp_path / tag).mkdir()
    (tmp_path / tag / "language.json").write_text(record)
    (tmp_path / tag / "any.json").write_text(strings)
    with pytest.raises(ValueError, match=told):
        add_languages(tmp_path)
    assert languages() == before


def test_a_folder_without_a_language_is_refused_and_changes_nothing(tmp_path):
    before = languages()
    with pytest.raises(ValueError, match="no folder with a language.json"):
        add_languages(tmp_path)
    assert languages() == before


@pytest.mark.parametrize("name", FIGURES)
def test_plots_are_made_once_and_have_their_words_in_each_language(name, more):
    more(qab={key: f'"\\{key}<' for key in own_strings(ENGLISH)})
    english = {plot: json.loads(text) for plot, text in figure_plots(FIGURES[name]).items()}
    with language("qab"):
        other = {plot: json.loads(text) for plot, text in figure_plots(FIGURES[name]).items()}

    def strings(value):
        items = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
        return [value] if isinstance(value, str) else [text for item in items for text in strings(item)]

    first, second = strings(english), strings(other)
    assert len(first) == len(second) and not any("\ue000" in text for text in first + second)
    changed = {(a, b) for a, b in zip(first, second, strict=True) if a != b}
    assert changed <= {(text, f'"\\{key}<') for key, text in own_strings(ENGLISH).items()}


def test_the_plots_of_the_lab_say_their_axes_in_german():
    with language("de"):
        assert json.dumps(catalogue()["axis.query"]) in figure_plots(FIGURES["attention-lab"])["heatmap"]


def test_texts_follow_the_language():
    figure = FIGURES["attention-lab"]
    state = figure.State.default()
    table = figure.table(state["text"], state["seed"])
    with language("de"):
        words = catalogue()
        texts = figure.texts(table, state)
        assert texts["dead-rows"] == fill(words["dead.count"], {"dead": 0, "rows": 6})
        assert figure.State.schema()["d_k"]["allowed"] == "2 bis 64"
    assert figure.texts(table, state)["dead-rows"] == "0 of 6"
