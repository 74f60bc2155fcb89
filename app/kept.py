"""What was made and may be asked for again: the latest of it, up to a size."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import Any


class Kept:
    """A cache that can say what it holds; threads may share it.

    Parameters
    ----------
    most : int
        How many bytes may be kept.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._size = 0
        self._items: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self._lock = threading.Lock()

    def __contains__(self, key: Hashable) -> bool:
        return key in self._items

    @property
    def size(self) -> int:
        """How many bytes are kept."""
        return self._size

    def get(self, key: Hashable) -> Any:
        """What was put there, or None."""
        with self._lock:
            if key not in self._items:
                return None
            self._items.move_to_end(key)
            return self._items[key][0]

    def put(self, key: Hashable, value: Any, size: int) -> None:
        """Keep a value of so many bytes; what was asked for longest ago goes."""
        with self._lock:
            self._size += size - self._items.pop(key, (None, 0))[1]
            self._items[key] = (value, size)
            while self._size > self.most and len(self._items) > 1:
                _, (_, gone) = self._items.popitem(last=False)
                self._size -= gone
