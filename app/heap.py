"""Memory that nothing uses any more goes back to the system; glibc by itself keeps much of it for later.

Tables and pages are made of large pieces that live for a moment. Spread over an arena for each thread, and never
trimmed, what is free between them adds up to tens of megabytes in a process.
"""

from __future__ import annotations

import asyncio
import ctypes
import gc
from collections.abc import Callable
from typing import Any

EVERY_S = 10
# From glibc's malloc.h.
M_ARENA_MAX, M_MMAP_THRESHOLD = -8, -3
# What is as large as this has pages of its own, which go back when it does. glibc would raise the bound by itself, to
# the largest piece that was ever let go of, and put tables between small things that stay.
OWN_PAGES = 64 * 1024


def set_up() -> None:
    """Let all threads that start from now on take their memory from one place, and keep large pieces out of it.

    They share Python's lock anyway.
    """
    call = _glibc("mallopt")
    if call is not None:
        call(M_ARENA_MAX, 1)
        call(M_MMAP_THRESHOLD, OWN_PAGES)


def settle() -> None:
    """Let collections pass over what is there now; it stays.

    What workers share is shared only as long as none of them writes to it, as a collection does, and as everything
    does that is put into what is free between.
    """
    gc.collect()
    trim()
    gc.freeze()


def trim() -> None:
    """Give back what is free; takes some milliseconds."""
    call = _glibc("malloc_trim")
    if call is not None:
        call(ctypes.c_size_t(0))


async def keep_trimmed(let_go: Callable[[], None], every_s: float = EVERY_S) -> None:
    """Let go of what can be, and trim, from time to time, until it is cancelled."""
    while True:
        await asyncio.sleep(every_s)
        let_go()
        gc.collect()
        trim()


def _glibc(name: str) -> Any:
    """A function of glibc; None where another C library is used."""
    try:
        return getattr(ctypes.CDLL(None), name)
    except (AttributeError, OSError, TypeError):
        return None
