"""The lab as a person uses it: find by role and label, act by key and click, read what is shown."""

import re
from urllib.parse import urlencode

from oracle import LESSON, expected, number, shows
from playwright.sync_api import expect

EMBED = "/embed/attention-lab"
LESSON_PAGE = "/lessons/05-trainable-attention"

READ_TABLE = """table => {
  const rows = [...table.tBodies[0].rows];
  return {
    keys: [...table.tHead.rows[0].cells].slice(1, -1).map(cell => cell.textContent),
    queries: rows.map(row => row.cells[0].textContent),
    weights: rows.map(row => [...row.cells].slice(1, -1).map(cell => cell.textContent)),
    sums: rows.map(row => row.cells[row.cells.length - 1].textContent),
    chosen: rows.findIndex(row => row.getAttribute('aria-selected') === 'true'),
  };
}"""


class LabPage:
    def __init__(self, page, url, within=None):
        self.page, self.url = page, url
        # On a lesson's page there are other figures, some with controls of the same name.
        self.root = root = (within or page).locator('[data-figure="attention-lab"]')
        self.slider = root.get_by_role("slider", name="d_k", exact=True)
        self.scale = root.get_by_role("button", name="÷√d_k")
        self.fault = root.get_by_label("Break it")
        self.row = root.get_by_label("Highlighted row")
        self.sentence = root.get_by_label("Sentence")
        self.seed = root.get_by_label("Seed", exact=True)
        self.table = root.locator('[data-table="weights"]')
        self.cell = root.locator('[data-text="cell"]')
        self.canvas = root.locator("[data-canvas] canvas").first

    def open(self, path=EMBED, *, canvas=False, **state):
        return self.go(path, **state).ready(canvas=canvas)

    def go(self, path=EMBED, **state):
        """Go there and wait for no script."""
        query = "?" + urlencode({k: int(v) if isinstance(v, bool) else v for k, v in state.items()}) if state else ""
        self.page.goto(f"{self.url}{path}{query}")
        return self

    def ready(self, *, canvas=False):
        ready = '[data-ready="canvas"]' if canvas else "[data-ready]"
        expect(self.page.locator(f'[data-mount="attention-lab"]{ready}')).to_be_attached(timeout=20_000)
        return self

    def kpi(self, name):
        return self.root.locator(f'[data-kpi="{name}"]')

    def press(self, key, times=1):
        for _ in range(times):
            self.page.keyboard.press(key)

    def read_table(self):
        return self.table.evaluate(READ_TABLE)

    def use_sentence(self, text):
        self.sentence.fill(text)
        self.root.get_by_role("button", name="Use it").click()

    def expect_state(self, **changes):
        """Every read-out and every cell of the table against the layer."""
        want = expected(**changes)
        row = (LESSON | changes)["row"]
        tokens = list(want["tokens"])
        expect(self.slider).to_have_value(str((LESSON | changes)["d_k"]))
        expect(self.root.get_by_text(f"peak weight of ‘{tokens[row]}’")).to_be_visible()
        table = self.read_table()
        assert (table["queries"], table["keys"], table["chosen"]) == (tokens, tokens, row)
        for q, weights in enumerate(want["weights"]):
            assert all(shows(text, w) for text, w in zip(table["weights"][q], weights, strict=True)), (changes, q)
            assert shows(table["sums"][q], want["row_sums"][q])
        kpis = {
            name: self.kpi(name).inner_text() for name in ("score-spread", "peak-weight", "softmax-state", "dead-rows")
        }
        assert shows(kpis["score-spread"], want["score-spread"]), changes
        assert shows(kpis["peak-weight"], want["peak-weight"]), changes
        assert kpis["dead-rows"] == want["dead-rows"], changes
        assert kpis["softmax-state"].startswith(want["softmax-state"]), changes
        theory = re.findall(r"[0-9.]+", self.root.locator('[data-text="expectation"]').inner_text())[-1]
        assert abs(number(theory) - want["theory"]) < 0.0051
