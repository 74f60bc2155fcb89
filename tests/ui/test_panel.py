"""The lab as a Panel component: the learner's choices are its params, both ways."""

import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from lab_page import LabPage
from playwright.sync_api import expect

from widgets import AttentionLab

ROOT = Path(__file__).parents[2]
APP = """
import sys
import panel as pn
from widgets import AttentionLab

def page():
    lab = AttentionLab(d_k=64, scaled=False, sizing_mode="stretch_width")
    watched = (lab.param[name] for name in ("d_k", "scaled", "row", "text"))
    told = pn.bind(lambda *values: " / ".join(map(str, values)), *watched)
    button = pn.widgets.Button(name="Move it from Python")
    button.on_click(lambda event: lab.param.update(d_k=40, seed=7, row=3))
    return pn.Column(lab, pn.pane.Str(told), button)

pn.serve({"page": page, "de": lambda: AttentionLab(lang="de")}, port=int(sys.argv[1]), show=False)
"""


@pytest.fixture(scope="module")
def panel_url(tmp_path_factory):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    log = tmp_path_factory.mktemp("panel") / "log.txt"
    with log.open("w") as out:
        process = subprocess.Popen([sys.executable, "-c", APP, str(port)], cwd=ROOT, stdout=out, stderr=out)
    deadline = time.monotonic() + 30
    while True:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                break
        assert process.poll() is None and time.monotonic() < deadline, log.read_text()
        time.sleep(0.05)
    yield f"http://127.0.0.1:{port}/"
    process.terminate()
    process.wait(10)
    assert "Traceback" not in log.read_text(), log.read_text()


@pytest.fixture
def lab(page, panel_url):
    page.goto(f"{panel_url}page")
    lab = LabPage(page, panel_url)
    expect(lab.kpi("peak-weight")).to_have_text("1.00")
    expect(page.locator("[data-canvas] canvas").first).to_be_visible()
    return lab


def test_it_starts_in_the_state_of_its_params(lab):
    lab.expect_state(d_k=64, scaled=False)


def test_a_learners_choice_reaches_python(lab):
    lab.slider.focus()
    lab.press("ArrowLeft", 3)
    lab.scale.click()
    lab.row.select_option("0")
    expect(lab.page.get_by_text("61 / True / 0 / Your journey")).to_be_visible()
    lab.expect_state(d_k=61, row=0)


def test_python_moves_the_lab(lab):
    lab.page.get_by_role("button", name="Move it from Python").click()
    expect(lab.slider).to_have_value("40")
    expect(lab.seed).to_have_value("7")
    expect(lab.row).to_have_value("3")
    lab.expect_state(d_k=40, seed=7, scaled=False, row=3)


def test_a_sentence_goes_through_python(lab):
    lab.use_sentence("one two three")
    expect(lab.page.get_by_text("64 / False / 1 / one two three")).to_be_visible()
    lab.expect_state(d_k=64, scaled=False, text="one two three")
    lab.use_sentence("one")
    expect(lab.page.locator('[data-message="text"]')).to_contain_text("has 1 word")
    lab.expect_state(d_k=64, scaled=False, text="one two three")


def test_it_speaks_another_language(page, panel_url):
    page.goto(f"{panel_url}de")
    lab = page.locator("[lang=de]")
    expect(lab.get_by_role("button", name="Zurücksetzen")).to_be_visible()
    lab.get_by_label("Satz", exact=True).fill("<b>")
    lab.get_by_role("button", name="Nehmen").click()
    expect(lab.get_by_text("Das Zeichen")).to_be_visible()
    with pytest.raises(ValueError, match="lang is one of en, de; 'xx' came"):
        AttentionLab(lang="xx")
