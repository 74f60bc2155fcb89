"""Take the pictures in docs/: python tools/pictures.py, with `make serve` running on port 5006."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parent.parent
FLAGS = "--no-sandbox --disable-gpu --disable-background-networking --disable-component-update --disable-sync"
PICTURES = {
    "lab": ("/embed/attention-lab?d_k=64&scaled=0", 1280, 600, "light"),
}


def main(server: str = "http://127.0.0.1:5006") -> int:
    browser = runpy.run_path(str(ROOT / "tools" / "browser.py"))["find_browser"]()
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=browser, args=FLAGS.split())
        for name, (path, width, height, scheme) in PICTURES.items():
            page = chromium.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
            page.goto(server + path)
            page.wait_for_selector('[data-ready="canvas"] canvas')
            page.wait_for_function("() => new Promise(done => setTimeout(() => done(true), 300))")
            page.screenshot(path=ROOT / "docs" / f"{name}.png")
        chromium.close()
    return 0


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:2]))
