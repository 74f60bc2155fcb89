"""Memory that is free goes back to the system."""

import asyncio
import ctypes
import subprocess
import sys
import weakref

import pytest

from app import heap

# Every second of many pieces goes, so that none of what is free lies at the end.
HOLED = """
import sys
from pathlib import Path
from app import heap

def resident():
    return int(Path("/proc/self/status").read_text().partition("VmRSS:")[2].split()[0]) / 1000

heap.set_up()
del [b"x" * 20_000_000][0]  # by itself glibc would put all that is smaller between the rest from now on
pieces = [b"x" * int(sys.argv[1]) for _ in range(100_000_000 // int(sys.argv[1]))]
full = resident()
del pieces[::2]
holed = resident()
heap.trim()
print(full, holed, resident(), len(pieces))
"""

# What is there first is passed over by collections; what comes later is not.
SETTLED = """
import gc
from app import heap

heap.settle()
frozen, cycle = gc.get_freeze_count(), []
cycle.append(cycle)
del cycle
print(frozen, len(gc.get_objects()), gc.collect())
"""


def told(script, *arguments):
    command = [sys.executable, "-c", script, *map(str, arguments)]
    answer = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    return list(map(float, answer.stdout.split()))


@pytest.mark.skipif(heap._glibc("malloc_trim") is None, reason="another C library")
def test_what_is_free_between_small_pieces_goes_back_when_it_is_trimmed():
    full, holed, trimmed, _ = told(HOLED, 50_000)
    assert full - holed < 10 and holed - trimmed > 35  # MB


@pytest.mark.skipif(heap._glibc("mallopt") is None, reason="another C library")
def test_a_large_piece_goes_back_at_once():
    full, holed, _, _ = told(HOLED, 100_000)
    assert full - holed > 35  # MB


def test_collections_pass_over_what_was_there_when_it_settled():
    frozen, left, found = told(SETTLED)
    assert frozen > 5000 and left < 500 and found == 1


def test_another_c_library_is_left_alone(monkeypatch):
    monkeypatch.setattr(ctypes, "CDLL", lambda name: object())
    heap.set_up()
    heap.trim()


def test_it_is_trimmed_again_and_again(monkeypatch):
    async def until_trimmed_twice():
        twice, calls = asyncio.Event(), []
        monkeypatch.setattr(heap, "trim", lambda: (calls.append(1), len(calls) == 2 and twice.set()))
        task = asyncio.create_task(heap.keep_trimmed(lambda: None, 0.001))
        async with asyncio.timeout(10):
            await twice.wait()
        task.cancel()

    asyncio.run(until_trimmed_twice())


def test_what_is_let_go_of_and_what_only_holds_itself_is_gone_before_it_is_trimmed(monkeypatch):
    class Piece:
        pass

    async def until_trimmed():
        once, kept, left = asyncio.Event(), [Piece()], []
        kept[0].itself = kept[0]  # as a closed connection and what answered it hold each other
        piece = weakref.ref(kept[0])
        monkeypatch.setattr(heap, "trim", lambda: (left.append(piece()), once.set()))
        task = asyncio.create_task(heap.keep_trimmed(kept.clear, 0.001))
        async with asyncio.timeout(10):
            await once.wait()
        task.cancel()
        return left[0]

    assert asyncio.run(until_trimmed()) is None
