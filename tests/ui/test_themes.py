"""Light, dark and projector: at once, kept where that is allowed, in the address, and in the plots."""

import pytest
from lab_page import EMBED, LESSON_PAGE, LabPage
from playwright.sync_api import expect

GROUND = {"light": "rgb(255, 255, 255)", "dark": "rgb(22, 22, 27)", "projector": "rgb(255, 255, 255)"}
INK = """() => {
  const [plot] = Bokeh.documents.flatMap(doc => doc.roots());
  return [...plot.above, ...plot.left].map(axis => axis.major_label_text_color)[0];
}"""


@pytest.fixture
def lab(page, app_url):
    return LabPage(page, app_url)


def ground(page):
    return page.evaluate("getComputedStyle(document.body).backgroundColor")


def test_colours_change_at_once_and_are_remembered(lab):
    lab.open(LESSON_PAGE)
    page = lab.page
    lab.slider.scroll_into_view_if_needed()
    expect(page.locator('[data-mount="attention-lab"]')).to_have_attribute("data-ready", "canvas")
    choice = page.get_by_label("Colours", exact=True)
    for theme in ("dark", "projector", "light"):
        choice.select_option(theme)
        expect(page.locator("html")).to_have_attribute("data-theme", theme)
        assert ground(page) == GROUND[theme]
    choice.select_option("dark")
    page.wait_for_url("**theme=dark**")
    # A link that leaves it open, on another page of the same site.
    lab.open(EMBED, theme="auto")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    # A link that says it counts more than what is remembered.
    lab.open(EMBED, theme="light")
    assert ground(page) == GROUND["light"]


def test_where_nothing_may_be_kept_colours_still_change(lab):
    lab.page.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no', 'SecurityError'); } })"
    )
    lab.open(LESSON_PAGE)
    lab.page.get_by_label("Colours", exact=True).select_option("dark")
    assert ground(lab.page) == GROUND["dark"]


def test_a_key_goes_through_the_colours_and_says_which(lab):
    lab.open(LESSON_PAGE)
    lab.slider.focus()
    said = lab.page.locator("[data-keys-said]")
    for theme in ("light", "dark", "projector", "as the system"):
        lab.press("t")
        expect(said).to_have_text(f"Colours: {theme}.")


def test_plots_follow(lab):
    lab.open(EMBED, canvas=True)
    seen = set()
    for _ in range(3):
        lab.slider.focus()
        lab.press("t")
        seen.add(lab.page.evaluate(INK))
    assert len(seen) == 3
