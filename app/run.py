"""Listen, serve with one or more processes, and stop when told to."""

from __future__ import annotations

import asyncio
import errno
import os
import signal
import socket
import sys
import time

from tornado.web import Application

from app.long_head import Server

RESTART_S = 0.2
STOP_SIGNALS = (signal.SIGTERM, signal.SIGINT)


class ServeError(Exception):
    """The server cannot start; the message is one line for the person who started it."""


def listen(address: str, port: int) -> socket.socket:
    """Open the socket to listen on.

    Raises
    ------
    ServeError
        If the address is none of this machine's, or the port is taken or not allowed.
    """
    try:
        found = socket.getaddrinfo(address, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, *_, place = found[0]
        listener = socket.create_server(place[:2], family=family, backlog=512)
        listener.setblocking(False)
        return listener
    except socket.gaierror as error:
        raise ServeError(f"{address!r} is no address of this machine. Use 127.0.0.1, or 0.0.0.0 for all.") from error
    except PermissionError as error:
        raise ServeError(f"port {port} needs more rights. Use one above 1023: --port 5006.") from error
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise ServeError(
                f"port {port} is in use. Stop what uses it, or choose another: --port {port + 1}."
            ) from error
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise ServeError(f"cannot listen on {address} ({reason}). Use 127.0.0.1, or 0.0.0.0 for all.") from error


def serve(app: Application, listener: socket.socket, *, workers: int = 1) -> int:
    """Serve until SIGTERM or SIGINT; with several workers, keep them all running."""
    if workers == 1:
        asyncio.run(_serve_here(app, listener))
        return 0
    return _supervise(app, listener, workers)


async def _serve_here(app: Application, listener: socket.socket) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in STOP_SIGNALS:
        loop.add_signal_handler(number, stop.set)
    server = Server(app, xheaders=True, max_header_size=64 * 1024, max_body_size=64 * 1024, idle_connection_timeout=75)
    server.add_sockets([listener])
    await stop.wait()
    server.stop()
    await server.close_all_connections()


def _supervise(app: Application, listener: socket.socket, workers: int) -> int:
    """Fork the workers, replace one that dies, and end them all when told to stop."""
    running: set[int] = set()
    stopping = False

    def stop(*_: object) -> None:
        nonlocal stopping
        stopping = True
        for pid in running:
            os.kill(pid, signal.SIGTERM)

    def start_worker() -> None:
        # Held back until both sides are ready for them: a signal in between would be the wrong process's, or nobody's.
        signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)
        pid = os.fork()
        if pid == 0:
            code = 1
            try:
                for number in STOP_SIGNALS:
                    signal.signal(number, signal.SIG_DFL)
                signal.pthread_sigmask(signal.SIG_UNBLOCK, STOP_SIGNALS)
                asyncio.run(_serve_here(app, listener))
                code = 0
            finally:
                os._exit(code)
        running.add(pid)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, STOP_SIGNALS)

    for number in STOP_SIGNALS:
        signal.signal(number, stop)
    for _ in range(workers):
        start_worker()
    while running:
        pid, status = os.wait()
        running.discard(pid)
        if not stopping:
            print(f"a worker ended ({os.waitstatus_to_exitcode(status)}); another takes its place", file=sys.stderr)
            time.sleep(RESTART_S)  # one that cannot start must not eat the machine
            if not stopping:
                start_worker()
    return 0
