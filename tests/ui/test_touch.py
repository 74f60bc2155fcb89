"""Phones: one column, targets for fingers, a tap for what hovering shows, and a page that always scrolls."""

import json
import time

import pytest
from figure_page import open_figure, texts_of
from lab_page import LESSON_PAGE
from layout import CUT, SETTLED, WIDER
from playwright.sync_api import expect

from app.figures import FIGURES

PHONE = {"has_touch": True, "is_mobile": True, "device_scale_factor": 2, "viewport": {"width": 320, "height": 640}}
# Where there is something to point at: two places of a plot, as shares of its frame.
POINTED = {
    "attention-lab": ["heatmap"],
    "gradient-health": ["jacobian"],
    "training-race": ["none", "d_k"],
    "three-jobs": ["raw", "made"],
    "inside-one-score": ["components", "products", "sums"],
    "trained-head": ["heatmap"],
}
PLACES = ((0.58, 0.42), (0.25, 0.75))
STRIP_PLACES = ((0.04, 0.4), (0.09, 0.6))  # among the components of the narrow head
# Targets smaller than 44 px. Links and terms inside running text may be; so may cells of matrices, where a control does
# the same: a list of rows for the operation, two sliders for the atlas of heads.
SMALL_TARGETS = """() => {
  const all = "button, select, summary, textarea, input, td[tabindex], [role=grid] tbody tr, tbody tr[data-q], a";
  const inText = ".term, .mark-text a, p a:not(:only-child), .skip, .op td, .op tr, .heads-atlas td, .heads-atlas tr";
  const isAlone = (a) => a.parentElement.textContent.trim() === a.textContent.trim();
  return [...document.querySelectorAll(all)].flatMap((el) => {
    const isLinkInText = el.tagName === "A" && getComputedStyle(el).display === "inline" && !isAlone(el);
    if (!el.checkVisibility() || el.matches(inText) || isLinkInText) return [];
    const target = el.matches("[type=radio], [type=checkbox]") ? el.closest("label") : el;
    const { width, height } = target.getBoundingClientRect();
    if (width === 0 || (height >= 43.5 && width >= 43.5)) return [];
    const name = `${el.tagName}.${el.className} ${el.textContent.trim().slice(0, 30)}`;
    return [`${name} ${Math.round(width)} x ${Math.round(height)}`];
  });
}"""
SMALL_TEXT = """() => {
  const found = [];
  const judge = (what, size) => {
    const px = parseFloat(size?.value ?? size);
    if (px > 0 && px < 10) found.push(`${what}: ${px} px`);
  };
  for (const plot of Bokeh.documents.flatMap((doc) => doc.roots())) {
    for (const piece of [...plot.above, ...plot.below, ...plot.left, ...plot.right]) {
      const names = ["major_label_text_font_size", "axis_label_text_font_size", "text_font_size"];
      if (piece.visible) for (const name of names) judge(name, piece[name]);
    }
    for (const { glyph, visible, name } of plot.renderers) if (visible) judge(name, glyph.text_font_size);
  }
  for (const el of document.querySelectorAll(".fig *")) {
    const isText = [...el.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (isText && el.checkVisibility()) judge(el.textContent.slice(0, 30), getComputedStyle(el).fontSize);
  }
  return found;
}"""
FRAMES = """() => Object.fromEntries(Bokeh.documents.flatMap((doc) => doc.roots()).map((plot) => {
  const view = Bokeh.index.find_one(plot);
  const box = view.el.getBoundingClientRect();
  const { left, top, width, height } = view.frame.bbox;
  const { canvas } = view.el.closest("[data-canvas]").dataset;
  return [canvas, { x: box.x + left, y: box.y + top, width, height, corner: [box.x + 3, box.y + 3] }];
}))"""
# What is told of a cell or bar: in words, and as outlines on the plots.
TOLD = """() => {
  const words = document.querySelectorAll('[data-text="cell"], [data-text="component"]');
  const sources = Bokeh.documents.flatMap((doc) => doc.roots())
    .flatMap((plot) => plot.renderers.map((each) => each.data_source).filter(({ name }) => name === "cell"));
  const cells = sources.map(({ data: { q, k } }) => [[...q], [...k]]);
  return JSON.stringify([[...words].map((el) => el.textContent), cells]);
}"""
HIGH_DRIVES = """() => [...document.querySelectorAll(".stays")].filter((el) => el.offsetHeight > 0.4 * innerHeight)
  .map((el) => `${el.className} ${el.offsetHeight} px`)"""


@pytest.fixture(scope="module")
def kept_phone(browser, browser_context_args, watching):
    context = browser.new_context(**browser_context_args | PHONE)
    watching.follow(context)
    yield context.new_page()
    context.close()


@pytest.fixture
def phone(kept_phone, watch):
    yield kept_phone
    kept_phone.goto("about:blank")
    kept_phone.set_viewport_size(PHONE["viewport"])


class Finger:
    def __init__(self, page):
        self.page, self.session = page, page.context.new_cdp_session(page)

    def drag(self, x, y, dx=0, dy=0, steps=8):
        """Down, along, at rest, up: no fling follows."""
        now = time.time()
        points = [(x + dx * i / steps, y + dy * i / steps) for i in range(1, steps + 1)]
        self._send("touchStart", [(x, y)], now)
        for i, point in enumerate([*points, points[-1]]):
            self._send("touchMove", [point], now + 0.03 * (i + 1) + 0.5 * (i == steps))
        self._send("touchEnd", [], now + 1.5)

    def _send(self, kind, points, when):
        touches = [{"x": x, "y": y} for x, y in points]
        self.session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches, "timestamp": when})

    def swipe(self, x, y):
        """Scroll the page with a finger that comes down here; fails where the page stays."""
        before = self.page.evaluate("scrollY")
        self.drag(x, y, dy=-140 if before < 150 else 140)
        self.page.wait_for_function("before => Math.abs(scrollY - before) > 60", arg=before, timeout=5_000)
        self.page.evaluate(SETTLED)


def until(page, wanted, told):
    page.wait_for_function(f"([wanted, told]) => (({TOLD})() === told) === wanted", arg=[wanted, told], timeout=5_000)
    return page.evaluate(TOLD)


def show(page, element):
    element.evaluate("el => el.scrollIntoView({ block: 'center', behavior: 'instant' })")
    page.evaluate(SETTLED)


@pytest.mark.parametrize("lang", ["en", "de"])
def test_pages_fit_and_have_targets_for_fingers(phone, app_url, lang):
    wrong = {}
    for path in ("/", "/embed", LESSON_PAGE):
        phone.goto(f"{app_url}{path}?lang={lang}")
        if path != "/":
            expect(phone.locator("[data-preview] iframe, [data-ready]").first).to_be_attached()
        phone.add_style_tag(content=".fig { content-visibility: visible !important }")
        phone.evaluate("document.querySelectorAll('main details').forEach((all) => { all.open = true; })")
        for width, height in ((320, 640), (390, 844)):
            phone.set_viewport_size({"width": width, "height": height})
            phone.evaluate(SETTLED)
            found = phone.evaluate(SMALL_TARGETS) + phone.evaluate(HIGH_DRIVES)
            if phone.evaluate(WIDER) > 0:
                found.append("scrolls sideways")
            if lang == "de":
                found += phone.evaluate(CUT)
            if found:
                wrong[path, width] = found
    assert not wrong, json.dumps([*map(str, wrong.items())], indent=1, ensure_ascii=False)


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_under_a_finger(phone, app_url, name):
    open_figure(phone, app_url, name, canvas=True, lang="de")
    phone.evaluate(SETTLED)
    finger, figure = Finger(phone), phone.locator("[data-figure]")
    assert phone.evaluate(WIDER) <= 0
    assert phone.evaluate(SMALL_TEXT) == []
    assert phone.evaluate(SMALL_TARGETS) == []

    for slider in figure.get_by_role("slider").all():
        show(phone, slider)
        before, box = texts_of(phone), slider.bounding_box()
        assert box["height"] >= 43.5
        finger.swipe(box["x"] + 0.8 * box["width"], box["y"] + box["height"] / 2)
        assert texts_of(phone) == before, "a swipe over a slider moved it"
        low, high, value = (float(slider.evaluate(f"el => el.{which}")) for which in ("min", "max", "value"))
        show(phone, slider)
        box = slider.bounding_box()
        thumb = box["x"] + 8 + (box["width"] - 16) * (value - low) / (high - low)
        finger.drag(thumb, box["y"] + box["height"] / 2, dx=60 if value < high / 2 else -60, dy=3)
        expect(slider).not_to_have_value(f"{value:g}")
        assert texts_of(phone) != before

    for canvas in phone.locator("[data-canvas]").all():
        show(phone, canvas)
        frame = phone.evaluate(FRAMES)[canvas.get_attribute("data-canvas")]
        before = texts_of(phone), phone.evaluate(TOLD)
        finger.swipe(frame["x"] + 0.6 * frame["width"], frame["y"] + 0.6 * frame["height"])
        assert (texts_of(phone), phone.evaluate(TOLD)) == before, "a swipe over a plot changed something"


@pytest.mark.parametrize("name", POINTED)
def test_a_tap_tells_what_hovering_tells(phone, app_url, name):
    open_figure(phone, app_url, name, canvas=True)
    phone.evaluate(SETTLED)
    for canvas in POINTED[name]:
        show(phone, phone.locator(f'[data-canvas="{canvas}"]'))
        frame = phone.evaluate(FRAMES)[canvas]
        shares = STRIP_PLACES if name == "inside-one-score" else PLACES
        here, there = ((frame["x"] + a * frame["width"], frame["y"] + b * frame["height"]) for a, b in shares)
        nothing = phone.evaluate(TOLD)
        phone.mouse.move(*here)
        hovered = until(phone, False, nothing)
        phone.mouse.move(0, 0)
        until(phone, True, nothing)
        phone.touchscreen.tap(*here)
        until(phone, True, hovered)
        phone.touchscreen.tap(*there)
        assert until(phone, False, hovered) != nothing
        phone.touchscreen.tap(*frame["corner"])
        until(phone, True, nothing)


def test_a_tap_in_the_matrices_tells_the_cell_and_a_swipe_does_not(phone, app_url):
    open_figure(phone, app_url, "whole-operation", lang="de")
    told, finger = phone.locator('[data-text="cell"]'), Finger(phone)
    hint = told.inner_text()
    for slot in ("left", "result"):
        cell = phone.locator(f'[data-slot="{slot}"] tbody tr').nth(3).locator("td").nth(4)
        show(phone, cell)
        box = cell.bounding_box()
        before = told.inner_text()
        finger.swipe(box["x"] + 5, box["y"] + 5)
        expect(told).to_have_text(before)
        show(phone, cell)
        cell.tap()
        expect(told).not_to_have_text(before)
        expect(told).not_to_have_text(hint)
    expect(phone.get_by_label("Zeile verfolgen")).to_have_value("3")
