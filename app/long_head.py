"""An answer to requests whose address or headers are too long; Tornado by itself only hangs up on them."""

from __future__ import annotations

import asyncio
import socket
from typing import Any

from tornado.httpserver import HTTPServer
from tornado.iostream import IOStream, UnsatisfiableReadError

TEXT = b"This address or its headers are longer than the server reads (64 kB). Shorten the link."
ANSWER = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\nContent-Type: text/plain; charset=utf-8\r\n"
    b"X-Content-Type-Options: nosniff\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s" % (len(TEXT), TEXT)
)
# Who still sends does not hear the answer before they are done, or at all where the connection is closed on them.
READ_ON = 4_000_000
PATIENCE_S = 5
CHUNK = 64 * 1024
AT_ONCE = 20


class Server(HTTPServer):
    """Tornado's server, with that answer."""

    refusing: set[asyncio.Task[None]]

    def initialize(self, *args: Any, **kwargs: Any) -> None:
        super().initialize(*args, **kwargs)
        self.refusing = set()

    def handle_stream(self, stream: IOStream, address: tuple[Any, ...]) -> None:
        close = stream.close

        def close_or_refuse(exc_info: Any = False) -> None:
            too_long = isinstance(exc_info, UnsatisfiableReadError) and not stream.closed()
            if too_long and len(self.refusing) < AT_ONCE:
                task = asyncio.ensure_future(_refuse(stream.socket.dup()))
                self.refusing.add(task)  # the loop alone would let go of it
                task.add_done_callback(self.refusing.discard)
            close(exc_info)

        stream.close = close_or_refuse  # type: ignore[method-assign]
        super().handle_stream(stream, address)


async def _refuse(connection: socket.socket) -> None:
    """Answer, and read on for a while so that the answer is heard."""
    loop = asyncio.get_running_loop()
    with connection:
        try:
            async with asyncio.timeout(PATIENCE_S):
                await loop.sock_sendall(connection, ANSWER)
                connection.shutdown(socket.SHUT_WR)
                unread = READ_ON
                while unread > 0 and (chunk := await loop.sock_recv(connection, CHUNK)):
                    unread -= len(chunk)
        except (OSError, TimeoutError):
            pass  # they have gone, or never stop
