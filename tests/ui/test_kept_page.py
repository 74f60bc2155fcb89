"""The page that tests share is as good as new each time, or is a new one."""

import pytest
from kept_page import VIEWPORT, KeptPage

LEFT = """() => ({
  kept: [localStorage.length, sessionStorage.length, document.cookie],
  dark: matchMedia("(prefers-color-scheme: dark)").matches,
  size: [innerWidth, innerHeight],
})"""
NEW = {"kept": [0, 0, ""], "dark": False, "size": list(VIEWPORT.values())}


@pytest.fixture
def kept(browser, browser_context_args):
    kept = KeptPage(lambda **options: browser.new_context(**browser_context_args | options))
    yield kept
    kept.drop()


def test_what_a_test_left_is_gone(kept, app_url):
    page = kept.lend()
    page.goto(app_url)
    assert page.evaluate(LEFT) == NEW
    page.evaluate("() => { localStorage.a = sessionStorage.a = 1; document.cookie = 'a=1'; }")
    page.set_viewport_size({"width": 320, "height": 640})
    page.emulate_media(color_scheme="dark")
    page.route("**/*", lambda route: route.abort())
    page.context.new_page()
    assert page.evaluate(LEFT) == {"kept": [1, 1, "a=1"], "dark": True, "size": [320, 640]}
    kept.take_back(failed=False)
    assert kept.lend() is page and page.context.pages == [page]
    page.goto(app_url)
    assert page.evaluate(LEFT) == NEW


@pytest.mark.parametrize("end", ["a failure", "a script for every load", "a closed page"])
def test_what_cannot_be_cleared_is_thrown_away(end, kept):
    page = kept.lend()
    if end == "a script for every load":
        page.add_init_script("window.left = 1")
    elif end == "a closed page":
        page.close()
    kept.take_back(failed=end == "a failure")
    assert kept.lend() is not page and page.is_closed()
