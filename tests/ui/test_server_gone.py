"""With the server stopped the lab goes on, says what it cannot do, and recovers by itself."""

from lab_page import LESSON_PAGE, LabPage
from playwright.sync_api import expect


def test_the_lab_works_without_its_server_and_recovers(page, app_server, expect_network_errors):
    with app_server() as server:
        lab = LabPage(page, server.url).open(canvas=True)
        offline = page.locator('[data-notice="offline"]')
        expect(offline).to_be_hidden()
        expect_network_errors()
        server.stop()

        lab.scale.click()
        lab.slider.focus()
        lab.press("End")
        lab.expect_state(d_k=64, scaled=False)
        lab.fault.select_option("shared_projection")
        lab.row.select_option("3")
        lab.expect_state(d_k=64, scaled=False, fault="shared_projection", row=3)
        lab.table.locator("tr[data-q='2'] td").first.click()
        lab.expect_state(d_k=64, scaled=False, fault="shared_projection", row=2)

        lab.use_sentence("my own words")
        expect(page.locator('[data-message="text"]')).to_contain_text("need the server")
        expect(offline).to_be_visible()
        expect(offline).to_contain_text("your own sentence and other seeds need the server")
        lab.expect_state(d_k=64, scaled=False, fault="shared_projection", row=2)

        server.start()
        expect(offline).to_be_hidden()
        lab.use_sentence("my own words")
        expect(page.get_by_text("peak weight of ‘words’")).to_be_visible()
        lab.expect_state(d_k=64, scaled=False, fault="shared_projection", row=2, text="my own words")


# A start takes seconds: from here on the server stays, and the browser is told that it refuses.


def cut(page):
    page.route("**/*", lambda route: route.abort("connectionrefused"))


def test_driving_alone_is_enough_to_notice(page, app_url, expect_network_errors):
    lab = LabPage(page, app_url).open()
    expect_network_errors()
    cut(page)
    # The page asks every few seconds at most: they pass at once.
    page.evaluate("() => { const { now } = Date; Date.now = () => now() + 5000; }")
    lab.slider.focus()
    lab.press("Home")
    expect(page.locator('[data-notice="offline"]')).to_be_visible()
    lab.expect_state(d_k=2)
    page.unroute_all()
    expect(page.locator('[data-notice="offline"]')).to_be_hidden()


def test_a_figure_that_came_near_without_the_server_wakes_when_it_is_back(page, app_url, expect_network_errors):
    LabPage(page, app_url).open(LESSON_PAGE)
    expect_network_errors()
    cut(page)
    figure = page.locator('[data-mount="memory-wall"]')
    figure.scroll_into_view_if_needed()
    expect(page.locator('[data-notice="offline"]')).to_be_visible()
    expect(figure.locator("[data-kpi]").first).to_be_visible()
    page.unroute_all()
    expect(page.locator('[data-notice="offline"]')).to_be_hidden()
    expect(figure).to_have_attribute("data-ready", "canvas")
