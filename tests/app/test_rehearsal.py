"""A worker has answered everything once before it listens, and nobody can tell."""

import asyncio
import subprocess
import sys

import pytest
from local_app import run

from app import rehearsal
from app.connections import Server
from app.figures import FIGURES, TABLES
from app.rehearsal import TEXT, addresses, rehearse
from app.server import make_app
from app.services import Services
from app.table_handlers import RaceHandler, TableHandler

# The other end of the pipe is closed: as a worker whose parent has gone it stops as soon as it has begun.
WORKER = """
import asyncio, os
from app import run
from app.services import Services
from tornado.web import Application

async def rehearse(app):
    print("rehearses")

run.rehearse = rehearse
run.Server.add_sockets = lambda server, sockets: print("listens")
lives, here = os.pipe()
os.close(here)
asyncio.run(run._serve_here(Application(), run.listen("127.0.0.1", 0), Services(), lives))
"""


@pytest.fixture(scope="module")
def app():
    return make_app(services=Services())


def test_what_is_rehearsed_is_what_learners_get(app):
    async def answers():
        server = Server(app, app.settings["services"])
        asked = list(addresses(app))
        answered = await asyncio.gather(*(rehearsal._answer(server, address) for address in asked))
        return dict(zip(asked, answered, strict=True))

    found = run(answers())
    assert all(answer.startswith(b"HTTP/1.1 200") and b'{"error"' not in answer for answer in found.values())
    for name in FIGURES:
        assert any(address.startswith(f"/tables/{name}?") for address in found)
        assert any(address.startswith(f"/static/{FIGURES[name].stem}_plots.") for address in found)
    assert any(address.startswith("/races/") for address in found)


def test_nothing_of_it_is_counted_or_kept(app, monkeypatch):
    services, counted = app.settings["services"], set()
    before = services.metrics.text()
    monkeypatch.setattr(TableHandler, "on_finish", lambda self: counted.add(self.services))
    monkeypatch.setattr(RaceHandler, "on_finish", lambda self: counted.add(self.services))
    run(rehearse(app))
    assert app.settings["services"] is services and counted and services not in counted
    assert lines(services.metrics.text()) == lines(before)
    assert not any(TEXT in map(str, key[1]) for key in TABLES._items)


def lines(text):
    """Without what a process uses by itself."""
    return [line for line in text.splitlines() if "cpu_seconds" not in line and "memory_bytes" not in line]


def test_a_worker_that_is_kept_busy_serves_without(app, monkeypatch):
    monkeypatch.setattr(rehearsal, "LONG_S", 0)
    services = app.settings["services"]
    run(rehearse(app))
    assert app.settings["services"] is services


def test_a_worker_rehearses_before_it_listens():
    answer = subprocess.run([sys.executable, "-c", WORKER], capture_output=True, text=True, check=True, timeout=60)
    assert answer.stdout.split() == ["rehearses", "listens"]
