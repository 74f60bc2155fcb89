"""A page in a real browser, used at random for as long as the soak lasts; its heap is looked at now and then."""

from __future__ import annotations

import threading
import time
from collections import Counter
from random import Random

from playwright import sync_api as playwright
from playwright.sync_api import CDPSession, Page

from bench.browser import chromium, fresh_context, wait_for_canvas
from bench.learner import WORDS
from bench.lesson_page import read_through

KEYS = ("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "PageUp", "PageDown", "Home", "End", "Enter", "Escape", "?")
# What a figure or the page has for clicking; a link would leave the page, and paper or files are not the page's heap.
BUTTONS = "main button:not([disabled]):not([data-print]):not([data-save])"
SENTENCES = (
    "dog bites dog",
    "one",
    "",
    "<b>bold</b> words",
    "x" * 30 + " y",
    "the cat that the dog saw ran up the tree",
)
LINKS = (
    "d_k=64&scaled=0", "d_k=2", "fault=divide_by_d_k", "row=5", "d_k=none", "variance-law?d_k=64",
    "memory-wall?T=128", "training-race?step=50", "text=dog+bites+dog", "seed=7", "",
)  # fmt: skip
METRICS = {"JSHeapUsedSize": "heap", "Nodes": "nodes", "JSEventListeners": "listeners"}
SHORT_MS = 1500
# Compiled code lies in the heap too, and there is more of it for hours, as ever more functions prove to be worth it.
# With no compilers, and a function's notes of its calls there from the first one, the heap is what the page holds.
NO_COMPILERS = "--js-flags=--jitless --no-lazy-feedback-allocation --no-flush-bytecode"


class SoakedPage:
    """Runs in a thread of its own between `start` and `stop`; `flags` are the browser's."""

    def __init__(self, url: str, sample_s: float, random: Random, *flags: str) -> None:
        self.url, self.sample_s, self.random, self.flags = url, sample_s, random, flags
        self.acts: Counter[str] = Counter()
        self.problems: list[str] = []
        # (seconds since the start, {"heap", "nodes", "listeners"}).
        self.samples: list[tuple[float, dict[str, float]]] = []
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="soaked page")

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        try:
            with chromium(*self.flags) as browser, fresh_context(browser) as context:
                page = context.new_page()
                page.on("console", lambda said: said.type == "error" and self.problems.append(said.text))
                page.on("pageerror", lambda error: self.problems.append(str(error)))
                page.goto(self.url)
                wait_for_canvas(page)
                read_through(page)
                tools = context.new_cdp_session(page)
                tools.send("Performance.enable")
                self._use(page, tools)
        except (RuntimeError, playwright.Error) as error:
            self.problems.append(str(error))

    def _use(self, page: Page, tools: CDPSession) -> None:
        acts = (self._key, self._key, self._key, self._click, self._theme, self._link, self._sentence)
        started, due = time.monotonic(), 0.0
        while not self._stop.is_set():
            act = self.random.choice(acts)
            try:
                act(page)
                self.acts[act.__name__.strip("_")] += 1
            except playwright.TimeoutError:
                self.acts["out of reach"] += 1  # covered by a dialog, or hidden
                page.keyboard.press("Escape")
            if time.monotonic() - started >= due:
                page.evaluate("bench.start(false)")  # the probe's own notes of keys and pictures are no leak
                self.samples.append((time.monotonic() - started, heap(tools)))
                due += self.sample_s

    def _key(self, page: Page) -> None:
        sliders = page.locator("main input[type=range]:visible")
        sliders.nth(self.random.randrange(sliders.count())).focus(timeout=SHORT_MS)
        for _ in range(self.random.randint(1, 20)):
            page.keyboard.press(self.random.choice(KEYS))

    def _click(self, page: Page) -> None:
        buttons = page.locator(BUTTONS).filter(visible=True)
        buttons.nth(self.random.randrange(buttons.count())).click(timeout=SHORT_MS)

    def _theme(self, page: Page) -> None:
        page.locator("[data-theme-choice]").select_option(index=self.random.randrange(4), timeout=SHORT_MS)

    def _link(self, page: Page) -> None:
        page.evaluate("(hash) => { location.hash = hash; }", self.random.choice(LINKS))

    def _sentence(self, page: Page) -> None:
        own = " ".join(self.random.choices(WORDS, k=self.random.randint(2, 12)))
        fields = page.locator("main input[name=text]:visible")
        field = fields.nth(self.random.randrange(fields.count()))
        field.fill(self.random.choice((own, own, *SENTENCES)), timeout=SHORT_MS)
        field.press("Enter", timeout=SHORT_MS)


def heap(tools: CDPSession) -> dict[str, float]:
    """What is left when all garbage has gone; the heap in MB."""
    tools.send("HeapProfiler.collectGarbage")
    found = {item["name"]: item["value"] for item in tools.send("Performance.getMetrics")["metrics"]}
    sample = {short: float(found[name]) for name, short in METRICS.items()}
    return sample | {"heap": sample["heap"] / 1e6}
