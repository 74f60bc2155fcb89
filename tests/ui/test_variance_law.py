"""The variance law as a person uses it, held to draws that are made here and not to its table."""

import random
import re
from urllib.parse import parse_qsl

import numpy as np
import pytest
from figure_page import open_figure, texts_of
from oracle import shows
from playwright.sync_api import expect

from attention import SelfAttention, attend, embed, row_jacobian_norms, tokenize

TOKENS = tokenize("Your journey starts with one step")
SOURCE = """name => {
  for (const doc of window.Bokeh.documents) {
    const found = doc.roots().flatMap(root => root.renderers).map(r => r.data_source).find(s => s.name === name);
    if (found) return Object.fromEntries(Object.entries(found.data).map(([k, v]) => [k, Array.from(v)]));
  }
}"""


@pytest.fixture(scope="module")
def draws():
    """Queries and keys of the 400 draws, and those of the lesson's own."""
    Q, K = [], []
    for seed in [*range(400), 5108]:
        X, layer = embed(TOKENS, seed), SelfAttention.seeded(seed)
        Q.append(X @ layer.W_q)
        K.append(X @ layer.W_k)
    return np.array(Q), np.array(K)


def expected(draws, d_k, scaled):
    Q, K = (array[..., :d_k] for array in draws)
    trace = attend(Q, K, K, scale="sqrt_d_k" if scaled else "none")
    many, peaks = trace.scores[:400], trace.weights.max(axis=-1)
    spreads = trace.scores.std(axis=(-2, -1))
    all_peaked = (peaks[:400] > 0.9).all(axis=-1)
    return {
        "law": 1 if scaled else d_k**0.5,
        "deviation": many.std(),
        "spread": spreads[400],
        "spread_band": np.quantile(spreads[:400], [0.05, 0.95]),
        "peak": peaks[400, 1],
        "peak_band": np.quantile(peaks[:400], [0.05, 0.95]),
        "median": np.median(peaks[:400]),
        "draws": all_peaked.sum(),
        "peaked": 100 * all_peaked.mean(),
        "dead": 100 * (row_jacobian_norms(trace.weights[:400]) <= 0.05).mean(),
        "scores": trace.scores[400],
        "many": many,
    }


class VariancePage:
    def __init__(self, page, url):
        self.page, self.url = page, url
        self.slider = page.get_by_role("slider", name="d_k", exact=True)
        self.scale = page.get_by_role("button", name="÷√d_k")

    def open(self, query="", *, canvas=False):
        open_figure(self.page, self.url, "variance-law", canvas=canvas, **dict(parse_qsl(query)))
        return self

    def drive(self, d_k, scaled):
        self.slider.fill(str(d_k))
        if (self.scale.get_attribute("aria-pressed") == "true") != scaled:
            self.scale.click()

    def texts(self):
        return texts_of(self.page)

    def expect_state(self, draws, d_k, scaled):
        texts, want = self.texts(), expected(draws, d_k, scaled)
        one_decimal = {"peaked", "dead"}
        assert shows(texts["deviation"], want["deviation"]) and shows(texts["draw-spread"], want["spread"])
        assert shows(texts["draw-peak"], want["peak"]) and texts["peaked-draws"] == f"{want['draws']} of 400"
        for place, values in {
            "deviation-note": [want["law"]],
            "spread-note": want["spread_band"],
            "peak-note": want["peak_band"],
            "honest": [want["median"]],
        }.items():
            told = re.findall(r"\d+\.\d\d", texts[place])
            assert len(told) == len(values) and all(map(shows, told, values)), (d_k, scaled, place, texts[place])
        assert texts["now-d_k"] == f"now: {d_k}"
        for row, width in [("now", d_k), *((str(width), width) for width in (2, 4, 8, 16, 32, 64))]:
            want = expected(draws, width, scaled)
            for column in ("law", "deviation", "spread", "spread_band", "peak", "peak_band", "peaked", "dead"):
                told = re.findall(r"\d+\.\d+", texts[f"{row}-{column}"])
                values = np.atleast_1d(want[column])
                digits = 1 if column in one_decimal else 2
                assert len(told) == len(values), (row, column)
                assert all(shows(text, value, digits) for text, value in zip(told, values, strict=True)), (row, column)


@pytest.fixture
def figure(page, app_url):
    return VariancePage(page, app_url)


def test_random_states_show_what_the_draws_give(figure, draws):
    chance = random.Random(3)
    figure.open()
    for d_k in (2, 64, 8, *(chance.randint(2, 64) for _ in range(13))):
        for scaled in (False, True):
            figure.drive(d_k, scaled)
            figure.expect_state(draws, d_k, scaled)


@pytest.mark.parametrize(("d_k", "scaled"), [(64, False), (17, True)])
def test_a_link_opens_its_state(figure, draws, d_k, scaled):
    figure.open(f"d_k={d_k}&scaled={int(scaled)}").expect_state(draws, d_k, scaled)


def test_the_plots_show_what_the_draws_give(figure, draws):
    figure.open("d_k=64&scaled=0", canvas=True)
    for d_k, scaled in ((64, False), (8, True), (3, False)):
        figure.drive(d_k, scaled)
        want, limit = expected(draws, d_k, scaled), 4 if scaled else 32
        bars, marks, scores = (figure.page.evaluate(SOURCE, name) for name in ("bars", "marks", "scores"))
        heights, edges = np.histogram(want["many"], 64, range=(-limit, limit))
        np.testing.assert_allclose(bars["left"], edges[:-1])
        np.testing.assert_allclose(np.array(bars["top"]) * np.diff(edges), heights / want["many"].size, atol=1e-6)
        np.testing.assert_allclose(marks["x"], [-want["law"], want["law"]], rtol=1e-6)
        np.testing.assert_allclose(scores["x"], want["scores"].ravel(), rtol=1e-5, atol=1e-6)
        curve = figure.page.evaluate(SOURCE, "curve")
        x, y = np.array(curve["x"]), np.array(curve["y"])
        np.testing.assert_allclose(
            y, np.exp(-((x / want["law"]) ** 2) / 2) / want["law"] / np.sqrt(2 * np.pi), atol=1e-6
        )
        ranges = "() => window.Bokeh.documents[0].roots()[0].x_range"
        assert figure.page.evaluate(f"{ranges.replace('() =>', '() => { const r =')}; return [r.start, r.end] }}") == [
            -limit,
            limit,
        ]
        band = figure.page.evaluate(SOURCE, "band")
        at = d_k - 2
        np.testing.assert_allclose([band["low"][at], band["high"][at]], want["spread_band"], rtol=1e-5)
        assert figure.page.evaluate(SOURCE, "dot")["value"] == [pytest.approx(want["spread"], rel=1e-5)]


def test_the_keyboard_is_enough(figure, draws):
    figure.open("d_k=8&scaled=0")
    figure.slider.focus()
    figure.page.keyboard.press("ArrowRight")
    figure.expect_state(draws, 9, False)
    figure.page.keyboard.press("End")
    figure.page.keyboard.press("Tab")
    figure.page.keyboard.press("Space")
    figure.expect_state(draws, 64, True)
    figure.page.keyboard.press("Tab")
    figure.page.keyboard.press("Enter")
    expect(figure.page.get_by_role("table", name="The law at some widths")).to_be_visible()
    expect(figure.page.locator("[data-live]")).to_contain_text("d_k 64, scale on. Over 400 draws")


def test_a_click_on_a_plot_chooses_the_width(figure):
    figure.open("d_k=8", canvas=True)
    box = figure.page.locator('[data-canvas="spread"]').bounding_box()
    figure.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    chosen = int(figure.slider.input_value())
    assert 20 < chosen < 40 and figure.texts()["d_k-value"] == str(chosen)


def test_the_scripts_change_nothing_that_the_html_said(figure, app_url, new_context):
    plain = new_context(java_script_enabled=False).new_page()
    query = "d_k=17&scaled=1"
    plain.goto(f"{app_url}/embed/variance-law?{query}")
    figure.open(query)
    texts = "els => els.map(el => el.textContent.trim())"
    seen = [tab.locator("[data-text], [data-kpi], td, th").evaluate_all(texts) for tab in (plain, figure.page)]
    assert seen[0] == seen[1] and len(seen[0]) > 70


def test_nothing_moves_while_dragging(figure):
    figure.open("d_k=2&scaled=0")
    boxes = set()
    for d_k in range(2, 65, 4):
        figure.slider.fill(str(d_k))
        box = figure.page.locator(".fig summary").bounding_box()
        boxes.add((round(box["x"]), round(box["y"])))
    assert len(boxes) == 1


@pytest.mark.parametrize("width", [320, 1280])
def test_nothing_scrolls_sideways(figure, width):
    figure.page.set_viewport_size({"width": width, "height": 800})
    figure.open(canvas=True)
    figure.page.locator(".fig summary").click()
    assert figure.page.evaluate("document.documentElement.scrollWidth") <= width
