"""The learners of a class who are real browsers: they open the lesson, read it, and press keys until they leave."""

from __future__ import annotations

import threading
import time
from contextlib import ExitStack
from types import TracebackType

from playwright import sync_api as playwright
from playwright.sync_api import Page

from bench.browser import LIMIT_MS, chromium, fresh_context, wait_for_canvas, wait_until
from bench.lesson_page import read_through
from bench.visit import press_until_answered

PRESS_EVERY_S = 2.0
SLIDER = '[data-figure="attention-lab"] input[name="d_k"]'
OFFLINE = '[data-notice="offline"]:not([hidden])'
ANSWERED_S = 2


class Browsers:
    """`with Browsers(…) as browsers:` they come in a thread of their own; left when all have gone."""

    def __init__(self, url: str, count: int, arrive_s: float, stay_s: float) -> None:
        self.url, self.count, self.every_s, self.stay_s = url, count, arrive_s / max(1, count), stay_s
        self.opened: list[float] = []
        self.answered: list[float] = []
        self.presses = 0
        self.problems: list[str] = []
        # Playwright's objects belong to the thread that made them.
        self._thread = threading.Thread(target=self._run, name="browsers")

    def __enter__(self) -> Browsers:
        if self.count:
            self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.count:
            self._thread.join()

    def _run(self) -> None:
        try:
            with chromium() as browser, ExitStack() as contexts:
                pages: list[Page] = []
                for number in range(self.count):
                    started = time.monotonic()
                    page = contexts.enter_context(fresh_context(browser)).new_page()
                    page.on("console", lambda said: said.type == "error" and self.problems.append(said.text))
                    page.on("pageerror", lambda error: self.problems.append(str(error)))
                    self._open(page)
                    pages.append(page)
                    if number + 1 < self.count:
                        self._use(pages, started + self.every_s)
                self._use(pages, time.monotonic() + self.stay_s - LIMIT_MS / 1000)
                for page in pages:
                    read_through(page)
                    self._check(page)
        except (RuntimeError, playwright.Error) as error:
            self.problems.append(str(error))

    def _open(self, page: Page) -> None:
        page.goto(self.url, wait_until="commit")
        press_until_answered(page)
        wait_for_canvas(page)
        times = page.evaluate("bench.load")
        self.opened.append(times["readouts"] / 1000)
        self.answered.append(times["answered"] / 1000)

    def _use(self, pages: list[Page], until: float) -> None:
        while time.monotonic() < until:
            for number, page in enumerate(pages):
                self._press(page, "ArrowRight" if (self.presses // len(pages) + number) % 2 else "ArrowLeft")
            time.sleep(PRESS_EVERY_S)

    def _press(self, page: Page, key: str) -> None:
        page.evaluate("bench.start(false)")
        page.focus(SLIDER)
        page.keyboard.press(key)
        wait_until(page, "bench.readouts.length > 0", ANSWERED_S)
        self.presses += 1

    def _check(self, page: Page) -> None:
        if page.locator(OFFLINE).count():
            self.problems.append("a page says that the server does not answer")
