"""On paper: figures as drawings with their states in words, no controls, answers or room for them, addresses."""

import re

import pytest
from playwright.sync_api import expect

LESSON = "/lessons/05-trainable-attention"
# Stands in for the browser's dialog: it prepares the page as printing does, and keeps it so.
PRINT = """
window.printed = 0;
window.print = () => { window.printed += 1; dispatchEvent(new Event("beforeprint")); };
"""


def pages(pdf: bytes) -> int:
    return len(re.findall(rb"/Type\s*/Page\b(?!s)", pdf))


class Paper:
    """A page as it is printed."""

    def __init__(self, page):
        self.page = page
        page.add_init_script(PRINT)

    def prepare(self, *, answers=False):
        if answers:
            self.page.get_by_label("with answers").check()
        self.page.get_by_role("button", name="Print or save as PDF").click()
        self.page.wait_for_function("() => window.printed === 1", timeout=30_000)
        return self.show()

    def show(self):
        self.page.emulate_media(media="print", color_scheme="dark")
        return self

    def over(self):
        self.page.evaluate("dispatchEvent(new Event('afterprint'))")
        self.page.emulate_media(media="screen")

    def shown(self, selector):
        return [el for el in self.page.locator(selector).all() if el.is_visible()]


@pytest.fixture
def paper(new_context):
    return Paper(new_context(color_scheme="dark").new_page())


def test_a_lesson_is_printed_with_its_figures_as_they_are_and_room_to_write(paper, app_url):
    page = paper.page
    page.goto(f"{app_url}{LESSON}?d_k=64&scaled=0&theme=dark")
    page.locator("[data-prompt] textarea").first.fill("My own words.")
    paper.prepare()

    # Every plot is a drawing, in light inks; nothing else of it is left.
    for canvas in page.locator("[data-canvas]").all():
        expect(canvas.locator("> .paper > svg")).to_be_visible()
        expect(canvas.locator("> :not(.paper)").first).to_be_hidden()
    lab = page.locator('[data-mount="attention-lab"]')
    assert "rgb(28,27,34)" in lab.locator(".paper svg").inner_html()
    expect(lab.locator("> .paper")).to_contain_text("d_k 64 · ÷√d_k off")
    expect(lab.locator("> .paper")).to_contain_text("Sentence Your journey starts with one step · Seed 5108")
    expect(lab.locator('[data-kpi="dead-rows"]')).to_be_visible()

    # Black on white, and no controls.
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.evaluate("getComputedStyle(document.querySelector('main > p:not(.eyebrow)')).color") == "rgb(0, 0, 0)"
    assert not paper.shown(
        ".contents, .take, .notice, [data-paper], [data-lesson], .fig select, .fig input, dialog, .tools"
    )
    assert {el.get_attribute("class") for el in paper.shown("button")} <= {"op-line", "term"}

    # No answers; what the learner wrote, and lines elsewhere.
    assert not paper.shown("[data-reply], details p, .paper .verdict")
    assert len(paper.shown(".paper hr")) == 4 * (page.locator("[data-prompt]").count() - 1)
    expect(page.get_by_text("My own words.", exact=True).and_(page.locator(".paper"))).to_be_visible()
    # Addresses of other pages only.
    expect(page.locator(".eyebrow")).to_contain_text(f"({app_url}/)")
    expect(page.get_by_role("link", name="Turn the scale off at width 64")).not_to_contain_text("http")
    expect(page.locator("dl.paper dt").first).to_be_visible()

    # Nothing is cut, and it is no pile of paper. The PDF's own preparation finds all done, and ends it.
    assert page.locator("figure").first.evaluate("(el) => getComputedStyle(el).breakInside") == "avoid"
    assert 12 <= pages(page.pdf(format="A4")) <= 20
    expect(page.locator(".paper")).to_have_count(0)
    paper.over()
    assert page.locator("html").get_attribute("data-theme") == "dark"
    expect(lab.get_by_role("slider")).to_be_visible()


def test_with_answers_all_of_them_are_there(paper, lessons_url):
    page = paper.page
    page.goto(f"{lessons_url}/lessons/01-doing")
    paper.prepare(answers=True)
    assert not paper.shown(".paper hr")
    for options in page.locator(".activity :is([data-choice], [data-question])").all():
        verdicts = options.locator(".paper .verdict")
        wanted = max(options.locator("label.option").count(), 1)
        expect(verdicts).to_have_count(wanted)
        expect(options.locator(".paper p").first).to_be_visible()
        expect(options.locator('.paper [data-right="1"]')).to_have_count(1)
    for prompt in page.locator("[data-prompt]").all():
        expect(prompt.locator("> .paper")).to_have_text(prompt.locator("details > p").first.text_content().strip())
    paper.over()
    expect(page.locator(".paper")).to_have_count(0)


def test_printing_at_once_gives_tables_where_plots_are_not_drawn_yet(paper, app_url):
    page = paper.page
    page.goto(f"{app_url}{LESSON}")
    expect(page.locator('[data-mount="attention-lab"]')).to_have_attribute("data-ready", "canvas")
    page.wait_for_function("() => import('paper').then(() => true)")
    page.evaluate("print()")
    paper.show()
    sleeping = page.locator('[data-mount="variance-law"]')
    expect(sleeping.locator("> .paper")).to_have_text("d_k 8 · ÷√d_k off")
    expect(sleeping.get_by_role("table", name="The law at some widths")).to_be_visible()
    expect(sleeping.locator("[data-canvas]").first).to_be_hidden()
    expect(page.locator('[data-mount="attention-lab"] .paper > svg')).to_be_visible()
    paper.over()
    expect(sleeping.locator("details").first).not_to_have_attribute("open", "")


def test_an_embedded_figure_is_one_clean_page(paper, app_url):
    page = paper.page
    page.goto(f"{app_url}/embed/training-race?step=120&theme=dark")
    expect(page.locator("[data-mount]")).to_have_attribute("data-ready", "canvas")
    page.wait_for_function("() => import('paper').then(() => true)")
    page.evaluate("print()")
    paper.show()
    expect(page.locator("[data-canvas] > .paper > svg")).to_have_count(4)
    expect(page.locator("figure > .paper")).to_contain_text("step 120 of 300 · d_k 64 · learning rate 0.1")
    assert not paper.shown("button, input, select, summary")
    assert pages(page.pdf(format="A4")) == 1


def test_where_a_frame_may_not_print_the_button_says_so(page, lessons_url):
    page.add_init_script("window.print = () => {}")
    page.goto(f"{lessons_url}/lessons/01-doing")
    page.get_by_role("button", name="Print or save as PDF").click()
    expect(page.locator("[data-paper] [role=status]")).to_have_text(re.compile("may not print"), timeout=30_000)
