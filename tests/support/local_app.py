"""Handlers behind a real socket in this process, visited by a coroutine."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

from tornado.netutil import bind_sockets
from tornado.web import Application

from app.connections import Server
from app.services import Services
from app.watched import count_request


def run(coroutine):
    """In a thread of its own: browser tests may have left a loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()


async def serving(visit, routes, services=None, stop=None):
    """What `visit(port)` returns while the routes are served.

    With `stop` the visit is `visit(port, stopped)`, where `stopped()` is `stop(server, services)`.
    """
    services = services or Services()
    server = Server(Application(routes, services=services, log_function=count_request), services)
    sockets = bind_sockets(0, "127.0.0.1")
    server.add_sockets(sockets)
    try:
        port = sockets[0].getsockname()[1]
        return await (visit(port, lambda: stop(server, services)) if stop else visit(port))
    finally:
        server.stop()
        services.end()
        await server.close_all_connections()


async def ask(port, path, *headers):
    """An open request: who reads may stop reading."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write("\r\n".join([f"GET {path} HTTP/1.0", "Connection: close", *headers, "", ""]).encode())
    await writer.drain()
    return reader, writer


async def get(port, path, *headers):
    """The head and the body of an answer."""
    reader, writer = await ask(port, path, *headers)
    head, _, body = (await reader.read()).partition(b"\r\n\r\n")
    writer.close()
    await writer.wait_closed()
    return head.decode(), body
