"""The lesson as an article: contents, terms, references, links to states, figures that wait until they are near."""

from urllib.parse import urlsplit

import pytest
from lab_page import LESSON_PAGE, LabPage
from playwright.sync_api import expect


@pytest.fixture
def lesson(page, app_url):
    page.goto(app_url + LESSON_PAGE)
    expect(page.locator('[data-mount="attention-lab"][data-ready]')).to_be_attached()
    return page


def test_the_contents_name_the_section_that_is_read(lesson):
    bar = lesson.locator("[data-contents]")
    lesson.get_by_role("heading", name="4 · The whole operation, with shapes").scroll_into_view_if_needed()
    lesson.locator("#the-whole-operation-with-shapes").evaluate("el => el.scrollIntoView()")
    expect(bar.locator("[data-current]")).to_have_text("4 · The whole operation, with shapes")
    bar.locator("summary").click()
    expect(bar.get_by_role("link", name="4 · The whole")).to_have_attribute("aria-current", "true")
    bar.get_by_role("link", name="Takeaway").click()
    expect(lesson.locator("#takeaway")).to_be_in_viewport()
    expect(bar.locator("[data-current]")).to_have_text("Takeaway")
    assert urlsplit(lesson.url).fragment == "takeaway"
    assert bar.get_attribute("open") is None


def test_the_contents_open_and_close_by_key(lesson):
    summary = lesson.locator("[data-contents] summary")
    summary.focus()
    lesson.keyboard.press("Enter")
    expect(lesson.get_by_role("link", name="Takeaway")).to_be_visible()
    lesson.keyboard.press("Tab")
    lesson.keyboard.press("Escape")
    expect(lesson.get_by_role("link", name="Takeaway")).to_be_hidden()
    expect(summary).to_be_focused()


def test_a_term_explains_itself_by_key(lesson):
    lesson.get_by_role("button", name="softmax", exact=True).focus()
    definition = lesson.locator("#term-softmax")
    expect(definition).to_be_hidden()
    lesson.keyboard.press("Enter")
    expect(definition).to_contain_text("shares that are positive and sum to 1")
    lesson.keyboard.press("Escape")
    expect(definition).to_be_hidden()


def test_figures_are_numbered_and_referred_to(lesson):
    captions = lesson.locator("figcaption b").all_inner_texts()
    assert [caption.split(" · ")[0] for caption in captions] == [f"Figure {n}" for n in range(1, 10)]
    expect(lesson.get_by_role("link", name="Figure 3", exact=True)).to_have_attribute("href", "#variance-law")


def test_a_link_sets_the_figure_and_can_be_undone(page, app_url):
    lab = LabPage(page, app_url).open(LESSON_PAGE)
    lab.slider.focus()
    lab.press("ArrowRight")
    page.get_by_role("link", name="Turn the scale off at width 64").click()
    lab.expect_state(d_k=64, scaled=False)
    page.get_by_role("button", name="Undo").first.click()
    lab.expect_state(d_k=9)


def test_a_figure_out_of_view_asks_for_nothing_until_it_is_near(page, app_url):
    asked = []
    page.on("request", lambda request: asked.append(urlsplit(request.url).path))
    page.goto(app_url + LESSON_PAGE)
    expect(page.locator('[data-mount="attention-lab"][data-ready="canvas"]')).to_be_attached()
    assert [path for path in asked if path.startswith("/tables/")] == ["/tables/attention-lab"]
    figure = page.locator('[data-mount="memory-wall"]')
    expect(figure).not_to_have_attribute("data-ready", "canvas")
    figure.scroll_into_view_if_needed()
    expect(figure).to_have_attribute("data-ready", "canvas")
    assert "/tables/memory-wall" in asked


def test_the_text_can_be_read_before_any_script(new_context, app_url):
    page = new_context(java_script_enabled=False).new_page()
    page.goto(app_url + LESSON_PAGE)
    for words in ("One vector has three jobs", "Few constants in a Transformer are like this one"):
        expect(page.get_by_text(words)).to_be_visible()
    for name in ("three-jobs", "inside-one-score", "variance-law", "gradient-health", "training-race", "trained-head"):
        expect(page.locator(f'[data-mount="{name}"]')).to_contain_text("0.")


def test_query_key_and_value_wear_the_same_colours_everywhere(lesson):
    for role in ("query", "key", "value"):
        colours = lesson.locator(f"main .{role}").evaluate_all(
            "els => [...new Set(els.filter(el => el.closest('main') && getComputedStyle(el).display !== 'none')"
            ".map(el => getComputedStyle(el).color))]"
        )
        assert len(colours) == 1, (role, colours)
        assert lesson.locator(f"math .{role}").count() > 2 and lesson.locator(f"p .{role}, td .{role}").count() > 0


def test_every_figure_can_be_opened_alone(page, app_url):
    page.goto(app_url + LESSON_PAGE)
    links = page.get_by_role("link", name="Open it alone").evaluate_all("els => els.map(el => el.getAttribute('href'))")
    assert len(links) == 9
    for link in links:
        page.goto(app_url + link)
        expect(page.locator("[data-mount][data-ready='canvas']")).to_be_attached()
