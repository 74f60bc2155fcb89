"""The pages themselves: layout, accessibility, lessons in order, nothing from outside."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from lab_page import EMBED, LESSON_PAGE, LabPage
from layout import SETTLED, WIDER
from playwright.sync_api import expect

SIZES = [(320, 640), (390, 844), (1280, 800)]


def test_axe_finds_nothing_on_a_page_that_is_not_there(page, app_url, watch):
    page.goto(f"{app_url}/nothing")
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    assert [problem for problem in watch.problems if "404" not in problem] == []
    watch.problems.clear()  # the browser logs the 404 that this test asks for


@pytest.mark.parametrize("path", ["/", LESSON_PAGE, EMBED])
def test_nothing_scrolls_sideways(path, page, app_url):
    page.set_viewport_size({"width": SIZES[0][0], "height": SIZES[0][1]})
    page.goto(app_url + path)
    if path != "/":
        lab = LabPage(page, app_url).ready(canvas=True)
        lab.use_sentence("a" * 24 + " " + " ".join(["b" * 24] * 11))
        expect(lab.row.locator("option")).to_have_count(12)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(SETTLED)
        assert page.evaluate(WIDER) <= 0, width


def test_the_lab_is_seen_at_once_on_a_laptop(page, app_url):
    page.set_viewport_size({"width": 1280, "height": 800})
    lab = LabPage(page, app_url).open(LESSON_PAGE, canvas=True)
    page.locator("#attention-lab").evaluate("el => el.scrollIntoView({ block: 'start' })")
    top = page.locator("[data-contents]").bounding_box()["height"]
    for part in (
        lab.canvas,
        lab.slider,
        lab.scale,
        lab.fault,
        lab.sentence,
        lab.kpi("dead-rows"),
        page.locator(".lab-words"),
    ):
        box = part.bounding_box()
        assert box["y"] >= top and box["y"] + box["height"] <= 800


def test_on_a_phone_the_slider_stays_in_reach_of_the_heatmap(page, app_url):
    page.set_viewport_size({"width": 390, "height": 844})
    lab = LabPage(page, app_url).open(LESSON_PAGE, canvas=True)
    lab.canvas.evaluate("el => scrollTo(0, el.getBoundingClientRect().bottom + scrollY - innerHeight + 20)")
    expect(lab.slider).to_be_in_viewport(ratio=1)
    expect(lab.scale).to_be_in_viewport(ratio=1)
    assert lab.slider.bounding_box()["y"] < lab.canvas.bounding_box()["y"] + lab.canvas.bounding_box()["height"]


def test_the_lesson_leads_through_its_sections(page, app_url):
    page.goto(app_url)
    page.get_by_role("link", name="Self-attention that can learn").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Self-attention that can learn")
    heads = page.locator("main > h2").all_inner_texts()
    order = "0 1 2 3 4 5 6 7 Takeaway Interview Quiz Further"
    assert [head.split(" ")[0] for head in heads] == order.split()
    for term in ("Forced by", "New idea", "Forces next"):
        expect(page.get_by_role("term").filter(has_text=term)).to_be_visible()
    assert page.locator("math").count() > 15


def test_formulas_stand_in_line_with_the_text(page, app_url):
    page.goto(app_url + LESSON_PAGE)
    page.wait_for_function("() => document.fonts.check('16px \"Lesson Math\"') && document.fonts.status === 'loaded'")
    heights = page.locator("p math").evaluate_all("els => els.map(el => el.getBoundingClientRect().height)")
    line = page.evaluate("parseFloat(getComputedStyle(document.querySelector('main > p')).lineHeight)")
    assert heights and max(heights) <= 1.15 * line
    fence = page.locator('math mo[stretchy="true"]').first.bounding_box()
    assert fence["height"] > 35  # the bracket grows around its fraction


def test_the_system_theme_is_followed_at_once(page, app_url):
    page.emulate_media(color_scheme="light")
    LabPage(page, app_url).open(canvas=True)
    ink = "() => window.Bokeh.documents[0].roots()[0].left[0].major_label_text_color"
    before = page.evaluate(ink)
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(f"() => ({ink})() !== '{before}'")


def test_the_lab_answers_while_the_rest_of_the_page_is_still_on_its_way(page, app_url):
    asked = []
    # A classic script stops the reading of a page until it is there.
    page.route("**/last.js", lambda route: asked.append(route))

    def cut(route):
        came = route.fetch()
        route.fulfill(response=came, body=cut_in(came.text()))

    page.route("**" + LESSON_PAGE, cut)
    page.goto(app_url + LESSON_PAGE, wait_until="commit")
    lab = LabPage(page, app_url).ready()
    lab.slider.focus()
    lab.press("End")
    lab.expect_state(d_k=64)
    assert page.evaluate("document.readyState") == "loading" and page.get_by_role("dialog").count() == 0
    asked[0].fulfill(content_type="text/javascript", body="")
    expect(page.locator("[data-mount=attention-lab][data-ready=canvas]")).to_be_attached()
    lab.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    lab.expect_state(d_k=64)


def cut_in(html):
    """The lesson, but for a script that is asked for as soon as the lab and what starts it have been read."""
    start, end = html.index("data-eager"), "</script>"
    last = html.index(end, html.index('<script type="module" async src=', start)) + len(end)
    return html[:last] + '<script src="/static/last.js"></script>' + html[last:]
