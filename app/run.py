"""Listen, serve with one or more processes, and stop when told to."""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import signal
import socket
import time

from tornado.web import Application

from app import __version__, heap, logs
from app.connections import Server
from app.rehearsal import rehearse
from app.services import Services

RESTART_S = 0.2
# After the drain: for answers on their way, for telling those who still wait, and for closing. Less than 5 s together.
FINISH_S, TELL_S, CLOSE_S, LOOK_S = 2.0, 0.5, 0.5, 0.02
KILL_S = 5
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
    except (socket.gaierror, UnicodeError) as error:
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


def serve(app: Application, listener: socket.socket, services: Services, *, workers: int = 1) -> int:
    """Serve until SIGTERM or SIGINT; with several workers, keep them all running."""
    address, port = listener.getsockname()[:2]
    told = {"version": __version__, "address": address, "port": port, "workers": workers}
    logs.event("started", "Started.", **told, limits=services.limits.changed())
    services.begin()
    heap.set_up()
    heap.settle()
    if workers == 1:
        asyncio.run(_serve_here(app, listener, services))
    else:
        _supervise(app, listener, services, workers)
    logs.event("stopped", "Stopped.")
    return 0


async def _serve_here(app: Application, listener: socket.socket, services: Services, parent: int | None = None) -> None:
    """Serve in this process; `parent` can be read from when the process is gone that looks after this one."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(logs.on_loop_error)
    for number in STOP_SIGNALS:
        loop.add_signal_handler(number, stop.set)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, STOP_SIGNALS)  # a worker is started without them
    if parent is not None:
        loop.add_reader(parent, stop.set)
        await rehearse(app)
        heap.settle()
    trimming = asyncio.create_task(heap.keep_trimmed(services.let_go))
    server = Server(app, services)
    server.add_sockets([listener])
    await stop.wait()
    trimming.cancel()
    if parent is not None:
        loop.remove_reader(parent)
    await stop_serving(server, services)


async def stop_serving(server: Server, services: Services) -> None:
    """Say that it stops, answer what was asked, tell those who still wait, and close."""
    logs.event("stopping", "Stopping.", answering=server.answering)
    services.stopping = True
    await asyncio.sleep(services.limits.drain_seconds)
    server.stop()
    await _until_answered(server, FINISH_S)
    services.end()
    await _until_answered(server, TELL_S)
    try:
        async with asyncio.timeout(CLOSE_S):
            await server.close_all_connections()
    except TimeoutError:
        pass  # the end of the process closes them


async def _until_answered(server: Server, seconds: float) -> None:
    until = time.monotonic() + seconds
    while server.answering and time.monotonic() < until:
        await asyncio.sleep(LOOK_S)


def _supervise(app: Application, listener: socket.socket, services: Services, workers: int) -> None:
    """Fork the workers, replace one that dies, and end them all when told to stop."""
    running: dict[int, int] = {}  # process → its row of the metrics
    stopping = False
    # Nothing is ever written: a worker that reads its end knows that this process is gone.
    lives, here = os.pipe()
    services.metrics.use(workers)

    def end(*_: object) -> None:
        for pid in running:
            os.kill(pid, signal.SIGKILL)

    def stop(*_: object) -> None:
        nonlocal stopping
        stopping = True
        for pid in running:
            os.kill(pid, signal.SIGTERM)
        # Whoever connects from now on reaches a worker, or nobody.
        listener.close()
        signal.signal(signal.SIGALRM, end)
        signal.alarm(services.limits.drain_seconds + KILL_S)

    def start_worker(row: int) -> None:
        # Held back until each side can answer to them: a signal in between would be the wrong process's, or nobody's.
        signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)
        pid = os.fork()
        if pid == 0:
            code = 1
            try:
                os.close(here)
                services.metrics.use(row)
                asyncio.run(_serve_here(app, listener, services, lives))
                code = 0
            except Exception as error:
                logs.event("error", "A worker cannot serve.", level=logging.ERROR, error=error)
            finally:
                os._exit(code)
        running[pid] = row
        signal.pthread_sigmask(signal.SIG_UNBLOCK, STOP_SIGNALS)

    for number in STOP_SIGNALS:
        signal.signal(number, stop)
    for row in range(workers):
        start_worker(row)
    while running:
        pid, status = os.wait()
        row = running.pop(pid)
        if not stopping:
            code = os.waitstatus_to_exitcode(status)
            services.metrics.count("workers_replaced_total")
            told = "A worker ended; another takes its place."
            logs.event("worker-ended", told, level=logging.WARNING, worker=row, exit=code)
            time.sleep(RESTART_S)  # one that cannot start must not eat the machine
            if not stopping:
                start_worker(row)
    signal.alarm(0)
