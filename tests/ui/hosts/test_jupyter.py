"""The lab in a real JupyterLab, as a person meets it there."""

import pytest
from jupyter_page import JupyterLab, Notebook
from lab_page import LabPage
from playwright.sync_api import expect

pytestmark = pytest.mark.hosts

SHORTCUTS = "a b x c v d d m y z"  # what JupyterLab does something with when a cell is chosen: ten words of a sentence


@pytest.fixture(scope="module")
def jupyter(tmp_path_factory):
    with JupyterLab(tmp_path_factory.mktemp("jupyter")) as jupyter:
        yield jupyter


@pytest.fixture
def open_notebook(page, jupyter, request):
    page.set_viewport_size({"width": 1280, "height": 1000})
    return lambda *cells: Notebook(page, jupyter, request.node.name, list(cells))


def lab_in(notebook, cell):
    """The lab that a cell shows, once all of it is there."""
    lab = LabPage(notebook.page, notebook.jupyter.url, within=notebook.output(cell))
    expect(lab.canvas).to_be_visible(timeout=60_000)
    return lab


def test_one_line_shows_the_lab_and_it_is_live_both_ways(open_notebook):
    notebook = open_notebook(
        "from widgets import AttentionLab; AttentionLab(d_k=64, scaled=False)",
        "lab = AttentionLab(d_k=64, scaled=False)\n"
        "lab.param.watch(lambda event: print('told', event.name, event.new), ['d_k', 'text'])\n"
        "lab",
        "print(lab.d_k, lab.scaled, lab.row, lab.text)",
        "lab.d_k = 20",
    )
    notebook.run(0)
    first = lab_in(notebook, 0)
    expect(first.kpi("softmax-state")).to_have_text("saturated (one-hot)")
    first.expect_state(d_k=64, scaled=False)

    notebook.run(1)
    lab = lab_in(notebook, 1)
    lab.slider.focus()
    lab.press("ArrowLeft", 3)
    lab.expect_state(d_k=61, scaled=False)
    expect(notebook.output(1).get_by_text("told d_k 61")).to_be_visible()
    notebook.run(2)
    expect(notebook.output(2)).to_contain_text("61 False 1 Your journey starts with one step")

    notebook.run(3)
    expect(lab.slider).to_have_value("20")
    lab.expect_state(d_k=20, scaled=False)
    first.expect_state(d_k=64, scaled=False)


def test_jupyters_shortcuts_and_the_labs_keys_keep_apart(open_notebook):
    notebook = open_notebook(
        "from widgets import AttentionLab\nlab = AttentionLab(d_k=64)\nlab", "print(lab.text)", "1 + 1"
    )
    notebook.run(0)
    lab = lab_in(notebook, 0)
    lab.sentence.click()
    lab.press("Control+a")
    lab.sentence.press_sequentially(SHORTCUTS)
    expect(lab.sentence).to_have_value(SHORTCUTS)
    lab.press("Enter")
    expect(lab.table.get_by_role("rowheader", name="v", exact=True)).to_be_visible()
    lab.expect_state(d_k=64, text=SHORTCUTS)
    lab.slider.focus()
    for key in ("Home", "ArrowUp", "ArrowRight", "j", "ArrowDown", "0", "0"):
        lab.press(key)
    lab.expect_state(d_k=3, text=SHORTCUTS)
    # No cell came, went, was chosen or run.
    expect(notebook.cells).to_have_count(3)
    expect(notebook.page.locator(".jp-Dialog")).to_have_count(0)
    notebook.run(1)
    expect(notebook.output(1)).to_contain_text(SHORTCUTS)
    expect(notebook.output(2)).to_be_empty()


def test_run_all_shows_what_python_chose_at_once_and_labs_do_not_mix(open_notebook):
    notebook = open_notebook(
        "from widgets import AttentionLab\none = AttentionLab(d_k=64, scaled=False)\none",
        "two = AttentionLab(d_k=4)\ntwo",
        "one.d_k = 30\none.d_k = 20\ntwo.text, two.row = 'one two three', 2",
        "print(one.d_k, two.d_k)",
    )
    notebook.menu("Run", "Run All Cells")
    one, two = lab_in(notebook, 0), lab_in(notebook, 1)
    expect(one.slider).to_have_value("20")
    one.expect_state(d_k=20, scaled=False)
    expect(two.row).to_have_value("2")
    two.expect_state(d_k=4, text="one two three", row=2)
    two.slider.focus()
    two.press("ArrowRight")
    two.expect_state(d_k=5, text="one two three", row=2)
    notebook.run(3)
    expect(notebook.output(3)).to_contain_text("20 5", timeout=30_000)  # cells run one after another
    one.expect_state(d_k=20, scaled=False)


def test_a_cell_that_runs_and_a_learner_do_not_disturb_each_other(open_notebook):
    notebook = open_notebook(
        "import time, threading\nfrom widgets import AttentionLab\nlab, threads = AttentionLab(d_k=64), set()\n"
        "lab.param.watch(lambda event: threads.add(threading.current_thread().name), ['d_k'])\nlab",
        # A cell that takes its time.
        "for line in range(500):\n    print(line, end=' ')\n    time.sleep(0.005)\nprint(lab.d_k)",
        "print(lab.d_k, *threads)",
    )
    notebook.run(0)
    lab = lab_in(notebook, 0)
    notebook.run(1)
    expect(notebook.output(1)).to_contain_text("0 1")
    lab.slider.focus()
    lab.press("ArrowLeft", 30)
    lab.expect_state(d_k=34)
    # The learner's choices wait until the cell is done, and nothing that it prints is lost.
    expect(notebook.output(1)).to_have_text(" ".join(map(str, range(500))) + " 64\n", timeout=30_000)
    notebook.run(2)
    expect(notebook.output(2)).to_have_text("34 MainThread\n")


def test_a_saved_notebook_shows_the_lab_again_as_python_has_it(open_notebook):
    notebook = open_notebook(
        "from widgets import AttentionLab\nlab = AttentionLab(d_k=64, scaled=False)\nlab",
        "lab.param.update(d_k=20, text='one two three', row=0)",
        "print(lab.d_k)",
    )
    for _ in range(2):  # the second time, what Panel needs has to be written again
        notebook.run(0)
        lab_in(notebook, 0).expect_state(d_k=64, scaled=False)
    notebook.save()
    notebook.run(1)
    lab = lab_in(notebook, 0)
    expect(lab.slider).to_have_value("20")
    notebook.open()
    lab = lab_in(notebook, 0)
    expect(lab.slider).to_have_value("20")
    lab.expect_state(d_k=20, scaled=False, text="one two three", row=0)
    lab.slider.focus()
    lab.press("ArrowRight")
    lab.expect_state(d_k=21, scaled=False, text="one two three", row=0)
    notebook.run(2)
    expect(notebook.output(2)).to_contain_text("21")


def test_the_lab_follows_jupyters_theme(open_notebook):
    notebook = open_notebook("from widgets import AttentionLab\nAttentionLab()")
    notebook.run(0)
    lab = lab_in(notebook, 0)
    ink = "element => getComputedStyle(element).color"
    light = lab.root.evaluate(ink)
    notebook.page.get_by_role("menuitem", name="Settings", exact=True).click()
    notebook.page.get_by_text("Theme", exact=True).hover()
    notebook.page.get_by_text("JupyterLab Dark", exact=True).click()
    expect(lab.root).to_have_attribute("data-theme", "dark")
    assert lab.root.evaluate(ink) != light
