"""WCAG 2.2 AA as far as axe can see it: every page, in each theme, wide and narrow, and in the states that matter."""

from pathlib import Path

import axe_playwright_python
import pytest
from lab_page import EMBED, LESSON_PAGE, LabPage
from playwright.sync_api import expect

from app.figures import FIGURES

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text("utf-8")
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
RUN = """async (rules) => {
  // What follows from a new size is there after the next frame.
  await new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  const found = await axe.run({ runOnly: rules, resultTypes: ['violations', 'incomplete'] });
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
) + ("frame-tested",)  # the builder's preview: its page is tested by itself


def check(page, what=""):
    if not page.evaluate("Boolean(window.axe)"):
        page.evaluate(f"() => {{ {AXE} }}")
    violations, incomplete = page.evaluate(RUN, RULES)
    assert not violations, (what, violations)
    assert not [told for told in incomplete if not told.startswith(EXPLAINED)], (what, incomplete)


@pytest.mark.parametrize("path", ["/", "/embed", LESSON_PAGE, *(f"/embed/{name}" for name in FIGURES)])
def test_every_page_in_every_theme_wide_and_narrow(path, page, app_url):
    page.goto(app_url + path)
    if page.locator("[data-mount]").count():
        expect(page.locator("[data-eager]")).to_have_attribute("data-ready", "canvas", timeout=20_000)
    # Axe cannot judge what is not laid out, or closed.
    page.add_style_tag(content=".fig { content-visibility: visible !important }")
    page.evaluate("document.querySelectorAll('.fig details').forEach(all => { all.open = true; })")
    # Colours do not depend on the width: each theme once, and the narrow page in one of them.
    for theme, width in (("light", 1280), ("dark", 1280), ("projector", 390)):
        page.set_viewport_size({"width": width, "height": 800})
        page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
        check(page, (theme, width))


def test_the_states_that_matter(page, app_url):
    lab = LabPage(page, app_url)
    for theme in ("light", "dark", "projector"):
        lab.open(EMBED, theme=theme, d_k=64, scaled=False, lock="scaled,row,text", hide="context")
        check(page, (theme, "saturated, locked"))
        lab.open(EMBED, theme=theme, d_k=999, fault="softmax_over_queries")
        lab.use_sentence("<b>")
        expect(lab.sentence).to_have_attribute("aria-invalid", "true")
        check(page, (theme, "notice, error, no distribution"))
        lab.slider.focus()
        lab.press("?")
        expect(page.get_by_role("dialog")).to_be_visible()
        check(page, (theme, "dialog"))
