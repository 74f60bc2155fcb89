"""The whole application behind a real socket, in a thread of this process: a request takes a millisecond."""

import asyncio
import logging
import socket
import threading
from http.client import HTTPException, HTTPResponse
from pathlib import Path

from tornado.netutil import bind_sockets

from app import server
from app.connections import Server
from app.hosting import Hosting
from app.limits import Limits
from app.logs import JSONForm
from app.services import Services

LESSONS = Path(__file__).parents[1] / "ui" / "lessons"
# None that a fast test would meet, and short where a case waits for the end of one.
LIMITS = Limits(client_rate=100_000, client_burst=1_000_000, read_seconds=1, idle_seconds=30)


class Records(logging.Handler):
    """What is logged, written out too, as a server does."""

    def __init__(self):
        super().__init__(logging.WARNING)
        self.setFormatter(JSONForm())
        self.lines = []

    def emit(self, record):
        self.lines.append(self.format(record))


class FuzzedServer:
    """`with FuzzedServer() as served:` answers at `served.port` until the block ends."""

    def __enter__(self):
        # What is made ahead is only made sooner.
        warm_up, server.warm_up = server.warm_up, lambda *_: None
        self.services = Services(LIMITS, access_log=True)
        hosting = Hosting("server", origins=("https://course.example.org",))
        self.app = server.make_app(LESSONS, hosting, self.services)
        server.warm_up = warm_up
        self.records, started = Records(), threading.Event()
        logging.root.addHandler(self.records)
        self.thread = threading.Thread(target=asyncio.run, args=(self.serve(started),), daemon=True)
        self.thread.start()
        assert started.wait(30)
        self.socket = None
        return self

    async def serve(self, started):
        self.loop, self.over = asyncio.get_running_loop(), asyncio.Event()
        served = Server(self.app, self.services)
        sockets = bind_sockets(0, "127.0.0.1")
        served.add_sockets(sockets)
        self.port = sockets[0].getsockname()[1]
        started.set()
        await self.over.wait()
        served.stop()
        self.services.end()
        await served.close_all_connections()

    def __exit__(self, *_):
        self.hang_up()
        self.loop.call_soon_threadsafe(self.over.set)
        self.thread.join(20)
        logging.root.removeHandler(self.records)
        assert not self.thread.is_alive()

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=30)

    def hang_up(self):
        if self.socket is not None:
            self.socket.close()
        self.socket = None

    def ask(self, method, target, headers=()):
        """One request as bytes; the connection is kept where the server keeps it. Gives status, headers and body."""
        lines = [f"{method} {target} HTTP/1.1".encode("latin-1"), b"Host: here", *headers]
        while True:
            kept, self.socket = self.socket, self.socket or self.connect()
            try:
                self.socket.sendall(b"\r\n".join([*lines, b"", b""]))
                with HTTPResponse(self.socket, method=method) as answer:
                    answer.begin()
                    body = answer.read()
            except (HTTPException, OSError):
                self.hang_up()
                if kept is None:
                    raise
                continue  # it was closed after the answer before
            if answer.will_close:
                self.hang_up()
            return answer.status, answer.headers, body

    def lives(self):
        """It answers another visitor, and has met no error of ours."""
        self.hang_up()
        status, _, body = self.ask("GET", "/healthz")
        assert status == 200 and b'"ok"' in body
        assert self.errors() == []

    def errors(self):
        return [line for line in self.records.lines if '"level": "error"' in line or '"level": "critical"' in line]
