"""That the server is gone is noticed by whoever uses the page, without asking it for anything."""

from lab_page import LabPage
from playwright.sync_api import expect


def test_driving_alone_is_enough_to_notice(page, app_url, expect_network_errors):
    lab = LabPage(page, app_url).open()
    expect_network_errors()
    page.route("**/*", lambda route: route.abort("connectionrefused"))
    # The page asks every few seconds at most: they pass at once.
    page.evaluate("() => { const { now } = Date; Date.now = () => now() + 5000; }")
    lab.slider.focus()
    lab.press("Home")
    expect(page.locator('[data-notice="offline"]')).to_be_visible()
    lab.expect_state(d_k=2)
    page.unroute_all()
    expect(page.locator('[data-notice="offline"]')).to_be_hidden()
