"""What the handlers of one process share: limits, work in progress, rates, numbers, and whether it is stopping."""

from __future__ import annotations

from collections.abc import Sequence
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network

from app.kept import Kept
from app.limits import DEFAULTS, Limits
from app.metrics import WORK, Metrics
from app.rates import Rates
from app.work import Work

Network = IPv4Network | IPv6Network
LOOPBACK: tuple[Network, ...] = (ip_network("127.0.0.0/8"), ip_network("::1/128"))


class Services:
    """Made before the workers are forked; what runs in threads starts in the worker that needs it.

    Attributes
    ----------
    work : dict of str to Work
        What is made beside the event loop, by `app.metrics.WORK`.
    kept : sequence of Kept
        What was made and may be asked for again.
    full, stopping : bool
        Whether there are too many connections, and whether the server was told to stop.
    proxies, readers : sequence of networks
        Whose word about a client's address counts, and who may read the metrics.
    access_log : bool
        Whether each request is logged.
    """

    def __init__(
        self,
        limits: Limits = DEFAULTS,
        metrics: Metrics | None = None,
        *,
        proxies: Sequence[Network] = LOOPBACK,
        readers: Sequence[Network] = LOOPBACK,
        access_log: bool = False,
    ) -> None:
        self.limits, self.metrics = limits, metrics or Metrics()
        self.proxies, self.readers, self.access_log = proxies, readers, access_log
        self.rates = Rates(limits.client_rate, limits.client_burst)
        self.work = {name: Work(name, getattr(limits, f"{name}_waiting"), self.metrics) for name in WORK}
        self.kept: Sequence[Kept] = ()
        self.full = self.stopping = False

    def begin(self) -> None:
        """Keep for good what was made before the first visitor comes."""
        for kept in self.kept:
            kept.keep_for_good()

    def let_go(self) -> None:
        """Let go of what nobody has asked for in a while."""
        for kept in self.kept:
            kept.let_go(self.limits.kept_seconds)

    def end(self) -> None:
        """Give up what is still being made; those who wait are told."""
        for work in self.work.values():
            work.stop()


def within(address: str, networks: Sequence[Network]) -> bool:
    """Whether an address is in one of the networks."""
    try:
        found = ip_address(address)
    except ValueError:
        return False
    found = getattr(found, "ipv4_mapped", None) or found
    return any(found in network for network in networks)
