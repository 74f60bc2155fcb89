"""Our exported files beside a bare BokehJS file of the same figure, all opened from disk."""

from __future__ import annotations

import gzip
import time
from collections import defaultdict
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from bokeh.embed import file_html
from bokeh.layouts import column
from bokeh.models import CustomJS, Div, Slider
from bokeh.resources import INLINE
from playwright.sync_api import Browser

from app.cli import main as command
from attention import lab_table, tokenize
from bench.browser import LIMIT_MS, chromium, fresh_context, wait_for_canvas
from bench.report import Row
from bench.states import ROW, SEED, SENTENCE, START
from bench.stats import median_and_p95
from bench.visit import KEY_EVERY_S
from widgets.heatmap import weights_heatmap

LOADS = 10
STATE = f"d_k={START}&scaled=0"
# As a Bokeh user would write it: everything in one callback, the states as plain lists.
CALLBACK = """
const i = cb_obj.value - 2;
const tell = (name, value) => `<span data-kpi="${name}">${value.toFixed(2)}</span>`;
read.text = `${tell("score-spread", spread[i])} ${tell("peak-weight", peak[i])}`;
const weights = table[i];
const ink = weights.map((weight) => (weight > 0.5 ? "#ffffff" : "#111111"));
source.data = {...source.data, weight: weights, label: weights.map((weight) => weight.toFixed(2)), ink};
"""


def measure(rounds: int) -> list[Row]:
    """Write the files, then open each of them in turns."""
    loads = max(LOADS, rounds)
    with TemporaryDirectory() as folder:
        files = {name: Path(folder) / f"{name}.html" for name in ("lesson", "lab", "bare")}
        for name, what in (("lesson", ["--lesson", "05-trainable-attention"]), ("lab", ["--figure", "attention-lab"])):
            if command(["export", str(files[name]), *what, "--state", STATE, "--quiet"]):
                raise RuntimeError(f"the {name} could not be exported")
        files["bare"].write_text(bare_file(), "utf-8")
        times: dict[str, list[float]] = defaultdict(list)
        with chromium() as browser:
            for turn in range(loads + 1):
                for name, file in files.items():
                    answered = first_answer(browser, file.as_uri())
                    if turn:
                        times[name].append(answered)
        bodies = {name: file.read_bytes() for name, file in files.items()}
    return rows(times, bodies, loads)


def first_answer(browser: Browser, url: str) -> float:
    """When the read-outs followed a key, pressed from the moment that there is a slider; in ms."""
    with fresh_context(browser) as context:
        page = context.new_page()
        page.goto(url, wait_until="commit")
        deadline = time.monotonic() + LIMIT_MS / 1000
        while not (load := page.evaluate("bench.load")).get("answered") and time.monotonic() < deadline:
            if load.get("slider"):
                page.keyboard.press("ArrowRight")
            time.sleep(KEY_EVERY_S)
        wait_for_canvas(page)
        return float(load["answered"])


def bare_file() -> str:
    """The lab's heatmap with Bokeh's own slider and callback, and BokehJS inline."""
    table = lab_table(tokenize(SENTENCE), SEED)
    tokens = list(tokenize(SENTENCE))
    plot = weights_heatmap()
    spread = [float(value) for value in table.spread[:, 0, 0]]
    peak = [float(value) for value in table.peak[:, 0, 0, ROW]]
    weights = [[float(value) for value in table.weights[i, 0, 0].ravel()] for i in range(len(table.weights))]
    first = weights[START - 2]
    count = range(len(tokens))
    source = next(item.data_source for item in plot.renderers if item.data_source.name == "weights")
    source.data = {
        "q": [q for q in count for _ in count],
        "k": [k for _ in count for k in count],
        "weight": first,
        "label": [f"{weight:.2f}" for weight in first],
        "ink": ["#ffffff" if weight > 0.5 else "#111111" for weight in first],
    }
    plot.update(sizing_mode="fixed", width=420, height=420)
    read = Div(
        text=f'<span data-kpi="score-spread">{spread[START - 2]:.2f}</span> '
        f'<span data-kpi="peak-weight">{peak[START - 2]:.2f}</span>'
    )
    slider = Slider(start=2, end=64, value=START, step=1, title="d_k")
    values = {"read": read, "source": source, "spread": spread, "peak": peak, "table": weights}
    slider.js_on_change("value", CustomJS(args=values, code=CALLBACK))
    return file_html(column(slider, read, plot), INLINE, "the lab in bare Bokeh")


def rows(answered: dict[str, list[float]], bodies: dict[str, bytes], loads: int) -> list[Row]:
    middle = {name: median(values) for name, values in answered.items()}
    ratios = {name: f"{middle[name] / middle['bare']:.2f}" for name in ("lesson", "lab")}
    sizes = {name: f"{len(body) / 1e6:.2f}" for name, body in bodies.items()}
    packed = {name: f"{len(gzip.compress(body)) / 1e6:.2f}" for name, body in bodies.items()}
    return [
        Row(
            f"file from disk → answers a key: median / p95 of {loads} loads, ms",
            {name: median_and_p95(values) for name, values in answered.items()},
        ),
        Row("the same, ÷ bare BokehJS file", ratios, "lab ≤ 0.4"),
        Row("file, MB", sizes, "lesson ≤ 4, lab ≤ 2"),
        Row("file compressed, MB", packed, "lesson ≤ 1.1, lab ≤ 0.6"),
    ]
