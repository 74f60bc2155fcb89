"""How long the core takes for all states of the lab: `lab_table`, on one core.

Run as a program it measures and prints JSON. `measure` runs it so in a fresh process,
because the number of BLAS threads has to be set before NumPy is imported.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from time import perf_counter
from typing import Any

from bench.report import Row
from bench.stats import median_and_p95

RUNS = 40
SENTENCES = {
    6: "Your journey starts with one step",
    12: "Every long walk that you take in life starts with one step",
}
WANTED_MS = {6: 10, 12: 40}
THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def measure() -> list[Row]:
    """Time the core in a process of its own."""
    answer = subprocess.run(
        [sys.executable, "-m", "bench.core"],
        env=os.environ | dict.fromkeys(THREAD_VARIABLES, "1"),
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    times: dict[str, list[float]] = json.loads(answer.stdout)
    return [
        Row(
            f"`lab_table`, {count} tokens, one core: median / p95 of {RUNS}, ms",
            {"lesson": median_and_p95(times[str(count)])},
            f"≤ {WANTED_MS[count]}",
        )
        for count in SENTENCES
    ]


def main() -> None:
    """Print the milliseconds of each run, by number of tokens."""
    from attention import lab_table, tokenize

    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    times: dict[int, Any] = {}
    for count, text in SENTENCES.items():
        tokens = tokenize(text)
        if len(tokens) != count:
            raise ValueError(f"{text!r} has {len(tokens)} tokens, {count} are wanted")
        for _ in range(3):
            lab_table(tokens, 5108)
        times[count] = []
        for seed in range(RUNS):
            start = perf_counter()
            lab_table(tokens, seed)
            times[count].append(1000 * (perf_counter() - start))
    print(json.dumps(times))


if __name__ == "__main__":
    main()
