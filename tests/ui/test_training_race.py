"""The training race in a browser: every number against a run in plain loops, play, keys, sizes."""

import random
from urllib.parse import urlencode

import pytest
from figure_page import GO
from kept_page import VIEWPORT
from plain_race import LANES, STEPS, plain_race
from playwright.sync_api import expect
from race_page import EMBED, LESSON, RacePage

RACES = [LESSON | {"d_k": d_k, "learning_rate": rate} for d_k in (4, 16, 64) for rate in (0.03, 0.1)] + [
    {"text": "yes no", "seed": 3, "d_k": 64, "learning_rate": 0.1},
    {"text": "the cat saw the other cat", "seed": 0, "d_k": 16, "learning_rate": 0.03},
    {"text": "a b c d e f g h i j k l", "seed": 2**32 - 1, "d_k": 64, "learning_rate": 0.1},
    {"text": "same Same SAME", "seed": 8, "d_k": 4, "learning_rate": 0.1},
]


@pytest.fixture
def race(page, app_url):
    return RacePage(page, app_url)


@pytest.fixture(scope="module")
def opened(kept_page, app_url):
    """A race in a page of its own, for the tests that move from one race to another."""
    page = kept_page.new_context(viewport=VIEWPORT).new_page()
    yield RacePage(page, app_url).open()
    page.context.close()


# ---- true ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "key", RACES, ids=lambda key: f"{len(key['text'].split())}-{key['d_k']}-{key['learning_rate']}"
)
def test_what_is_shown_is_what_plain_loops_compute(key, opened, watch):
    race, chance = opened, random.Random(f"{key}")
    first = chance.randint(0, STEPS)
    state = key | {"step": first, "lane": "d_k"}
    if RACES.index(key) % 5 == 0:
        race.open(**state)
    else:
        race.page.evaluate(GO, ["training-race", state])
    race.expect_state(first, "d_k", **key)
    race.page.locator(".fig details").evaluate_all("all => all.forEach(el => { el.open = true; })")
    for lane in LANES:
        step = chance.choice([0, 1, STEPS, chance.randint(2, 60), chance.randint(61, 299)])
        race.page.get_by_label("Lane", exact=True).select_option(lane)
        race.slider.fill(str(step))
        race.expect_state(step, lane, **key)


def test_the_lessons_race_ends_as_its_text_says(race):
    race.open(step=50)
    assert [race.kpi(f"loss-{lane}").inner_text() for lane in LANES][1:] == ["0.002", "0.372"]
    race.slider.press("End")
    assert [race.kpi(f"loss-{lane}").inner_text() for lane in LANES] == ["0.558", "0.000", "0.011"]
    expect(race.page.get_by_text("✕ 2 of 6 rows stuck: ‘journey’, ‘starts’")).to_be_visible()


def test_the_html_says_the_same_before_any_script(page, app_url, new_context):
    state = {"text": "one two three two five", "seed": 9, "d_k": 16, "step": 37, "lane": "sqrt_d_k"}
    plain = new_context(java_script_enabled=False).new_page()
    texts = "els => els.map(el => el.textContent.trim())"
    seen = []
    for tab in (plain, page):
        tab.goto(f"{app_url}{EMBED}?{urlencode(state)}")
        if tab is page:
            expect(page.locator("[data-mount][data-ready]")).to_be_attached()
        seen.append(tab.locator("[data-text], [data-kpi], td, th, option").evaluate_all(texts))
    assert seen[0] == seen[1] and len(seen[0]) > 60


DRAWN = """() => {
  const plots = window.Bokeh.documents.flatMap((document) => document.roots());
  const data = (plot, name) => plot.renderers.map((r) => r.data_source).find((s) => s.name === name)?.data;
  const [course] = plots.filter((plot) => data(plot, "now"));
  const lanes = plots.filter((plot) => data(plot, "target"));
  return {
    runs: ["none", "sqrt_d_k", "d_k"].map((lane) => data(course, `run-${lane}`).loss),
    now: data(course, "now").step,
    maps: lanes.map((plot) => ({
      weights: data(plot, "weights").weight, target: data(plot, "target").k, stuck: data(plot, "stuck").q,
      signs: data(plot, "signs").k.length,
    })),
  };
}"""


def test_the_canvases_draw_the_same(race):
    race.open(canvas=True, step=20)
    race.slider.press("ArrowRight")
    drawn, want = race.page.evaluate(DRAWN), plain_race(*LESSON.values())
    assert drawn["now"] == [21]
    for i, lane in enumerate(LANES):
        assert drawn["runs"][i] == pytest.approx(want[lane]["loss"][:22].tolist(), abs=1e-5)
        assert drawn["maps"][i]["weights"] == pytest.approx(want[lane]["weights"][21].ravel().tolist(), abs=1e-5)
        assert drawn["maps"][i]["target"] == [5, 0, 1, 2, 3, 4]
    assert [(lane["stuck"], lane["signs"]) for lane in drawn["maps"]] == [([1, 2], 2), ([], 0), ([], 0)]


# ---- driven --------------------------------------------------------------------------


def test_keys_move_the_step_and_the_link_follows(race):
    race.open(step=10)
    race.slider.focus()
    race.page.keyboard.press("ArrowRight")
    race.page.keyboard.press("Tab")
    race.page.keyboard.press("Tab")
    expect(race.page.get_by_role("button", name="One step back")).to_be_focused()
    for key in ("Enter", "Enter", "Enter", "Tab", "Space"):
        race.page.keyboard.press(key)
    expect(race.slider).to_have_value("9")
    race.expect_state(9)
    expect(race.slider).to_have_attribute("aria-valuetext", "step 9: no scale 0.541, ÷√d_k 0.014, ÷d_k 0.907")
    race.page.wait_for_url("**step=9&**")
    assert "playing" not in race.page.url
    expect(race.page.locator("[data-live]")).to_contain_text("After 9 steps. no scale: 0.541. Under way")


def test_the_table_tells_a_cell_of_all_lanes(race):
    race.open(step=300, canvas=True)
    race.page.locator(".fig summary").click()
    race.page.locator('[data-table="weights"] td[tabindex="0"]').focus()
    race.page.keyboard.press("ArrowDown")
    cell = race.page.locator('[data-text="cell"]')
    expect(cell).to_have_text("‘journey’ looking at ‘Your’: no scale 0.00, ÷√d_k 0.99, ÷d_k 0.94")
    race.page.keyboard.press("End")
    expect(cell).to_contain_text("‘journey’ looking at ‘step’")


def test_it_plays_only_when_asked_and_stops_when_told(race):
    race.open(step=290)
    race.page.wait_for_timeout(300)
    expect(race.slider).to_have_value("290")
    expect(race.play).to_have_attribute("aria-pressed", "false")
    race.play.click()
    expect(race.play).to_have_attribute("aria-pressed", "true")
    expect(race.slider).to_have_value("300")
    expect(race.play).to_have_attribute("aria-pressed", "false")
    race.play.click()  # from the start again
    expect(race.page.get_by_text("After 300 steps")).to_have_count(0)
    race.page.wait_for_function("() => document.querySelector('[name=step]').valueAsNumber > 2")
    race.page.get_by_role("button", name="One step back").click()
    expect(race.play).to_have_attribute("aria-pressed", "false")
    stopped = int(race.slider.input_value())
    race.page.wait_for_timeout(200)
    expect(race.slider).to_have_value(str(stopped))
    race.expect_state(stopped)


def test_where_motion_is_unwanted_a_press_goes_ten_steps_on(app_url, new_context):
    race = RacePage(new_context(reduced_motion="reduce").new_page(), app_url).open(step=285)
    expect(race.play).to_have_text("10 steps on")
    assert race.play.get_attribute("aria-pressed") is None
    for value in ("295", "300", "0"):
        race.play.click()
        expect(race.slider).to_have_value(value)


# ---- seen and reached by all ---------------------------------------------------------


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_nothing_scrolls_sideways_or_jumps(width, race):
    race.page.set_viewport_size({"width": width, "height": 800})
    race.open(canvas=True, text="a bb internationalisation dd e fff gg h i jjj k l", seed=4)
    assert race.page.evaluate("() => document.documentElement.scrollWidth") <= width
    # Beneath the lanes their lists of stuck rows may be longer where lanes stand below each other.
    watched = [".race-drive", ".race-board", ".race-choices", ".race-lanes"]
    boxes = set()
    for step in (0, 1, 9, 40, 300):
        race.slider.fill(str(step))
        boxes.add(str([race.page.locator(name).bounding_box()["y"] for name in watched]))
    assert len(boxes) == 1
