"""The whole lesson in a real browser: read to its end, and what it asks for on the way."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Browser, Page

from bench.browser import LIMIT_MS, fresh_context, wait_for_canvas
from bench.learner import Visit

LESSON = "/lessons/05-trainable-attention"
FIGURES = "[data-figure]"
# When nothing more was asked for in that time, a figure has what it needs.
QUIET_MS = 500


def record(browser: Browser, url: str) -> Visit:
    """What a first visitor's browser asks for, from a lesson at this address."""
    with fresh_context(browser) as context:
        page = context.new_page()
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(url)
        wait_for_canvas(page)
        page.wait_for_timeout(QUIET_MS)
        opening = len(asked)
        read_through(page)
    targets = [target_of(address) for address in asked if address.startswith("http")]
    versions = [parse_qs(urlsplit(target).query).get("v", [""])[0] for target in targets]
    return Visit(targets[0], tuple(targets[1:opening]), tuple(targets[opening:]), next(filter(None, versions), ""))


def read_through(page: Page) -> None:
    """Scroll to each figure and wait until it has what it fetches."""
    figures = page.locator(FIGURES)
    for index in range(figures.count()):
        figures.nth(index).scroll_into_view_if_needed(timeout=LIMIT_MS)
        # Playwright tells that the network is idle only once, after the page's own load.
        fetched = -1
        while fetched != (count := page.evaluate("performance.getEntriesByType('resource').length")):
            fetched = count
            page.wait_for_timeout(QUIET_MS / 2)


def target_of(address: str) -> str:
    parts = urlsplit(address)
    return parts.path + (f"?{parts.query}" if parts.query else "")
