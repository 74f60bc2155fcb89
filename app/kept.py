"""What was made and may be asked for again: the latest of it, up to a size and for a time."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any


@dataclass
class _Item:
    value: Any
    size: int
    asked: float


class Kept:
    """A cache that can say what it holds; threads may share it.

    Parameters
    ----------
    most : int
        How many bytes may be kept.
    clock : callable, optional
        The time in seconds.
    """

    def __init__(self, most: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.most = most
        self._size = 0
        self._clock = clock
        # Those that were asked for longest ago come first.
        self._items: OrderedDict[Hashable, _Item] = OrderedDict()
        self._for_good: dict[Hashable, Any] = {}
        self._lock = threading.Lock()

    def __contains__(self, key: Hashable) -> bool:
        return key in self._for_good or key in self._items

    @property
    def size(self) -> int:
        """How many bytes are kept."""
        return self._size

    def get(self, key: Hashable) -> Any:
        """What was put there, or None."""
        if key in self._for_good:
            return self._for_good[key]
        with self._lock:
            item = self._items.get(key)
            if item is None:
                return None
            item.asked = self._clock()
            self._items.move_to_end(key)
            return item.value

    def put(self, key: Hashable, value: Any, size: int) -> None:
        """Keep a value of so many bytes; what was asked for longest ago goes."""
        with self._lock:
            if key in self._items:
                self._drop(key)
            self._size += size
            self._items[key] = _Item(value, size, self._clock())
            while self._size > self.most and len(self._items) > 1:
                self._drop(next(iter(self._items)))

    def keep_for_good(self) -> None:
        """Never let go of what is there now."""
        with self._lock:
            self._for_good |= {key: item.value for key, item in self._items.items()}
            self._items.clear()

    def let_go(self, idle_s: float) -> None:
        """Let go of what nobody asked for in so many seconds."""
        with self._lock:
            while self._items and self._clock() - next(iter(self._items.values())).asked > idle_s:
                self._drop(next(iter(self._items)))

    def _drop(self, key: Hashable) -> None:
        self._size -= self._items.pop(key).size
