"""What axe cannot see of the lesson: names and states of controls, what is spoken, the order of the focus, sizes.

One page with all nine figures awake serves the tests; each leaves it as it found it, save for the state of figures.
"""

import re
from collections import Counter

import pytest
from a11y import HOLD, IN_PLOTS, LISTEN, SIGNS, SMALL, controls, wake, walk
from lab_page import LESSON_PAGE
from playwright.sync_api import expect

pytestmark = pytest.mark.usefixtures("watch")
STATES = {
    "radio": ["checked"],
    "checkbox": ["checked"],
    "combobox": ["expanded"],
    "DisclosureTriangle": ["expanded"],
    "slider": ["valuetext"],
}
FIGURES_IN_ORDER = [
    "three-jobs",
    "inside-one-score",
    "variance-law",
    "gradient-health",
    "training-race",
    "trained-head",
    "whole-operation",
    "memory-wall",
    "attention-lab",
]


@pytest.fixture(scope="module")
def lesson(kept_page, app_url):
    """A page of its own, because the tests share it."""
    page = kept_page.new_context(viewport={"width": 1280, "height": 720}).new_page()
    page.goto(app_url + LESSON_PAGE)
    wake(page)
    yield page
    page.context.close()


@pytest.fixture
def page(lesson):
    lesson.set_viewport_size({"width": 1280, "height": 720})
    lesson.evaluate("document.documentElement.dataset.theme = 'light'")
    return lesson


def test_every_control_has_a_role_a_name_of_its_own_and_a_state(page):
    page.evaluate("document.querySelectorAll('main details').forEach(all => { all.open = true; })")
    found = controls(page)
    page.evaluate("document.querySelectorAll('main details').forEach(all => { all.open = false; })")
    roles = Counter(control["role"] for control in found)
    assert roles["slider"] == 9 and roles["button"] > 50 and roles["combobox"] > 12, roles
    assert not [control for control in found if control["role"] == "generic" or not control["name"]]
    same = Counter((each["role"], each["name"], each["description"], each["place"]) for each in found)
    assert not [control for control, count in same.items() if count > 1]
    for control in found:
        for state in STATES.get(control["role"], ()):
            assert state in control["states"], control
    toggles = page.locator("main :is(button[data-control], .toggle)").all()
    assert len(toggles) == 8 and all(toggle.get_attribute("aria-pressed") for toggle in toggles)


@pytest.mark.parametrize("lang", ["en", "de"])
def test_sliders_say_in_words_what_comes_of_them(lang, page, app_url):
    if lang != "en":
        page = page.context.new_page()
        page.goto(f"{app_url}{LESSON_PAGE}?lang={lang}")
        wake(page, "controls|canvas")
    sliders = page.locator("[data-mount] input[type=range]").all()
    assert len(sliders) == 9
    for slider in sliders:
        said = []
        for key in ("Home", "ArrowRight", "End", "ArrowLeft"):
            slider.press(key)
            said.append(slider.get_attribute("aria-valuetext"))
        # A name, a number, and what follows from it; another one after each move.
        assert len(set(said)) == 4 and all(re.search(r"\d.*[,:] .*\w", text) for text in said), said
        assert all(re.search(r"[^\W\d_]{3}", text) and "{" not in text for text in said), said
    if lang != "en":
        assert "Skalierung" in sliders[1].get_attribute("aria-valuetext")
        page.close()


def test_one_polite_summary_when_the_learner_stops(page):
    # What other tests left to say is said first.
    page.evaluate("document.querySelectorAll('[data-live]').forEach(el => { el.textContent = ''; })")
    slider = page.locator('[data-mount="attention-lab"] input[type=range]')
    for key in ("Home", "End"):
        slider.press(key)
    expect(page.locator('[data-mount="attention-lab"] [data-live]')).not_to_be_empty()
    page.evaluate("document.querySelectorAll('[data-live]').forEach(el => { el.textContent = ''; })")
    page.evaluate(LISTEN)
    for number, name in enumerate(FIGURES_IN_ORDER):
        figure = page.locator(f'[data-mount="{name}"]')
        control = figure.locator("[data-control]").first
        control.evaluate(HOLD)
        page.wait_for_function("before => spoken.length > before", arg=number)
        # As many as figures so far: none on the way, and none from anywhere else.
        spoken = page.evaluate("spoken")
        assert [place for place, _ in spoken] == FIGURES_IN_ORDER[: number + 1]
        numbers = re.compile(r"\d+\.\d+|\d+")
        shown = figure.locator("[data-kpi], [data-text]").all_text_contents()
        results = {found for text in shown for found in numbers.findall(text)}
        results.difference_update(numbers.findall(f"{control.input_value()} {own_value(figure, control)}"))
        assert results & set(numbers.findall(spoken[-1][1])), spoken[-1]


def own_value(figure, control):
    """What the control shows of itself."""
    return " ".join(figure.locator(f'[data-text="{control.get_attribute("name")}-value"]').all_text_contents())


def test_plots_name_what_holds_their_numbers_and_it_keeps_step(page):
    plots = page.locator(".canvas, [data-mount] [role=img]:not(.canvas)")
    labels = plots.evaluate_all("all => all.map(el => el.getAttribute('role') === 'img' && el.ariaLabel)")
    holds = re.compile(r"\b(table|tables|board|list|read out)\b")
    assert len(labels) >= 17 and all(holds.search(label) for label in labels), labels
    bare = "document.querySelectorAll('[data-mount] :is(canvas, svg):not([role=img] *, [aria-hidden=true])').length"
    assert page.evaluate(bare) == page.evaluate(IN_PLOTS) == 0
    for figure in page.locator("[data-mount]").all():
        seen = set()
        for key in ("Home", "End"):
            figure.locator("[data-control]").first.press(key)
            seen.add(figure.evaluate("el => [...el.querySelectorAll('table')].map(table => table.outerHTML).join()"))
        assert len(seen) == 2, figure.get_attribute("data-mount")


def test_nothing_is_told_by_colour_alone(page):
    signs = page.evaluate(SIGNS)
    assert len(signs["lanes of the race"]) == 3 and len(signs) == 6
    assert all(len(set(kind)) == len(kind) and "none" not in kind for kind in signs.values()), signs
    rows = page.locator('[data-table="norms"] tbody tr').evaluate_all(
        "rows => rows.map(row => [row.dataset.dead, row.cells[3].textContent])"
    )
    assert len({dead for dead, _ in rows}) == len(set(map(tuple, rows)))  # a word for each state
    chosen = page.locator('[data-table="weights"] tr[aria-selected="true"] td').first
    assert chosen.evaluate("el => getComputedStyle(el).boxShadow") != "none"
    plain = "all => all.filter(el => getComputedStyle(el).textDecorationLine === 'none').map(el => el.textContent)"
    assert page.locator("main > p a, main > ul a").evaluate_all(plain) == []


# ---- the focus ---------------------------------------------------------------------------


@pytest.mark.parametrize(("theme", "size"), [("light", (1280, 720)), ("projector", (320, 256))])
def test_the_focus_goes_through_the_page_and_back_always_seen(theme, size, page):
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
    there = walk(page, "Tab")
    back = walk(page, "Shift+Tab")
    order = [stop["order"] for stop in there]
    assert order == sorted(order) == [stop["order"] for stop in reversed(back)] and len(order) > 120
    assert there[0]["at"].strip() == "a Skip to the content"
    assert list(dict.fromkeys(stop["figure"] for stop in there if stop["figure"])) == FIGURES_IN_ORDER
    rings = page.evaluate("""() => ["light", "dark"].map(scheme => {
      const probe = document.body.appendChild(document.createElement("i"));
      probe.style = `color: var(--focus); color-scheme: ${scheme}`;
      const { color } = getComputedStyle(probe);
      probe.remove();
      return color;
    })""")  # what has a light ground in each theme has the light ring
    for stop in there + back:
        assert stop["outline"] >= 2 and stop["colour"] in rings, stop
        assert stop["covered"] <= 1, stop  # of three points along it
    # Down the page, or to the right where something stands beside.
    for before, after in zip(there, there[1:], strict=False):
        if not (before["fixed"] or after["fixed"]):
            assert after["bottom"] > before["top"] or after["left"] >= before["right"] - 1, (before, after)


@pytest.mark.parametrize("width", [1280, 390])
def test_targets_are_large_enough_or_far_apart(width, page):
    page.set_viewport_size({"width": width, "height": 800})
    page.evaluate("document.querySelectorAll('details').forEach(all => { all.open = true; })")
    small = page.evaluate(SMALL)
    page.evaluate("document.querySelectorAll('details').forEach(all => { all.open = false; })")
    assert not small
