"""Take the pictures in docs/: python tools/pictures.py [SERVER [NAME …]], with `make serve` running on port 5006."""

from __future__ import annotations

import re
import runpy
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Page, expect, sync_playwright

ROOT = Path(__file__).parent.parent
# Pages that show their own address show this one, and not that of the machine that took the picture.
SHOWN = "lessons.example.org"
FLAGS = "--no-sandbox --disable-gpu --disable-background-networking --disable-component-update --disable-sync"
COURSE = """<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>A course page</title>
<body style="margin: 28px 48px; font: 17px/1.55 Georgia, serif; color: #222">
<p style="color: #777; margin: 0; font: 14px sans-serif">NLP 101 › Week 5 › Attention</p>
<h1 style="font-size: 28px; margin: 6px 0 10px">What happens without the scale?</h1>
<p style="margin: 0 0 14px">The scale is off in this lab, and stays off. Take d_k from 2 to 64 and watch the dead rows.
Then write down in one sentence what a dead row cannot do any more.</p>
<iframe src="http://{host}/embed/attention-lab/?d_k=64&scaled=0&lock=scaled&hide={hide},fault,reset"
title="The attention lab" width="100%" height="600" style="border: 0"></iframe></body></html>"""
FEW = "text,seed,lesson,row,inside,cell,copy,title,caption,table,share"


def _figure(page: Page) -> None:
    page.wait_for_selector('[data-ready="canvas"] canvas')
    page.wait_for_function("() => new Promise(done => setTimeout(() => done(true), 300))")


def _framed(page: Page) -> None:
    page.frame_locator("iframe").locator('[data-ready="canvas"] canvas').first.wait_for()
    page.wait_for_function("() => new Promise(done => setTimeout(() => done(true), 600))")


def _builder(page: Page) -> None:
    _framed(page)
    page.locator("summary", has_text="Hold fast").click()
    page.locator('[data-names="lock"]').get_by_label("÷√d_k switch").check()
    expect(page.locator("[data-code]")).to_have_value(re.compile("lock=scaled"))
    page.locator("summary", has_text="Hold fast").click()
    _framed(page)


@dataclass(frozen=True)
class Picture:
    """A page as it is when `ready` is through; `path` is an address, or `html` the page around a frame."""

    file: str
    path: str
    ready: Callable[[Page], None]
    width: int = 1280
    height: int = 600
    html: str = ""


PICTURES = {
    "lab": Picture("lab.png", "/embed/attention-lab?d_k=64&scaled=0", _figure),
    "builder": Picture("pictures/builder.png", "/embed?figure=attention-lab&d_k=64&scaled=0", _builder, 980, 1000),
    "course-page": Picture("pictures/course-page.png", "", _framed, 960, 720, COURSE),
    "one-matrix": Picture(
        "pictures/one-matrix.png",
        f"/embed/attention-lab?d_k=64&fault=shared_projection&row=4&hide={FEW},reset",
        _figure,
        960,
        530,
    ),
}


def main(server: str = "http://127.0.0.1:5006", *names: str) -> int:
    """Take all pictures, or those that are named."""
    browser = runpy.run_path(str(ROOT / "tools" / "browser.py"))["find_browser"]()
    place = urlsplit(server).netloc
    with sync_playwright() as playwright:
        flags = [*FLAGS.split(), f"--host-resolver-rules=MAP {SHOWN}:80 {place}"]
        chromium = playwright.chromium.launch(executable_path=browser, args=flags)
        for name in names or PICTURES:
            picture = PICTURES[name]
            page = chromium.new_page(viewport={"width": picture.width, "height": picture.height}, color_scheme="light")
            if picture.html:
                page.set_content(picture.html.format(host=SHOWN, hide=FEW))
            else:
                page.goto(f"http://{SHOWN}{picture.path}")
            picture.ready(page)
            page.screenshot(path=ROOT / "docs" / picture.file)
            page.close()
        chromium.close()
    return 0


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
