"""A class at once: `python -m bench.load [--learners 300] [--arrive-s 60] [--stay-s 300] [--workers 2] [--browsers 3]`.

A few learners are real browsers, the rest fetch what a browser fetches. Everything runs on this machine: the clients'
own CPU, which is told, is taken from the server's cores.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from bench.browser import chromium
from bench.class_browsers import Browsers
from bench.class_report import class_table
from bench.learner import Found, Learner, Visit
from bench.lesson_page import LESSON, record
from bench.page_cpu import page_cpu
from bench.report import print_report
from bench.servers import Server, running

SEED = 5108
SAMPLE_S = 1.0
# Beyond the stay: the slowest answer that counts, and then some.
GRACE_S = 120
# One worker answers as soon as it is ready; so long later all of them are.
ALL_READY_S = 5


@dataclass
class Class:
    """What was measured of the server while the class was there."""

    found: Found = field(default_factory=Found)
    memory: list[tuple[int, float]] = field(default_factory=list)
    start_mb: float = 0
    after_mb: float = 0
    cpu_s: float = 0
    client_cpu_s: float = 0


async def attend(server: Server, visit: Visit, arguments: argparse.Namespace, measured: Class) -> None:
    """Let the learners come, each at a random time, and wait until all have gone."""
    random = Random(SEED)
    cpu, own_cpu = server.cpu_ms(), time.process_time()
    present = 0

    async def learner(arrives_s: float, number: int) -> None:
        nonlocal present
        await asyncio.sleep(arrives_s)
        present += 1
        own = Random(SEED * 1000 + number)
        await Learner(server.port, visit, arguments.stay_s, own, measured.found).attend()
        present -= 1

    async def sample() -> None:
        while True:
            measured.memory.append((present, server.pss_mb()))
            await asyncio.sleep(SAMPLE_S)

    sampling = asyncio.create_task(sample())
    async with asyncio.timeout(arguments.arrive_s + arguments.stay_s + GRACE_S):
        times = sorted(random.uniform(0, arguments.arrive_s) for _ in range(arguments.learners))
        await asyncio.gather(*(learner(at, number) for number, at in enumerate(times)))
    sampling.cancel()
    measured.cpu_s = (server.cpu_ms() - cpu) / 1000
    measured.client_cpu_s = time.process_time() - own_cpu


def measure(arguments: argparse.Namespace) -> str:
    """Panel and ours side by side first, then the class; the table."""
    cpu = {}
    if arguments.loads:
        print("measuring a page load beside plain Panel ...", file=sys.stderr, flush=True)
        with chromium() as browser:
            cpu = page_cpu(browser, arguments.loads)
    # Not the server of the class: that one has served nobody when its memory is first looked at.
    with running("ours") as servers, chromium() as browser:
        visit = record(browser, servers["ours"].url + LESSON)
    options = ("--workers", str(arguments.workers))
    with running("ours", options=options) as servers:
        server = servers["ours"]
        time.sleep(ALL_READY_S)
        measured = Class(start_mb=server.pss_mb())
        print(f"{arguments.learners} learners come ...", file=sys.stderr, flush=True)
        browsers = Browsers(server.url + LESSON, arguments.browsers, arguments.arrive_s, arguments.stay_s)
        with browsers:
            asyncio.run(attend(server, visit, arguments, measured))
        print(f"all have left; memory in {arguments.after_s} s ...", file=sys.stderr, flush=True)
        time.sleep(arguments.after_s)
        measured.after_mb = server.pss_mb()
    return class_table(measured, visit, browsers, cpu, arguments)


def whole(low: int, high: int):  # type: ignore[no-untyped-def]
    def convert(text: str) -> int:
        if not (text.isdigit() and low <= int(text) <= high):
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from {low} to {high}")
        return int(text)

    return convert


def main(argv: Sequence[str] | None = None) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m bench.load", description="Let a class use one server.")
    parser.add_argument("--learners", type=whole(1, 2000), default=300, metavar="N", help="default: 300")
    parser.add_argument("--arrive-s", type=whole(1, 3600), default=60, metavar="S", help="within these (default: 60)")
    parser.add_argument("--stay-s", type=whole(5, 3600), default=300, metavar="S", help="each so long (default: 300)")
    parser.add_argument("--workers", type=whole(1, 64), default=2, metavar="N", help="of the server (default: 2)")
    parser.add_argument("--browsers", type=whole(0, 8), default=3, metavar="N", help="real ones besides (default: 3)")
    parser.add_argument("--after-s", type=whole(0, 3600), default=300, metavar="S", help="until memory is looked at")
    parser.add_argument("--loads", type=whole(0, 100), default=10, metavar="N", help="beside Panel's (default: 10)")
    arguments = parser.parse_args(argv)
    return print_report(lambda: measure(arguments), "clients on the same cores")


if __name__ == "__main__":
    sys.exit(main())
