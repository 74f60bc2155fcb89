"""Lessons: every one of ours parses, and a mistake is told with file and line."""

import pytest

from app.figures import FIGURES
from app.lessons import LESSONS, all_lessons, load_lesson
from app.prose import LessonError

FRONT = """---
title: A lesson
number: 1
minutes: 5
forced_by: this
new_idea: that
forces_next: more
prerequisites: [something]
goals: [something else]
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


def test_our_lessons_parse_and_show_every_figure():
    lessons = {lesson.slug: lesson for lesson in all_lessons()}
    assert {figure.name for figure in lessons["05-trainable-attention"].figures} == set(FIGURES)


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
        (
            FRONT.replace("[something]", "x"),
            r"lesson.md:2: the front matter needs `prerequisites:` with a list; 'x' came",
        ),
        (FRONT + "text\n\n:::{atention-lab}\n:::\n", r"lesson.md:13: no block is called 'atention-lab'. Did you mean"),
        (FRONT + ":::{zzz}\n:::\n", r"lesson.md:11: no block is called 'zzz'. There are: attention-lab"),
        (FRONT + "::: zzz\n:::\n", r"lesson.md:11: '::: ?zzz' names no block"),
        (FRONT + ":::{attention-lab}\n:colour: red\n:::\n", r"lesson.md:12: ':colour: red' is no option"),
        (FRONT + ":::{attention-lab}\n:state: d_k=99\n:::\n", r"lesson.md:11: d_k=99 cannot be used; allowed: 2 to 64"),
        (
            FRONT + ":::{attention-lab}\n:state: depth=9\n:::\n",
            r"lesson.md:11: attention-lab has no 'depth'. It has: d_k",
        ),
        (FRONT + "\n:::{attention-lab}\n\ntext\n", r"lesson.md:12: this ::: block is not closed"),
        (FRONT + "\n:::{note}\n\ntext\n", r"lesson.md:12: this ::: block is not closed"),
        (FRONT + ":::{note}\nok\n\n$\\frac{$\n:::\n", r"lesson.md:14: the formula"),
        (FRONT + "a\n\nb $\\frac{$\n", r"lesson.md:13: the formula '\\\\frac{' does not parse"),
        (FRONT + "$$\n\\nonsense x\n$$\n", r"lesson.md:11: the formula .* does not parse \(unknown command"),
        (FRONT + "a\n\n[there](#nowhere)\n", r"lesson.md:13: '#nowhere' refers to nothing"),
        (FRONT + "[](#variance-law)\n", r"lesson.md:11: '#variance-law' refers to nothing"),
        (FRONT + ":::{attention-lab}\n:::\n\n[go](#attention-lab?d_k=1)\n", r"lesson.md:14: d_k=1 cannot be used"),
        (FRONT + "[softmax]{.term}\n", r"lesson.md:11: 'softmax' is not in glossary.yaml"),
        (FRONT + "[]{.term} x\n", r"lesson.md:11: '' is not in glossary.yaml"),
        (FRONT + "[`x`]{.term} y\n", r"lesson.md:11: 'x' is not in glossary.yaml"),
        (FRONT.replace("number: 1", "number: true"), r"lesson.md:2: the front matter needs `number:` .*; True came"),
        (FRONT.replace("[something]", "[1]"), r"lesson.md:2: `prerequisites:` needs a list of texts; 1 came"),
        (FRONT.replace("number: 1", "number: 2001-99-99"), r"lesson.md:3: the front matter is no YAML"),
        (FRONT.replace("number: 1", "number: " + "9" * 5000), r"lesson.md:3: the front matter is no YAML"),
        (FRONT.replace("[something]", "[" * 2000), r"lesson.md:8: the front matter is no YAML"),
        (FRONT.replace("[something]", "&a [*a]"), r"lesson.md:8: the front matter is no YAML"),
        (FRONT + ":::{predict}\n? [a]\n: b\n:::\n", r"lesson.md:12: a name is plain text; a list came"),
        (FRONT + ':::{predict}\n"a\\nb": 1\n"a\\nb": 1\n:::\n', r"lesson.md:13: `a\\nb:` stands here twice"),
        (FRONT + ":::{predict}\na: &a [*a]\n:::\n", r"lesson.md:12: this is no YAML \(\*names are not taken"),
    ],
)
def test_a_mistake_is_told_with_file_and_line(text, problem, lesson):
    with pytest.raises(LessonError, match=problem) as caught:
        load_lesson(lesson(text))
    assert "\n" not in str(caught.value)


REFERENCES = (
    FRONT
    + """
## 1 · The start

A [Softmax]{.term}, another [softmax]{.term}, see [](#attention-lab), [](#2-end) or [the end](#the-end).
[Turn it off](#attention-lab?scaled=0).

:::{attention-lab}
:::

## 2 · The end

:::{note} Mind this
A *callout* with $x$ and [](#the-start).
:::
"""
)


def test_references_are_told_by_their_numbers(lesson):
    folder = lesson(REFERENCES.replace("[](#2-end)", "[](#the-end)"))
    (folder / "glossary.yaml").write_text("softmax: makes *shares*\n", "utf-8")
    loaded = load_lesson(folder)
    assert loaded.sections == {"the-start": "1 · The start", "the-end": "2 · The end"}
    before, _, _, note = loaded.blocks
    assert '<a href="#attention-lab">Figure 1</a>' in before and '<a href="#the-end">section 2</a>' in before
    assert '<a href="#attention-lab?scaled=0" data-go="">Turn it off</a>' in before
    assert '<aside class="callout note" aria-label="Mind this">' in note and "<em>callout</em>" in note
    assert '<a href="#the-start">section 1</a>' in note and "<math" in note


def test_a_term_is_explained_the_first_time_only(lesson):
    folder = lesson(REFERENCES.replace("[](#2-end)", ""))
    (folder / "glossary.yaml").write_text("softmax: makes *shares*\n", "utf-8")
    html = load_lesson(folder).blocks[0]
    assert html.count("popovertarget") == 1 and html.count("makes <em>shares</em>") == 1
    assert "another softmax" in html


@pytest.mark.parametrize("glossary", ["- a\n", "a: [1]\n", "{", "a: 2001-99-99\n", "[" * 2000, "a: &a [*a]\n"])
def test_a_glossary_that_is_none_is_told(glossary, lesson):
    folder = lesson(FRONT + "x\n")
    (folder / "glossary.yaml").write_text(glossary, "utf-8")
    with pytest.raises(LessonError, match="glossary.yaml:1: the glossary"):
        load_lesson(folder)


def test_roles_have_their_colour_in_formulas_and_code(lesson):
    text = "$\\query{W_q} \\key{k} \\val{v}$\n\n```python\nQ = X @ W_q  # queries\nK, V = 1, 2\n```\n"
    html = load_lesson(lesson(FRONT + text)).blocks[0]
    assert '<mrow class="query"><msub><mi>W</mi><mi>q</mi></msub></mrow>' in html
    assert '<span class="query">Q</span> = X @ <span class="query">W_q</span>' in html
    assert '<span class="key">K</span>, <span class="value">V</span>' in html


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
