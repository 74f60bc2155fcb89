"""Answers stay in the learner's browser: saved, cleared, or neither where storage is blocked; and the page's layout."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from doing_page import KEY, RIGHT, Doing
from playwright.sync_api import expect

NOWHERE = "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no', 'SecurityError'); } })"


def do_all(doing):
    doing.answer_quiz(*RIGHT)
    prompt = doing.part("interview").locator("[data-prompt]").first
    prompt.get_by_label("Your answer").fill("Because")
    prompt.get_by_text("Show the answer").click()
    prompt.get_by_label("I knew it").check()
    return prompt


def test_answers_are_kept_and_cleared_when_asked_twice(doing):
    page = doing.page
    prompt = do_all(doing)
    expect(doing.part("interview").get_by_role("status")).to_have_text("1 of 2 known so far.")
    page.reload()
    doing.ready()
    expect(prompt.get_by_label("Your answer")).to_have_value("Because")
    expect(prompt.get_by_label("I knew it")).to_be_checked()
    expect(doing.score()).to_contain_text("8 of 8 right.")
    assert doing.kept().keys() == {"quiz-1", "interview-1"}

    start_over = page.get_by_role("button", name="Start over")
    start_over.click()
    expect(page.get_by_role("button", name="Keep them")).to_be_focused()
    doing.press("Escape")
    expect(start_over).to_be_focused()
    assert doing.kept()
    doing.press("Enter")
    doing.press("Shift+Tab")
    doing.press("Enter")
    expect(start_over).to_be_focused()
    expect(doing.progress.get_by_role("status")).to_have_text("Cleared. You start afresh.")
    expect(prompt.get_by_label("Your answer")).to_have_value("")
    expect(prompt.get_by_text("The variance is")).to_be_hidden()
    expect(doing.score()).to_have_text("")
    expect(doing.progress).to_contain_text("Quiz: not graded yet.")
    assert doing.kept() is None


SPOILT = [
    *("{", "[]", "null", '{"quiz-1": 5, "interview-1": {}, "predict-1": "x", "checkpoint-1": 0}'),
    '{"quiz-1": null, "checkpoint-1": null, "predict-1": {"toString": 1}}',
    '{"interview-1": [null, {"mark": {"toString": 1}}], "checkpoint-1": {"answer": {"toString": 1}}}',
]


def test_what_somebody_else_left_in_the_store_does_no_harm(doing):
    doing.page.evaluate("""localStorage.setItem("attention-lessons/settings", '{"theme": {"toString": 1}}')""")
    for kept in SPOILT:
        doing.page.evaluate(f"kept => localStorage.setItem('{KEY}', kept)", kept)
        doing.page.reload()
        doing.ready()
        expect(doing.score()).to_have_text("")
        doing.answer_quiz(*RIGHT)
        expect(doing.score()).to_contain_text("8 of 8 right.")
        assert doing.kept()["quiz-1"]["right"] == 8, kept


@pytest.mark.parametrize("blocked", [NOWHERE, "Storage.prototype.setItem = () => { throw new Error('full'); }"])
def test_with_storage_blocked_all_works_unsaved(blocked, new_context, lessons_url):
    context = new_context()
    context.add_init_script(blocked)
    doing = Doing(context.new_page(), lessons_url)
    prompt = do_all(doing)
    expect(doing.score()).to_contain_text("8 of 8 right.")
    expect(prompt.get_by_text("The variance is")).to_be_visible()
    expect(doing.progress).to_contain_text("This browser keeps nothing for this page")
    doing.page.get_by_role("button", name="Start over").click()
    doing.page.get_by_role("button", name="Clear them").click()
    expect(doing.score()).to_have_text("")


@pytest.mark.parametrize(("theme", "width"), [("light", 1280), ("dark", 320)])
def test_axe_finds_nothing_and_nothing_scrolls_sideways(theme, width, page, lessons_url):
    page.emulate_media(color_scheme=theme)
    page.set_viewport_size({"width": width, "height": 800})
    doing = Doing(page, lessons_url)
    doing.answer_quiz(0, 1, 0, 1, "8", "0.6", "x", None)
    doing.part("predict").get_by_label("It stays.").check()
    page.get_by_role("button", name="See what happens").click()
    doing.part("checklist").get_by_role("link", name="Break it").nth(2).click()
    for summary in doing.part("interview").get_by_text("Show the answer").all():
        summary.click()
    page.get_by_role("button", name="Start over").click()
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_what_is_written_before_the_module_is_there_stays(page, lessons_url):
    held = []
    page.route("**/static/lesson.*.mjs", lambda route: held.append(route))
    with page.expect_request("**/static/lesson.*.mjs"):
        page.goto(f"{lessons_url}/lessons/01-doing", wait_until="commit")
    own = page.locator("[data-prompt] textarea").first
    own.fill("Early words.")
    with page.expect_response("**/static/lesson.*.mjs"):
        held.pop().continue_()
    expect(page.locator("[data-lesson] [data-done]")).not_to_be_empty()
    expect(own).to_have_value("Early words.")
