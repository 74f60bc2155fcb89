"""Copy as NumPy: the text on the clipboard, run in a fresh process, prints what the page shows."""

import subprocess
import sys

import pytest
from lab_page import LabPage
from oracle import expected
from playwright.sync_api import expect

STATES = [
    {},
    {"d_k": 64, "scaled": False},
    {"d_k": 17, "fault": "divide_by_d_k", "row": 4},
    {"d_k": 30, "fault": "softmax_over_queries", "scaled": False, "seed": 99},
    {"d_k": 5, "fault": "shared_projection", "text": 'say "it" {d_k} \\n $x$', "row": 0},
    {"d_k": 50, "fault": "blend_embeddings", "text": "Größe naïve 日本", "row": 2, "seed": 2**32 - 1},
]


@pytest.mark.parametrize("state", STATES, ids=str)
def test_the_copied_text_rebuilds_the_state(state, page, app_url, tmp_path):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    lab = LabPage(page, app_url).open(**state)
    lab.page.get_by_role("button", name="Copy as NumPy").click()
    expect(lab.page.locator('[data-message="copy"]')).to_contain_text("Copied")
    script = lab.page.evaluate("navigator.clipboard.readText()")
    done = subprocess.run(
        [sys.executable, "-I", "-X", "utf8", "-c", script],
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=tmp_path,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    printed = dict(line.split(": ", 1) for line in done.stdout.splitlines() if ": " in line)
    tokens = expected(**state)["tokens"]
    row = state.get("row", 1)
    assert printed["score spread"] == lab.kpi("score-spread").inner_text()
    peak_note = lab.page.locator('[data-text="peak-note"]').inner_text().replace("‘", "'").replace("’", "'")
    assert printed[f"peak weight of '{tokens[row]}'"] == f"{lab.kpi('peak-weight').inner_text()} {peak_note}"
    assert printed["softmax state"] == lab.kpi("softmax-state").inner_text()
    assert printed["dead rows"] == lab.kpi("dead-rows").inner_text()


def test_where_the_clipboard_is_shut_the_script_is_shown(page, app_url):
    lab = LabPage(page, app_url)
    page.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    lab.open()
    page.get_by_role("button", name="Copy as NumPy").click()
    expect(page.locator("[data-script] pre")).to_contain_text("import numpy as np")
    assert "import numpy as np" in page.evaluate("String(getSelection())")
