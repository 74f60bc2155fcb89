"""A visit without a visitor: a worker answers once what a learner will ask for, before it listens to the first.

What workers share from being forked each gets a copy of when it is first used, for Python counts its uses there, or
when new objects take what is free in between, as they do when many are there at once. So without this the first
learners would wait a little for it, and a server would seem to grow with its first class.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

from tornado.iostream import IOStream
from tornado.web import Application

from app.assets import all_assets
from app.connections import Server
from app.figures import FIGURES, plots_assets, table_key
from app.placed import table_url
from app.races import LONG_TABLES
from app.services import Services

# A worker that is kept busy by others serves without.
LONG_S = 10
TEXT = "what learners ask for"
HERE = ("127.0.0.1", 0)


async def rehearse(app: Application) -> None:
    """Answer all of `addresses` at once; nothing of it is counted, logged or kept."""
    services = app.settings["services"]
    unseen = app.settings["services"] = Services()
    try:
        server = Server(app, unseen)
        async with asyncio.timeout(LONG_S):
            await asyncio.gather(*(_answer(server, address) for address in addresses(app)))
        await server.close_all_connections()
    except TimeoutError:
        pass
    finally:
        unseen.end()
        app.settings["services"] = services
        for kept in services.kept:
            kept.let_go(0)


def addresses(app: Application) -> Iterator[str]:
    """The lessons, all files and tables that they begin with, a table of each kind with own words, and a race."""
    yield from (f"/lessons/{slug}" for slug in app.settings["lessons"])
    yield from (f"/static/{name}" for name in [*all_assets(), *plots_assets()])
    for name, figure in FIGURES.items():
        state = figure.State.default()
        yield table_url(name, table_key(figure, state))
        if name in LONG_TABLES:
            yield f"/races/{name}?{_own(state, figure.key)}"
        elif "text" in figure.key:
            yield f"/tables/{name}?{_own(state, figure.key)}"
    yield "/healthz"


def _own(state: dict[str, Any], key: tuple[str, ...]) -> str:
    return urlencode({name: state[name] for name in key} | {"text": TEXT})


async def _answer(server: Server, address: str) -> bytes:
    asking, answering = socket.socketpair()
    answering.setblocking(False)
    server.handle_stream(IOStream(answering), HERE)
    reader, writer = await asyncio.open_connection(sock=asking)
    writer.write(f"GET {address} HTTP/1.0\r\nAccept-Encoding: gzip\r\n\r\n".encode())
    answer = await reader.read()
    writer.close()
    await writer.wait_closed()
    return answer
