"""The training race as a person uses it, and as plain loops compute it."""

from urllib.parse import urlencode

from oracle import shows
from plain_race import LANES, plain_race
from playwright.sync_api import expect

EMBED = "/embed/training-race"
LESSON = {"text": "Your journey starts with one step", "seed": 5108, "d_k": 64, "learning_rate": 0.1}
READ = """() => {
  const text = (selector) => document.querySelector(selector).textContent;
  const rows = (name) => [...document.querySelector(`[data-table="${name}"]`).tBodies[0].rows];
  const lanes = ["none", "sqrt_d_k", "d_k"];
  const of = (place) => Object.fromEntries(lanes.map((lane) => [lane, text(`${place}-${lane}"]`)]));
  return {
    losses: of('[data-kpi="loss'), stuck: of('[data-kpi="stuck'), names: of('[data-text="stuck-words'),
    stories: of('[data-text="story'),
    tabled: rows("losses").map((row) => [...row.cells].slice(1).map((cell) => cell.textContent)),
    weights: rows("weights").map((row) => [...row.querySelectorAll("td[data-k]")].map((cell) => cell.textContent)),
    ends: rows("weights").map((row) => [...row.querySelectorAll(".sum")].map((cell) => cell.textContent)),
    targets: rows("weights").map((row) => [...row.cells].findIndex((cell) => cell.matches(".target")) - 1),
  };
}"""


class RacePage:
    def __init__(self, page, url):
        self.page, self.url = page, url
        self.slider = page.get_by_role("slider", name="step", exact=True)
        self.play = page.locator('[data-action="play"]')
        self.d_k = page.get_by_label("d_k", exact=True)
        self.rate = page.get_by_label("learning rate")
        self.sentence = page.get_by_label("Race with your own sentence")
        self.seed = page.get_by_label("Seed", exact=True)
        self.cancel = page.get_by_role("button", name="Cancel")
        self.progress = page.get_by_role("progressbar", name="Racing")
        self.message = page.locator('[data-message="race"]')

    def open(self, *, canvas=False, **state):
        self.page.goto(f"{self.url}{EMBED}?{urlencode(state)}")
        ready = '[data-ready="canvas"]' if canvas else "[data-ready]"
        expect(self.page.locator(f"[data-mount]{ready}")).to_be_attached(timeout=20_000)
        return self

    def use_sentence(self, text):
        self.sentence.fill(text)
        self.page.get_by_role("button", name="Use it").click()

    def kpi(self, name):
        return self.page.locator(f'[data-kpi="{name}"]')

    def expect_state(self, step, lane="none", **race):
        """Every number and every mark against the run in plain loops."""
        race = LESSON | race
        want, seen = (
            plain_race(race["text"], race["seed"], race["d_k"], race["learning_rate"]),
            self.page.evaluate(READ),
        )
        tokens = race["text"].split()
        assert seen["targets"] == [(i - 1) % len(tokens) for i in range(len(tokens))]
        for i, name in enumerate(LANES):
            sure = step <= want[name]["sure"]
            # Where a lane is chaotic, the lesson's has about the same loss; another machine's rows may differ.
            if sure:
                assert shows(seen["losses"][name], want[name]["loss"][step], 3), (race, step, name)
            elif race["text"] == LESSON["text"]:
                assert abs(float(seen["losses"][name]) - want[name]["loss"][step]) < 0.05
            for text, at in zip(seen["tabled"][i], (step, 0, 50, 100, 200, 300), strict=True):
                assert shows(text, want[name]["loss"][at], 3) or at > want[name]["sure"], (race, at, name)
            if not sure:
                continue
            held = [token for token, stuck in zip(tokens, want[name]["stuck"][step], strict=True) if stuck]
            assert seen["stuck"][name] == f"{len(held)} of {len(tokens)}"
            listed = ", ".join(f"‘{token}’" for token in held)
            told = f"✕ {len(held)} of {len(tokens)} rows stuck: {listed}" if held else "✓ no row stuck"
            assert seen["names"][name] == told
            if name == lane:
                for q, row in enumerate(want[name]["weights"][step]):
                    assert all(shows(text, weight) for text, weight in zip(seen["weights"][q], row, strict=True))
                    stuck = "✕ yes" if want[name]["stuck"][step][q] else "–"
                    assert seen["ends"][q] == [tokens[q - 1], stuck]
