"""Which language a page is in, lessons in other languages, and files and sites in each."""

import base64
import gzip
import json
import re
from pathlib import Path
from shutil import copytree

import pytest

from app import pages
from app.cli import main
from app.hosting import Hosting, site
from app.languages import accepted_language, choose
from app.lesson_pages import LessonPages
from app.lessons import LESSONS, load_lesson
from app.prose import LessonError, slug
from widgets.words import language

LESSON = LESSONS / "05_trainable_attention"


@pytest.mark.parametrize(
    ("header", "lang"),
    [
        ("", "en"),
        ("de", "de"),
        ("de-AT,de;q=0.9,en;q=0.8", "de"),
        ("DE-at", "de"),
        ("fr, de;q=0.5", "de"),
        ("en, de;q=0.9", "en"),
        ("de;q=0.4, en-GB;q=0.7", "en"),
        ("de;q=0, en", "en"),
        ("*", "en"),
        ("de;q=x, ;;,\x00 ,", "en"),
        ("x-klingon, " * 5000 + "de", "en"),
    ],
)
def test_the_browser_chooses_what_it_likes_best(header, lang):
    assert accepted_language(header) == lang


def test_the_link_wins_and_an_unknown_language_is_told():
    assert choose({"lang": "en"}, "de").lang == "en" and choose({"lang": "en"}, "de").linked
    assert choose({"lang": "de-CH"}, "en").lang == "de"
    unknown = choose({"lang": "<x>" * 100}, "de")
    (told,) = unknown.ignored
    assert unknown.lang == told.used == "en" and not unknown.linked
    assert told.allowed.split(", ")[:2] == ["en", "de"] and len(told.came) == 40


@pytest.fixture
def translated(tmp_path):
    """The lesson with a German text, and German terms, but an English quiz."""
    folder = copytree(LESSON, tmp_path / "05_trainable_attention")
    text = (folder / "lesson.md").read_text("utf-8")
    text = text.replace("title: Self-attention that can learn", "title: Attention, die lernen kann")
    text = re.sub(r"^:::\{trap\}.*$", ":::{trap}", text, flags=re.MULTILINE)
    (folder / "lesson.de.md").write_text(text, "utf-8")
    glossary = (folder / "glossary.yaml").read_text("utf-8")
    glossary = re.sub(r"^softmax: .*$", "softmax: DEUTSCH", glossary, flags=re.MULTILINE)
    (folder / "glossary.de.yaml").write_text(glossary, "utf-8")
    return folder


def test_a_translated_lesson_is_shown_in_its_language(translated):
    lesson = load_lesson(translated)
    lessons = LessonPages({lesson.slug: lesson})
    german = lessons.make(lessons.key(lesson.slug, {"lang": "de"}, choose({"lang": "de"})))[0].decode()
    assert '<html lang="de" dir="ltr"' in german and "<h1>Attention, die lernen kann</h1>" in german
    assert '<main id="main">' in german and "DEUTSCH" in german
    assert "Die Falle" in german and re.search(r">Abbildung \d</a>", german)
    # Its quiz is still English, and says so.
    assert german.count('<span lang="en" dir="ltr">') > 20
    english = lessons.make(lessons.key(lesson.slug, {}, choose({})))[0].decode()
    assert "<h1>Self-attention that can learn</h1>" in english and '<span lang="' not in english
    assert "DEUTSCH" not in english and "The trap" in english


def test_a_lesson_that_is_not_translated_says_which_language_it_is_in():
    lesson = load_lesson(LESSON)
    with language("de"):
        page = pages.lesson_page(lesson)
    assert '<html lang="de" dir="ltr"' in page and '<main id="main" lang="en" dir="ltr">' in page
    assert page.count('<figure lang="de" dir="ltr"') == 9
    assert "Der Text dieser Lektion ist noch auf Englisch." in page
    activity = page[page.index('data-activity="quiz"') :]
    assert '<span lang="en" dir="ltr">' in activity[: activity.index("</fieldset>")]


def test_a_mistake_in_a_translation_is_told_with_its_file(translated):
    (translated / "lesson.de.md").write_text("---\ntitle: x\n---\n", "utf-8")
    with pytest.raises(LessonError, match=r"lesson\.de\.md:2"):
        load_lesson(translated)


def test_an_anchor_keeps_letters_of_every_script():
    assert slug("3 · Über √d_k") == "über-sqrt-d-k" and slug("שלום עולם") == "שלום-עולם"


def test_links_keep_a_chosen_language_and_a_site_has_a_folder_for_each():
    assert Hosting("server", lang="de").figure("x") == "/embed/x?lang=de"
    assert Hosting("server").figure("x") == "/embed/x"
    english, german = site("embed/x/"), site("embed/x/", "de")
    assert english.root == "../../" and english.lesson("y") == "../../lessons/y/"
    assert german.root == "../../../" and german.lesson("y") == "../../../de/lessons/y/"
    assert english.alternate("de") == "../../de/embed/x/" and german.alternate("en") == "../../../embed/x/"
    assert site("", "de").home() == "../de/"


def test_a_file_in_german_holds_german_tables_and_words(tmp_path):
    out = tmp_path / "lab.html"
    assert main(["export", str(out), "--lang", "de", "--quiet"]) == 0
    page = out.read_text("utf-8")
    assert '<html lang="de" dir="ltr"' in page and "Das Attention-Labor" in page
    assert "Tap or point at a cell" not in page and "key: the token" not in page
    table = re.search(r'data-bytes="[^"]*">([^<]+)', page)[1]
    assert "Query ↓ Key →".encode() in gzip.decompress(base64.b64decode(table))
    config = json.loads(re.search(r"data-page>(.*?)</script>", page)[1])
    assert config["languages"] == ["de"] and config["lang"] == "de"
    assert '<nav class="languages"' not in page and '<link rel="alternate"' not in page


@pytest.mark.parametrize(
    ("arguments", "told"),
    [(["--lang", "xx"], "--lang xx is not there. There are: en, de"), (["--lang", "de", "--site"], "Leave --lang out")],
)
def test_a_mistake_with_lang_is_one_line(arguments, told, tmp_path, capsys):
    assert main(["export", str(tmp_path / "out"), *arguments]) == 2
    assert told in capsys.readouterr().err


def test_check_lists_languages(capsys):
    assert main(["check"]) == 0
    assert re.search(r"^de: Deutsch, \d+ of \d+ strings", capsys.readouterr().out, re.MULTILINE)


def test_a_folder_of_words_that_is_none_is_refused(tmp_path, capsys):
    assert main(["serve", "--port", "0", "--words", str(Path(tmp_path))]) == 2
    assert "--words" in capsys.readouterr().err
