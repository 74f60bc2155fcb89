"""A server that has no time, or not yet: the page says so, keeps what it has, and goes on by itself."""

import json

from lab_page import LabPage
from playwright.sync_api import expect

from widgets.words import catalogue

BUSY = json.dumps({"error": {"field": "busy", "message": catalogue()["site.busy"]}})


def busy(route):
    route.fulfill(content_type="application/json", body=BUSY)


def test_a_sentence_that_finds_no_time_is_told_beside_its_field(page, app_url):
    lab = LabPage(page, app_url).open()
    message = page.locator('[data-message="text"]')
    page.route("**/tables/**", busy)
    lab.use_sentence("my own words")
    expect(message).to_have_text(catalogue()["site.busy"])
    # Nothing is wrong with the sentence, the server is there, and the figure stays and can be used.
    expect(lab.sentence).not_to_have_attribute("aria-invalid", "true")
    expect(page.locator('[data-notice="offline"]')).to_be_hidden()
    lab.slider.focus()
    lab.press("End")
    lab.expect_state(d_k=64)
    page.unroute_all()
    lab.use_sentence("my own words")
    expect(page.get_by_text("peak weight of ‘own’")).to_be_visible()
    expect(message).not_to_have_text(catalogue()["site.busy"])


def test_a_first_table_is_asked_for_until_there_is_time(new_context, app_url):
    page = new_context().new_page()
    # The page asks every 3 s: they pass at once.
    page.add_init_script(
        "{ const set = setTimeout; window.setTimeout = (call, ms) => set(call, ms === 3000 ? 50 : ms); }"
    )
    page.route("**/tables/**", busy)
    page.goto(f"{app_url}/embed/attention-lab?text=find+some+time")
    message = page.locator('[data-message="text"]')
    expect(message).to_have_text(catalogue()["site.busy"])
    expect(page.locator("[data-kpi]").first).to_be_visible()
    page.unroute_all()
    expect(page.locator("[data-mount]")).to_have_attribute("data-ready", "canvas")
    expect(message).to_have_text(catalogue()["control.text.rule"])


def test_the_main_figure_wakes_when_a_server_that_was_gone_is_back(page, app_url, expect_network_errors):
    expect_network_errors()
    page.route("**/tables/**", lambda route: route.abort("connectionrefused"))
    page.route("**/healthz", lambda route: route.abort("connectionrefused"))
    page.goto(f"{app_url}/embed/attention-lab")
    expect(page.locator('[data-notice="offline"]')).to_be_visible()
    expect(page.locator("[data-mount]")).not_to_have_attribute("data-ready", "controls")
    page.unroute_all()
    expect(page.locator('[data-notice="offline"]')).to_be_hidden()
    expect(page.locator("[data-mount]")).to_have_attribute("data-ready", "canvas")
