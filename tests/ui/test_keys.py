"""Everything by keys: the checkpoint and the quiz without a pointer, shortcuts, and how to be rid of them."""

import re

import pytest
import yaml
from lab_page import EMBED, LESSON_PAGE, LabPage
from playwright.sync_api import expect

from app.lessons import LESSONS

# Focused by Tab or by a key of ours, never by script; a pointer would be noticed.
NO_POINTER = "addEventListener('pointerdown', () => { throw new Error('a pointer was used'); }, true)"
FOCUSED = "element => element === document.activeElement"


def tab_to(page, target, most=200):
    for _ in range(most):
        if target.evaluate(FOCUSED):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{target} is not reached by {most} tabs")


def to_section(page, name):
    """Through the contents, as a reader would."""
    page.keyboard.press("Control+Home")
    page.evaluate("document.activeElement.blur()")
    tab_to(page, page.locator("[data-contents] summary"), 8)
    page.keyboard.press("Enter")
    tab_to(page, page.locator("[data-contents]").get_by_role("link", name=name))
    page.keyboard.press("Enter")


def test_the_checkpoint_and_the_quiz_are_done_without_a_pointer(page, app_url):
    page.add_init_script(NO_POINTER)
    lab = LabPage(page, app_url).open(LESSON_PAGE)
    to_section(page, "5 · Watch the scale")
    tab_to(page, lab.slider)
    for _ in range(2):
        page.keyboard.press("s")  # off, then on again
        page.keyboard.press("Home")
        lab.press("PageUp", 12)
        page.keyboard.press("End")
    tasks = page.locator("[data-task]")
    expect(tasks.nth(0)).to_have_attribute("data-mark", "done")
    expect(tasks.nth(1)).to_have_attribute("data-mark", "done")
    checkpoint = page.locator('[data-activity="checkpoint"]')
    tab_to(page, checkpoint.get_by_role("radio").first)
    lab.press("ArrowDown")
    tab_to(page, checkpoint.get_by_role("button", name="Answer"), 6)
    page.keyboard.press("Enter")
    expect(checkpoint.locator("[data-reply] .verdict")).to_have_attribute("data-right", "1")

    questions = yaml.safe_load((LESSONS / "05_trainable_attention/quiz.yaml").read_text("utf-8"))["questions"]
    quiz = page.locator('[data-activity="quiz"]')
    for number, question in enumerate(questions):
        place = quiz.locator("[data-question]").nth(number)
        if "choices" in question:
            tab_to(page, place.get_by_role("radio").first, 400)
            page.keyboard.press("Space")
            right = next(i for i, choice in enumerate(question["choices"]) if choice.get("right"))
            lab.press("ArrowDown", right)
        else:
            tab_to(page, place.get_by_role("textbox"), 60)
            page.keyboard.type(str(question["number"]))
    tab_to(page, quiz.get_by_role("button", name="Grade my answers"), 40)
    page.keyboard.press("Enter")
    expect(quiz.locator("[data-score]")).to_contain_text(re.compile(r"^(\d+) of \1 right"))


@pytest.fixture
def lab(page, app_url):
    return LabPage(page, app_url)


def test_the_help_lists_the_keys_and_gives_the_focus_back(lab):
    lab.open(EMBED)
    lab.slider.focus()
    lab.press("?")
    dialog = lab.page.get_by_role("dialog", name="What the keys do")
    expect(dialog).to_be_visible()
    expect(dialog.get_by_role("checkbox")).to_have_count(6)
    lab.press("s")  # nothing behind it moves
    expect(lab.scale).to_have_attribute("aria-pressed", "true")
    lab.press("Escape")
    expect(dialog).to_be_hidden()
    expect(lab.slider).to_be_focused()


def test_a_shortcut_can_be_switched_off_for_good(lab):
    lab.open(EMBED)
    lab.slider.focus()
    lab.press("s")
    expect(lab.scale).to_have_attribute("aria-pressed", "false")
    lab.press("?")
    box = lab.page.get_by_role("checkbox", name="÷√d_k on or off")
    tab_to(lab.page, box, 20)
    lab.press("Space")
    lab.press("Escape")
    lab.press("s")
    expect(lab.scale).to_have_attribute("aria-pressed", "false")
    lab.page.reload()
    lab.ready()
    lab.slider.focus()
    pressed = lab.scale.get_attribute("aria-pressed")
    lab.press("s")
    expect(lab.scale).to_have_attribute("aria-pressed", pressed)


def test_typing_is_no_shortcut(lab):
    lab.open(EMBED)
    lab.sentence.fill("")
    lab.sentence.focus()
    lab.page.keyboard.type("ants bit pets?")
    expect(lab.sentence).to_have_value("ants bit pets?")
    expect(lab.scale).to_have_attribute("aria-pressed", "true")
    expect(lab.page.get_by_role("dialog")).to_have_count(0)
    lab.slider.focus()
    lab.press("Control+s")
    expect(lab.scale).to_have_attribute("aria-pressed", "true")


def test_keys_lead_from_figure_to_figure_and_play_the_race(lab):
    lab.open(LESSON_PAGE)
    page = lab.page
    page.locator("#training-race").scroll_into_view_if_needed()
    race = page.locator('[data-mount="training-race"]')
    expect(race).to_have_attribute("data-ready", "canvas")
    race.locator('input[name="step"]').focus()
    lab.press("End")
    expect(race.locator('[data-text="step-value"]')).to_contain_text("300")
    lab.press("p")
    expect(race.locator('[data-action="play"]')).to_have_attribute("aria-pressed", "true")
    lab.press("p")
    expect(race.locator('[data-action="play"]')).to_have_attribute("aria-pressed", "false")
    lab.press("n")
    expect(page.locator('[data-mount="trained-head"] [data-control]').first).to_be_focused()
    lab.press("b")
    expect(race.locator('input[name="step"]')).to_be_focused()
    lab.press("s")
    expect(page.locator("[data-keys-said]")).to_have_text("No figure here has that.")
