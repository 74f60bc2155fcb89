"""What a learner or a link says is text in every page, file and line of a log; the browser's part is in tests/ui."""

import shutil
from collections import Counter
from pathlib import Path

import pytest
from hostile import PLAIN, SENTENCE, TOKENS
from markup import Markup, check_scripts

from app.cli import main
from app.figures import FIGURES
from app.hosting import site
from app.lessons import load_lesson
from app.pages import embed_page, lesson_page

DOING = Path(__file__).parents[1] / "ui" / "lessons" / "01_doing"
WITH_TEXT = [name for name, figure in FIGURES.items() if "text" in figure.key]
MARKUP = """"><script>x()</script><img src=x onerror='x()'>"""


def shape(page):
    """How many elements of each kind it has, and which attributes any of them has."""
    return Counter(tag for tag, _ in page.elements), {name for _, values in page.elements for name in values}


@pytest.mark.parametrize("name", WITH_TEXT)
def test_a_sentence_is_text_wherever_a_figure_shows_it(name):
    state = FIGURES[name].State.default()
    plain, hostile = (Markup(embed_page(name, state | {"text": text})) for text in (PLAIN, SENTENCE))
    tags, attributes = shape(hostile)
    assert tags == shape(plain)[0] and not [name for name in attributes if name.startswith("on")]
    shown = " ".join(hostile.texts) + " ".join(value for _, values in hostile.elements for value in values.values())
    for token in TOKENS:
        assert token in shown


def test_a_file_holds_a_state_as_text(tmp_path, capsys):
    file = tmp_path / "lab.html"
    assert (
        main(["export", str(file), "--quiet", "--state", f"text={SENTENCE.replace('&', '%26').replace('+', '%2B')}"])
        == 0
    )
    page, _ = check_scripts(file.read_text("utf-8"))
    assert any(SENTENCE in values.get("value", "") for _, values in page.elements) or SENTENCE in " ".join(page.texts)
    # What is no sentence is refused in one line, and nothing is written.
    capsys.readouterr()
    assert main(["export", str(tmp_path / "none.html"), "--state", f"text={MARKUP}&hide={MARKUP}"]) == 2
    said = capsys.readouterr()
    assert len(said.err.strip().splitlines()) == 1 and not (tmp_path / "none.html").exists()


def test_a_lesson_is_text_without_markup_of_its_own(tmp_path):
    folder = shutil.copytree(DOING, tmp_path / "01_doing")
    marked = "<b onclick='x()'>bold</b> <script>x()</script>"
    with (folder / "lesson.md").open("a", encoding="utf-8") as text:
        text.write(f"\n\n{marked} [a](javascript:x()) ![b](javascript:x()) [c](data:text/html,x)\n")
    page, _ = check_scripts(lesson_page(load_lesson(folder), hosting=site("lessons/01-doing/")))
    assert marked in " ".join(page.texts)
