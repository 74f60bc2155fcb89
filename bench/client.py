"""A small HTTP client that fetches as a browser does: a few kept connections, gzip, nothing decoded.

The clients share the machine with the server that they measure, so they do as little as possible.
"""

from __future__ import annotations

import asyncio
import gzip
import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from time import perf_counter

# Chromium's limit for one host.
CONNECTIONS = 6
LIMIT_S = 60
CHUNK = 256 * 1024


class ClientError(RuntimeError):
    """No answer, or one that a learner would see as a fault; the message says which."""


@dataclass
class Answer:
    """What came: its size as sent, how long it took, and the error that JSON tells, if it does."""

    bytes: int
    seconds: float
    refused: str = ""


class Connection:
    """One connection, opened when it is needed and again when the server has closed it."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def get(self, target: str, allowed: Collection[str] = ("200",)) -> Answer:
        """Fetch one address, answered with one of the allowed statuses.

        Raises
        ------
        ClientError
            For another status, a broken answer, or none within `LIMIT_S`.
        """
        started = perf_counter()
        try:
            async with asyncio.timeout(LIMIT_S):
                size, body = await self._ask(target, allowed)
        except (TimeoutError, OSError, EOFError, asyncio.LimitOverrunError, ValueError) as error:
            self.close()
            raise ClientError(f"{target.partition('?')[0]}: {type(error).__name__} {error}") from error
        return Answer(size, perf_counter() - started, refusal(body))

    async def _ask(self, target: str, allowed: Collection[str]) -> tuple[int, bytes]:
        reused = self._streams is not None
        try:
            return await self._ask_once(target, allowed)
        except (ConnectionError, asyncio.IncompleteReadError):
            # A kept connection may have been closed while nobody used it; browsers try again too.
            if not reused:
                raise
            self.close()
            return await self._ask_once(target, allowed)

    async def _ask_once(self, target: str, allowed: Collection[str]) -> tuple[int, bytes]:
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self._port, limit=CHUNK)
        reader, writer = self._streams
        host = f"127.0.0.1:{self._port}"
        writer.write(f"GET {target} HTTP/1.1\r\nHost: {host}\r\nAccept-Encoding: gzip\r\n\r\n".encode())
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        status, *lines = head.split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        if headers.get("transfer-encoding") == "chunked":
            body = await read_chunks(reader)
        else:
            body = await reader.readexactly(int(headers["content-length"]))
        if headers.get("connection", "").lower() == "close":
            self.close()
        if status.split()[1] not in allowed:
            raise ValueError(f"was answered with {status}")
        kind, coding = headers.get("content-type", ""), headers.get("content-encoding")
        may_refuse = "transfer-encoding" in headers or kind.startswith("application/json")
        if may_refuse and coding == "gzip" and not target.startswith("/static/"):
            return len(head) + len(body), gzip.decompress(body)
        return len(head) + len(body), body if may_refuse else b""

    def close(self) -> None:
        if self._streams:
            self._streams[1].close()
        self._streams = None


async def read_chunks(reader: asyncio.StreamReader) -> bytes:
    """A streamed answer, to its end."""
    body = b""
    while size := int(await reader.readline(), 16):
        body += await reader.readexactly(size)
        await reader.readexactly(2)
    await reader.readline()
    return body


def refusal(body: bytes) -> str:
    """The message of an answer that is, or ends with, a line of JSON with an error."""
    last = body.rstrip(b"\n").rpartition(b"\n")[2]
    if not last.startswith(b'{"error"'):
        return ""
    return str(json.loads(last)["error"]["message"])


async def fetch_all(connections: list[Connection], targets: Iterable[str]) -> list[Answer]:
    """Fetch the addresses over several connections at once, each as one gets free."""
    left = iter(targets)
    answers: list[Answer] = []

    async def work(connection: Connection) -> None:
        for target in left:
            answers.append(await connection.get(target))

    await asyncio.gather(*(work(connection) for connection in connections))
    return answers
