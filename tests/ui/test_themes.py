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
    for path in ("/", "/embed"):
        page.goto(lab.url + path)
        assert ground(page) == GROUND["dark"]
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


def test_the_lines_of_the_race_are_coloured_as_its_read_outs(page, app_url):
    page.emulate_media(color_scheme="dark")
    page.goto(f"{app_url}/embed/training-race")
    expect(page.locator("[data-mount]")).to_have_attribute("data-ready", "canvas")
    seen = set()
    for theme in ("dark", "light"):
        page.emulate_media(color_scheme=theme)
        told = {
            lane: page.locator(f'[data-kpi="loss-{lane}"]').evaluate("part => getComputedStyle(part).color")
            for lane in ("none", "sqrt_d_k", "d_k")
        }
        page.wait_for_function(
            """told => {
              const course = Bokeh.documents.flatMap(doc => doc.roots()).find(({ renderers }) =>
                renderers.some(({ data_source }) => data_source.name === "run-none"));
              const plain = (colour) => colour.value ?? colour;
              return course.background_fill_color === null && Object.entries(told).every(([lane, colour]) =>
                course.renderers.filter(({ name }) => name === lane).every(({ glyph }) =>
                  plain(glyph.line_color ?? glyph.text_color) === colour));
            }""",
            arg=told,
        )
        seen |= set(told.values())
    assert len(seen) == 6
