"""The core beside PyTorch on the CPU: `python -m bench.against [--threads N] [--torch-python PATH]`.

PyTorch is no part of the project. Where it is installed for another Python, name that one.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Sequence

from bench.core import THREAD_VARIABLES
from bench.report import busy, machine, markdown
from bench.servers import ROOT
from bench.stats import number

TOKENS = (6, 16, 64, 256, 1024, 4096)
OPERATIONS = ("forward", "backward", "streaming")
LIMIT_S = 300
HEAD = ["T", "operation", "NumPy, ms", "PyTorch, ms", "NumPy ÷ PyTorch", "NumPy, peak MB", "PyTorch, peak MB"]


def compare(python: str, threads: int = 1) -> str:
    """Both engines in turns, as a Markdown table; PyTorch's columns stay empty where it is not installed."""
    engines = ("numpy", "torch") if has_torch(python) else ("numpy",)
    lines = []
    for T in TOKENS:
        for operation in OPERATIONS:
            found = {engine: measure(python, engine, operation, T, threads) for engine in engines}
            lines.append(cells(T, operation, found))
    return markdown(HEAD, lines, words=2)


def cells(T: int, operation: str, found: dict[str, dict[str, float]]) -> list[str]:
    ours, theirs = found["numpy"], found.get("torch")
    return [
        str(T),
        operation,
        number(ours["ms"]),
        number(theirs["ms"]) if theirs else "",
        number(ours["ms"] / theirs["ms"]) if theirs else "",
        number(ours["mb"]),
        number(theirs["mb"]) if theirs else "",
    ]


def has_torch(python: str) -> bool:
    return subprocess.run([python, "-c", "import torch"], capture_output=True, timeout=LIMIT_S).returncode == 0


def measure(python: str, engine: str, operation: str, T: int, threads: int) -> dict[str, float]:
    """Milliseconds (median) and peak megabytes beside the inputs, in a process of its own."""
    answer = subprocess.run(
        [python, "-m", "bench.operations", engine, operation, str(T), str(threads)],
        cwd=ROOT,
        env=os.environ | dict.fromkeys(THREAD_VARIABLES, str(threads)),
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
    )
    if answer.returncode:
        raise RuntimeError(f"{engine} {operation} of {T} tokens failed: {answer.stderr.strip()}")
    found: dict[str, float] = json.loads(answer.stdout)
    return found


def main(argv: Sequence[str] | None = None) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m bench.against", description="Measure the core beside PyTorch.")
    parser.add_argument("--threads", type=int, choices=range(1, 65), default=1, metavar="N", help="default: 1")
    parser.add_argument("--torch-python", default=sys.executable, metavar="PATH", help="a Python that has PyTorch")
    arguments = parser.parse_args(argv)
    before = busy()
    try:
        shown = compare(arguments.torch_python, arguments.threads)
    except (OSError, RuntimeError, subprocess.SubprocessError) as error:
        print(f"bench: {error}", file=sys.stderr)
        return 2
    where = machine(f"{arguments.threads} thread(s)")
    print(f"{where}; load average {before} before and {busy()} after.\n\n{shown}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
