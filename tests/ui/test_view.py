"""What an instructor decides in a link: what is hidden, what is locked; and the link that a reader takes along."""

from urllib.parse import parse_qs, urlsplit

import pytest
from lab_page import EMBED, LESSON_PAGE, LabPage
from playwright.sync_api import expect

HIDDEN = ("fault", "dead-rows", "caption", "table")


@pytest.fixture
def lab(page, app_url):
    return LabPage(page, app_url)


def test_what_a_link_hides_is_not_there_and_the_rest_is(lab):
    lab.open(EMBED, hide=",".join(HIDDEN), d_k=64)
    for name in HIDDEN:
        expect(lab.page.locator(f'[data-piece~="{name}"]').first).to_be_hidden()
    for name in ("d_k", "scaled", "row", "score-spread", "heatmap", "title"):
        expect(lab.page.locator(f'[data-piece~="{name}"]').first).to_be_visible()
    expect(lab.slider).to_have_value("64")
    # It was left out before any script of the page ran, so nothing jumps.
    style = lab.page.locator("head style").last
    assert "dead-rows" in style.inner_text()


def test_every_piece_of_every_figure_can_be_hidden(page, app_url):
    for name in ("attention-lab", "variance-law", "training-race", "whole-operation"):
        page.goto(f"{app_url}/embed/{name}")
        found = page.locator("[data-piece]").evaluate_all("all => all.flatMap(one => one.dataset.piece.split(' '))")
        page.goto(f"{app_url}/embed/{name}?hide={','.join(sorted(set(found)))}")
        expect(page.locator("[data-ready]")).to_be_attached()
        expect(page.locator("[data-notice=link]")).to_be_hidden()
        assert page.locator("[data-piece]:visible").count() == 0


def test_compact_leaves_the_second_row_of_controls_out(lab):
    lab.open(EMBED, view="compact")
    expect(lab.slider).to_be_visible()
    expect(lab.table).to_be_visible()
    expect(lab.fault).to_be_hidden()


def test_a_locked_control_shows_its_value_says_so_and_stays(lab):
    lab.open(EMBED, canvas=True, lock="scaled,row,seed", scaled=False, row=2, d_k=8)
    expect(lab.scale).to_be_disabled()
    expect(lab.scale).to_contain_text("locked")
    expect(lab.row).to_be_disabled()
    expect(lab.root.get_by_text("Highlighted row")).to_contain_text("locked")
    expect(lab.root.get_by_role("textbox", name="Seed locked")).to_be_disabled()
    expect(lab.root.get_by_role("button", name="Redraw")).to_be_disabled()
    expect(lab.root.get_by_role("button", name="Back to the lesson")).to_be_disabled()
    # Other ways to the same choice are held as well.
    lab.table.locator("tbody tr").nth(4).locator("td").first.click()
    lab.root.get_by_role("button", name="Reset").click()
    lab.slider.focus()
    lab.press("End")
    lab.expect_state(scaled=False, row=2, d_k=64)


def test_names_that_are_none_are_told(lab):
    lab.open(EMBED, hide="nonsense,<b>,fault", lock="theme", view="tiny")
    items = lab.page.locator('[data-notice="link"]').get_by_role("listitem")
    expect(items).to_have_count(4)
    expect(items.nth(0)).to_contain_text("hide=nonsense was ignored and nothing used. Allowed: score-spread")
    expect(items.nth(2)).to_contain_text("lock=theme")
    expect(items.nth(3)).to_contain_text("view=tiny was ignored and full used. Allowed: full, compact")
    expect(lab.fault).to_be_hidden()


def test_the_address_keeps_what_the_link_said_of_the_look(lab):
    lab.open(EMBED, hide="fault", lock="row", lang="en")
    lab.scale.click()
    lab.page.wait_for_url("**scaled=0**")
    query = parse_qs(urlsplit(lab.page.url).query)
    assert (query["hide"], query["lock"], query["lang"]) == (["fault"], ["row"], ["en"])


def copied(page):
    return page.evaluate("navigator.clipboard.readText()")


def test_copy_link_takes_what_is_on_screen(new_context, app_url):
    page = new_context(permissions=["clipboard-read", "clipboard-write"]).new_page()
    lab = LabPage(page, app_url).open(EMBED, hide="fault")
    lab.scale.click()
    lab.row.select_option("4")
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_text("Copied.")).to_be_visible()
    page.goto(copied(page))
    LabPage(page, app_url).ready().expect_state(scaled=False, row=4)
    expect(lab.fault).to_be_hidden()
    # In a lesson another figure's link leads to that figure, in its state.
    page.goto(app_url + LESSON_PAGE)
    figure = page.locator('[data-mount="variance-law"]')
    figure.scroll_into_view_if_needed()
    expect(figure).to_have_attribute("data-ready", "canvas")
    figure.get_by_role("slider", name="d_k").focus()
    page.keyboard.press("End")
    figure.get_by_role("button", name="Copy link").click()
    expect(figure.get_by_text("Copied.")).to_be_visible()
    link = copied(page)
    assert urlsplit(link).fragment.startswith("variance-law?d_k=64&scaled=0")
    page.goto("about:blank")
    page.goto(link)
    expect(figure.get_by_role("slider", name="d_k")).to_have_value("64")
    expect(figure).to_be_in_viewport()


def test_without_a_right_to_the_clipboard_the_link_is_shown(lab):
    lab.open(EMBED, d_k=9)
    lab.page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error()); }")
    lab.page.get_by_role("button", name="Copy link").click()
    field = lab.page.get_by_role("textbox", name="The link:")
    expect(field).to_be_focused()
    assert "d_k=9" in field.input_value()


def test_back_undoes_what_a_link_of_the_lesson_did(lab):
    lab.open(LESSON_PAGE)
    lab.slider.focus()
    lab.press("End")
    link = lab.page.locator('a[data-go][href^="#attention-lab?"]').first
    link.click()
    wanted = {name: value[0] for name, value in parse_qs(link.get_attribute("href").split("?")[1]).items()}
    lab.page.wait_for_url(lambda url: all(f"{name}={value}" in url for name, value in wanted.items()))
    changed = lab.page.url
    lab.page.go_back()
    lab.expect_state(d_k=64)
    lab.page.go_forward()
    assert lab.page.url == changed
    # A step to a section does not take back what was moved just before it.
    lab.slider.focus()
    lab.press("Home")
    lab.page.evaluate("location.hash = 'takeaway'")
    lab.page.wait_for_url("**d_k=2**")
    expect(lab.slider).to_have_value("2")
