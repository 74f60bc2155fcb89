"""The server's connections: how many, how slow they may be, and what those are told that are refused.

Tornado by itself hangs up on an address that is too long, and waits for ever for an answer to be fetched.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable
from typing import Any

from tornado.httpserver import HTTPServer
from tornado.httputil import (
    HTTPConnection,
    HTTPHeaders,
    HTTPMessageDelegate,
    RequestStartLine,
    ResponseStartLine,
)
from tornado.iostream import IOStream, UnsatisfiableReadError
from tornado.web import Application

from app.headers import answer_headers
from app.services import Services, within

# Of a full server these are answered still: one that is only full must not be taken for a dead one.
HEALTH = ("/healthz", "/readyz", "/metrics")
RESERVED = 32
FORWARDED = ("X-Forwarded-For", "X-Forwarded-Proto", "X-Scheme")

# Who still sends does not hear the answer before they are done, or at all where the connection is closed on them.
READ_ON = 4_000_000
PATIENCE_S = 5
CHUNK = 64 * 1024
AT_ONCE = 20


def _answer(status: str, text: str, *headers: str) -> bytes:
    body = text.encode()
    lines = [
        f"HTTP/1.1 {status}",
        "Content-Type: text/plain; charset=utf-8",
        *(f"{name}: {value}" for name, value in answer_headers(shared=False).items()),
        "Cache-Control: no-store",
        "Connection: close",
        f"Content-Length: {len(body)}",
        *headers,
    ]
    return "\r\n".join([*lines, "", ""]).encode() + body


FULL = _answer("503 Service Unavailable", "The server is full. Try again in a few seconds.", "Retry-After: 5")


class Server(HTTPServer):
    """Tornado's server with limits. Made in the process that serves."""

    def initialize(self, app: Application, services: Services) -> None:  # type: ignore[override]
        limits = services.limits
        super().initialize(
            app,
            xheaders=True,
            max_header_size=limits.header_bytes,
            max_body_size=limits.body_bytes,
            idle_connection_timeout=limits.idle_seconds,
            body_timeout=limits.read_seconds,
        )
        self.services = services
        self.open: dict[IOStream, _Timed] = {}
        self.refusing: set[asyncio.Task[None]] = set()
        most = f"({limits.header_bytes} bytes)"
        text = f"This address or its headers are longer than the server reads {most}. Shorten the link."
        self._too_long = _answer("431 Request Header Fields Too Large", text)

    @property
    def answering(self) -> int:
        """How many requests have been read and not been answered."""
        return sum(timed.answering for timed in self.open.values())

    def handle_stream(self, stream: IOStream, address: tuple[Any, ...]) -> None:
        if len(self.open) >= self.services.limits.connections + RESERVED:
            self.refuse(stream, FULL)
            return
        close = stream.close

        def close_or_refuse(exc_info: Any = False) -> None:
            if isinstance(exc_info, UnsatisfiableReadError) and not stream.closed():
                self._answer_last(stream, self._too_long)
            close(exc_info)

        stream.close = close_or_refuse  # type: ignore[method-assign]
        self.open[stream] = _Timed(self, stream)
        self._count()
        super().handle_stream(stream, address)

    def start_request(self, server_conn: object, request_conn: HTTPConnection) -> HTTPMessageDelegate:
        stream: IOStream = request_conn.stream  # type: ignore[attr-defined]
        timed = self.open[stream]
        timed.begin()
        return _Request(super().start_request(server_conn, request_conn), request_conn, timed)

    def on_close(self, server_conn: object) -> None:
        super().on_close(server_conn)
        stream: IOStream = server_conn.stream  # type: ignore[attr-defined]
        # It held itself by that, with all its buffers, until a collection came.
        del stream.close
        self.open.pop(stream).clear()
        self._count()

    def refuse(self, stream: IOStream, answer: bytes) -> None:
        """Answer without having read, and close."""
        self.services.metrics.count("connections_refused_total")
        self._answer_last(stream, answer)
        stream.close()

    def _answer_last(self, stream: IOStream, answer: bytes) -> None:
        if len(self.refusing) < AT_ONCE:
            task = asyncio.ensure_future(_send(stream.socket.dup(), answer))
            self.refusing.add(task)  # the loop alone would let go of it
            task.add_done_callback(self.refusing.discard)

    def _count(self) -> None:
        self.services.metrics.set("connections", len(self.open))
        self.services.full = len(self.open) > self.services.limits.connections


class _Timed:
    """A connection, closed where it is too slow."""

    def __init__(self, server: Server, stream: IOStream) -> None:
        self.server, self._stream = server, stream
        self.answering = False
        self._begun = False
        self._timer: asyncio.TimerHandle | None = None
        self.allow(server.services.limits.read_seconds)

    def begin(self) -> None:
        """The next request may come; Tornado watches how long that takes, but for the first one."""
        self.answering = False
        if self._begun:
            self.clear()
        self._begun = True

    def allow(self, seconds: float) -> None:
        self.clear()
        self._timer = asyncio.get_running_loop().call_later(seconds, self._cut)

    def clear(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def refuse(self) -> None:
        self.server.refuse(self._stream, FULL)

    def _cut(self) -> None:
        self.server.services.metrics.count("connections_cut_total")
        self._stream.close()


class _Request(HTTPMessageDelegate):
    """A request on its way in."""

    def __init__(self, inner: HTTPMessageDelegate, connection: HTTPConnection, timed: _Timed) -> None:
        self._inner, self._connection, self._timed = inner, connection, timed
        self._services = timed.server.services

    def headers_received(
        self, start_line: RequestStartLine | ResponseStartLine, headers: HTTPHeaders
    ) -> Awaitable[None] | None:
        path = start_line.path.partition("?")[0] if isinstance(start_line, RequestStartLine) else ""
        if self._services.full and path not in HEALTH:
            self._inner = HTTPMessageDelegate()  # nothing more of it counts
            self._timed.refuse()
            return None
        # Anybody can write such headers: only a proxy's count. X-Real-Ip is often passed on as it came.
        peer = self._connection.context.address  # type: ignore[attr-defined]
        trusted = within(str(peer[0]), self._services.proxies)
        for name in ("X-Real-Ip", *(() if trusted else FORWARDED)):
            headers.pop(name, None)
        self._timed.allow(self._services.limits.read_seconds)
        return self._inner.headers_received(start_line, headers)

    def data_received(self, chunk: bytes) -> Awaitable[None] | None:
        return self._inner.data_received(chunk)

    def finish(self) -> None:
        self._timed.answering = True
        self._timed.allow(self._services.limits.answer_seconds)
        self._inner.finish()

    def on_connection_close(self) -> None:
        self._inner.on_connection_close()


async def _send(connection: socket.socket, answer: bytes) -> None:
    """Answer, and read on for a while so that the answer is heard."""
    loop = asyncio.get_running_loop()
    with connection:
        try:
            async with asyncio.timeout(PATIENCE_S):
                await loop.sock_sendall(connection, answer)
                connection.shutdown(socket.SHUT_WR)
                unread = READ_ON
                while unread > 0 and (chunk := await loop.sock_recv(connection, CHUNK)):
                    unread -= len(chunk)
        except (OSError, TimeoutError):
            pass  # they have gone, or never stop
