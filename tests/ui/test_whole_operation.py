"""The whole operation in a browser: every matrix against the layer, by link, pointer and keyboard."""

import random
from urllib.parse import urlencode

import numpy as np
from figure_page import each_opened, open_figure
from layout import SETTLED, WIDER
from oracle import shows
from playwright.sync_api import expect

from attention import SelfAttention, embed, tokenize

EMBED = "/embed/whole-operation"
LESSON = {
    "step": 1,
    "d_k": 8,
    "scaled": 1,
    "row": 1,
    "batch": 0,
    "item": 0,
    "seed": 5108,
    "text": "Your journey starts with one step",
}
LONG = "a bb ccc dddd eeeee ffffff ggggggg hhhhhhhh internationalisation jj kk ll"
STEPS = [
    ("X",),
    ("X", "W_q", "Q"),
    ("X", "W_k", "K"),
    ("X", "W_v", "V"),
    ("Q", "K.T", "scores"),
    ("scores", "weights"),
    ("weights", "V", "Z"),
]
READ = """els => els.filter(el => !el.hidden).map(el => ({
  name: el.querySelector('.op-name b').textContent,
  shape: el.querySelector('.op-shape').textContent,
  rows: [...el.querySelectorAll('tbody tr')].map(tr => tr.cells[0].textContent),
  columns: [...el.querySelectorAll('thead th')].map(th => th.textContent),
  cells: [...el.querySelectorAll('tbody tr')].map(tr => [...tr.cells].slice(1).map(td => td.textContent)),
  lit: [...el.querySelectorAll('tr[aria-selected="true"], tr.lit')].map(tr => Number(tr.dataset.q)),
}))"""
TEXTS = """root => [...root.querySelectorAll('[data-text], td, th, option')]
  .map(el => el.textContent.trim() + (el.style.background || '') + (el.tabIndex ?? '') + el.className)"""


def open_operation(page, url, **state):
    return open_figure(page, url, "whole-operation", **state)


def matrices(state):
    """Every matrix of a state by its name, and its shape, straight from the layer."""
    tokens = tokenize(state["text"])
    X = embed(tokens, state["seed"])
    if state["batch"]:
        X = np.stack([X, embed(tokens[::-1], state["seed"])])
    layer = SelfAttention.seeded(state["seed"]).narrow(state["d_k"])
    trace = layer(X, scale="sqrt_d_k" if state["scaled"] else "none")
    found = {"X": X, "K.T": np.swapaxes(trace.K, -1, -2), "Z": trace.context}
    found |= {name: getattr(layer, name) for name in ("W_q", "W_k", "W_v")}
    found |= {name: getattr(trace, name) for name in ("Q", "K", "V", "scores", "weights")}
    shapes = {name: str(array.shape) for name, array in found.items()}
    return {name: array[state["item"]] if array.ndim == 3 else array for name, array in found.items()}, shapes


def expect_state(page, **changes):
    state = LESSON | changes
    tokens = list(tokenize(state["text"]))[:: -1 if state["item"] else 1]
    arrays, shapes = matrices(state)
    names = STEPS[state["step"]]
    slots = page.locator(".op-slot").evaluate_all(READ)
    shown = {"K.T": "K.mT" if state["batch"] else "K.T"}
    assert [slot["name"] for slot in slots] == [shown.get(name, name) for name in names], state
    for name, slot in zip(names, slots, strict=True):
        assert slot["shape"] == shapes[name], (state, name)
        array = arrays[name]
        assert np.shape(slot["cells"]) == array.shape
        for texts, row in zip(slot["cells"], array, strict=True):
            assert all(shows(text, value) for text, value in zip(texts, row, strict=True)), (state, name)
        numbers = [str(i) for i in range(1, 17)]
        by_token = {"scores": "rc", "weights": "rc", "K.T": "c"}.get(name, "" if name.startswith("W") else "r")
        assert slot["rows"] == (tokens if "r" in by_token else numbers[: len(array)])
        assert slot["columns"] == (tokens if "c" in by_token else numbers[: array.shape[1]])
    assert slots[-1]["lit"] == [state["row"]]
    if state["step"]:
        assert slots[0]["lit"] == [state["row"]]
    line = page.locator('[aria-current="step"]')
    signs = " @ ".join(shapes[name] for name in names[:-1])
    assert line.locator(".op-shapes").inner_text() == (f"{signs} → " if signs else "") + shapes[names[-1]]
    assert f"‘{tokens[state['row']]}’" in page.locator('[data-text="sentence"]').inner_text()


def random_states(count):
    chance = random.Random(7)
    for i in range(count):
        text = [LESSON["text"], "yes no", "the cat saw the other cat", LONG][i % 4]
        batch = chance.randrange(2)
        yield {
            "step": i % 7,
            "d_k": chance.choice([2, 8, 9, 16, chance.randint(2, 16)]),
            "scaled": chance.random() < 0.5,
            "row": chance.randrange(len(text.split())),
            "batch": batch == 1,
            "item": batch and chance.randrange(2),
            "seed": chance.choice([5108, 0, 2**32 - 1, chance.randrange(2**32)]),
            "text": text,
        }


def test_linked_states_show_what_the_layer_computes(page, app_url):
    for state in each_opened(page, app_url, "whole-operation", random_states(35), links_every=5):
        expect_state(page, **state)


def test_driven_states_show_what_the_layer_computes(page, app_url):
    open_operation(page, app_url, step=0)
    following = page.get_by_role("button", name="Next")
    state = {"step": 0}
    changes = [
        lambda: page.get_by_role("slider", name="d_k", exact=True).press("End") or {"d_k": 16},
        lambda: page.get_by_role("button", name="÷√d_k").click() or {"scaled": 0},
        lambda: page.get_by_role("button", name="batch of 2").click() or {"batch": 1},
        lambda: page.get_by_label("Sentence shown").select_option("1") and {"item": 1},
        lambda: page.get_by_label("Row to follow").select_option("4") and {"row": 4},
        lambda: page.get_by_role("slider", name="d_k", exact=True).press("Home") or {"d_k": 2},
    ]
    for step, change in enumerate(changes, 1):
        expect_state(page, **state)
        following.click()
        state |= {"step": step}
        expect_state(page, **state)
        state |= change()
    expect_state(page, **state)
    expect(following).to_have_attribute("aria-disabled", "true")
    expect(page.get_by_label("Row to follow").locator("option").first).to_have_text("1 · step")
    page.get_by_role("button", name="batch of 2").click()
    expect_state(page, **state | {"batch": 0, "item": 0})
    expect(page.get_by_label("Sentence shown")).to_be_disabled()


def test_a_line_of_code_is_chosen_by_click_and_by_arrow_keys(page, app_url):
    open_operation(page, app_url)
    page.get_by_role("button", name="weights = softmax").click()
    expect_state(page, step=5)
    page.keyboard.press("ArrowDown")
    expect_state(page, step=6)
    expect(page.locator('[aria-current="step"]')).to_be_focused()
    page.keyboard.press("Home")
    expect_state(page, step=0)
    page.keyboard.press("ArrowUp")
    expect_state(page, step=0)
    page.locator('.op-line[data-step="4"]').focus()
    expect_state(page, step=4)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect_state(page, step=3)
    expect(page.locator("[data-live]")).to_contain_text("line 3 of 6: V, (6, 16) @ (16, 8) → (6, 8). W_v turns them")


def test_the_result_is_walked_with_the_keyboard(page, app_url):
    open_operation(page, app_url)
    cell, made = page.locator('[data-text="cell"]'), page.locator('[data-text="made"]')
    Q = matrices(LESSON)[0]["Q"]
    page.locator('[data-slot="result"] td[tabindex="0"]').focus()
    expect(cell).to_have_text(f"Q, row ‘journey’, column 1: {Q[1, 0]:.2f}".replace("-", "−"))
    page.keyboard.press("End")
    page.keyboard.press("PageDown")
    expect(cell).to_have_text(f"Q, row ‘step’, column 8: {Q[5, 7]:.2f}".replace("-", "−"))
    expect(made).to_have_text("Row ‘step’ of Q is made of row ‘step’ of X and all of W_q.")
    assert [slot["lit"] for slot in page.locator(".op-slot").evaluate_all(READ)] == [[5], [], [5]]
    page.keyboard.press("Enter")
    expect(cell).to_contain_text("Q, row ‘step’, column 8")
    expect_state(page, row=5)
    assert page.locator('[data-slot="result"] td[tabindex="0"]').count() == 1


def test_the_pointer_tells_cells_and_lights_what_a_row_is_made_of(page, app_url):
    open_operation(page, app_url, step=4)
    cell = page.locator('[data-text="cell"]')
    arrays, raw = matrices(LESSON)[0], matrices(LESSON | {"scaled": 0})[0]["scores"]
    page.locator('[data-slot="result"] tbody tr').nth(3).locator("td").nth(2).hover()
    told = f"‘with’ looks at ‘starts’, raw score {raw[3, 2]:.2f}, divided by √8: {arrays['scores'][3, 2]:.2f}"
    expect(cell).to_have_text(f"scores: {told}".replace("-", "−"))
    assert [slot["lit"] for slot in page.locator(".op-slot").evaluate_all(READ)] == [[3], [], [3]]
    page.locator('[data-slot="right"] tbody tr').nth(6).locator("td").nth(5).hover()
    expect(cell).to_have_text(f"K.T, row 7, key ‘step’: {arrays['K.T'][6, 5]:.2f}".replace("-", "−"))
    expect_state(page, step=4)
    page.mouse.move(2, 2)
    expect(cell).to_contain_text("Tap or point at a cell")
    page.locator('[data-slot="result"] tbody tr').nth(2).locator("td").first.click()
    expect_state(page, step=4, row=2)


def test_the_scripts_change_nothing_that_the_html_said(page, app_url, new_context):
    plain = new_context(java_script_enabled=False).new_page()
    states = [{}, {"step": 0}, {"step": 5, "text": LONG}, {"step": 4, "batch": 1, "item": 1, "d_k": 13, "row": 3}]
    for state in states:
        query = urlencode({"scaled": 0, "seed": 9} | state)
        plain.goto(f"{app_url}{EMBED}?{query}")
        page.goto(f"{app_url}{EMBED}?{query}")
        expect(page.locator("[data-ready]")).to_be_attached()
        root = '[data-figure="whole-operation"]'
        served, live = plain.locator(root).evaluate(TEXTS), page.locator(root).evaluate(TEXTS)
        # An empty slot keeps nothing of itself but its table's frame.
        assert served == live and len(served) > 150


def test_matrices_are_shaded_by_their_values(page, app_url):
    open_operation(page, app_url, step=5)
    read = """els => els.map(td => [Number(td.textContent),
      getComputedStyle(td).backgroundColor.match(/\\d+/g).reduce((sum, part) => sum + Number(part), 0)])"""
    shades = page.locator('[data-slot="result"] tbody td').evaluate_all(read)
    shades.sort(key=lambda cell: (cell[0], -cell[1]))
    assert all(after <= before for (_, before), (_, after) in zip(shades, shades[1:], strict=False))
    small = page.locator('[data-box="weights"] canvas').evaluate("c => [c.width, c.height]")
    assert small == [6, 6]


def test_nothing_scrolls_sideways(page, app_url):
    page.set_viewport_size({"width": 320, "height": 800})
    open_operation(page, app_url, step=0, d_k=16, scaled=1, batch=1, text=LONG)
    for step in range(7):
        if step:
            page.get_by_role("button", name="Next").click()
        for width in (320, 390, 976, 1280):
            page.set_viewport_size({"width": width, "height": 800})
            page.evaluate(SETTLED)
            assert page.evaluate(WIDER) <= 0, (step, width)
            if width > 900:
                inside = "els => els.every(el => el.scrollWidth <= el.clientWidth)"
                assert page.locator(".op-stage, .op-scroll").evaluate_all(inside), (step, width)


def test_the_code_and_the_words_stand_still_while_dragging(page, app_url):
    open_operation(page, app_url, step=1)
    page.get_by_role("slider", name="d_k", exact=True).focus()
    boxes = set()
    for _ in range(9):
        page.keyboard.press("ArrowLeft")
        parts = (".op-code", ".op-controls", ".op-sentence", '[data-slot="right"]', '[data-slot="result"]', ".op-cell")
        sides = [page.locator(part).bounding_box() for part in parts]
        boxes.add(tuple((round(box["x"]), round(box["y"])) for box in sides))
    assert len(boxes) == 1
