"""`three-jobs` in a browser: both sides against the core, by pointer and by keyboard."""

import random
from urllib.parse import urlencode

import pytest
from figure_page import each_opened, open_figure, texts_of
from oracle import shows
from playwright.sync_api import expect

from attention import SelfAttention, embed, softmax, tokenize

EMBED = "/embed/three-jobs"
SENTENCES = ["Your journey starts with one step", "yes no", "the cat saw the other cat", "a b c d e f g h i j k l"]
GRID = "el => [...el.tBodies[0].rows].map(tr => [...tr.cells].slice(1).map(td => td.textContent))"
SOURCE = "([side, name]) => window.Bokeh.documents[side].get_model_by_name(name).data"
FRAME = """side => {
  const view = window.Bokeh.index.find_one(window.Bokeh.documents[side].roots()[0]);
  const box = document.querySelectorAll('[data-canvas]')[side].getBoundingClientRect();
  const { left, top, width, height } = view.frame.bbox;
  return { x: box.x + left, y: box.y + top, width, height };
}"""


def opened(page, url, **state):
    return open_figure(page, url, "three-jobs", **state)


def both_sides(text, seed, draw, show):
    X = embed(tokenize(text), seed)
    scores = {"raw": X @ X.T, "made": SelfAttention.seeded((seed + draw) % 2**32).narrow(8)(X).scores}
    return scores, {side: softmax(s) for side, s in scores.items()} if show == "weights" else scores


def random_states(count):
    chance = random.Random(31)
    for i in range(count):
        text = SENTENCES[i % len(SENTENCES)]
        tokens = len(text.split())
        yield {
            "query": chance.randrange(tokens),
            "key": chance.randrange(tokens),
            "draw": chance.randrange(10),
            "show": chance.choice(["scores", "weights"]),
            "seed": chance.choice([5108, 0, 2**32 - 3, chance.randrange(2**32)]),
            "text": text,
        }


def test_random_states_show_what_the_core_computes(page, app_url):
    for state in each_opened(page, app_url, "three-jobs", random_states(32)):
        i, j, tokens = state["query"], state["key"], state["text"].split()
        told, (scores, want) = texts_of(page), both_sides(state["text"], state["seed"], state["draw"], state["show"])
        for side in ("raw", "made"):
            cells = page.locator(f'[data-part="{side}-table"] table').evaluate(GRID)
            assert all(
                shows(text, value)
                for row, values in zip(cells, want[side], strict=True)
                for text, value in zip(row, values, strict=True)
            ), (side, state)
            pair = told[f"{side}-pair"]
            if i != j:
                assert f"‘{tokens[j]}’ {cells[i][j]}" in pair and f"‘{tokens[i]}’ {cells[j][i]}" in pair, (pair, state)
            assert cells[i][i] in told[f"{side}-self"]
        assert told["raw-asymmetry"] == "0.00"
        assert shows(told["asymmetry"], abs(scores["made"] - scores["made"].T).max()), state


def test_other_matrices_change_the_right_side_alone(page, app_url):
    opened(page, app_url)
    left, right = (page.locator(f'[data-part="{side}-table"] table') for side in ("raw", "made"))
    first = left.evaluate(GRID)
    seen = []
    for draw in range(1, 11):
        page.get_by_role("button", name="Other matrices").click()
        expect(page.locator('[data-text="set"]')).to_contain_text(f"set {draw % 10 + 1} of 10")
        seen.append(right.evaluate(GRID))
        assert left.evaluate(GRID) == first
        assert shows(seen[-1][1][5], both_sides(SENTENCES[0], 5108, draw % 10, "scores")[0]["made"][1, 5])
    assert len({str(table) for table in seen}) == 10
    expect(page.locator("[data-live]")).to_contain_text("Bare embeddings: ‘journey’ scores ‘step’ 6.04")


def test_the_keyboard_chooses_a_pair_in_either_table(page, app_url):
    opened(page, app_url)
    page.locator(".fig summary").focus()
    page.keyboard.press("Enter")
    for side in ("raw", "made"):
        table = page.locator(f'[data-part="{side}-table"]')
        table.locator('td[tabindex="0"]').focus()
        for key in ("PageUp", "Home", "ArrowDown", "ArrowRight", "ArrowRight", "Enter"):
            page.keyboard.press(key)
        expect(page.get_by_label("Token i")).to_have_value("1")
        expect(page.get_by_label("Token j")).to_have_value("2")
        expect(page.locator('[data-text="raw-pair"]')).to_contain_text("‘journey’ scores ‘starts’ −2.62")
        assert table.locator('td[aria-selected="true"]').evaluate_all(
            "els => els.map(td => [+td.parentElement.dataset.q, +td.dataset.k])"
        ) == [[1, 2], [2, 1]]
        page.get_by_label("Token j").select_option("5")


def test_a_pair_and_its_mirror_are_outlined_on_both_sides_and_a_click_chooses_them(page, app_url):
    opened(page, app_url, canvas=True)
    frame = page.evaluate(FRAME, 1)
    page.mouse.click(frame["x"] + 3.5 * frame["width"] / 6, frame["y"] + 0.5 * frame["height"] / 6)
    expect(page.get_by_label("Token j")).to_have_value("3")
    for side in (0, 1):
        pair = page.evaluate(SOURCE, [side, "pair"])
        assert (pair["q"], pair["k"]) == ([0, 3], [3, 0])
    want = both_sides(SENTENCES[0], 5108, 0, "scores")[0]
    for side, name in enumerate(("raw", "made")):
        drawn = page.evaluate(SOURCE, [side, "weights"])
        assert drawn["weight"] == pytest.approx(want[name].ravel(), abs=1e-5)


def test_the_colours_follow_what_is_shown(page, app_url):
    opened(page, app_url, canvas=True)
    mapper = """() => [0, 1].map(side => {
      const bar = window.Bokeh.documents[side].get_model_by_name('bar');
      return [bar.color_mapper.low, bar.color_mapper.high, bar.ticker.ticks.length];
    })"""
    assert page.evaluate(mapper) == [[-16, 16, 5], [-4, 4, 5]]
    page.get_by_label("Show", exact=True).select_option("weights")
    assert page.evaluate(mapper) == [[0, 1, 5], [0, 1, 5]]
    page.get_by_label("Show", exact=True).select_option("scores")
    assert page.evaluate(mapper) == [[-16, 16, 5], [-4, 4, 5]]


def test_the_scripts_change_nothing_that_the_html_said(page, app_url, new_context):
    state = {"query": 2, "key": 0, "draw": 7, "show": "weights", "seed": 9, "text": "one two three two"}
    plain = new_context(java_script_enabled=False).new_page()
    plain.goto(f"{app_url}{EMBED}?{urlencode(state)}")
    opened(page, app_url, **state)
    texts = "els => els.map(el => el.textContent.trim())"
    seen = [tab.locator("[data-text], [data-kpi], td, th, option").evaluate_all(texts) for tab in (plain, page)]
    assert seen[0] == seen[1] and len(seen[0]) > 60
