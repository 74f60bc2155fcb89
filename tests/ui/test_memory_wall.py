"""The memory wall in a browser: its read-outs, table and plot against the bytes counted here."""

import random

import pytest
from figure_page import open_figure
from playwright.sync_api import expect

from widgets.memory_wall import bytes_text

EMBED = "/embed/memory-wall"
LENGTHS = [6, *(2**power for power in range(3, 18))]
SIZES = {"float16": 2, "float32": 4}
PLOT = """name => window.Bokeh.documents[0].roots()[0].renderers
  .map(({ data_source }) => data_source).find(source => source.name === name).data"""


def open_wall(page, url, **state):
    return open_figure(page, url, "memory-wall", **state)


def expect_state(page, length, dtype):
    T, size = LENGTHS[length], SIZES[dtype]
    costs = [(t * t * size, t * (2 * min(t, 128) + 2 + 64) * size) for t in LENGTHS]
    table, streaming = costs[length]
    kpi = page.locator("[data-kpi]").evaluate_all(
        "els => Object.fromEntries(els.map(el => [el.dataset.kpi, el.textContent]))"
    )
    more = table >= streaming
    times = table / streaming if more else streaming / table
    assert kpi == {"table": bytes_text(table), "streaming": bytes_text(streaming), "times": f"{times:.1f} times"}
    assert page.locator('[data-text="times-label"]').inner_text().startswith("the table" if more else "streaming")
    assert page.locator('[data-text="length-value"]').inner_text() == f"{T:,}"
    expect(page.get_by_role("slider", name="Tokens T")).to_have_attribute(
        "aria-valuetext", f"{T:,} tokens, table {bytes_text(table)}"
    )
    rows = page.locator("tbody tr").evaluate_all("rows => rows.map(tr => [...tr.cells].map(cell => cell.textContent))")
    assert rows == [
        [f"{t:,}", bytes_text(a), bytes_text(b), f"{a / b:.2f}"] for t, (a, b) in zip(LENGTHS, costs, strict=True)
    ]
    assert page.locator("tr[aria-current]").evaluate_all("rows => rows.map(tr => tr.dataset.length)") == [str(length)]


@pytest.mark.parametrize(("length", "dtype"), [(0, "float32"), (6, "float16"), (15, "float16"), (9, "float32")])
def test_a_linked_state_shows_the_bytes(length, dtype, page, app_url):
    open_wall(page, app_url, length=length, dtype=dtype)
    expect_state(page, length, dtype)


def test_all_states_show_the_bytes(page, app_url):
    open_wall(page, app_url)
    slider, kind = page.get_by_role("slider", name="Tokens T"), page.get_by_label("Number type")
    states = [(length, dtype) for length in range(16) for dtype in SIZES]
    random.Random(4).shuffle(states)
    for length, dtype in states:
        slider.fill(str(length))
        kind.select_option(dtype)
        expect_state(page, length, dtype)


def test_the_keyboard_alone_moves_everything(page, app_url):
    open_wall(page, app_url)
    page.get_by_role("slider", name="Tokens T").focus()
    page.keyboard.press("Home")
    expect_state(page, 0, "float16")
    page.keyboard.press("ArrowRight")
    expect_state(page, 1, "float16")
    page.keyboard.press("End")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")
    expect_state(page, 15, "float32")
    expect(page.locator("[data-live]")).to_contain_text("At 131,072 tokens the table of one head fills 68.7 GB")


def test_a_row_of_the_table_can_be_clicked(page, app_url):
    open_wall(page, app_url)
    page.get_by_role("row", name="1,024").click()
    expect_state(page, 8, "float16")


def test_the_plot_shows_the_same(page, app_url):
    open_wall(page, app_url, canvas=True, length=9, dtype="float32")
    assert page.evaluate(PLOT, "table")["T"] == LENGTHS
    assert page.evaluate(PLOT, "table")["bytes"] == [T * T * 4 for T in LENGTHS]
    assert page.evaluate(PLOT, "table-point") == {"T": [2048], "bytes": [2048 * 2048 * 4]}
    assert page.evaluate(PLOT, "streaming-point") == {"T": [2048], "bytes": [2048 * 322 * 4]}
    page.get_by_label("Number type").select_option("float16")
    assert page.evaluate(PLOT, "streaming")["bytes"][0] == 936
    assert page.evaluate(PLOT, "chosen") == {"x": [2048]}


def test_the_scripts_change_nothing_that_the_html_said(page, app_url, new_context):
    texts = "els => els.map(el => el.textContent.trim())"
    seen = []
    for tab in (new_context(java_script_enabled=False).new_page(), page):
        tab.goto(f"{app_url}{EMBED}?length=4&dtype=float32")
        if tab is page:
            expect(tab.locator("[data-ready]")).to_be_attached()
        seen.append(tab.locator("[data-text], [data-kpi], td, th, li, option").evaluate_all(texts))
    assert seen[0] == seen[1] and len(seen[0]) > 70


@pytest.mark.parametrize("width", [320, 390, 768, 1280])
def test_nothing_scrolls_sideways_or_jumps(width, page, app_url):
    page.set_viewport_size({"width": width, "height": 800})
    open_wall(page, app_url, canvas=True, length=15, dtype="float32")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("slider", name="Tokens T").focus()
    boxes = set()
    for _ in range(15):
        page.keyboard.press("ArrowLeft")
        sides = [page.locator(part).bounding_box() for part in ("[data-kpi=table]", "[data-canvas]", "table")]
        boxes.add(tuple((round(box["x"]), round(box["y"]), round(box["width"])) for box in sides))
    assert len(boxes) == 1
