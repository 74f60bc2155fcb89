"""Races beside the event loop: progress, refusals, and an end when nobody waits."""

import asyncio
import json
import threading
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlencode

import pytest
from tornado.httpserver import HTTPServer
from tornado.netutil import bind_sockets
from tornado.web import Application

from app import handlers
from app.figures import FIGURES, cached_table
from app.races import Busy, Cancelled, Races
from widgets.figure import figure_payload
from widgets.words import catalogue

TWELVE = "a b c d e f g h i j k l"
KEY = {"text": TWELVE, "seed": 7, "d_k": 64, "learning_rate": 0.1}


class Held:
    """A table that is being made until the test lets it go on."""

    def __init__(self):
        self.begun, self.go, self.ended = threading.Event(), threading.Event(), threading.Event()
        self.why = None

    def __call__(self, on_step):
        try:
            on_step(1)
            self.begun.set()
            assert self.go.wait(10)
            on_step(2)
            return b"table"
        except Exception as error:
            self.why = error
            raise
        finally:
            self.ended.set()


@pytest.fixture
def executor():
    with ThreadPoolExecutor(1) as executor:
        yield executor


def run(coroutine):
    """In a thread of its own: browser tests may have left a loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()


async def collected(race):
    return [chunk async for chunk in race.chunks()]


def lines(chunks):
    return [json.loads(chunk) for chunk in chunks if chunk.startswith(b"{")]


def test_progress_is_told_while_the_table_is_made_and_then_the_table(executor):
    async def follow():
        held, told = Held(), []
        race = Races(executor).start(held)
        async for chunk in race.chunks():
            told.append(chunk)
            if {"step": 1} in lines(told):
                held.go.set()
        return told

    told = run(follow())
    assert [line["step"] for line in lines(told)[:-1]][-2:] == [1, 2]
    assert lines(told)[-1] == {"bytes": 5} and told[-1] == b"table"


def test_a_cancelled_race_ends_at_its_next_step(executor):
    async def cancel():
        held = Held()
        race = Races(executor).start(held)
        assert held.begun.wait(10)
        race.cancel()
        held.go.set()
        return held, await collected(race)

    held, told = run(cancel())
    assert isinstance(held.why, Cancelled) and not any("bytes" in line for line in lines(told))


def test_a_race_that_is_cancelled_in_the_queue_never_starts(executor):
    async def cancel():
        held, never, races = Held(), Held(), Races(executor)
        first, second = races.start(held), races.start(never)
        second.cancel()
        told = await collected(second)
        held.go.set()
        await collected(first)
        return never, told

    never, told = run(cancel())
    assert not never.begun.is_set() and not any("bytes" in line for line in lines(told))


def test_a_full_queue_says_so_and_takes_more_when_one_is_done(executor):
    held, races = Held(), Races(executor, waiting_most=2)
    first, second = races.start(held), races.start(lambda on_step: b"")
    with pytest.raises(Busy, match="Try again in a few seconds"):
        races.start(lambda on_step: b"")
    held.go.set()
    run(collected(first))
    run(collected(second))
    races.start(lambda on_step: b"")


def test_a_race_that_cannot_be_run_tells_why(executor):
    def run_off(on_step):
        raise ValueError("the scores run off to infinity")

    told = run(collected(Races(executor).start(run_off)))
    assert lines(told)[-1] == {"error": {"field": "race", "message": "the scores run off to infinity"}}


# ---- over HTTP -----------------------------------------------------------------------


async def serving(visit, races):
    routes = [(r"/races/([a-z0-9-]+)", handlers.RaceHandler), (r"/healthz", handlers.HealthHandler)]
    http = HTTPServer(Application(routes, races=races))
    sockets = bind_sockets(0, "127.0.0.1")
    http.add_sockets(sockets)
    try:
        return await visit(sockets[0].getsockname()[1])
    finally:
        http.stop()
        await http.close_all_connections()


async def ask(port, path):
    """An open request: who reads may stop reading."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET {path} HTTP/1.0\r\nConnection: close\r\n\r\n".encode())
    await writer.drain()
    return reader, writer


async def get(port, path):
    reader, writer = await ask(port, path)
    head, _, body = (await reader.read()).partition(b"\r\n\r\n")
    writer.close()
    await writer.wait_closed()
    return head.decode(), body


def race_path(**changes):
    return "/races/training-race?" + urlencode(KEY | changes)


def test_the_route_sends_progress_and_the_very_table():
    head, body = run(serving(lambda port: get(port, race_path()), Races()))
    assert head.startswith("HTTP/1.1 200") and "application/octet-stream" in head
    *progress, announced = body[: body.index(b'{"bytes"')].splitlines() + [body[body.index(b'{"bytes"') :]]
    steps = [json.loads(line)["step"] for line in progress]
    assert len(steps) >= 2 and steps[-1] == 300 and steps == sorted(steps)
    line, _, table = announced.partition(b"\n")
    figure = FIGURES["training-race"]
    assert len(table) == json.loads(line)["bytes"]
    assert table == figure_payload(figure, cached_table("training-race", tuple(KEY.values())))


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"text": "alone"}, "text"),
        ({"seed": -1}, "seed"),
        ({"d_k": 63}, "d_k"),
        ({"learning_rate": 0.2}, "learning_rate"),
    ],
)
def test_what_cannot_be_raced_is_told_with_its_field(changes, field):
    head, body = run(serving(lambda port: get(port, race_path(**changes)), Races()))
    assert head.startswith("HTTP/1.1 200") and json.loads(body)["error"]["field"] == field


def test_only_figures_that_race_have_a_race():
    head, _ = run(serving(lambda port: get(port, "/races/attention-lab?text=a+b&seed=1"), Races()))
    assert head.startswith("HTTP/1.1 404")


def test_others_are_answered_while_a_race_runs_and_too_many_are_told_to_wait(monkeypatch, executor):
    held = Held()
    monkeypatch.setattr(handlers, "long_payload", lambda name, key, on_step: held(on_step))

    async def visit(port):
        reader, writer = await ask(port, race_path())
        await reader.readuntil(b'{"step": 1}')
        _, health = await get(port, "/healthz")
        _, refused = await get(port, race_path(seed=8))
        held.go.set()
        rest = await reader.read()
        writer.close()
        return json.loads(health), json.loads(refused), rest

    health, refused, rest = run(serving(visit, Races(executor, waiting_most=1)))
    assert health["status"] == "ok" and rest.endswith(b"table")
    assert refused == {"error": {"field": "race", "message": catalogue()["site.busy"]}}


def test_a_learner_who_leaves_ends_the_race(monkeypatch, executor):
    held = Held()
    monkeypatch.setattr(handlers, "long_payload", lambda name, key, on_step: held(on_step))

    async def visit(port):
        reader, writer = await ask(port, race_path())
        await reader.readuntil(b'{"step": 1}')
        writer.close()
        await writer.wait_closed()
        await asyncio.sleep(0.2)
        held.go.set()
        assert await asyncio.to_thread(held.ended.wait, 10)

    run(serving(visit, Races(executor)))
    assert isinstance(held.why, Cancelled)
