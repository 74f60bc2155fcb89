"""From a key on the slider to what the learner sees, on four pages side by side.

The pages take turns within one run, so that a busy moment of the machine meets them
all. What exactly is stamped, and what is not, is said in probe.js.
"""

from __future__ import annotations

import time
from collections import defaultdict
from dataclasses import dataclass, field
from random import Random
from statistics import median
from typing import Any

from playwright.sync_api import Browser, Page

from bench.browser import PAGES, address, chromium, fresh_context, wait_for_canvas
from bench.report import Row
from bench.servers import Server, running
from bench.states import PRESSES, START, agrees, foreign, picture
from bench.stats import median_and_p95, number

SETTLE_S = 0.12
HELD_PER_S = 30
HELD_SETTLE_S = 0.8


@dataclass
class Keys:
    """What was measured on one page, over all rounds, in ms.

    `text`, `drawn` and `painted` have a value for each press; the rest has one for each
    held key.
    """

    text: list[float] = field(default_factory=list)
    drawn: list[float] = field(default_factory=list)
    painted: list[float] = field(default_factory=list)
    missed: int = 0
    held_rate: list[float] = field(default_factory=list)
    written: list[int] = field(default_factory=list)
    seen: list[int] = field(default_factory=list)
    pictures: list[int] = field(default_factory=list)
    text_behind: list[float] = field(default_factory=list)
    picture_behind: list[float] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)


def measure(rounds: int) -> list[Row]:
    """Press and hold in every page, `rounds` times."""
    found: dict[str, Keys] = defaultdict(Keys)
    with running("ours", "panel", "vanilla") as servers, chromium() as browser:
        for turn in range(rounds):
            for name in PAGES:
                one_round(browser, name, servers, found[name], Random(turn))
    return rows(found, rounds)


def one_round(browser: Browser, name: str, servers: dict[str, Server], keys: Keys, random: Random) -> None:
    with fresh_context(browser) as context:
        page = context.new_page()
        page.goto(address(name, servers))
        wait_for_canvas(page)
        for key in ("ArrowRight", "ArrowLeft") * 3:
            page.keyboard.press(key)
            time.sleep(SETTLE_S)
        time.sleep(0.5)
        for _ in range(PRESSES):
            press(page, keys, random)
        hold(page, keys)


def press(page: Page, keys: Keys, random: Random) -> None:
    """One press. Nothing else is asked of the page until it has had time to answer."""
    page.evaluate("bench.start(false)")
    # Not in step with the frames.
    time.sleep(random.uniform(0.02, 0.05))
    page.keyboard.press("ArrowRight")
    time.sleep(SETTLE_S)
    notes = settled(page, "bench.readouts.length && bench.heatmaps.length")
    if not (notes["keys"] and notes["readouts"] and notes["heatmaps"]):
        keys.missed += 1
        return
    start = notes["keys"][0]
    keys.text.append(notes["readouts"][0][0] - start)
    keys.drawn.append(notes["heatmaps"][0][0] - start)
    keys.painted.append(notes["heatmaps"][0][1] - start)
    keys.wrong += foreign([text for _, text in notes["readouts"]])


def hold(page: Page, keys: Keys) -> None:
    """A held key: 40 presses at 30 a second, back to where the round started."""
    page.evaluate("bench.start(true)")
    start = time.perf_counter()
    for count in range(PRESSES):
        time.sleep(max(0, start + count / HELD_PER_S - time.perf_counter()))
        page.keyboard.down("ArrowLeft")
    page.keyboard.up("ArrowLeft")
    time.sleep(HELD_SETTLE_S)
    notes = settled(page, "true")
    page.evaluate("bench.start(false)")
    pressed = notes["keys"]
    keys.held_rate.append(1000 * (len(pressed) - 1) / (pressed[-1] - pressed[0]))
    texts, pictures = notes["readouts"], notes["heatmaps"]
    keys.written.append(len({text for _, text in texts}))
    keys.seen.append(len({text for at, text in notes["frames"] if at > pressed[0]} & {text for _, text in texts}))
    keys.pictures.append(len({picture for *_, picture in pictures}))
    keys.wrong += foreign([text for _, text in texts])
    if texts and pictures and agrees(texts[-1][1], START):
        if picture() not in pictures[-1][2]:
            keys.wrong.append(pictures[-1][2])
        keys.text_behind.append(max(0.0, texts[-1][0] - pressed[-1]))
        keys.picture_behind.append(max(0.0, pictures[-1][1] - pressed[-1]))
    else:
        keys.missed += 1


def settled(page: Page, condition: str) -> dict[str, Any]:
    """What was noted, once the condition holds or has not for 2 s."""
    for _ in range(20):
        if page.evaluate(condition):
            break
        time.sleep(0.1)
    notes: dict[str, Any] = page.evaluate("bench.notes()")
    return notes


def rows(found: dict[str, Keys], rounds: int) -> list[Row]:
    def times(what: str, values: str, wanted: str = "") -> Row:
        lists = {name: getattr(keys, values) for name, keys in found.items()}
        return Row(
            what,
            {name: median_and_p95(given) for name, given in lists.items()},
            wanted,
            {name: median(given) for name, given in lists.items() if given},
        )

    def counts(what: str, values: str, wanted: str = "") -> Row:
        middle = {name: median(getattr(keys, values)) for name, keys in found.items()}
        return Row(what, {name: number(value) for name, value in middle.items()}, wanted)

    def whole(what: str, values: str, wanted: str = "") -> Row:
        lists = {name: getattr(keys, values) for name, keys in found.items()}
        return Row(
            what,
            {name: ", ".join(map(str, given)) for name, given in lists.items()},
            wanted,
            {name: sum(given) for name, given in lists.items()},
        )

    presses = f"median / p95 of {rounds} × {PRESSES}, ms"
    held = f"in each of {rounds} rounds"
    return [
        times(f"key → read-out changed: {presses}", "text", "≤ 10 (median)"),
        times(f"key → heatmap drawn: {presses}", "drawn"),
        times(f"key → heatmap painted: {presses}", "painted", "≤ 25 (median)"),
        whole(f"held key, {PRESSES} presses: read-outs written, {held}", "written", f"{PRESSES}"),
        whole(f"held key: read-outs seen at a frame, {held}", "seen", f"{PRESSES}"),
        whole(f"held key: heatmaps painted, {held}", "pictures"),
        times("held key: last press → final read-out: median / worst, ms", "text_behind", "no lag"),
        times("held key: last press → final heatmap: median / worst, ms", "picture_behind", "no lag"),
        counts("held key: presses that reached the page, a second", "held_rate"),
        Row(
            "presses without an answer; read-outs or pictures that differ from the core's",
            {name: f"{keys.missed}; {len(keys.wrong)}" for name, keys in found.items()},
            "0; 0",
        ),
    ]
