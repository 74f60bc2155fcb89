"""WCAG 2.2 AA as far as axe can see it: every page, in each theme, wide and narrow, and in the states that matter."""

from pathlib import Path

import axe_playwright_python
import pytest
from a11y import SPACED
from lab_page import EMBED, LESSON_PAGE, LabPage
from layout import CUT
from playwright.sync_api import expect

from app.figures import FIGURES

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text("utf-8")
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
# The rules whose answer a theme can change: what they find, they find of the text's and the ground's colour.
COLOURS = ["color-contrast", "link-in-text-block"]
RUN = """async ([rules, without]) => {
  // What follows from a new size is there after the next frame.
  await new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  const where = without ? { exclude: [[without]] } : document;
  const found = await axe.run(where, { runOnly: rules, resultTypes: ['violations', 'incomplete'] });
  const tell = ({ id, nodes }) => nodes.map(node => {
    const key = node.any[0]?.data?.messageKey ?? '';
    return `${id} ${key} ${node.target}`.trim();
  });
  return [found.violations.flatMap(tell), found.incomplete.flatMap(tell)];
}"""
# What axe leaves open, and why that is no question here. Contrast: every text colour is held to 4.5 : 1 on each ground
# in tests/widgets/test_theme.py; axe gives up where text is one sign long or mathematical, where a sticky bar or a plot
# lies near it, and on the matrices' labels, which have a ground of their own.
EXPLAINED = tuple(
    f"color-contrast {key}"
    for key in ("shortTextContent", "nonBmp", "bgOverlap", "elmPartiallyObscur", "imgNode", "bgImage", "pseudoContent")
) + (
    "frame-tested",  # the builder's preview: its page is tested by itself
)


# Plots follow a new size a moment later.
FITS = "() => document.documentElement.scrollWidth <= innerWidth"
STRUCTURE = """() => {
  const all = selector => [...document.querySelectorAll(selector)].filter(el => el.checkVisibility());
  const name = el => el.ariaLabel || document.getElementById(el.getAttribute("aria-labelledby"))?.textContent;
  return {
    title: document.title, lang: document.documentElement.lang, h1: document.querySelector("h1").textContent.trim(),
    levels: all("h1, h2, h3, h4, h5, h6").map(el => Number(el.localName[1])),
    main: all("main").length, footer: all("body > footer, main > footer").length, navs: all("nav").map(name),
    frames: all("iframe").map(el => el.title),
  };
}"""


def check(page, what="", rules=RULES, without=None):
    if not page.evaluate("Boolean(window.axe)"):
        page.evaluate(f"() => {{ {AXE} }}")
    violations, incomplete = page.evaluate(RUN, [rules, without])
    assert not violations, (what, violations)
    assert not [told for told in incomplete if not told.startswith(EXPLAINED)], (what, incomplete)


def choose(page, theme):
    page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)


def check_themes(page, what):
    """All rules in one theme, and those on colours in the others."""
    for theme, rules in (("dark", COLOURS), ("projector", COLOURS), ("light", RULES)):
        choose(page, theme)
        check(page, (theme, what), rules)


# Twelve words, some as long as words may be, where a figure takes a sentence; else a state that shows the most.
LONG = "text=internationalisation+" + "+".join(["b" * 24] * 11)
STATES = dict.fromkeys(FIGURES, LONG) | {
    "memory-wall": "length=15&dtype=float32",
    "trained-head": "layer=5&head=6&scaled=0",
    "training-race": "step=50",
    "variance-law": "d_k=64",
    "gradient-health": "d_k=64&scaled=0",
    "whole-operation": f"step=4&batch=1&{LONG}",
}


@pytest.mark.parametrize("path", ["/", "/embed", LESSON_PAGE, *(f"/embed/{name}?{STATES[name]}" for name in FIGURES)])
def test_every_page_in_every_theme_wide_and_narrow(path, page, app_url):
    page.goto(app_url + path)
    if page.locator("[data-mount]").count():
        expect(page.locator("[data-eager]")).to_have_attribute("data-ready", "canvas", timeout=20_000)
    # Axe cannot judge what is not laid out, or closed.
    page.add_style_tag(content=".fig { content-visibility: visible !important }")
    page.evaluate("document.querySelectorAll('.fig details').forEach(all => { all.open = true; })")
    # Colours do not depend on the width: each theme once, and the narrow page in the one with the largest type.
    for theme, width, rules in (("light", 1280, RULES), ("dark", 1280, COLOURS), ("projector", 390, RULES)):
        page.set_viewport_size({"width": width, "height": 800})
        choose(page, theme)
        # A figure has a page of its own, where all of this is asked of it; what a lesson adds shows in one theme.
        check(page, (theme, width), rules, without="[data-mount]" if path == LESSON_PAGE and theme != "light" else None)
    # Its type is the largest.
    page.set_viewport_size({"width": 320, "height": 256})
    page.wait_for_function(FITS, timeout=10_000)
    choose(page, "light")
    check_structure(page)
    check_small_windows(page)


def check_structure(page):
    """Title, language, landmarks and headings."""
    found = page.evaluate(STRUCTURE)
    levels = found["levels"]
    assert levels[0] == 1 and levels.count(1) == 1, levels
    assert all(after <= before + 1 for before, after in zip(levels, levels[1:], strict=False)), levels
    assert found["title"].startswith(found["h1"]) and found["lang"] == "en"
    assert found["main"] == 1 and found["footer"] <= 1
    assert all(found["navs"]) and len(set(found["navs"])) == len(found["navs"])
    assert all(found["frames"]) and (len(found["frames"]) == 1 or "/embed?" not in page.url)


def check_small_windows(page):
    """WCAG 1.4.10 and 1.4.12: at 400 % zoom and with the reader's spacing nothing is lost, nor scrolls sideways."""
    for size, spaced in (((320, 256), False), ((320, 256), True), ((1280, 720), True)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        if spaced:
            page.add_style_tag(content=SPACED)
        page.wait_for_function(FITS, timeout=10_000)
        assert not page.evaluate(CUT), (size, spaced)
        stuck = (
            "[...document.querySelectorAll('.bar, .stays')].filter(el => getComputedStyle(el).position === 'sticky')"
        )
        if size[1] == 256 and not spaced:
            assert page.evaluate(f"{stuck}.reduce((sum, el) => sum + el.offsetHeight, 0)") <= 64


def test_the_states_that_matter(page, app_url):
    lab = LabPage(page, app_url)
    lab.open(EMBED, theme="light", d_k=64, scaled=False, lock="scaled,row,text", hide="context")
    check_themes(page, "saturated, locked")
    lab.open(EMBED, theme="light", d_k=999, fault="softmax_over_queries")
    lab.use_sentence("<b>")
    expect(lab.sentence).to_have_attribute("aria-invalid", "true")
    check_themes(page, "notice, error, no distribution")
    lab.slider.focus()
    lab.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    check_themes(page, "dialog")
    page.keyboard.press("Escape")
    page.get_by_text("Take it along").click()
    expect(page.get_by_role("button", name="NumPy script")).to_be_visible()
    check_themes(page, "take it along")
    page.set_viewport_size({"width": 320, "height": 256})
    page.goto(app_url + LESSON_PAGE)
    page.locator("[data-contents] summary").click()
    last = page.locator("[data-contents] a").last
    last.scroll_into_view_if_needed()
    expect(last).to_be_in_viewport(ratio=1)
    page.keyboard.press("Escape")
    page.get_by_label("with answers").check()
    page.add_style_tag(content=".bar { position: static !important }")  # what scrolls beneath it is no smaller for that
    check(page, "400 %, print with answers")
