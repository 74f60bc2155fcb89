"""Gradient health as a person uses it, held to Jacobians that are made here and not to its table."""

import random
import re
from urllib.parse import parse_qsl, urlencode

import numpy as np
import pytest
from figure_page import GO, open_figure, texts_of
from kept_page import VIEWPORT
from oracle import shows
from playwright.sync_api import expect

from attention import SelfAttention, attend, embed, row_jacobian_norms, softmax_jacobian, tokenize

LESSON = "Your journey starts with one step"
SENTENCES = [LESSON, "yes no", "the cat saw the other cat", "a b c d e f g h i j k l", "same same same same"]
SOURCE = """([plot, name]) => {
  for (const doc of window.Bokeh.documents) {
    const sources = doc.roots()[0].renderers.map(r => r.data_source);
    const found = sources.find(s => s.name === name);
    if (found && sources.some(s => s.name === plot)) {
      return Object.fromEntries(Object.entries(found.data).map(([k, v]) => [k, Array.from(v)]));
    }
  }
}"""


def weights_of(text, seed, d_k, scaled):
    layer = SelfAttention.seeded(seed).narrow(d_k)
    return layer(embed(tokenize(text), seed), scale="sqrt_d_k" if scaled else "none").weights


@pytest.fixture(scope="module")
def many():
    """Queries and keys of the 400 draws of the lesson's sentence."""
    tokens = tokenize(LESSON)
    made = [(embed(tokens, seed), SelfAttention.seeded(seed)) for seed in range(400)]
    return np.array([X @ layer.W_q for X, layer in made]), np.array([X @ layer.W_k for X, layer in made])


def norms_of_many(many, d_k, scaled):
    Q, K = (array[..., :d_k] for array in many)
    return row_jacobian_norms(attend(Q, K, K, scale="sqrt_d_k" if scaled else "none").weights)


class HealthPage:
    def __init__(self, page, url):
        self.page, self.url = page, url
        self.slider = page.get_by_role("slider", name="d_k", exact=True)
        self.scale = page.get_by_role("button", name="÷√d_k")
        self.row = page.get_by_label("Jacobian of the row of", exact=True)
        self.radios = page.get_by_role("radio")

    def open(self, query="", *, canvas=False):
        open_figure(self.page, self.url, "gradient-health", canvas=canvas, **dict(parse_qsl(query)))
        return self

    def drive(self, d_k, scaled, row):
        self.slider.fill(str(d_k))
        if (self.scale.get_attribute("aria-pressed") == "true") != scaled:
            self.scale.click()
        self.row.select_option(str(row))

    def texts(self):
        return texts_of(self.page)

    def table(self, name):
        read = "table => [...table.tBodies[0].rows].map(tr => [...tr.cells].map(td => td.textContent.trim()))"
        return self.page.locator(f'[data-table="{name}"]').evaluate(read)

    def expect_state(self, many, *, text, seed, d_k, scaled, row):
        texts, tokens = self.texts(), tokenize(text)
        weights, state = weights_of(text, seed, d_k, scaled), (text, seed, d_k, scaled, row)
        norms, jacobian = row_jacobian_norms(weights), softmax_jacobian(weights[row])
        dead = norms <= 0.05
        assert shows(texts["norm"], norms[row], 3), state
        assert texts["norm-note"].startswith("dead" if dead[row] else "alive"), state
        assert texts["dead-rows"] == f"{dead.sum()} of {len(tokens)}", state
        assert f"norm for ‘{tokens[row]}’" == texts["norm-label"]
        rows = self.table("norms")
        for (_, _, norm, word), want in zip(rows, norms, strict=True):
            assert shows(norm, want, 3) and word == ("dead" if want <= 0.05 else "alive"), state
        assert [line[0] for line in rows] == list(tokens)
        cells = self.table("jacobian")
        for line, want in zip(cells, jacobian, strict=True):
            assert all(map(shows, line[1:], want)), state
        over_draws = norms_of_many(many, d_k, scaled)
        assert shows(texts["middle"], np.median(over_draws), 3)
        told = re.findall(r"\d\.\d{3}", texts["middle-note"])
        assert all(shows(a, b, 3) for a, b in zip(told, np.quantile(over_draws, [0.05, 0.95]), strict=True))
        share = re.findall(r"\d+\.\d", texts["dead-note"])
        assert shows(share[0], 100 * (over_draws <= 0.05).mean(), 1)
        digits, exponent = re.search(r"agrees to (\d\.\d)e−(\d+)\.", texts["checked"]).groups()
        assert float(digits) * 10.0 ** -int(exponent) < 1e-10
        assert (
            f"{(row_jacobian_norms(weights_of(text, seed, 64, False)) <= 0.05).sum()} of {len(tokens)}" in texts["wild"]
        )


@pytest.fixture
def figure(page, app_url):
    return HealthPage(page, app_url)


@pytest.fixture(scope="module")
def opened(kept_page, app_url):
    """The figure in a page of its own, for the tests that move from one sentence to another."""
    page = kept_page.new_context(viewport=VIEWPORT).new_page()
    yield HealthPage(page, app_url).open()
    page.context.close()


@pytest.mark.parametrize("text", SENTENCES)
def test_random_states_show_what_the_layer_gives(opened, watch, many, text):
    chance = random.Random(text)
    seed, rows = chance.choice([5108, 0, 2**32 - 1, chance.randrange(2**32)]), len(text.split())
    first = {"d_k": chance.randint(2, 64), "scaled": False, "row": rows - 1}
    place = first | {"text": text, "seed": seed}
    if text == LESSON:
        opened.open(urlencode(place | {"scaled": 0}))
    else:
        opened.page.evaluate(GO, ["gradient-health", place])
    states = [first, *({"d_k": d_k, "scaled": chance.random() < 0.5, "row": chance.randrange(rows)}
                       for d_k in (2, 64, *(chance.randint(2, 64) for _ in range(4))))]  # fmt: skip
    for state in states:
        opened.drive(**state)
        opened.expect_state(many, text=text, seed=seed, **state)


def test_the_sentence_on_dl_dw_q_holds(figure):
    """Each norm from a layer's own backward pass, a draw at a time."""
    norms = []
    tokens = tokenize(LESSON)
    for seed in range(400):
        X, layer = embed(tokens, seed), SelfAttention.seeded(seed)
        for scale in ("none", "sqrt_d_k"):
            trace = layer(X, scale=scale)
            d_context = (trace.context - np.roll(trace.V, 1, axis=0)) * (2 / 64)
            norms.append(np.linalg.norm(layer.backward(trace, d_context).d_W_q))
    norms = np.array(norms).reshape(400, 2)
    told = re.findall(r"\d+\.\d", figure.open().texts()["wild"])
    values = [*norms.mean(axis=0), *np.median(norms, axis=0)]
    assert all(shows(a, b, 1) for a, b in zip(told[:4], values, strict=True))
    widest = figure.table("wild")[2]
    assert widest[0] == "64" and shows(widest[1], values[0], 1) and shows(widest[5], values[3], 1)


def test_the_plots_show_what_the_layer_gives(figure, many):
    figure.open("d_k=64&scaled=0&row=5", canvas=True)
    for d_k, scaled, row in ((64, False, 5), (9, True, 0)):
        figure.drive(d_k, scaled, row)
        weights = weights_of(LESSON, 5108, d_k, scaled)
        norms = row_jacobian_norms(weights)
        cells = figure.page.evaluate(SOURCE, ["weights", "weights"])
        np.testing.assert_allclose(cells["weight"], softmax_jacobian(weights[row]).ravel(), atol=0.00501)
        band, dot, dots = (figure.page.evaluate(SOURCE, ["band", name]) for name in ("band", "dot", "dots"))
        np.testing.assert_allclose(dot["value"], [norms[row]], rtol=1e-5, atol=1e-7)
        np.testing.assert_allclose(dots["value"], np.delete(norms, row), rtol=1e-5, atol=1e-7)
        want = np.quantile(norms_of_many(many, d_k, scaled), [0.05, 0.95])
        np.testing.assert_allclose([band[end][d_k - 2] for end in ("low", "high")], want, rtol=1e-4, atol=1e-6)
        others = figure.page.evaluate(SOURCE, ["band", "others"])
        assert len(others["value"]) == 5


def test_rows_are_chosen_by_click_radio_and_select(figure):
    figure.open()
    figure.page.locator('[data-table="norms"] tr[data-q="4"] .health-track').click()
    expect(figure.row).to_have_value("4")
    expect(figure.radios.nth(4)).to_be_checked()
    figure.radios.nth(4).focus()
    figure.page.keyboard.press("ArrowDown")
    expect(figure.row).to_have_value("5")
    expect(figure.page.locator('[data-table="norms"] tr[aria-selected="true"]')).to_have_attribute("data-q", "5")
    figure.row.select_option("0")
    expect(figure.radios.first).to_be_checked()
    expect(figure.page.locator('[data-text="norm-label"]')).to_have_text("norm for ‘Your’")


def test_the_keyboard_is_enough(figure, many):
    figure.open("d_k=8&scaled=1")
    figure.slider.focus()
    figure.page.keyboard.press("End")
    figure.page.keyboard.press("Tab")
    figure.page.keyboard.press("Space")
    figure.expect_state(many, text=LESSON, seed=5108, d_k=64, scaled=False, row=1)
    expect(figure.page.locator("[data-live]")).to_contain_text(
        "d_k 64, scale off. 5 of 6 rows are dead. ‘journey’ is dead"
    )
    figure.page.locator(".fig summary").focus()
    figure.page.keyboard.press("Enter")
    figure.page.keyboard.press("Tab")
    figure.page.keyboard.press("ArrowDown")
    figure.page.keyboard.press("ArrowRight")
    told = figure.page.locator('[data-text="cell"]')
    expect(told).to_have_text(
        "Raise the score that ‘journey’ gives ‘journey’: its weight on ‘journey’ moves by 0.00 per unit."
    )


def test_the_pointer_tells_the_cell_in_words(figure):
    figure.open("d_k=8&scaled=1&row=1", canvas=True)
    box = figure.page.locator('[data-canvas="jacobian"]').bounding_box()
    figure.page.mouse.move(box["x"] + 0.98 * box["width"] - 5, box["y"] + 0.97 * box["height"] - 5)
    value = softmax_jacobian(weights_of(LESSON, 5108, 8, True)[1])[5, 5]
    told = f"Raise the score that ‘journey’ gives ‘step’: its weight on ‘step’ moves by {value:.2f} per unit."
    expect(figure.page.locator('[data-text="cell"]')).to_have_text(told)


def test_redraw_and_back(figure, many):
    figure.open("d_k=64&scaled=0", canvas=True)
    figure.page.get_by_role("button", name="Redraw").click()
    expect(figure.page.locator('[data-text="draw"]')).not_to_have_text("Draw: seed 5108")
    seed = int(figure.texts()["draw"].split()[-1])
    figure.expect_state(many, text=LESSON, seed=seed, d_k=64, scaled=False, row=1)
    figure.page.get_by_role("button", name="Back to the lesson’s draw").click()
    expect(figure.page.locator('[data-text="draw"]')).to_have_text("Draw: seed 5108")
    figure.expect_state(many, text=LESSON, seed=5108, d_k=64, scaled=False, row=1)


def test_without_the_server_the_last_draw_stays(figure, expect_network_errors, many):
    figure.open("d_k=64&scaled=0")
    expect_network_errors()
    figure.page.route(re.compile("/(tables|healthz)"), lambda route: route.abort("connectionrefused"))
    figure.page.get_by_role("button", name="Redraw").click()
    expect(figure.page.locator('[data-message="seed"]')).to_contain_text("need the server")
    figure.expect_state(many, text=LESSON, seed=5108, d_k=64, scaled=False, row=1)


def test_the_scripts_change_nothing_that_the_html_said(figure, app_url, new_context):
    plain = new_context(java_script_enabled=False).new_page()
    query = "d_k=17&scaled=0&row=4&seed=9&text=one+two+three+two+five"
    plain.goto(f"{app_url}/embed/gradient-health?{query}")
    figure.open(query)
    texts = "els => els.map(el => el.textContent.trim())"
    places = "[data-text], [data-kpi], td, th, option"
    seen = [tab.locator(places).evaluate_all(texts) for tab in (plain, figure.page)]
    assert seen[0] == seen[1] and len(seen[0]) > 70
    bars = "els => els.map(el => el.style.getPropertyValue('--norm').trim())"
    assert plain.locator(".health-track i").evaluate_all(bars) == figure.page.locator(".health-track i").evaluate_all(
        bars
    )


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
    figure.open("text=a+link+carries+the+state+,+internationalisation+page+says+so+A+link", canvas=True)
    figure.page.locator(".fig summary").click()
    assert figure.page.evaluate("document.documentElement.scrollWidth") <= width
