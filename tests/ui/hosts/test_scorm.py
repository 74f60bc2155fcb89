"""A lesson in a learning platform: what a real SCORM run-time is told, and what comes back the next time."""

import json
import re

import pytest
import yaml
from doing_page import KEY, RIGHT
from playwright.sync_api import expect
from scorm_page import DOING, NOT_KEPT, Placed

from app.lessons import LESSONS, load_lesson
from app.scorm import VERSIONS, scorm_package

pytestmark = pytest.mark.hosts

REAL = LESSONS / "05_trainable_attention"
HALF = (*RIGHT[:4], None, None, None, None)


@pytest.fixture
def launch(page, platform):
    """Open the package in the platform, as it was left."""

    def launch(version="1.2", stored=None, name=None):
        page.goto(platform.host(version, f"/{name or version}/index.html", stored))
        return Placed(page)

    return launch


def told(page, version):
    """Status, exit and score as the run-time has them now."""
    names = ["core.lesson_status", "core.exit", "core.score.raw"]
    if version == "2004":
        names = ["completion_status", "success_status", "exit", "score.raw"]
    # An exit cannot be read: the last that was written.
    read = """names => names.map(name => name.endsWith("exit")
      ? calls.findLast(([call, element]) => call === "SetValue" && element === `cmi.${name}`).at(2)
      : name.split(".").reduce((at, part) => at[part], api.cmi))"""
    return page.evaluate(read, names)


def prompt_of(lesson, number=0):
    return lesson.part("interview").get_by_label("Your answer").nth(number)


def by_version(version, old, new):
    return old if version == "1.2" else new


@pytest.mark.parametrize("version", VERSIONS)
def test_a_lesson_tells_status_and_score_and_comes_back_as_it_was(version, launch, page, platform):
    lesson = launch(version)
    expect(lesson.progress).to_contain_text("Your learning platform keeps your answers.")
    assert told(page, version) == by_version(
        version, ["incomplete", "suspend", ""], ["incomplete", "unknown", "suspend", ""]
    )
    lesson.answer_quiz(*HALF)
    expect(lesson.score()).to_contain_text("4 of 8 right.")
    assert told(page, version) == by_version(
        version, ["incomplete", "suspend", "50"], ["incomplete", "unknown", "suspend", "50"]
    )
    lesson.do_checkpoint()
    assert told(page, version) == by_version(
        version, ["completed", "suspend", "50"], ["completed", "failed", "suspend", "50"]
    )
    lesson.answer_quiz(*RIGHT)
    prompt = lesson.part("interview").locator("[data-prompt]").first
    prompt.get_by_label("Your answer").fill("Because ✓ “of” <it>")
    prompt.get_by_text("Show the answer").click()
    reached = by_version(version, ["passed", "", "100"], ["completed", "passed", "normal", "100"])
    assert told(page, version) == reached
    lesson.answer_quiz(0, *RIGHT[1:])  # what was reached stays
    assert told(page, version) == reached
    stored = platform.close(lesson)
    calls = page.evaluate("calls")

    assert [call[0] for call in calls if call[0] in ("Initialize", "Finish", "Terminate")] == [
        "Initialize",
        by_version(version, "Finish", "Terminate"),
    ]
    assert calls[-1][0] in ("Finish", "Terminate")
    assert not [call for call in calls if call[0] != "GetValue" and call[-1] != "true"]
    assert not [call for call in calls if "student" in str(call[1]) or "learner" in str(call[1])]
    core = stored["core"] if version == "1.2" else stored
    wanted = {"raw": "100", "min": "0", "max": "100"} | by_version(version, {}, {"scaled": "1"})
    assert core["score"] == wanted
    assert core[by_version(version, "lesson_location", "location")] == "quiz"
    assert core["total_time"] not in ("", "00:00:00", "PT0S")

    lesson = launch(version, stored)
    expect(lesson.score()).to_contain_text("7 of 8 right.")
    expect(lesson.progress).to_contain_text("Checkpoint: 2 of 2 tasks done.")
    expect(prompt_of(lesson)).to_have_value("Because ✓ “of” <it>")
    expect(lesson.page.get_by_role("heading", name="Quiz")).to_be_in_viewport()
    assert page.evaluate("scrollY") == 0
    lesson.press("Tab")
    assert told(page, version) == reached
    assert page.evaluate("localStorage.length") == 0


@pytest.mark.parametrize("version", VERSIONS)
def test_the_lesson_itself_is_finished_in_a_platform(version, launch, page, platform):
    platform.upload("real", scorm_package(load_lesson(REAL), version))
    lesson = launch(version, name="real")
    lesson.do_checkpoint()
    questions = yaml.safe_load((REAL / "quiz.yaml").read_text("utf-8"))["questions"]
    rights = [[choice.get("right", False) for choice in question.get("choices", [])] for question in questions]
    answers = [
        right.index(True) if right else f"{question['number']:g}"
        for right, question in zip(rights, questions, strict=True)
    ]
    answers[0] = None
    lesson.answer_quiz(*answers)
    expect(lesson.score()).to_contain_text(f"{len(answers) - 1} of {len(answers)} right.")
    percent = f"{100 * (len(answers) - 1) / len(answers):.2f}".rstrip("0").rstrip(".")
    reached = by_version(version, ["passed", "", percent], ["completed", "passed", "normal", percent])
    assert told(page, version) == reached
    lesson = launch(version, platform.close(lesson), name="real")
    expect(lesson.score()).to_contain_text(f"{len(answers) - 1} of {len(answers)} right.")
    expect(lesson.progress).to_contain_text("Checkpoint: 2 of 2 tasks done.")
    assert told(page, version) == reached
    # A table that the file holds, for another draw than the lesson's.
    lesson.root.get_by_label("Sentence and draw").select_option("dog bites dog · seed 5108")
    expect(lesson.table.get_by_role("rowheader", name="bites")).to_be_visible()


def test_it_is_kept_while_the_learner_works_and_when_the_page_is_hidden(launch, page, platform):
    lesson = launch()
    lesson.answer_quiz(*HALF)
    last = "(find => calls.findLastIndex(find))"
    page.wait_for_function(f"{last}(([name]) => name === 'Commit') > {last}(call => call[1] === 'cmi.suspend_data')")
    answers = json.loads(platform.stored["suspend_data"])[KEY]["quiz-1"]["answers"]
    assert answers == ["1", "1", "1", "1", "", "", "", ""]
    lesson.answer_quiz(*RIGHT)
    lesson.page.evaluate(
        "() => { Object.defineProperty(document, 'hidden', { value: true });"
        " document.dispatchEvent(new Event('visibilitychange')); }"
    )
    assert platform.stored["core"]["score"]["raw"] == "100"


def test_the_longest_own_text_gives_way_to_the_answers(launch, page, platform):
    lesson = launch()
    lesson.answer_quiz(*RIGHT)
    for number, text in enumerate(("long “one” " * 300, "short one " * 200)):
        prompt_of(lesson, number).fill(text)
        prompt_of(lesson, number).blur()
    expect(lesson.progress).to_contain_text("except your longest own text, for which it has no room.")
    stored = platform.close(lesson)
    kept = stored["suspend_data"]
    assert len(kept) <= 4096
    assert [prompt.get("own") for prompt in json.loads(kept)[KEY]["interview-1"]] == [None, "short one " * 200]
    lesson = launch("1.2", stored)
    expect(lesson.score()).to_contain_text("8 of 8 right.")
    expect(prompt_of(lesson, 0)).to_have_value("")
    expect(prompt_of(lesson, 1)).to_have_value("short one " * 200)
    prompt_of(lesson, 1).fill("brief")
    prompt_of(lesson, 1).blur()
    expect(lesson.progress).to_contain_text("Your learning platform keeps your answers.")

    lesson.page.get_by_role("button", name="Start over").click()
    lesson.page.get_by_role("button", name="Clear them").click()
    assert page.evaluate("[api.cmi.suspend_data, api.cmi.core.score.raw]") == ["{}", "100"]


@pytest.mark.parametrize(
    ("version", "without", "at_first", "at_last"),
    [
        ("1.2", ["quiz"], ["incomplete", "suspend", ""], ["completed", "", ""]),
        ("2004", ["quiz"], ["incomplete", "unknown", "suspend", ""], ["completed", "unknown", "normal", ""]),
        ("2004", ["checkpoint"], ["incomplete", "unknown", "suspend", ""], ["completed", "passed", "normal", "100"]),
        ("1.2", ["quiz", "checkpoint"], ["completed", "", ""], ["completed", "", ""]),
    ],
)
def test_what_a_lesson_has_counts(version, without, at_first, at_last, launch, page, platform, tmp_path):
    text = (DOING / "lesson.md").read_text("utf-8")
    for kind in without:
        text = re.sub(rf"^:::{{{kind}}}.*?^:::$", "", text, flags=re.MULTILINE | re.DOTALL)
    (tmp_path / "lesson.md").write_text(text, "utf-8")
    (tmp_path / "quiz.yaml").write_bytes((DOING / "quiz.yaml").read_bytes())
    platform.upload("part", scorm_package(load_lesson(tmp_path), version))
    lesson = launch(version, name="part")
    assert told(page, version) == at_first
    if "quiz" not in without:
        lesson.answer_quiz(*RIGHT)
        expect(lesson.score()).to_contain_text("8 of 8 right.")
    if "checkpoint" not in without:
        lesson.do_checkpoint()
    assert told(page, version) == at_last


@pytest.mark.parametrize("version", VERSIONS)
def test_somebody_who_only_looks_changes_nothing(version, launch, page, platform):
    mode = {"core": {"lesson_mode": "review"}} if version == "1.2" else {"mode": "review"}
    lesson = launch(version, mode)
    expect(lesson.progress).to_contain_text(NOT_KEPT)
    lesson.answer_quiz(*RIGHT)
    expect(lesson.score()).to_contain_text("8 of 8 right.")
    platform.close(lesson)
    names = page.evaluate("calls.map(([name]) => name)")
    assert set(names) == {"Initialize", "GetValue", by_version(version, "Finish", "Terminate")}
