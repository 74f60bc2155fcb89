"""`inside-one-score` in a browser: every number against the layer, and the ways in from the lab."""

import math
import random
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from figure_page import each_opened, open_figure, texts_of
from lab_page import LabPage
from oracle import number, shows
from playwright.sync_api import expect

from attention import SelfAttention, embed, tokenize

EMBED = "/embed/inside-one-score"
LESSON = "Your journey starts with one step"
SENTENCES = [LESSON, "yes no", "the cat saw the other cat", "a b c d e f g h i j k l"]
ROWS = "el => [...el.rows].filter(tr => !tr.hidden).map(tr => [...tr.cells].map(cell => cell.textContent.trim()))"
PLACE = "el => el.getBoundingClientRect().top + scrollY"


def opened(page, url, **state):
    return open_figure(page, url, "inside-one-score", **state)


def units(text):
    return int(text.replace("−", "-").replace(".", ""))


def random_states(count):
    chance = random.Random(47)
    for i in range(count):
        text = SENTENCES[i % len(SENTENCES)]
        yield {
            "d_k": chance.choice([2, 3, 8, 9, 64, chance.randint(2, 64)]),
            "scaled": chance.random() < 0.5,
            "query": chance.randrange(len(text.split())),
            "key": chance.randrange(len(text.split())),
            "seed": chance.choice([5108, 0, 2**32 - 1, chance.randrange(2**32)]),
            "text": text,
        }


def check(page, d_k, scaled, query, key, seed, text):
    """Each displayed number is within its own digits of the layer's; sums add up as displayed."""
    layer = SelfAttention.seeded(seed).narrow(d_k)
    trace = layer(embed(tokenize(text), seed), scale="sqrt_d_k" if scaled else "none")
    scores, weights = trace.scores[query], trace.weights[query]
    exponentials = [math.exp(score - scores.max()) for score in scores]

    def near(shown, value, digits, slack=1.0):
        assert abs(number(shown) - value) <= slack * 10**-digits + 1e-5 * max(1, abs(value)), (shown, value)

    told = texts_of(page)
    components = page.locator('[data-table="components"] tbody').evaluate(ROWS)
    assert len(components) == d_k
    total = 0
    for c, (index, q, k, product, so_far) in enumerate(components):
        assert index == str(c + 1)
        assert shows(q, trace.Q[query, c]) and shows(k, trace.K[key, c])
        near(product, trace.Q[query, c] * trace.K[key, c], 2)
        assert shows(so_far, trace.Q[query, : c + 1] @ trace.K[key, : c + 1])
        total += units(product)
        assert total == units(so_far)
    assert shows(told["dot"], trace.raw_scores[query, key])
    raw, divisor = told["divide-how"].split(" ÷ ")
    assert shows(raw, trace.raw_scores[query, key], 4) and shows(divisor, math.sqrt(d_k) if scaled else 1, 4)
    assert shows(told["score"], scores[key], 4)
    near(told["shifted"], scores[key] - scores.max(), 4)
    assert told["exponent"] == told["shifted"]
    addends = page.locator(".inside-addend").all_inner_texts()
    for shown, value in zip(addends, exponentials, strict=True):
        near(shown, value, 4)
    assert addends[key] == told["exponential"]
    assert sum(map(units, addends)) == units(told["total"])
    near(told["weight"], weights[key], 4)

    rows = page.locator('[data-table="blend"] tbody').evaluate(ROWS)
    context = page.locator('[data-table="blend"] tfoot').evaluate(ROWS)[0][2:]
    assert [row[0] for row in rows] == text.split() and sum(units(row[1]) for row in rows) == 10_000
    assert rows[key][1] == told["weight"]
    for c in range(8):
        if c >= d_k:
            assert context[c] == "–"
            continue
        pairs = [row[c + 2].split() for row in rows]
        for k, (value, contribution) in enumerate(pairs):
            assert shows(value, trace.V[k, c])
            near(contribution, weights[k] * trace.V[k, c], 2)
        assert sum(units(contribution) for _, contribution in pairs) == units(context[c])
        assert shows(context[c], trace.context[query, c])


def test_random_states_show_what_the_layer_computes(page, app_url):
    for state in each_opened(page, app_url, "inside-one-score", random_states(32)):
        check(page, **state)


def test_driven_by_keyboard_it_shows_what_the_layer_computes(page, app_url):
    opened(page, app_url)
    state = {"d_k": 8, "scaled": True, "query": 1, "key": 5, "seed": 5108, "text": LESSON}
    slider = page.get_by_role("slider", name="d_k", exact=True)
    slider.focus()
    for key, d_k in (("End", 64), ("ArrowLeft", 63), ("Home", 2), ("ArrowRight", 3)):
        page.keyboard.press(key)
        check(page, **state | {"d_k": d_k})
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowUp")
    expect(page.get_by_label("Key", exact=True)).to_have_value("4")
    check(page, **state | {"d_k": 3, "scaled": False, "query": 2, "key": 4})
    expect(page.locator("[data-live]")).to_contain_text("‘starts’ looks at ‘one’. d_k 3, scale off: q · k ")
    expect(slider).to_have_attribute("aria-valuetext", f"d_k 3, scale off, weight {texts_of(page)['weight']}")


def test_the_strips_draw_what_the_table_says(page, app_url):
    opened(page, app_url, canvas=True, d_k=20)
    data = "([n, name]) => window.Bokeh.documents[n].get_model_by_name(name).data"
    trace = SelfAttention.seeded(5108)(embed(tokenize(LESSON), 5108))
    bars = page.evaluate(data, [0, "components"])
    assert bars["q"] == pytest.approx(trace.Q[1], abs=1e-5) and bars["k"] == pytest.approx(trace.K[5], abs=1e-5)
    assert bars["alpha"][:20] == [1] * 20 and max(bars["alpha"][20:]) < 0.5
    table = page.locator('[data-table="components"] tbody').evaluate(ROWS)
    products = page.evaluate(data, [1, "products"])["product"]
    assert products[:20] == pytest.approx([number(row[3]) for row in table], abs=1e-5)
    line = page.evaluate(data, [2, "sum"])
    assert line["c"] == list(range(21)) and line["sum"][1:] == pytest.approx([number(r[4]) for r in table], abs=1e-5)
    end = page.evaluate(data, [2, "end"])
    assert (end["c"], end["sum"]) == ([20], [line["sum"][-1]])
    axes = "() => window.Bokeh.documents.map(d => [d.roots()[0].y_range.start, d.roots()[0].y_range.end])"
    before = page.evaluate(axes)
    page.get_by_role("slider", name="d_k", exact=True).press("End")
    assert page.evaluate(axes) == before


def test_the_pointer_reads_a_component_and_a_click_opens_another_key(page, app_url):
    opened(page, app_url, canvas=True)
    box = page.locator('[data-canvas="products"]').bounding_box()
    page.mouse.move(box["x"] + 45, box["y"] + 20)
    expect(page.locator('[data-text="component"]')).to_contain_text("c = 1: ")
    page.locator('[data-table="blend"] tbody tr').nth(3).click()
    expect(page.get_by_label("Key", exact=True)).to_have_value("3")
    expect(page.locator('[data-text="sentence"]')).to_contain_text("‘journey’ gives ‘with’ the weight 0.2102")


@pytest.mark.parametrize("width", [1280, 390])
def test_nothing_moves_while_dragging(width, page, app_url):
    page.set_viewport_size({"width": width, "height": 800})
    opened(page, app_url)
    page.get_by_role("slider", name="d_k", exact=True).focus()
    boxes = set()
    for key in ["Home", *["ArrowRight"] * 9, "End"]:
        page.keyboard.press(key)
        parts = page.locator(".inside-chain li, .inside-number, .inside-blend td, .inside-canvas")
        boxes.add(str(parts.evaluate_all("els => els.map(el => [el.offsetTop, el.offsetLeft + el.offsetWidth])")))
    assert len(boxes) == 1


@pytest.mark.parametrize("width", [976, 390])
def test_no_number_of_the_blend_is_cut_off(width, page, app_url):
    page.set_viewport_size({"width": width, "height": 800})
    opened(page, app_url)
    cut = "els => els.filter(el => el.scrollWidth > el.clientWidth).map(el => el.textContent)"
    assert page.locator(".inside-blend td").evaluate_all(cut) == []


def test_the_scripts_change_nothing_that_the_html_said(page, app_url, new_context):
    state = {"d_k": 5, "scaled": 0, "query": 2, "key": 0, "seed": 9, "text": "one two three two"}
    plain = new_context(java_script_enabled=False).new_page()
    plain.goto(f"{app_url}{EMBED}?{urlencode(state)}")
    opened(page, app_url, **state)
    texts = "els => els.map(el => [el.textContent.trim(), el.hidden])"
    seen = [tab.locator("[data-text], td, th, tr, option, [data-part]").evaluate_all(texts) for tab in (plain, page)]
    assert seen[0] == seen[1] and len(seen[0]) > 300


# ---- from the lab -----------------------------------------------------------------------


def opened_state(page):
    page.wait_for_url("**/embed/inside-one-score?**")
    return {name: values[0] for name, values in parse_qs(urlsplit(page.url).query).items()}


@pytest.mark.parametrize("lang", ["en", "de"])
def test_nothing_moves_when_a_cell_of_the_lab_is_read(lang, page, app_url):
    lab = LabPage(page, app_url).open(canvas=True, lang=lang)
    button, hint = page.locator("[data-action=inside]"), lab.cell.text_content()
    place = button.evaluate(PLACE)
    lab.table.locator("tbody tr").nth(3).locator("td").nth(2).focus()
    expect(lab.cell).not_to_have_text(hint)
    assert button.evaluate(PLACE) == place


def test_a_clicked_cell_of_the_lab_is_opened(page, app_url):
    lab = LabPage(page, app_url).open(d_k=20, scaled=False, canvas=True)
    lab.table.locator("tbody tr").nth(3).locator("td").nth(2).click()
    page.mouse.move(5, 5)
    button = page.get_by_role("button", name="Look inside this score")
    expect(button).to_have_accessible_description("‘with’ looks at ‘starts’")
    button.click()
    assert opened_state(page) == {
        "query": "3", "key": "2", "d_k": "20", "scaled": "0", "text": LESSON, "seed": "5108",
    }  # fmt: skip
    expect(page.locator("[data-mount][data-ready]")).to_be_attached()
    expect(page.locator("[data-notice=link]")).to_be_hidden()
    check(page, d_k=20, scaled=False, query=3, key=2, seed=5108, text=LESSON)


def test_the_keyboard_opens_a_cell_of_the_lab(page, app_url):
    lab = LabPage(page, app_url).open()
    lab.table.locator('td[tabindex="0"]').focus()
    for key in ("ArrowRight", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    button = page.get_by_role("button", name="Look inside this score")
    expect(button).to_have_accessible_description("‘journey’ looks at ‘starts’")
    button.press("Enter")
    assert opened_state(page)["key"] == "2"


def test_without_a_chosen_cell_the_lab_opens_the_rows_peak(page, app_url):
    lab = LabPage(page, app_url).open()
    lab.row.select_option("0")
    button = page.get_by_role("button", name="Look inside this score")
    expect(button).to_have_accessible_description("‘Your’ looks at ‘with’")
    button.click()
    state = opened_state(page)
    assert (state["query"], state["key"], state["scaled"]) == ("0", "3", "1")


def test_a_broken_layer_is_not_opened_and_the_button_says_why(page, app_url):
    lab = LabPage(page, app_url).open(fault="shared_projection")
    button = page.get_by_role("button", name="Look inside this score")
    expect(button).to_have_attribute("aria-disabled", "true")
    expect(button).to_have_accessible_description("needs the unbroken layer: choose “nothing” under Break it")
    button.click(force=True)
    assert "/embed/attention-lab" in page.url
    lab.fault.select_option("none")
    expect(button).to_have_attribute("aria-disabled", "false")


def test_an_exported_lab_has_nothing_to_open(new_context, tmp_path):
    from app.cli import main

    file = tmp_path / "lab.html"
    assert main(["export", str(file)]) == 0
    page = new_context(offline=True).new_page()
    LabPage(page, file.as_uri()).open("", canvas=True)
    expect(page.get_by_role("button", name="Look inside this score")).to_be_hidden()


def test_on_the_lessons_page_the_figure_there_opens_the_score(page, app_url):
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(f"{app_url}/lessons/05-trainable-attention?text=yes+no+maybe&seed=7&d_k=12&scaled=0&row=2")
    lab, figure = page.locator('[data-figure="attention-lab"]'), page.locator('[data-figure="inside-one-score"]')
    expect(page.locator('[data-mount="attention-lab"][data-ready]')).to_be_attached(timeout=20_000)
    lab.locator('[data-table="weights"] tbody tr').nth(0).locator("td").nth(1).click()
    address = page.url
    lab.get_by_role("button", name="Look inside this score").click()
    expect(figure.get_by_role("slider", name="d_k", exact=True)).to_be_focused()
    expect(figure).to_be_in_viewport()
    check(figure, d_k=12, scaled=False, query=0, key=1, seed=7, text="yes no maybe")
    assert page.url.partition("?")[0] == address.partition("?")[0]
