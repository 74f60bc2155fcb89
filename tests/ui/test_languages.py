"""Every page in languages that nobody speaks: twice as long, from right to left, full of markup; and in German."""

import json
import re

import pytest
from lab_page import LabPage
from layout import CUT, SETTLED, WIDER
from playwright.sync_api import expect
from pseudo import DOUBLE, MARKUP, PSEUDO, RIGHT_TO_LEFT, write_pseudo

from app.figures import FIGURES
from widgets.words import catalogue

LESSON = "/lessons/05-trainable-attention"
WIDTHS = (1280, 390)
GERMAN = catalogue("de")

# Elements that a string made.
MADE = (
    """() => [...document.querySelectorAll("b")].map((el) => el.textContent).filter((text) => text.startsWith("&"))"""
)
# Names and texts that were escaped once too often.
ESCAPED = """() => {
  const names = [...document.querySelectorAll("[aria-label]")].map((el) => el.ariaLabel);
  const texts = [document.title, document.body.innerText, ...names];
  return texts.flatMap((text) => text.match(/&(amp|lt|gt|quot|#\\d+);/g) ?? []);
}"""


@pytest.fixture(scope="module")
def url(app_server, tmp_path_factory):
    with app_server("--words", str(write_pseudo(tmp_path_factory.mktemp("words")))) as server:
        yield server.url


def look(page, lang):
    """What is wrong with a page, at each width."""
    wrong = []
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        page.evaluate(SETTLED)
        if page.evaluate(WIDER) > 0:
            wrong.append(f"{width}: {page.evaluate(WIDER)} px too wide")
        wrong += [f"{width}: cut off: {text}" for text in page.evaluate(CUT)]
    wrong += [f"made of a string: {text}" for text in page.evaluate(MADE)]
    wrong += [f"escaped twice: {text}" for text in page.evaluate(ESCAPED)]
    expect(page.locator("html")).to_have_attribute("lang", lang)
    expect(page.locator("html")).to_have_attribute("dir", PSEUDO[lang][1])
    return wrong


@pytest.mark.parametrize("lang", PSEUDO)
def test_every_figure_and_page(page, url, lang):
    wrong = {}
    for path in ("/", "/embed", *(f"/embed/{name}" for name in FIGURES)):
        page.goto(f"{url}{path}?lang={lang}")
        if path.startswith("/embed/"):
            expect(page.locator('[data-ready="canvas"]')).to_be_attached()
        if found := look(page, lang):
            wrong[path] = found
    assert not wrong, json.dumps(wrong, indent=1, ensure_ascii=False)


@pytest.mark.parametrize("lang", PSEUDO)
def test_the_lesson(page, url, lang):
    page.goto(f"{url}{LESSON}?lang={lang}")
    for figure in page.locator("[data-mount]").all():
        figure.scroll_into_view_if_needed()
        expect(figure).to_have_attribute("data-ready", re.compile("controls|canvas"))
    assert not look(page, lang)
    # The text is not translated, and says so; what learners use is, and says that.
    expect(page.locator("main")).to_have_attribute("lang", "en")
    expect(page.locator("main")).to_have_attribute("dir", "ltr")
    assert page.locator("main > p:not([lang])").count() > 20
    for part in ("figure", ".activity", ".contents", ".around"):
        for element in page.locator(part).all():
            expect(element).to_have_attribute("lang", lang)
            expect(element).to_have_attribute("dir", PSEUDO[lang][1])


def test_plots_sliders_and_tables_run_left_to_right_on_a_page_that_runs_the_other_way(page, url):
    page.set_viewport_size({"width": 1280, "height": 900})
    lab = LabPage(page, url).open(f"/embed/attention-lab?lang={RIGHT_TO_LEFT}", canvas=True)
    picture, drive = (lab.root.locator(f".lab-{part}").bounding_box() for part in ("picture", "drive"))
    assert picture["x"] > drive["x"] + drive["width"], "the picture comes first, and so at the right"
    for piece in (".canvas", 'input[type="range"]', "table"):
        assert lab.root.locator(piece).first.evaluate("el => getComputedStyle(el).direction") == "ltr"
    first, last = lab.root.locator('[data-table="weights"] thead th').nth(1), lab.root.locator("thead th").last
    assert first.bounding_box()["x"] < last.bounding_box()["x"]
    slider = lab.root.locator('input[name="d_k"]')
    slider.press("ArrowRight")
    expect(slider).to_have_value("9")


def test_what_is_typed_and_told_is_text_in_a_language_full_of_markup(page, url):
    lab = LabPage(page, url).open(f"/embed/attention-lab?lang={MARKUP}&d_k=<i>&hide=<b>x", canvas=True)
    notice = page.locator('[data-notice="link"]')
    expect(notice).to_contain_text("d_k=<i>")
    lab.root.locator('[name="text"]').fill("one")
    lab.root.locator('[data-form="text"] button').click()
    expect(lab.root.locator('[data-message="text"]')).to_contain_text("<b>&\"'The sentence has 1 word.</b>")
    lab.root.locator('[name="text"]').fill("dog bites dog")
    lab.root.locator('[data-form="text"] button').click()
    expect(lab.root.locator("thead th").first).to_have_text(re.compile("^<b>&\"'"))
    assert not page.evaluate(MADE)


def test_the_browser_chooses_and_a_link_wins(page, url, new_context):
    german = new_context(locale="de-AT").new_page()
    german.goto(f"{url}/embed/memory-wall")
    expect(german.locator("html")).to_have_attribute("lang", "de")
    expect(german.locator("figcaption")).to_contain_text(GERMAN["memory-wall.title"])
    german.goto(f"{url}/embed/memory-wall?lang=en")
    expect(german.locator("html")).to_have_attribute("lang", "en")
    german.goto(f"{url}/embed/memory-wall?lang=xx")
    expect(german.locator("html")).to_have_attribute("lang", "en")
    notice = german.locator('[data-notice="link"]')
    expect(notice).to_contain_text(f"lang=xx was ignored and en used. Allowed: en, de, {', '.join(PSEUDO)}.")


def test_an_own_sentence_in_german_keeps_the_words_of_its_table(page, url):
    lab = LabPage(page, url).open("/embed/attention-lab?lang=de", canvas=True)
    expect(page).to_have_title(f"{GERMAN['attention-lab.title']} · Attention Lessons")
    field = lab.root.locator('[name="text"]')
    field.fill("nur")
    field.press("Enter")
    told = f"Der Satz hat 1 Wort. Erlaubt: {GERMAN['allowed.text']}."
    expect(lab.root.locator('[data-message="text"]')).to_have_text(told)
    field.fill("der Hund beißt den Hund")
    field.press("Enter")
    expect(lab.root.locator("tbody tr")).to_have_count(5)
    corner, *_, total = lab.root.locator("thead th").all()
    expect(corner).to_have_text(GERMAN["table.corner"])
    expect(total).to_have_text(GERMAN["table.sum"])
    page.wait_for_url("**lang=de**")


def test_the_menu_leads_to_the_same_state_and_links_keep_the_language(page, url):
    lab = LabPage(page, url).open(LESSON)
    menu = page.locator(".languages")
    expect(menu.locator("[aria-current]")).to_have_text("English")
    lab.slider.focus()
    lab.press("End")
    menu.get_by_role("link", name="Deutsch").click()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.locator('[data-mount="attention-lab"] input[name="d_k"]')).to_have_value("64")
    expect(menu.locator("[aria-current]")).to_have_text("Deutsch")
    expect(page.locator(".callout").first).not_to_have_attribute("lang", "de")
    page.locator('[data-mount="attention-lab"] [data-alone]').click()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.locator('input[name="d_k"]')).to_have_value("64")
    expect(page.locator(".languages")).to_have_count(0)


def test_double_length_is_not_cut_where_a_race_runs(page, url):
    page.goto(f"{url}/embed/training-race?lang={DOUBLE}&step=300")
    expect(page.locator('[data-ready="canvas"]')).to_be_attached()
    page.locator('[name="text"]').fill("she said that he said so")
    page.locator('[data-form="text"] button').click()
    expect(page.locator('[data-table="weights"] tbody th').first).to_have_text("she")
    expect(page.locator("[data-figure]")).not_to_have_attribute("aria-busy", "true")
    assert not look(page, DOUBLE)
