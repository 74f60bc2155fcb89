"""One lesson in two tabs: neither takes the other's answers away. And a browser whose store is full."""

import pytest
from doing_page import KEY, RIGHT, Doing
from playwright.sync_api import expect

# Until not one more letter fits.
FILL = """() => {
  for (let size = 2 ** 22; size >= 1; size = Math.floor(size / 2)) {
    for (;;) {
      try {
        localStorage.setItem("fill", (localStorage.getItem("fill") ?? "") + "x".repeat(size));
      } catch {
        break;
      }
    }
  }
}"""


def run(doing, *, scaled):
    """What a task of the checkpoint asks for."""
    if (doing.scale.get_attribute("aria-pressed") == "true") != scaled:
        doing.scale.click()
    doing.slider.press("Home")
    doing.slider.press("End")


@pytest.fixture
def other(page, doing, lessons_url):
    return Doing(page.context.new_page(), lessons_url)


def test_both_tabs_keep_and_show_what_was_done_in_either(doing, other):
    prompt = other.part("interview").locator("[data-prompt]").first
    doing.answer_quiz(*RIGHT)
    prompt.get_by_label("Your answer").fill("Because")
    prompt.get_by_text("Show the answer").click()
    expect(other.score()).to_contain_text("8 of 8 right.")
    expect(doing.part("interview").get_by_label("Your answer").first).to_have_value("Because")
    run(doing, scaled=False)
    expect(other.part("checkpoint").locator("[data-task]").first).to_have_attribute("data-mark", "done")
    run(other, scaled=True)
    expect(doing.part("checkpoint").locator('[data-mark="done"]')).to_have_count(2)
    expect(doing.progress).to_have_text(other.progress.inner_text(), use_inner_text=True)
    kept = doing.kept()
    assert kept.keys() == {"quiz-1", "interview-1", "checkpoint-1"}
    assert kept["checkpoint-1"]["done"] == [True, True]

    doing.page.get_by_role("button", name="Start over").click()
    doing.page.get_by_role("button", name="Clear them").click()
    expect(other.score()).to_have_text("")
    expect(other.part("checkpoint").locator('[data-mark="done"]')).to_have_count(0)
    other.part("quiz").get_by_role("radio").first.check()
    assert other.kept().keys() == {"quiz-1"}


def test_a_full_store_is_told_and_nothing_else_stops(doing):
    doing.page.evaluate(FILL)
    doing.answer_quiz(*RIGHT)
    expect(doing.score()).to_contain_text("8 of 8 right.")
    expect(doing.progress).to_contain_text("This browser keeps nothing for this page")
    doing.page.get_by_label("Colours", exact=True).select_option("dark")
    run(doing, scaled=False)
    expect(doing.part("checkpoint").locator("[data-task]").first).to_have_attribute("data-mark", "done")
    assert doing.page.evaluate(f"localStorage.getItem('{KEY}')") is None
