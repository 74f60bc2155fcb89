"""Take the gallery in docs/: python tools/gallery.py [SERVER [PAGE …]], with `make serve` running on port 5006.

Every page in each theme, wide and narrow, and the states that a page can get into.
"""

from __future__ import annotations

import base64
import runpy
import sys
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlsplit

from pictures import FLAGS, ROOT, SHOWN
from playwright.sync_api import Browser, Page, expect, sync_playwright

from app.figures import FIGURES

THEMES = ("light", "dark", "projector")
WIDTHS = (1280, 390)
HIGHEST = 1600  # px: where a page goes on, the picture does not
LESSON = "/lessons/05-trainable-attention"
QUALITY = 80


def _drawn(page: Page) -> None:
    if page.locator("[data-eager]").count():
        expect(page.locator("[data-eager]")).to_have_attribute("data-ready", "canvas", timeout=60_000)
    page.wait_for_function("() => new Promise(done => setTimeout(() => done(true), 400))")


def _framed(page: Page) -> None:
    page.frame_locator("iframe").locator('[data-ready="canvas"] canvas').first.wait_for()
    _drawn(page)


def _at(selector: str) -> Callable[[Page], None]:
    def ready(page: Page) -> None:
        _drawn(page)
        page.evaluate("selector => document.querySelector(selector).scrollIntoView()", selector)
        _drawn(page)

    return ready


def _loading(page: Page) -> None:
    page.wait_for_selector('[data-ready="controls"]')


def _refused(page: Page) -> None:
    _drawn(page)
    page.get_by_label("Sentence").fill("hello <b>")
    page.get_by_role("button", name="Use it").click()
    expect(page.get_by_label("Sentence")).to_have_attribute("aria-invalid", "true")


def _alone(page: Page) -> None:
    """As when the server has gone away."""
    _drawn(page)
    page.route("**/*", lambda route: route.abort())
    page.get_by_role("button", name="Redraw").click()
    expect(page.locator('[data-notice="offline"]')).to_be_visible()


def _keys(page: Page) -> None:
    _drawn(page)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()


def _menu(page: Page) -> None:
    _drawn(page)
    page.locator("summary", has_text="Take it along").click()
    expect(page.get_by_role("button", name="NumPy script")).to_be_visible()


@dataclass(frozen=True)
class Shown:
    """A page as it is when `ready` is through. A state is shown in one theme, wide and narrow."""

    title: str
    path: str
    ready: Callable[[Page], None] = _drawn
    whole: bool = True
    state: bool = False

    @property
    def themes(self) -> tuple[str, ...]:
        return THEMES[:1] if self.state else THEMES


SHOWN_PAGES = {
    "index": Shown("The list of lessons", "/"),
    "lesson": Shown("The lesson: its start", LESSON, whole=False),
    "lesson-lab": Shown("The lesson: its lab", LESSON, _at("#attention-lab"), whole=False),
    "lesson-quiz": Shown("The lesson: its quiz", LESSON, _at("#quiz"), whole=False),
    **{name: Shown(figure.title, f"/embed/{name}") for name, figure in FIGURES.items()},
    "builder": Shown("The builder", "/embed?figure=attention-lab", _framed),
    "loading": Shown("Before the plots are there", "/embed/variance-law", _loading, state=True),
    "saturated": Shown("Saturated", "/embed/attention-lab?d_k=64&scaled=0", state=True, whole=False),
    "locked": Shown("Some of it locked", "/embed/attention-lab?lock=scaled,row,text", state=True, whole=False),
    "ignored": Shown("A link with a value that is none", "/embed/attention-lab?d_k=999", state=True, whole=False),
    "refused": Shown("A sentence that is not taken", "/embed/attention-lab", _refused, state=True, whole=False),
    "alone": Shown("Without its server", "/embed/attention-lab", _alone, state=True, whole=False),
    "keys": Shown("What the keys do", LESSON, _keys, state=True, whole=False),
    "menu": Shown("Take it along", "/embed/memory-wall", _menu, state=True),
    "missing": Shown("A page that is not there", "/lessons/none", state=True, whole=False),
}


def file_name(name: str, theme: str, width: int) -> str:
    return f"gallery/{name}-{theme}-{width}.webp"


def take(chromium: Browser, name: str, theme: str, width: int) -> None:
    """One picture, as WebP: a tenth of a PNG's size."""
    shown = SHOWN_PAGES[name]
    page = chromium.new_page(viewport={"width": width, "height": 800}, color_scheme="light")
    page.add_init_script(f"localStorage.setItem('attention-lessons/settings', '{{\"theme\": \"{theme}\"}}')")
    if shown.ready is _loading:
        page.route("**/static/bokeh*", lambda route: None)  # never answered
    page.goto(f"http://{SHOWN}{shown.path}")
    shown.ready(page)
    height = min(page.evaluate("document.documentElement.scrollHeight"), HIGHEST) if shown.whole else 800
    page.set_viewport_size({"width": width, "height": height})
    if shown.ready is not _loading:
        _drawn(page)
    answer = page.context.new_cdp_session(page).send("Page.captureScreenshot", {"format": "webp", "quality": QUALITY})
    (ROOT / "docs" / file_name(name, theme, width)).write_bytes(base64.b64decode(answer["data"]))
    page.unroute_all(behavior="ignoreErrors")
    page.close()


def write_page() -> None:
    """docs/gallery.md, which shows them all."""
    lines = ["# Gallery", "", "Every page in each theme, wide and narrow. Made by `python tools/gallery.py`.", ""]
    for name, shown in SHOWN_PAGES.items():
        lines += [f"## {shown.title}", ""]
        for theme in shown.themes:
            for width in WIDTHS:
                alt = f"{shown.title}: {theme}, {width} px wide"
                lines.append(f'<img src="{file_name(name, theme, width)}" alt="{alt}" width="{width // 3}">')
        lines.append("")
    (ROOT / "docs" / "gallery.md").write_text("\n".join(lines), "utf-8")


def main(server: str = "http://127.0.0.1:5006", *names: str) -> int:
    """Take all pictures, or those of the pages that are named."""
    browser = runpy.run_path(str(ROOT / "tools" / "browser.py"))["find_browser"]()
    (ROOT / "docs" / "gallery").mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        flags = [*FLAGS.split(), f"--host-resolver-rules=MAP {SHOWN}:80 {urlsplit(server).netloc}"]
        chromium = playwright.chromium.launch(executable_path=browser, args=flags)
        for name in names or SHOWN_PAGES:
            for theme in SHOWN_PAGES[name].themes:
                for width in WIDTHS:
                    take(chromium, name, theme, width)
        chromium.close()
    write_page()
    return 0


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
