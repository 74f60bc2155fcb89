"""Files from disk, offline: every state of the lab, and a sample of all other figures, against NumPy."""

import random
from itertools import product

import pytest
from oracle import STATE_WORDS, expected, shows
from playwright.sync_api import expect

from app.cli import main
from app.figures import FIGURES
from attention import FAULTS, peak_weight, softmax_state

# Moves the lab's own controls through all widths, and tells what is shown at each.
SWEEP = """async ([fault, scaled, rows]) => {
  const root = document.querySelector('[data-figure]');
  const tell = (control, value, type) => {
    control.value = value;
    control.dispatchEvent(new Event(type, { bubbles: true }));
  };
  const named = name => root.querySelector(`[name="${name}"]`);
  const kpi = name => root.querySelector(`[data-kpi="${name}"]`).textContent;
  tell(named('fault'), fault, 'change');
  if (named('scaled').getAttribute('aria-pressed') !== String(scaled)) named('scaled').click();
  const seen = [];
  for (let d_k = 2; d_k <= 64; d_k++) {
    tell(named('d_k'), d_k, 'input');
    const body = [...root.querySelector('[data-table="weights"]').tBodies[0].rows];
    const table = body.map(row => [...row.cells].slice(1).map(cell => cell.textContent));
    const read = [];
    for (let row = 0; row < rows; row++) {
      tell(named('row'), row, 'change');
      read.push([kpi('score-spread'), kpi('peak-weight'), kpi('softmax-state'), kpi('dead-rows')]);
    }
    seen.push({ d_k, table, read });
  }
  return seen;
}"""

TEXTS = """async (state) => {
  const figure = document.querySelector('[data-mount]').dataset.mount;
  dispatchEvent(new CustomEvent('figure-go', { detail: { figure, state, stay: true } }));
  await new Promise(resolve => setTimeout(resolve));
  const places = document.querySelectorAll('[data-figure] :is([data-text], [data-kpi])');
  return [...places].map(place => [place.dataset.text ?? place.dataset.kpi, place.textContent]);
}"""


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("files")
    for name in FIGURES:
        assert main(["export", str(folder / f"{name}.html"), "--figure", name, "--quiet"]) == 0
    return folder


def opened(new_context, file):
    page = new_context(offline=True).new_page()
    page.goto(file.as_uri())
    expect(page.locator("[data-ready]")).to_be_attached(timeout=20_000)
    return page


def test_every_state_of_the_lab_is_what_numpy_computes(files, new_context):
    page = opened(new_context, files / "attention-lab.html")
    checked = 0
    for fault, scaled in product(FAULTS, (False, True)):
        for seen in page.evaluate(SWEEP, [fault, scaled, 6]):
            state = {"d_k": seen["d_k"], "fault": fault, "scaled": scaled}
            want = expected(**state)
            for row, (spread, peak, softmax, dead) in enumerate(seen["read"]):
                weights = want["weights"][row]
                whole = fault != "softmax_over_queries"
                word = STATE_WORDS[int(softmax_state(weights))] if whole else "no distribution"
                assert shows(spread, want["score-spread"]) and shows(peak, float(peak_weight(weights))), (state, row)
                assert softmax.startswith(word) and dead == want["dead-rows"], (state, row)
                checked += 1
            for texts, weights, total in zip(seen["table"], want["weights"], want["row_sums"], strict=True):
                assert all(shows(text, weight) for text, weight in zip(texts, [*weights, total], strict=True)), state
    assert checked == 63 * len(FAULTS) * 2 * 6


def random_state(figure, rng):
    state = {}
    for name, rule in figure.State.schema().items():
        if name in (*figure.key, "theme"):
            state[name] = rule["default"]
        elif rule["type"] == "integer":
            state[name] = rng.randint(rule["min"], 5 if rule["token"] else rule["max"])
        else:
            state[name] = rng.choice(rule.get("values", [False, True]))
    return state


@pytest.mark.parametrize("name", [name for name in FIGURES if name != "attention-lab"])
def test_other_figures_say_what_numpy_computes(name, files, new_context):
    figure, rng = FIGURES[name], random.Random(8)
    table = figure.table(**{part: figure.State.default()[part] for part in figure.key})
    page = opened(new_context, files / f"{name}.html")
    for state in [random_state(figure, rng) for _ in range(12)]:
        if "item" in state and not state["batch"]:
            state["item"] = 0
        shown = page.evaluate(TEXTS, state)
        assert len(shown) > 3
        want = figure.texts(table, state)
        assert [pair for pair in shown if pair[0] in want] == [[p, want[p]] for p, _ in shown if p in want], state
        assert len({place for place, _ in shown} & want.keys()) > 2
