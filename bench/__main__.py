"""`python -m bench [--only core|keys|visit|files] [--rounds N]`: measure, and print one table.

Nothing is asserted: figures are compared within one run, beside the budgets that were set. What takes long is a
command of its own: `python -m bench.load` (a class), `python -m bench.static_site`, `python -m bench.soak`.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Callable, Sequence

from playwright import sync_api as playwright

from bench import against, core, files, keys, visit
from bench.browser import chromium
from bench.report import Row, busy, machine, table

ROUNDS = 2


def main(argv: Sequence[str] | None = None) -> int:
    """Run the parts that were asked for; progress goes to stderr, the table to stdout."""
    parser = argparse.ArgumentParser(prog="python -m bench", description="Measure the lab beside the plain ways.")
    parser.add_argument("--only", choices=("core", "keys", "visit", "files"), help="one part (default: all)")
    parser.add_argument(
        "--rounds", type=int, choices=range(1, 21), default=ROUNDS, metavar="N", help=f"1 to 20 (default: {ROUNDS})"
    )
    parser.add_argument("--torch-python", default=sys.executable, metavar="PATH", help="a Python that has PyTorch")
    arguments = parser.parse_args(argv)

    started, busy_before = time.monotonic(), busy()
    try:
        with chromium() as browser:
            where = machine(f"Chromium {browser.version}")
        rows: list[Row] = []
        beside_torch = ""
        for name, part in parts(arguments.rounds).items():
            if arguments.only in (None, name):
                print(f"measuring {name} ...", file=sys.stderr, flush=True)
                rows += part()
        if arguments.only in (None, "core"):
            print("measuring the core beside PyTorch ...", file=sys.stderr, flush=True)
            beside_torch = "\n\n" + against.compare(arguments.torch_python)
    except (OSError, RuntimeError, subprocess.SubprocessError, playwright.Error) as error:
        print(f"bench: {error}", file=sys.stderr)
        return 2
    print(f"{where}; load average {busy_before} before and {busy()} after.\n\n{table(rows)}{beside_torch}")
    print(f"done in {time.monotonic() - started:.0f} s", file=sys.stderr)
    return 0


def parts(rounds: int) -> dict[str, Callable[[], list[Row]]]:
    return {
        "core": core.measure,
        "keys": lambda: keys.measure(rounds),
        "visit": lambda: visit.measure(rounds),
        "files": lambda: files.measure(rounds),
    }


if __name__ == "__main__":
    sys.exit(main())
