"""The lab in a real marimo, which shows Panel's components by itself."""

import sys

import pytest
from host_process import HostProcess, free_port
from lab_page import LabPage
from playwright.sync_api import expect

pytestmark = pytest.mark.hosts

# marimo follows names between cells and not params: buttons run the cells that set and read them.
APP = """
import marimo

app = marimo.App(width="medium")


@app.cell
def _():
    import marimo as mo
    from widgets import AttentionLab

    return AttentionLab, mo


@app.cell
def _(AttentionLab):
    lab = AttentionLab(d_k=64, scaled=False)
    lab
    return (lab,)


@app.cell
def _(mo):
    read, move = mo.ui.run_button(label="Read it"), mo.ui.run_button(label="Move it")
    mo.hstack([read, move])
    return move, read


@app.cell
def _(lab, move):
    if move.value:
        lab.d_k = 20
    return


@app.cell
def _(lab, mo, read):
    mo.md(f"Python has {lab.d_k} / {lab.text}") if read.value else None
    return
"""


@pytest.fixture(scope="module")
def marimo(tmp_path_factory):
    home = tmp_path_factory.mktemp("marimo")
    (home / "notebook.py").write_text(APP, "utf-8")
    url = f"http://127.0.0.1:{(port := free_port())}"
    command = [sys.executable, "-m", "marimo", "-y", "run", "notebook.py", "--headless", "--no-token"]
    command += ["--host", "127.0.0.1", "--port", str(port)]
    env = {f"XDG_{kind}_HOME": str(home / kind) for kind in ("CONFIG", "STATE", "CACHE")}
    with HostProcess(command, home=home, env=env, asks=f"{url}/health") as process:
        process.url = url
        yield process


def test_the_lab_is_live_both_ways(page, marimo):
    page.goto(marimo.url)
    lab = LabPage(page, marimo.url)
    expect(lab.canvas).to_be_visible(timeout=60_000)
    expect(lab.kpi("softmax-state")).to_have_text("saturated (one-hot)")
    lab.expect_state(d_k=64, scaled=False)
    lab.slider.focus()
    lab.press("ArrowLeft", 3)
    lab.use_sentence("one two three")  # at once: it may come in one parcel with the last choices
    expect(lab.table.get_by_role("rowheader", name="three")).to_be_visible()
    lab.expect_state(d_k=61, scaled=False, text="one two three")
    page.get_by_role("button", name="Read it").click()
    expect(page.get_by_text("Python has 61 / one two three")).to_be_visible()
    page.get_by_role("button", name="Move it").click()
    expect(lab.slider).to_have_value("20")
    lab.expect_state(d_k=20, scaled=False, text="one two three")
    lab.use_sentence("one")
    expect(page.locator('[data-message="text"]')).to_contain_text("has 1 word")
