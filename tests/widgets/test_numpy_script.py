"""The script to copy: run as it is in a fresh process, it prints what the page shows."""

import random
import subprocess
import sys

import pytest
from oracle import expected, shows

from attention import FAULTS
from widgets.numpy_script import numpy_script

NASTY = 'say "hi" it\\s {d_k} {0} %s'


def run(script, tmp_path):
    done = subprocess.run(
        [sys.executable, "-I", "-c", script], capture_output=True, text=True, cwd=tmp_path, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    return dict(line.split(": ", 1) for line in done.stdout.splitlines() if ": " in line)


def states():
    chance = random.Random(7)
    for fault in FAULTS:
        for scaled in (True, False):
            for text in ("Your journey starts with one step", NASTY):
                yield {
                    "d_k": chance.randint(2, 64),
                    "scaled": scaled,
                    "fault": fault,
                    "row": chance.randrange(len(text.split())),
                    "seed": chance.choice([5108, chance.randrange(2**32)]),
                    "text": text,
                }


@pytest.mark.parametrize("state", list(states()), ids=lambda s: f"{s['fault']}-{s['scaled']}-{s['d_k']}")
def test_the_script_prints_the_same_read_outs(state, tmp_path):
    want, got = expected(**state), run(numpy_script(**state), tmp_path)
    assert shows(got["score spread"], want["score-spread"])
    peak, key = got[f"peak weight of '{want['tokens'][state['row']]}'"].split(" on ")
    assert shows(peak, want["peak-weight"]) and key == f"'{want['peak-key']}'"
    assert got["dead rows"] == want["dead-rows"]
    assert got["softmax state"].startswith(want["softmax-state"])


def test_the_script_imports_numpy_alone():
    script = numpy_script(d_k=8, scaled=True, fault="none", row=1, seed=5108, text="a b")
    assert [line for line in script.splitlines() if "import" in line] == ["import numpy as np"]
    assert len(script.splitlines()) < 50
