"""What a class met, as a table beside what is wanted."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from bench.class_browsers import Browsers
from bench.learner import Visit
from bench.report import markdown
from bench.stats import number, percentile

if TYPE_CHECKING:
    from bench.load import Class

HEAD = ["measured", "figure", "wanted"]
SHARES = (0.5, 0.95, 0.99)
NAMES = {
    "page": "the page's HTML",
    "opened": "the page with all that it opens with",
    "own sentence": "first table of an own sentence",
    "race": "a race of one's own, from the question to its table",
    "health": "question whether the server is there",
}


def class_table(
    measured: Class, visit: Visit, browsers: Browsers, cpu: dict[str, float], arguments: argparse.Namespace
) -> str:
    """All figures, as Markdown."""
    found, learners = measured.found, arguments.learners
    # While nearly all are there.
    full = max(present for present, _ in measured.memory)
    busiest = [memory for present, memory in measured.memory if present >= 0.95 * full]
    a_session = (max(busiest) - measured.start_mb) / full
    growth = measured.after_mb / measured.start_mb - 1
    share = f"{found.served} ({found.served / learners:.1%})"
    sent = f"{found.requests / learners:.0f}; {found.bytes / learners / 1000:.0f}"
    came = f"{learners} within {arguments.arrive_s} s, each for {arguments.stay_s} s"
    lines = [
        [f"learners: {came}; {arguments.workers} worker(s); served to the end", share, "all"],
        ["arrivals a second", number(learners / arguments.arrive_s), ""],
        ["faults: no answer, a broken one, or another status than 200", told(found.errors), "0"],
        ["told to try again, or refused", told(found.refused), "0"],
        *(waited(what, found.seconds[what]) for what in NAMES),
        [f"real browsers ({browsers.count}): read-outs on the page, s", each(browsers.opened), ""],
        ["real browsers: the lab answers a key, s", each(browsers.answered), ""],
        ["real browsers: keys answered; errors", f"{browsers.presses}; {told(Counter(browsers.problems))}", "all; 0"],
        ["server CPU a session, s", f"{measured.cpu_s / learners:.3f}", ""],
        ["the clients' CPU a session, on the same cores, s", f"{measured.client_cpu_s / learners:.3f}", ""],
        [f"server memory a session, {full} there, MB", f"{a_session:.3f}", "≤ 0.5"],
        ["server memory before; most; afterwards, MB", memories(measured, max(busiest)), ""],
        [f"server memory {arguments.after_s} s after all left, against the start", f"{growth:+.1%}", "within 10 %"],
        ["requests a session; kB a session as sent", sent, ""],
        ["files that the page opens with; on reading to its end", f"{len(visit.opening)}; {len(visit.reading)}", ""],
        *(beside_panel(cpu) if cpu else []),
    ]  # fmt: skip
    return markdown(HEAD, lines)


def beside_panel(cpu: dict[str, float]) -> list[list[str]]:
    return [
        ["server CPU a load of the whole lesson, read to its end by a browser, ms", number(cpu["lesson"]), ""],
        ["server CPU a load of a plain Panel page, ms", number(cpu["panel"]), ""],
        ["the lesson's ÷ plain Panel's", number(cpu["lesson"] / cpu["panel"]), "≤ 0.5"],
    ]


def waited(what: str, seconds: Sequence[float]) -> list[str]:
    shown = " / ".join(f"{percentile(seconds, share):.3f}" for share in SHARES) if seconds else "none"
    wanted = "p95 < 1.5 at 10 arrivals a second" if what == "opened" else ""
    return [f"{NAMES[what]}: p50 / p95 / p99 of {len(seconds)}, s", shown, wanted]


def each(values: Sequence[float]) -> str:
    return ", ".join(f"{value:.2f}" for value in values) or "none"


def memories(measured: Class, most: float) -> str:
    return f"{measured.start_mb:.0f}; {most:.0f}; {measured.after_mb:.0f}"


def told(counts: Counter[str], most: int = 3) -> str:
    """How many, and what most of them were."""
    if not counts:
        return "0"
    return f"{counts.total()}: " + "; ".join(f"{count} × {text}" for text, count in counts.most_common(most))
