"""How much one server takes, each limit with its bounds: what is beyond them gets a clear answer and holds nothing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from app.errors import UserError


def _limit(default: int, low: int, high: int, doc: str) -> Any:
    return field(default=default, metadata={"low": low, "high": high, "doc": doc})


@dataclass(frozen=True)
class Limits:
    """The limits of one process: with several workers each has its own."""

    connections: int = _limit(
        3000,
        10,
        100_000,
        "Connections at once. More are told that the server is full, and closed; health checks are not.",
    )
    idle_seconds: int = _limit(10, 1, 3600, "How long a connection may wait for its next request.")
    read_seconds: int = _limit(
        15, 1, 600, "How long a new connection's first request, and any request's body, may take to arrive."
    )
    answer_seconds: int = _limit(120, 5, 3600, "How long an answer may take to be made and fetched.")
    header_bytes: int = _limit(65_536, 2048, 1_048_576, "The address and headers of a request. More get status 431.")
    body_bytes: int = _limit(1024, 0, 1_048_576, "The body of a request. Nothing here reads one.")
    link_bytes: int = _limit(65_536, 1024, 1_048_576, "An address. A longer one gets status 414.")
    link_parameters: int = _limit(100, 20, 10_000, "The parameters of an address. More get status 400.")
    tables_waiting: int = _limit(
        200, 1, 10_000, "Tables and pages that are made or wait for it. More learners are told to try again."
    )
    races_waiting: int = _limit(32, 1, 10_000, "Races that run or wait. More learners are told to try again.")
    files_waiting: int = _limit(20, 1, 1000, "Files for the builder that are made or wait for it.")
    tables_mb: int = _limit(8, 1, 10_000, "Megabytes of tables that are kept for those who ask for the same.")
    pages_mb: int = _limit(16, 1, 10_000, "Megabytes of lesson pages that are kept, one for each link.")
    kept_seconds: int = _limit(
        180, 1, 86_400, "How long both are kept after they were last asked for; the lessons' own are kept for good."
    )
    client_rate: int = _limit(
        50,
        1,
        100_000,
        "Computations a second that one client's address may ask for in the long run. More get status 429.",
    )
    client_burst: int = _limit(
        1000, 1, 1_000_000, "How many of them it may ask for at once. A class may be one address."
    )
    drain_seconds: int = _limit(
        0, 0, 300, "How long a server that was told to stop still takes new requests while `/readyz` answers 503."
    )

    def changed(self) -> dict[str, int]:
        """Those that are not what they are by default."""
        return {name: value for name, value in asdict(self).items() if value != getattr(DEFAULTS, name)}


DEFAULTS = Limits()


def limits_from(settings: Iterable[str]) -> Limits:
    """Read ``NAME=VALUE`` settings; of several for one name the last counts.

    Raises
    ------
    UserError
        If there is no such limit, or its value is not a whole number within its bounds.
    """
    known = {item.name: item.metadata for item in fields(Limits)}
    values = {}
    for setting in settings:
        name, equals, text = setting.partition("=")
        name = name.replace("-", "_")
        if not equals or name not in known:
            raise UserError(f"--limit {setting!r} is no limit. Write NAME=VALUE with one of: {', '.join(known)}.")
        low, high = known[name]["low"], known[name]["high"]
        if not (text.isascii() and text.isdigit() and len(text) < 10 and low <= int(text) <= high):
            raise UserError(f"--limit {name} is {text!r}, but must be a whole number from {low} to {high}.")
        values[name] = int(text)
    return Limits(**values)
