"""What browsers and learning platforms give back of a lesson's answers, spoilt in every way: the lesson still works."""

import json
from pathlib import Path

from doing_page import KEY, RIGHT, Doing
from fuzz import NUMBERS, WORDS, fuzz
from fuzz_page import Values, answers_keys
from hypothesis import strategies as st
from playwright.sync_api import expect

SEEDS = {"shrink": False, "seed": st.integers(0, 2**32)}
KEPT = """async (cases) => {
  const { choice_module, quiz_module, interview_module, checkpoint_module } = await import("lesson");
  const modules = { quiz: quiz_module.startQuiz, interview: interview_module.startInterview };
  modules.checkpoint = checkpoint_module.startCheckpoint;
  modules.predict = (activity) => choice_module.startPredict(activity, () => {});
  for (const [kind, kept] of JSON.parse(cases)) {
    const el = document.querySelector(`[data-activity="${kind}"]`).cloneNode(true);
    const config = JSON.parse(el.querySelector("[data-config]").textContent);
    const activity = modules[kind]({ el, config, kept, keep() {} });
    for (const told of [activity.tasks?.(), activity.score?.()]) JSON.stringify(told);
    activity.show(kept); // as another tab has it
    activity.show();
  }
}"""
REPLIES = """async (answers) => {
  const { replyTo } = (await import("lesson")).quiz_module;
  const questions = JSON.parse(document.querySelector('[data-activity="quiz"] [data-config]').textContent).questions;
  return questions.filter(({ right }) => right === undefined).flatMap((question) =>
    answers.map((answer) => [question.mistakes.length, replyTo(question, answer.trim())]));
}"""


def spoilt(values):
    """What the lesson's key may hold after somebody else wrote there."""
    names = ["quiz-1", "interview-1", "predict-1", "checkpoint-1", "__proto__"]
    whole = values.rng.choice([{name: values.value() for name in names}, values.value(), values.value()])
    text = json.dumps(whole)
    return text if values.rng.random() < 0.7 else text[: values.rng.randrange(len(text) + 1)] + values.text()


@fuzz(1, each=402, **SEEDS)
def test_a_spoilt_store_does_no_harm(watch, page, lessons_url, seed):
    values = Values(seed)
    doing = Doing(page, lessons_url)
    kinds = ["quiz", "interview", "predict", "checkpoint"]
    page.evaluate(KEPT, json.dumps([[values.rng.choice(kinds), values.value()] for _ in range(300)]))
    for count, reply in page.evaluate(REPLIES, [values.text() for _ in range(100)] + NUMBERS + WORDS):
        assert reply in ("right", "otherwise", "unreadable", "unanswered") or 0 <= reply < count
    for _ in range(2):
        stored = {KEY: spoilt(values), "attention-lessons/settings": spoilt(values), values.text()[:99]: values.text()}
        page.evaluate(
            "stored => Object.entries(stored).forEach(([key, text]) => localStorage.setItem(key, text))", stored
        )
        page.reload()
        doing.ready()
        expect(doing.progress).to_contain_text("Start over")
        doing.answer_quiz(*RIGHT)
        expect(doing.score()).to_contain_text("8 of 8 right.")
        assert doing.kept()["quiz-1"]["right"] == 8
        answers_keys(doing)


PLATFORM = """async ([source, cases]) => {
  const kept = [];
  for (const [version, values, own] of cases) {
    const answer = (name) => values[name] ?? "";
    const put = {};
    const yes = () => "true";
    const calls = { Initialize: yes, GetValue: answer, Commit: yes, Terminate: yes, Finish: yes };
    calls.SetValue = (name, text) => ((put[name] = text), "true");
    const prefix = version === "1.2" ? "LMS" : "";
    const named = Object.entries(calls).map(([name, call]) => [prefix + name, call]);
    window[prefix ? "API" : "API_1484_11"] = Object.fromEntries(named);
    delete globalThis.lessonStorage;
    const script = Object.assign(document.createElement("script"), { textContent: source });
    script.dataset.version = version;
    document.head.append(script);
    const found = lessonStorage.getItem("attention-lessons/x");
    lessonStorage.setItem("attention-lessons/x", own);
    dispatchEvent(new CustomEvent("lesson-progress", { detail: { checkpoint: null, quiz: { right: 1, count: 8 } } }));
    kept.push([found, lessonStorage.getItem("attention-lessons/x"), put, lessonStorage.kept]);
    dispatchEvent(new Event("pagehide"));
  }
  return kept;
}"""


@fuzz(1, each=150, **SEEDS)
def test_a_platform_that_gives_anything_back_breaks_no_lesson(watch, page, app_url, seed):
    source = (Path(__file__).parents[2] / "app" / "static" / "scorm.js").read_text("utf-8")
    values, cases = Values(seed), []
    for _ in range(150):
        old = values.rng.random() < 0.5
        core = "cmi.core." if old else "cmi."
        given = {
            "cmi.suspend_data": spoilt(values)
            if values.rng.random() < 0.8
            else json.dumps({"attention-lessons/x": values.value()})
        }
        for name in (
            "lesson_status",
            "completion_status",
            "lesson_location",
            "location",
            "lesson_mode",
            "mode",
            "score.raw",
        ):
            given[core + name] = values.rng.choice(["", "normal", "completed", "NaN", "1e999", values.text()])
        cases.append(
            ["1.2" if old else "2004", given, json.dumps({"interview-1": values.value(), "quiz-1": values.value()})]
        )
    page.set_content("<!DOCTYPE html><title>Lesson</title>")
    for (version, _, own), (found, kept, put, how) in zip(cases, page.evaluate(PLATFORM, [source, cases]), strict=True):
        if found is not None:
            json.loads(found)  # whatever it says, the lesson can read it
        assert json.loads(kept) == json.loads(own)
        assert how in ("all", "short", "refused")
        assert len(put.get("cmi.suspend_data", "").encode("utf-16-le")) // 2 <= (4096 if version == "1.2" else 64000)
