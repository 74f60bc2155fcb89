"""A server in operation: told to stop, robbed of its processes, without a disk to log on."""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from held import Held
from local_app import ask, get, run, serving
from served import ROOT, SMALL, Served

from app import __version__, handlers, health, table_handlers
from app.limits import Limits
from app.run import stop_serving
from app.services import Services
from widgets.words import catalogue

needs_proc = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="children are listed in /proc")


def wait_until(true):
    deadline = time.monotonic() + 60
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def refuses(port):
    with socket.socket() as asking:
        return asking.connect_ex(("127.0.0.1", port)) != 0


# ---- a stop, step by step ------------------------------------------------------------

ROUTES = [
    (r"/races/([a-z0-9-]+)", table_handlers.RaceHandler),
    (r"/tables/([a-z0-9-]+)", table_handlers.TableHandler),
    (r"/embed/([a-z0-9-]+)", handlers.EmbedHandler),
    (r"/healthz", health.HealthHandler),
    (r"/readyz", health.ReadyHandler),
]
RACE = "/races/training-race?text=a+b&seed=1&d_k=4&learning_rate=0.1"


@pytest.fixture
def held(monkeypatch):
    held = Held()
    monkeypatch.setattr(table_handlers, "long_payload", lambda name, key, on_step: held(on_step))
    return held


def test_while_a_server_drains_balancers_are_told_and_learners_are_served():
    async def visit(port, stopped):
        stopping = asyncio.ensure_future(stopped())
        await asyncio.sleep(0)
        told = [await get(port, path) for path in ("/readyz", "/healthz", "/embed/memory-wall")]
        stopping.cancel()
        return told

    ready, alive, page = run(serving(visit, ROUTES, Services(Limits(drain_seconds=300)), stop=stop_serving))
    assert ready[0].startswith("HTTP/1.1 503") and json.loads(ready[1])["status"] == "stopping"
    assert all(head.startswith("HTTP/1.1 200") and "Connection: close" in head for head, _ in (alive, page))


def test_what_was_asked_before_a_stop_is_answered(held):
    async def visit(port, stopped):
        reader, writer = await ask(port, RACE)
        await reader.readuntil(b'{"step": 1}')
        stopping = asyncio.ensure_future(stopped())
        await asyncio.sleep(0.1)
        held.go.set()
        told = await reader.read()
        await stopping
        writer.close()
        return told, refuses(port)

    told, closed = run(serving(visit, ROUTES, stop=stop_serving))
    assert told.endswith(b"table") and closed


def test_who_waits_too_long_for_a_stop_is_told(monkeypatch):
    def endless(name, key, on_step):
        while True:
            on_step(1)

    async def visit(port, stopped):
        reader, writer = await ask(port, RACE)
        await reader.readuntil(b'{"step": 1}')
        table = asyncio.ensure_future(get(port, "/tables/attention-lab?text=stop+one&seed=1"))
        await asyncio.to_thread(tables.begun.wait, 10)
        page = asyncio.ensure_future(get(port, "/embed/attention-lab?text=stop+two"))
        while len(services.work["tables"].jobs) < 2:
            await asyncio.sleep(0.01)
        await stopped()
        tables.go.set()
        told = await reader.read(), await page, await table
        writer.close()
        return told

    tables, services = Held(), Services()
    monkeypatch.setattr("app.run.FINISH_S", 0.1)
    monkeypatch.setattr(table_handlers, "long_payload", endless)
    monkeypatch.setattr(table_handlers, "compressed_payload", lambda name, key: tables(lambda step: None))
    race, page, table = run(serving(visit, ROUTES, services, stop=stop_serving))
    restarts = catalogue()["site.restarts"]
    assert json.loads(race.splitlines()[-1]) == {"error": {"field": "race", "message": restarts}}
    assert page[0].startswith("HTTP/1.1 503") and restarts in page[1].decode()
    assert table == ("", b"")  # it could be neither finished nor given up


# ---- processes -----------------------------------------------------------------------


@needs_proc
def test_events_are_logged_from_the_start_to_the_stop():
    with Served(*SMALL, "--workers", "2", "--log-format", "json", "--limit", "races-waiting=40") as served:
        (lost, _) = workers(served)
        os.kill(lost, signal.SIGKILL)
        wait_until(lambda: len(now := workers(served)) == 2 and lost not in now)
        assert b"attention_lessons_workers_replaced_total 1.0\n" in served.get("/metrics")[1]
        for path, status in (("/healthz", "ok"), ("/readyz", "ready")):
            assert {"status": status, "version": __version__}.items() <= json.loads(served.get(path)[1]).items()
        served.process.send_signal(signal.SIGTERM)
        _, err = served.process.communicate(timeout=60)
        assert served.process.returncode == 0
        lines = [json.loads(line) for line in err.splitlines()]
        assert [line["event"] for line in lines] == ["started", "worker-ended", "stopping", "stopping", "stopped"]
        started = {"version": __version__, "address": "127.0.0.1", "port": served.port, "workers": 2}
        assert started.items() <= lines[0].items() and lines[0]["limits"] == {"races_waiting": 40}
        assert {"level": "warning", "exit": -9}.items() <= lines[1].items()
        assert all(line["time"].endswith("Z") and line["message"] for line in lines)


def workers(served):
    pid = served.process.pid
    found = []
    wait_until(
        lambda: found.append(Path(f"/proc/{pid}/task/{pid}/children").read_text().split()) or len(found[-1]) == 2
    )
    return [int(child) for child in found[-1]]


full_disk = pytest.mark.skipif(not Path("/dev/full").exists(), reason="/dev/full, which only Linux has, is a full disk")


@full_disk
def test_neither_a_full_disk_nor_a_lost_parent_leaves_a_server_that_does_not_work():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "app", "serve", *SMALL, "--port", str(port), "--workers", "2", "--access-log"]
    with open("/dev/full", "wb") as full:
        process = subprocess.Popen(command, cwd=ROOT, stdout=full, stderr=full)
    served = Served.__new__(Served)
    served.process, served.port = process, port
    try:
        wait_until(lambda: not refuses(port))
        for _ in range(50):
            assert served.get("/healthz")[0].status == 200
    finally:
        process.kill()
        process.wait(10)
    # Workers do not outlive the process that looks after them.
    wait_until(lambda: refuses(port))


@full_disk
def test_a_line_that_nobody_can_read_is_no_error():
    code = "from app.serve_command import say; say('Open')"
    with open("/dev/full", "wb") as full:
        done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, stdout=full, stderr=subprocess.PIPE, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
