"""Does anything grow? `python -m bench.soak [--minutes 60] [--workers 1] [--learners 6]`; nightly: `--minutes 5`.

Fuzzing learners on a server, and two open pages in real browsers, used at random. What the server and the pages hold is
sampled; the report has each slope with its 95 % confidence interval.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from random import Random

from bench.class_report import told
from bench.lesson_page import LESSON
from bench.load import whole
from bench.report import markdown, print_report
from bench.servers import Server, running
from bench.soak_learners import FuzzingLearner
from bench.soak_page import NO_COMPILERS, SoakedPage
from bench.stats import number
from bench.trend import trend

SEED = 5108
SAMPLES_A_RUN, SAMPLE_LEAST_S = 360, 2.0
# Caches fill and code warms up first: what is held then says nothing.
LEFT_OUT, LEFT_OUT_S = 0.25, 150
HEAD = ["held by", "what", "level", "slope an hour, 95 % interval", "verdict"]
SERVER = {"memory": "memory (PSS), MB", "files": "open files", "threads": "threads"}
PAGE = {"heap": "JavaScript heap after collection, MB", "nodes": "DOM nodes", "listeners": "event listeners"}
Samples = list[tuple[float, dict[str, float]]]


async def soak(
    server: Server, seconds: float, sample_s: float, learners: int
) -> tuple[Samples, Counter[str], Counter[str]]:
    """Let fuzzing learners ask for so long; what the server holds, what was asked, what went wrong."""
    asked: Counter[str] = Counter()
    faults: Counter[str] = Counter()
    tasks = [
        asyncio.create_task(FuzzingLearner(server.port, Random(SEED + number), asked, faults).learn())
        for number in range(learners)
    ]
    samples: Samples = []
    started = time.monotonic()
    while (now := time.monotonic() - started) < seconds:
        for task in tasks:
            if task.done():
                task.result()
        held = {"memory": server.pss_mb(), "files": server.open_files(), "threads": server.threads()}
        samples.append((now, held))
        await asyncio.sleep(sample_s)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return samples, asked, faults


def left_out(seconds: float) -> float:
    return max(LEFT_OUT * seconds, min(LEFT_OUT_S, seconds / 2))


def lines(who: str, names: dict[str, str], samples: Samples, seconds: float) -> list[list[str]]:
    kept = [(at, held) for at, held in samples if at >= left_out(seconds)]
    shown = []
    for name, what in names.items():
        line = trend([at for at, _ in kept], [held[name] for _, held in kept])
        slope = f"{line.slope:+.3g} ± {line.half:.2g}"
        shown.append([who, what, number(line.level), slope, line.verdict])
    return shown


def measure(arguments: argparse.Namespace) -> str:
    """The report."""
    seconds = arguments.minutes * 60
    sample_s = max(SAMPLE_LEAST_S, seconds / SAMPLES_A_RUN)
    with running("ours", options=("--workers", str(arguments.workers))) as servers:
        server = servers["ours"]
        pages = {
            who: SoakedPage(server.url + LESSON, sample_s, Random(SEED), *flags)
            for who, flags in {"page": (), "page, compilers off": (NO_COMPILERS,)}.items()
        }
        with ExitStack() as stack:
            for page in pages.values():
                page.start()
                stack.callback(page.stop)
            samples, asked, faults = asyncio.run(soak(server, seconds, sample_s, arguments.learners))
    table = lines("server", SERVER, samples, seconds)
    for who, page in pages.items():
        table += lines(who, PAGE, page.samples, seconds)
    acts = sum((page.acts for page in pages.values()), Counter[str]())
    problems = Counter(problem for page in pages.values() for problem in page.problems)
    counted = [
        f"{arguments.minutes} min, {arguments.learners} fuzzing learners, {arguments.workers} worker(s).",
        f"Asked of the server: {told(asked, 9)}; not answered clearly: {told(faults)}.",
        f"Done on the pages: {told(acts, 9)}; their errors: {told(problems)}.",
        f"The first {left_out(seconds):.0f} s are left out.",
    ]
    return " ".join(counted) + "\n\n" + markdown(HEAD, table, words=2)


def main(argv: Sequence[str] | None = None) -> int:
    """Print the report."""
    parser = argparse.ArgumentParser(prog="python -m bench.soak", description="See whether server or page grow.")
    parser.add_argument("--minutes", type=whole(1, 1440), default=60, metavar="N", help="default: 60")
    parser.add_argument("--workers", type=whole(1, 64), default=1, metavar="N", help="of the server (default: 1)")
    parser.add_argument("--learners", type=whole(1, 100), default=6, metavar="N", help="that ask (default: 6)")
    arguments = parser.parse_args(argv)
    return print_report(lambda: measure(arguments), "two pages in Chromium")


if __name__ == "__main__":
    sys.exit(main())
