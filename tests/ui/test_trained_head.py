"""The trained head in a browser: every number against attend, the keyboard, both themes, a narrow screen."""

import random

import numpy as np
import pytest
from figure_page import open_figure
from oracle import STATE_WORDS, shows
from playwright.sync_api import expect

from app.lesson_data import TRAINED_HEADS
from attention import attend, dead_rows, peak_weight, row_jacobian_norms, score_spread, softmax_state

READ = """root => {
  const texts = cells => [...cells].map(cell => cell.textContent);
  const rows = table => [...root.querySelector(table).tBodies[0].rows];
  const kpis = [...root.querySelectorAll('[data-kpi]')].map(el => [el.dataset.kpi, el.textContent]);
  return {
    kpis: Object.fromEntries(kpis),
    weights: rows('[data-table="weights"]').map(tr => texts(tr.cells).slice(1)),
    row: rows('[data-table="weights"]').findIndex(tr => tr.getAttribute('aria-selected') === 'true'),
    heads: rows('[data-table="heads"]').map(tr => texts(tr.querySelectorAll('td'))),
    shades: rows('[data-table="heads"]').map(tr => [...tr.querySelectorAll('td')].map(td => td.dataset.rows)),
    chosen: rows('[data-table="heads"]').flatMap((tr, l) =>
      [...tr.querySelectorAll('td')].flatMap((td, h) => td.getAttribute('aria-selected') === 'true' ? [[l, h]] : [])),
    stops: root.querySelectorAll('[data-table="heads"] [tabindex="0"]').length,
    bars: rows('[data-table="bars"]').map(tr => texts(tr.querySelectorAll('td'))),
    marked: rows('[data-table="bars"]').map(tr =>
      [...tr.querySelectorAll('td')].findIndex(td => td.getAttribute('aria-current') === 'true')),
    overall: rows('[data-table="overall"]').map(tr => texts(tr.querySelectorAll('td'))),
    now: texts(root.querySelectorAll('[data-table="overall"] [data-now]')),
    sentence: root.querySelector('[data-text="sentence"]').textContent,
  };
}"""
DATA = np.load(TRAINED_HEADS)
TOKENS = DATA["tokens"].tolist()


def run(layer, head, scaled):
    Q, K = (DATA[name][layer - 1, head - 1].astype(float) for name in "QK")
    return attend(Q, K, K, scale="sqrt_d_k" if scaled else "none")


RUNS = {(layer, head, on): run(layer, head, on) for layer in range(1, 7) for head in range(1, 13) for on in (0, 1)}


def saturated(layer, head, scaled):
    return int((peak_weight(RUNS[layer, head, int(scaled)].weights) >= 0.95).sum())


def opened(page, url, **state):
    return open_figure(page, url, "trained-head", **state).locator('[data-figure="trained-head"]')


def expect_state(root, *, layer, head, scaled, row):
    """Every number on screen, computed from the queries and keys."""
    seen, trace = root.evaluate(READ), RUNS[layer, head, int(scaled)]
    kpis, weights = seen["kpis"], trace.weights[row]
    assert shows(kpis["score-spread"], float(score_spread(trace.scores)))
    assert shows(kpis["peak-weight"], float(peak_weight(weights)), digits=3)
    assert shows(kpis["row-norm"], float(row_jacobian_norms(weights)), digits=4)
    assert kpis["softmax-state"] == STATE_WORDS[int(softmax_state(weights))]
    assert kpis["dead-rows"] == f"{int(dead_rows(trace.weights))} of 8"
    assert kpis["saturated-rows"] == f"{saturated(layer, head, scaled)} of 8"
    assert seen["row"] == row
    for texts, values in zip(seen["weights"], trace.weights, strict=True):
        assert all(shows(text, value) for text, value in zip(texts, [*values, values.sum()], strict=True))
    counts = [[saturated(at, h, scaled) for h in range(1, 13)] for at in range(1, 7)]
    assert seen["heads"] == seen["shades"] == [[str(count) for count in line] for line in counts]
    assert seen["chosen"] == [[layer - 1, head - 1]] and seen["stops"] == 1
    assert seen["marked"] == [saturated(layer, head, True), saturated(layer, head, False)]
    assert f"layer {layer}, head {head}, ‘{TOKENS[row]}’" in seen["sentence"]
    key = int(weights.argmax())
    assert ("itself" if key == row else f"‘{TOKENS[key]}’") in seen["sentence"]
    return seen


def random_states(count):
    chance = random.Random(8)
    for _ in range(count):
        yield {
            "layer": chance.randint(1, 6), "head": chance.randint(1, 12),
            "scaled": chance.random() < 0.5, "row": chance.randrange(8),
        }  # fmt: skip


def test_driven_states_show_what_attend_computes(page, app_url):
    root = opened(page, app_url)
    toggle = page.get_by_role("button", name="÷√d_k")
    for state in random_states(45):
        for name in ("layer", "head"):
            page.get_by_role("slider", name=name.title(), exact=True).fill(str(state[name]))
        page.get_by_label("Highlighted row").select_option(str(state["row"]))
        if (toggle.get_attribute("aria-pressed") == "true") != state["scaled"]:
            toggle.click()
        expect_state(root, **state)


@pytest.mark.parametrize("state", list(random_states(3)))
def test_the_html_says_before_any_script_what_the_scripts_leave(state, page, new_context, app_url):
    query = "&".join(f"{name}={int(value)}" for name, value in state.items())
    plain = new_context(java_script_enabled=False).new_page()
    plain.goto(f"{app_url}/embed/trained-head?{query}")
    seen = expect_state(plain.locator('[data-figure="trained-head"]'), **state)
    root = opened(page, app_url, **state)
    assert root.evaluate(READ) == seen
    texts = "els => els.map(el => el.textContent)"
    places = "[data-text], th, option, caption, .note"
    assert root.locator(places).evaluate_all(texts) == plain.locator(f".trained :is({places})").evaluate_all(texts)


def test_all_heads_are_counted_with_and_without_the_scale(page, app_url):
    root = opened(page, app_url)
    seen = root.evaluate(READ)
    for texts, on in zip(seen["bars"], (1, 0), strict=True):
        counts = [saturated(layer, head, on) for layer in range(1, 7) for head in range(1, 13)]
        assert texts == [str(counts.count(rows)) for rows in range(9)]
    peaks = {on: np.array([peak_weight(RUNS[key].weights) for key in RUNS if key[2] == on]) for on in (1, 0)}
    dead = {on: sum(int(dead_rows(RUNS[key].weights)) for key in RUNS if key[2] == on) / 576 for on in (1, 0)}
    assert seen["overall"][0] == [f"{100 * (peaks[on] >= 0.95).mean():.0f} %" for on in (1, 0)] == ["12 %", "78 %"]
    assert seen["overall"][1] == [f"{100 * dead[on]:.0f} %" for on in (1, 0)] == ["10 %", "77 %"]
    assert seen["overall"][2] == [f"{peaks[on].mean():.2f}" for on in (1, 0)] == ["0.63", "0.94"]
    spreads = {on: np.median([score_spread(RUNS[key].scores) for key in RUNS if key[2] == on]) for on in (1, 0)}
    assert seen["overall"][3] == [f"{spreads[on]:.2f}" for on in (1, 0)]
    assert seen["now"] == ["on", *(line[0] for line in seen["overall"])]
    page.get_by_role("button", name="÷√d_k").click()
    assert root.evaluate(READ)["now"] == ["off", *(line[1] for line in seen["overall"])]


def test_the_keyboard_walks_all_heads(page, app_url):
    root = opened(page, app_url)
    state = {"scaled": True, "row": 1}
    root.locator('[data-table="heads"] [tabindex="0"]').focus()
    for key, layer, head in [
        ("ArrowDown", 3, 9), ("ArrowRight", 3, 10), ("End", 3, 12), ("ArrowRight", 3, 12), ("PageDown", 6, 12),
        ("ArrowDown", 6, 12), ("Home", 6, 1), ("ArrowLeft", 6, 1), ("PageUp", 1, 1), ("ArrowUp", 1, 1),
    ]:  # fmt: skip
        page.keyboard.press(key)
        expect_state(root, layer=layer, head=head, **state)
        focused = "el => [document.activeElement.closest('tr').sectionRowIndex + 1, document.activeElement.cellIndex]"
        assert root.evaluate(focused) == [layer, head]
    expect(page.locator("[data-live]")).to_have_text(
        "Layer 1, head 1, scale on. 0 of 8 rows above 0.95, 0 dead. " + root.evaluate(READ)["sentence"]
    )


def test_a_click_on_a_head_or_a_button_chooses_it(page, app_url):
    root = opened(page, app_url, scaled=False)
    root.locator('[data-table="heads"] tbody tr').nth(4).locator("td").nth(9).click()
    expect_state(root, layer=5, head=10, scaled=False, row=1)
    for name, layer, head, row in (("looks back", 1, 3, 2), ("often looks ahead", 2, 9, 1), ("rests on", 4, 4, 2)):
        page.get_by_role("button", name=name).click()
        expect_state(root, layer=layer, head=head, scaled=False, row=row)


def test_the_canvas_holds_the_weights_and_the_table_tells_a_cell(page, app_url):
    root = opened(page, app_url, canvas=True, layer=5, head=7, scaled=False, row=4)
    drawn = page.evaluate("() => window.Bokeh.documents[0].get_model_by_name('weights').data")
    trace = RUNS[5, 7, 0]
    assert [float(value) for value in drawn["weight"]] == pytest.approx(trace.weights.ravel().tolist(), abs=1e-6)
    root.get_by_text("The weights of this head as a table").click()
    root.locator('[data-table="weights"] [tabindex="0"]').focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowRight")
    score, weight = trace.scores[3, 1], trace.weights[3, 1]
    said = f"‘starts’ looks at ‘your’: score {score:.2f}, weight {weight:.2f}".replace("-", "−")
    expect(root.locator('[data-text="cell"]')).to_have_text(said)
    page.keyboard.press("Enter")
    expect_state(root, layer=5, head=7, scaled=False, row=3)


@pytest.mark.parametrize("width", [320, 390])
def test_nothing_scrolls_sideways_on_a_phone(width, page, app_url):
    page.set_viewport_size({"width": width, "height": 800})
    root = opened(page, app_url, canvas=True, scaled=False)
    assert page.evaluate("document.documentElement.scrollWidth") == width
    heights = root.locator("button, select, input, summary, [data-table='heads'] td").evaluate_all(
        "els => els.map(el => el.getBoundingClientRect().height)"
    )
    assert min(heights) >= 24


def test_nothing_moves_from_head_to_head(page, app_url):
    root = opened(page, app_url, canvas=True)
    root.locator('[data-table="heads"] [tabindex="0"]').focus()
    boxes = "root => [...root.children].filter(el => el.offsetHeight > 1).map(el => [el.offsetTop, el.offsetHeight])"
    before = root.evaluate(boxes)
    for key in ["ArrowRight"] * 3 + ["ArrowUp", "PageDown", "Home"] + ["ArrowRight", "ArrowUp"] * 5:
        page.keyboard.press(key)
        assert root.evaluate(boxes) == before
    page.get_by_role("button", name="÷√d_k").click()
    assert root.evaluate(boxes) == before
