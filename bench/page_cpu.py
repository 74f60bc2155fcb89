"""Server CPU of a page load: our whole lesson, read to its end, beside a plain Panel page, both by a real browser."""

from __future__ import annotations

import time

from playwright.sync_api import Browser

from bench.browser import PAGES, address, fresh_context, wait_for_canvas
from bench.lesson_page import read_through
from bench.servers import running

WARM_UP = 2


def page_cpu(browser: Browser, loads: int) -> dict[str, float]:
    """Milliseconds a load, by page, each from a server of its own."""
    found = {}
    for name in ("lesson", "panel"):
        with running(PAGES[name][0]) as servers:
            (server,) = servers.values()
            for count in range(WARM_UP + loads):
                if count == WARM_UP:
                    cpu = server.cpu_ms()
                with fresh_context(browser) as context:
                    page = context.new_page()
                    page.goto(address(name, servers))
                    wait_for_canvas(page)
                    if name == "lesson":
                        read_through(page)
            time.sleep(1)
            found[name] = (server.cpu_ms() - cpu) / loads
    return found
