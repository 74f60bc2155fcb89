"""How often one client may ask for what is computed: a bucket of tokens for each address."""

from __future__ import annotations

import ipaddress
import time
from collections import OrderedDict
from collections.abc import Callable

CLIENTS_MOST = 10_000
# Whoever has one IPv6 address has all of its /64.
IPV6_PREFIX = 64


class Rates:
    """Tokens by client: so many at first, and so many more a second.

    Parameters
    ----------
    per_second, burst : int
        How fast a client's tokens come back, and how many it can have.
    clock : callable, optional
        The time in seconds.
    """

    def __init__(self, per_second: int, burst: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._per_second, self._burst, self._clock = per_second, burst, clock
        # Of each client its tokens and when they were counted; who asked longest ago is forgotten first.
        self._clients: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, address: str) -> float:
        """Take a token; returns 0, or how many seconds there will be none."""
        client, now = _client(address), self._clock()
        tokens, counted = self._clients.pop(client, (float(self._burst), now))
        tokens = min(self._burst, tokens + (now - counted) * self._per_second)
        missing = max(0.0, 1 - tokens)
        self._clients[client] = (tokens if missing else tokens - 1, now)
        if len(self._clients) > CLIENTS_MOST:
            self._clients.popitem(last=False)
        return missing / self._per_second


def _client(address: str) -> str:
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if parsed.version == 6:
        return str(ipaddress.ip_network((address, IPV6_PREFIX), strict=False))
    return address
