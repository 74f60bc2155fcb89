"""Memory that nothing uses any more goes back to the system; glibc by itself keeps much of it for later.

Tables and pages are made of large pieces that live for a moment. Spread over an arena for each thread, and never
trimmed, what is free between them adds up to tens of megabytes in a process.
"""

from __future__ import annotations

import asyncio
import ctypes
from typing import Any

EVERY_S = 30
# From glibc's malloc.h.
M_ARENA_MAX = -8


def one_arena() -> None:
    """Let all threads that start from now on take their memory from one place; they share Python's lock anyway."""
    call = _glibc("mallopt")
    if call is not None:
        call(M_ARENA_MAX, 1)


def trim() -> None:
    """Give back what is free; takes some milliseconds."""
    call = _glibc("malloc_trim")
    if call is not None:
        call(ctypes.c_size_t(0))


async def keep_trimmed(every_s: float = EVERY_S) -> None:
    """Trim from time to time, until it is cancelled."""
    while True:
        await asyncio.sleep(every_s)
        trim()


def _glibc(name: str) -> Any:
    """A function of glibc; None where another C library is used."""
    try:
        return getattr(ctypes.CDLL(None), name)
    except (AttributeError, OSError, TypeError):
        return None
