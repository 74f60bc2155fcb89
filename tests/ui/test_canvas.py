"""The heatmap on its canvas: what is drawn, what a click and a pointer do."""

import io

import pytest
from figure_page import GO
from kept_page import VIEWPORT
from lab_page import LabPage
from oracle import expected
from PIL import Image
from playwright.sync_api import expect

from widgets.state import LabState

# BokehJS keeps the documents that it drew; the plot's own data say what is on the canvas.
SOURCE = "() => window.Bokeh.documents[0].get_model_by_name('{name}').data"
FRAME = """() => {
  const plot = window.Bokeh.documents[0].roots()[0];
  const box = document.querySelector('[data-canvas]').getBoundingClientRect();
  const view = window.Bokeh.index.find_one(plot);
  const { left, top, width, height } = view.frame.bbox;
  return { x: box.x + left, y: box.y + top, width, height };
}"""


@pytest.fixture(scope="module")
def opened(kept_page, app_url):
    """A lab in a page of its own, loaded once."""
    lab = LabPage(kept_page.new_context(viewport=VIEWPORT).new_page(), app_url).open(canvas=True)
    yield lab
    lab.page.context.close()


@pytest.fixture
def lab(opened, watch):
    """That lab in the lesson's state, with the pointer elsewhere."""
    opened.page.mouse.move(0, 0)
    opened.page.evaluate(GO, ["attention-lab", LabState.default()])
    expect(opened.cell).to_contain_text("Tap or point at a cell")
    return opened


def centre(lab, q, k, T=6):
    frame = lab.page.evaluate(FRAME)
    return frame["x"] + (k + 0.5) * frame["width"] / T, frame["y"] + (q + 0.5) * frame["height"] / T


def drawn(lab, name):
    return lab.page.evaluate(SOURCE.format(name=name))


def test_the_cells_drawn_are_the_layers_weights(lab):
    lab.slider.focus()
    lab.press("End")
    lab.scale.click()
    want = expected(d_k=64, scaled=False)["weights"]
    data = drawn(lab, "weights")
    assert len(data["weight"]) == 36
    for q, k, weight, label in zip(data["q"], data["k"], data["weight"], data["label"], strict=True):
        assert weight == pytest.approx(want[q][k], abs=1e-6) and label == f"{weight:.2f}"


def test_darker_means_more_on_screen(lab):
    image = Image.open(io.BytesIO(lab.page.screenshot())).convert("L")
    want = expected()["weights"]
    shades = {}
    for q in range(6):
        for k in range(6):
            x, y = centre(lab, q, k)
            shades[want[q][k]] = image.getpixel((round(x - 18), round(y - 18)))  # beside the number
    by_weight = [shades[weight] for weight in sorted(shades)]
    assert by_weight[0] > 245 and by_weight[-1] < 140
    assert all(after <= before + 1 for before, after in zip(by_weight, by_weight[1:], strict=False))


def test_a_click_chooses_the_row(lab):
    lab.page.mouse.click(*centre(lab, 4, 2))
    expect(lab.row).to_have_value("4")
    lab.expect_state(row=4)
    assert drawn(lab, "row")["q"] == [4]


def test_the_pointer_tells_the_cell_in_words(lab):
    lab.page.mouse.move(*centre(lab, 1, 5))
    want = expected()
    score, weight = want["scores"][1, 5], want["weights"][1, 5]
    expect(lab.cell).to_have_text(f"‘journey’ looks at ‘step’: score {score:.2f}, weight {weight:.2f}")
    assert (drawn(lab, "cell")["q"], drawn(lab, "cell")["k"]) == ([1], [5])
    lab.page.mouse.move(5, 5)
    expect(lab.cell).to_contain_text("Tap or point at a cell")


def test_the_keyboard_tells_the_cell_in_words_and_chooses_the_row(page, app_url):
    lab = LabPage(page, app_url).open(canvas=True)
    lab.table.locator('td[tabindex="0"]').focus()
    expect(lab.cell).to_contain_text("‘journey’ looks at ‘Your’")
    lab.press("ArrowDown", 2)
    lab.press("ArrowRight", 4)
    expect(lab.cell).to_contain_text("‘with’ looks at ‘one’: score ")
    lab.press("Enter")
    expect(lab.row).to_have_value("3")
    assert drawn(lab, "row")["q"] == [3]
    for key, told in {
        "End": "‘step’",
        "Home": "‘Your’",
        "PageDown": "‘step’ looks at ‘Your’",
        "ArrowLeft": "‘Your’",
    }.items():
        lab.press(key)
        expect(lab.cell).to_contain_text(told)
    assert lab.table.locator('td[tabindex="0"]').count() == 1


def test_a_longer_sentence_gets_its_rows_and_labels(lab):
    lab.use_sentence("a internationalisation c d e f g h i j $$k$$ l")
    expect(lab.row.locator("option")).to_have_count(12)
    assert len(drawn(lab, "weights")["weight"]) == 144
    axis = "() => [...window.Bokeh.documents[0].roots()[0].left[0].major_label_overrides.values()].map(t => t.text)"
    labels = lab.page.evaluate(axis)
    assert labels[1] == "internatio…" and labels[10] == "$$k$$" and len(labels) == 12
    lab.page.mouse.click(*centre(lab, 11, 0, T=12))
    expect(lab.row).to_have_value("11")


def test_scrolling_over_the_canvas_scrolls_the_page(page, app_url):
    page.set_viewport_size({"width": 390, "height": 700})
    lab = LabPage(page, app_url).open("/lessons/05-trainable-attention", canvas=True)
    lab.canvas.scroll_into_view_if_needed()
    page.mouse.move(*centre(lab, 3, 3))
    before = page.evaluate("scrollY")
    page.mouse.wheel(0, 200)
    page.wait_for_function(f"() => scrollY >= {before} + 150")
