"""Activities: a mistake is told with file and line, and what is right is all in the HTML."""

import json
import re
from pathlib import Path

import pytest

from app.activities import ACTIVITIES, check_sections, parse_activity, render_activity, render_progress
from app.cli import main
from app.lessons import LESSONS
from app.prose import LessonError
from attention.checklist import CHECKS

LESSON = LESSONS / "05_trainable_attention"
HERE = Path("tests/lesson.md")

CHOICES = """choices:
  - text: No
    reply: It is $d_k$.
  - text: Yes
    right: true
    reply: It is.
"""
PREDICT = "question: Why $d_k$?\n" + CHOICES + "then: attention-lab?d_k=64&scaled=0\n"
TASK = """tasks:
  - text: Drag
    scaled: false
    from: 8
    to: 64
    ends: saturated
"""
CHECKPOINT = TASK + "question: Which?\n" + CHOICES
ROWS = """rows:
  - name: A
    wrong: B
    signal: C
    try: attention-lab?scaled=0
"""
LINES = """lines:
  - check: row_sums
    text: Rows sum to 1.
    break: attention-lab?fault=softmax_over_queries
"""
PROMPTS = """prompts:
  - question: Why is it?
    answer: So.
    section: the-lab
"""
GOOD = {
    "predict": PREDICT,
    "checkpoint": CHECKPOINT,
    "failure-modes": ROWS,
    "checklist": LINES,
    "interview": PROMPTS,
    "quiz": "",
}


def parse(name, body, folder=LESSON):
    return parse_activity(name, body, f"{HERE}:10", folder)


def test_the_six_kinds_are_known():
    assert ACTIVITIES.keys() == GOOD.keys()


@pytest.mark.parametrize("name", GOOD)
def test_each_kind_is_read_and_rendered(name):
    html = render_activity(parse(name, GOOD[name]), "a7", {"the-lab": "1 · The lab"})
    assert f'<section class="activity" id="a7" data-activity="{name}"' in html
    config = json.loads(re.search(r"data-config>(.*?)</script>", html)[1])
    assert all(key.startswith(f"{name}.") for key in config["words"])
    assert len(re.findall(r'id="([^"]+)"', html)) == len(set(re.findall(r'id="([^"]+)"', html)))
    assert not re.search(r"\{\w+\}", re.sub(r"<script.*?</script>", "", html, flags=re.DOTALL))


def test_formulas_and_titles_are_in_the_html():
    html = render_activity(parse("predict", "title: Guess *first*\n" + PREDICT), "a1")
    assert '<h3 id="a1-title">Guess <em>first</em></h3>' in html and 'aria-labelledby="a1-title"' in html
    assert html.count("<math") == 2


def test_links_to_a_state_act_on_the_figure():
    html = render_activity(parse("failure-modes", ROWS), "a1")
    assert '<a href="#attention-lab?scaled=0" data-go' in html
    body = PREDICT.replace("Why $d_k$?", "'See [this](#attention-lab?d_k=9&scaled=1).'")
    assert '<a href="#attention-lab?d_k=9&amp;scaled=1" data-go>this</a>' in render_activity(
        parse("predict", body), "a1"
    )


def test_html_of_authors_is_text():
    assert "<script>alert" not in render_activity(
        parse("predict", PREDICT.replace("Why", "<script>alert(1)</script>")), "a1"
    )


def test_the_checkpoint_and_the_checklist_reach_their_modules():
    config = parse("checkpoint", CHECKPOINT).config()
    task = {"scaled": False, "start": 8, "stop": 64, "ends": 2, "throughout": None}
    assert config == {"figure": "attention-lab", "tasks": [task]}
    assert parse("checklist", LINES).lines[0].check == CHECKS.index("row_sums")


def test_a_prompt_leads_back_to_its_section():
    activity = parse("interview", PROMPTS)
    assert '<a href="#the-lab">Read it again: 1 · The lab</a>' in render_activity(
        activity, "a1", {"the-lab": "1 · The lab"}
    )
    check_sections(activity, {"the-lab": "1 · The lab"})
    with pytest.raises(LessonError, match=r"^tests/lesson.md:12: there is no section 'the-lab'. There are: other\.$"):
        check_sections(activity, {"other": "Other"})


MISTAKES = [
    ("predict", "[", r":1[12]: this is no YAML"),
    ("predict", "- a\n", r":11: `name: value` lines are needed here; a list came"),
    ("predict", PREDICT.replace("question: Why $d_k$?\n", ""), r":11: `question:` is missing"),
    ("predict", PREDICT.replace("Why $d_k$?", ""), r":11: `question:` needs text; nothing came"),
    ("predict", PREDICT.replace("$d_k$?", r"$\nonsense x$"), r":11: the formula .* does not parse .*unknown command"),
    ("predict", PREDICT.replace("reply: It is $d_k$.", r"reply: $\nonsense x$"), r":14: the formula"),
    (
        "predict",
        PREDICT + "colour: red\n",
        r":19: `colour:` is not known here. There are: title, question, choices, then",
    ),
    ("predict", PREDICT + "question: twice\n", r":19: `question:` stands here twice"),
    ("predict", PREDICT.replace("    right: true\n", ""), r":11: one of the choices needs `right: true`; 0 have it"),
    (
        "predict",
        PREDICT.replace("right: true", "right: maybe"),
        r":16: `right:` needs one of true, false; 'maybe' came",
    ),
    ("predict", PREDICT.replace("attention-lab?", "lab?"), r":18: `then:` needs a figure and its values, .*'lab\?d_k"),
    ("predict", PREDICT.replace("d_k=64", "d_k=99"), r":18: d_k=99 cannot be used; allowed: 2 to 64"),
    ("predict", PREDICT.replace("d_k=64", "dk=64"), r":18: attention-lab has no 'dk'"),
    (
        "predict",
        "question: a\nchoices:\n  - text: a\n    reply: b\nthen: x\n",
        r":13: `choices:` needs .* at least 2; 1 came",
    ),
    ("predict", "question: a\nchoices: b\n", r":12: `choices:` needs a list of at least 2; 'b' came"),
    ("predict", "question: a\nchoices: [b, c]\n", r":12: each of `choices:` needs `name: value` lines; 'b' came"),
    ("predict", PREDICT.replace("Why $d_k$?", "see [x](#nowhere)"), r":11: `question:` needs a figure and its values"),
    (
        "checkpoint",
        CHECKPOINT.replace("from: 8", "from: 80"),
        r":12: `from:` and `to:` need whole numbers from 2 to 64",
    ),
    ("checkpoint", CHECKPOINT.replace("to: 64", "to: x"), r":15: `to:` needs a number such as .*; 'x' came"),
    ("checkpoint", CHECKPOINT.replace("    ends: saturated\n", ""), r":12: a task needs `ends:` or `throughout:`"),
    (
        "checkpoint",
        CHECKPOINT.replace("saturated", "wet"),
        r":16: `ends:` needs one of healthy, uniform, saturated; 'wet'",
    ),
    ("failure-modes", ROWS.replace("scaled=0", "fault=x"), r":15: fault=x cannot be used"),
    ("failure-modes", "rows: []\n", r":11: `rows:` needs a list of at least 1; 0 came"),
    ("checklist", LINES.replace("row_sums", "sums"), r":12: `check:` needs one of three_matrices, .*; 'sums' came"),
    ("interview", PROMPTS.replace("    answer: So.\n", ""), r":12: `answer:` is missing"),
    ("quiz", "questions: []\n", r":11: `questions:` is not known here"),
]


@pytest.mark.parametrize(("name", "body", "problem"), MISTAKES)
def test_a_mistake_is_told_with_file_and_line(name, body, problem):
    with pytest.raises(LessonError, match=f"^{HERE}{problem}") as caught:
        parse(name, body)
    assert "\n" not in str(caught.value)


# ---- the quiz -----------------------------------------------------------------------------

CHOOSE = "  - question: Which?\n    " + CHOICES.replace("\n", "\n    ").rstrip() + "\n"
NUMBER = """  - question: How many?
    number: 8
    reply: Yes.
    mistakes:
      - number: 64
        reply: Its root.
    otherwise: No.
"""
QUIZ = "questions:\n" + CHOOSE * 4 + NUMBER * 4


@pytest.fixture
def quiz(tmp_path):
    def write(text):
        (tmp_path / "quiz.yaml").write_text(text, "utf-8")
        return parse("quiz", "", tmp_path)

    return write


def test_a_quiz_is_read_from_its_file(quiz):
    activity = quiz(QUIZ)
    mistakes = [{"number": 64, "tolerance": 0}]
    assert activity.config()["questions"][::7] == [{"right": 1}, {"number": 8, "tolerance": 0, "mistakes": mistakes}]
    html = render_activity(activity, "a1")
    assert html.count("<fieldset data-question") == 8 and "Question 8 of 8." in html


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("questions:\n" + CHOOSE, r":2: `questions:` needs a list of at least 8; 1 came"),
        (QUIZ + "more: x\n", r":\d+: `more:` is not known here"),
        (QUIZ.replace("number: 8", "number: eight", 1), r":31: `number:` needs a number such as .*'eight' came"),
        (QUIZ.replace("    otherwise: No.\n", "", 1), r":30: `otherwise:` is missing"),
        (QUIZ.replace("number: 8", "number: 8\n    tolerance: -1", 1), r":30: `tolerance:` needs 0 or more; -1 came"),
        (QUIZ.replace("number: 8", "number: 8\n    tolerance: 60", 1), r":30: the mistake 64 is within the tolerance"),
        ("questions: {", r":\d: this is no YAML"),
    ],
)
def test_a_mistake_in_a_quiz_is_told_with_file_and_line(text, problem, quiz, tmp_path):
    with pytest.raises(LessonError, match=f"^{re.escape(str(tmp_path))}/quiz.yaml{problem}") as caught:
        quiz(text)
    assert "\n" not in str(caught.value)


def test_a_quiz_that_cannot_be_read_is_told(tmp_path):
    with pytest.raises(LessonError, match=r"quiz.yaml:1: the quiz cannot be read .* Put a quiz.yaml beside lesson.md"):
        parse("quiz", "", tmp_path)
    (tmp_path / "quiz.yaml").write_bytes(b"\xff\xfe")
    with pytest.raises(LessonError, match="not UTF-8"):
        parse("quiz", "", tmp_path)


def test_the_lessons_quiz_has_ten_questions_with_a_reply_to_every_answer():
    questions = parse("quiz", "").questions
    assert len(questions) == 10
    for question in questions:
        replies = [question.reply, question.otherwise] if hasattr(question, "number") else []
        replies += [choice.reply for choice in getattr(question, "choices", question)] if not replies else []
        assert len(set(replies)) == len(replies) >= 2


def test_the_progress_block_names_the_lesson():
    config = json.loads(re.search(r"data-config>(.*?)</script>", render_progress("05-x"))[1])
    assert config["slug"] == "05-x" and "progress.unsaved" in config["words"]


@pytest.mark.parametrize("folder", ["no/such/folder", "app"])
def test_serving_a_folder_without_lessons_is_a_mistake(folder, capsys):
    assert main(["serve", "--port", "0", "--lessons", folder]) == 2
    assert f"--lessons {folder} holds no lesson. Name a folder" in capsys.readouterr().err
