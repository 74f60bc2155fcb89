"""The browser, and the four pages that are measured in it."""

from __future__ import annotations

import runpy
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from bench.servers import ROOT, Server
from bench.states import OUR_QUERY

FLAGS = "--no-sandbox --disable-gpu --disable-background-networking --disable-component-update --disable-sync"
PROBE = Path(__file__).with_name("probe.js")
# Column of the table → the server that has the page, and its address there.
PAGES = {
    "lesson": ("ours", f"/lessons/05-trainable-attention{OUR_QUERY}"),
    "lab": ("ours", f"/embed/attention-lab{OUR_QUERY}"),
    "panel": ("panel", "/"),
    "vanilla": ("vanilla", "/"),
}
LIMIT_MS = 30_000


@contextmanager
def chromium(*flags: str) -> Iterator[Browser]:
    """The browser that the tests use; `flags` besides its own."""
    # tools/ is no package: its scripts are loaded by path.
    path = runpy.run_path(str(ROOT / "tools" / "browser.py"))["find_browser"]()
    if path is None:
        raise RuntimeError("no browser to measure in; run: python tools/browser.py")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=[*FLAGS.split(), *flags])
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def fresh_context(browser: Browser) -> Iterator[BrowserContext]:
    """A first visitor: nothing in the cache. The probe is in every page."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    context.set_default_timeout(LIMIT_MS)
    context.add_init_script(path=PROBE)
    try:
        yield context
    finally:
        context.close()


def address(name: str, servers: Mapping[str, Server]) -> str:
    server, path = PAGES[name]
    return servers[server].url + path


def wait_for_canvas(page: Page) -> None:
    """Until the lab's heatmap has been painted and its slider has the focus."""
    wait_until(page, "bench.load.canvas && bench.load.readouts && bench.load.slider")


def wait_until(page: Page, condition: str, limit_s: float = LIMIT_MS / 1000) -> None:
    """Until the condition holds; asked from outside, because the pages' own rules forbid to evaluate text in them."""
    deadline = time.monotonic() + limit_s
    while not page.evaluate(condition):
        if time.monotonic() > deadline:
            noted = page.evaluate("bench.load")
            raise RuntimeError(f"{page.url}: not {condition} after {limit_s:.0f} s; noted: {noted}")
        time.sleep(0.05)
