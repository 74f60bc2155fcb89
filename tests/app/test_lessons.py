"""Lessons: every one of ours parses, and a mistake is told with file and line."""

import pytest

from app.lessons import LESSONS, all_lessons, load_lesson
from app.prose import LessonError

FRONT = """---
title: A lesson
number: 1
minutes: 5
forced_by: this
new_idea: that
forces_next: more
---
"""


@pytest.fixture
def lesson(tmp_path):
    def write(text):
        folder = tmp_path / "01_a_lesson"
        folder.mkdir()
        (folder / "lesson.md").write_text(text, "utf-8")
        return folder

    return write


def test_our_lessons_parse_and_have_the_lab():
    lessons = {lesson.slug: lesson for lesson in all_lessons()}
    assert [figure.name for figure in lessons["05-trainable-attention"].figures] == ["attention-lab"]


def test_a_lesson_needs_no_python(lesson):
    loaded = load_lesson(lesson(FRONT + "Some $x$.\n\n:::{attention-lab}\n:state: d_k=64&scaled=0\n:::\n\nThe end.\n"))
    before, figure, after = loaded.blocks
    assert "<math" in before and "The end." in after
    assert (figure.state["d_k"], figure.state["scaled"], figure.state["seed"]) == (64, False, 5108)
    assert loaded.slug == "01-a-lesson"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("no front matter", r"lesson.md:1: no front matter"),
        ("---\ntitle: x\n", r"lesson.md:1: no front matter"),
        ("---\n[\n---\n", r"lesson.md:\d: the front matter is no YAML"),
        ("---\n- a\n---\n", r"lesson.md:2: the front matter holds no names"),
        (FRONT.replace("number: 1\n", ""), r"lesson.md:2: the front matter needs `number:`"),
        (FRONT.replace("number: 1", "number: one"), r"lesson.md:2: the front matter needs `number:`"),
        (FRONT + "text\n\n:::{atention-lab}\n:::\n", r"lesson.md:11: no figure is called 'atention-lab'. Did you mean"),
        (FRONT + ":::{zzz}\n:::\n", r"lesson.md:9: no figure is called 'zzz'. There are: attention-lab"),
        (FRONT + ":::{attention-lab}\n:colour: red\n:::\n", r"lesson.md:10: ':colour: red' is no option"),
        (FRONT + ":::{attention-lab}\n:state: d_k=99\n:::\n", r"lesson.md:9: d_k=99 cannot be used; allowed: 2 to 64"),
        (FRONT + "\n:::{attention-lab}\n\ntext\n", r"lesson.md:10: this ::: block is not closed"),
        (FRONT + "a\n\nb $\\frac{$\n", r"lesson.md:11: the formula '\\\\frac{' does not parse"),
        (FRONT + "$$\n\\nonsense x\n$$\n", r"lesson.md:9: the formula .* does not parse \(unknown command"),
    ],
)
def test_a_mistake_is_told_with_file_and_line(text, problem, lesson):
    with pytest.raises(LessonError, match=problem) as caught:
        load_lesson(lesson(text))
    assert "\n" not in str(caught.value)


def test_a_lesson_that_cannot_be_read_is_told(tmp_path, lesson):
    with pytest.raises(LessonError, match="cannot be read .* needs a lesson.md"):
        load_lesson(tmp_path)
    folder = lesson("x")
    (folder / "lesson.md").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(LessonError, match="not UTF-8"):
        load_lesson(folder)


def test_html_in_a_lesson_is_text(lesson):
    assert "<script>" not in load_lesson(lesson(FRONT + "a <script>alert(1)</script>\n")).blocks[0]


def test_functions_in_formulas_are_names_and_roles_have_their_class():
    html = "".join(block for block in load_lesson(LESSONS / "05_trainable_attention").blocks if isinstance(block, str))
    assert "<mi>softmax</mi>" in html and "<mo>softmax</mo>" not in html
    assert '<span class="query">query q</span>' in html
