"""A page of another version than what answers it, as while servers are replaced: it says so, and a reload is enough."""

import json

import pytest
from lab_page import LESSON_PAGE, LabPage
from playwright.sync_api import expect


@pytest.fixture
def newer(page):
    return page.locator('[data-notice="newer"]')


def replace(page, *patterns):
    """From now on a server of the next version answers, which has none of these."""
    edition = json.dumps({"status": "ok", "edition": "the next"})
    page.route("**/healthz", lambda route: route.fulfill(body=edition, content_type="application/json"))
    for pattern in patterns:
        page.route(pattern, lambda route: route.fulfill(status=404, body="not here", content_type="text/html"))


def test_a_table_that_only_a_newer_version_has_asks_for_a_reload(page, app_url, newer, expect_another_version):
    lab = LabPage(page, app_url).open()
    lab.slider.focus()
    lab.press("End")
    expect_another_version()
    replace(page, "**/tables/**")
    lab.use_sentence("my own words")
    message = page.locator('[data-message="text"]')
    expect(message).to_have_text(newer.inner_text().removesuffix(" Reload"))
    expect(lab.sentence).not_to_have_attribute("aria-invalid", "true")
    expect(page.locator('[data-notice="offline"]')).to_be_hidden()
    lab.press("ArrowLeft")
    lab.slider.focus()
    lab.press("ArrowLeft")
    lab.expect_state(d_k=63)
    page.wait_for_url("**d_k=63**")
    page.unroute_all()
    newer.get_by_role("button", name="Reload").click()
    expect(newer).to_be_hidden()
    lab.ready().expect_state(d_k=63)


def test_a_figure_whose_module_is_gone_asks_for_a_reload_and_no_more(page, app_url, newer, expect_another_version):
    LabPage(page, app_url).open(LESSON_PAGE)
    expect_another_version()
    asked = []
    page.on("request", lambda request: asked.append(request.url) if "memory_wall." in request.url else None)
    replace(page, "**/static/memory_wall.*")
    figure = page.locator('[data-mount="memory-wall"]')
    figure.scroll_into_view_if_needed()
    expect(newer).to_be_visible()
    expect(figure.locator("[data-kpi]").first).to_be_visible()
    expect(page.locator('[data-notice="offline"]')).to_be_hidden()
    assert len(asked) == 1


def test_an_answer_that_breaks_off_can_be_asked_again(page, app_url, newer, expect_network_errors):
    lab = LabPage(page, app_url).open()
    expect_network_errors()
    page.route("**/tables/**", lambda route: route.abort("connectionreset"))
    lab.use_sentence("my own words")
    expect(page.locator('[data-message="text"]')).to_have_text("The server could not finish its answer. Try again.")
    page.unroute_all()
    page.get_by_role("button", name="Use it").click()
    lab.page.wait_for_url("**text=my+own+words**")
    lab.expect_state(text="my own words")
    expect(newer).to_be_hidden()


def test_a_page_that_met_a_server_without_its_modules_starts_anew_once(page, app_url, expect_another_version):
    expect_another_version()
    loads = []
    page.on("request", lambda request: loads.append(request) if request.is_navigation_request() else None)
    replace(page, "**/static/core.*")
    with page.expect_event("load", lambda _: len(loads) == 2):
        page.goto(f"{app_url}/embed/attention-lab?d_k=3", wait_until="commit")
    page.unroute_all()
    page.reload()
    LabPage(page, app_url).ready().expect_state(d_k=3)
    assert len(loads) == 3
