"""Memory that is free goes back to the system."""

import asyncio
import ctypes
import subprocess
import sys

import pytest

from app import heap

# Every second of many pieces goes, so that none of what is free lies at the end.
HOLED = """
import sys
from pathlib import Path
from app import heap

def resident():
    return int(Path("/proc/self/status").read_text().partition("VmRSS:")[2].split()[0]) / 1000

heap.one_arena()
pieces = [bytes(50_000) for _ in range(2000)]
full = resident()
del pieces[::2]
holed = resident()
heap.trim()
print(full, holed, resident(), len(pieces))
"""


@pytest.mark.skipif(heap._glibc("malloc_trim") is None, reason="another C library")
def test_what_is_free_between_pieces_goes_back():
    answer = subprocess.run([sys.executable, "-c", HOLED], capture_output=True, text=True, check=True, timeout=60)
    full, holed, trimmed, _ = map(float, answer.stdout.split())
    assert full - holed < 10 and holed - trimmed > 35  # MB


def test_another_c_library_is_left_alone(monkeypatch):
    monkeypatch.setattr(ctypes, "CDLL", lambda name: object())
    heap.one_arena()
    heap.trim()


def test_it_is_trimmed_again_and_again(monkeypatch):
    async def until_trimmed_twice():
        twice, calls = asyncio.Event(), []
        monkeypatch.setattr(heap, "trim", lambda: (calls.append(1), len(calls) == 2 and twice.set()))
        task = asyncio.create_task(heap.keep_trimmed(0.001))
        async with asyncio.timeout(10):
            await twice.wait()
        task.cancel()

    asyncio.run(until_trimmed_twice())
