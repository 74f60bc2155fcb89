"""Races over HTTP: progress, refusals, and an end when nobody waits."""

import asyncio
import json
from urllib.parse import urlencode

import pytest
from held import Held
from local_app import ask, get, run, serving

from app import health, races, table_handlers
from app.figures import FIGURES, cached_table
from app.limits import Limits
from app.services import Services
from app.work import GivenUp
from widgets.figure import figure_payload
from widgets.words import catalogue

TWELVE = "a b c d e f g h i j k l"
KEY = {"text": TWELVE, "seed": 7, "d_k": 64, "learning_rate": 0.1}
ROUTES = [(r"/races/([a-z0-9-]+)", table_handlers.RaceHandler), (r"/healthz", health.HealthHandler)]


def race_path(**changes):
    return "/races/training-race?" + urlencode(KEY | changes)


def test_the_route_sends_progress_and_the_very_table():
    head, body = run(serving(lambda port: get(port, race_path()), ROUTES))
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
    head, body = run(serving(lambda port: get(port, race_path(**changes)), ROUTES))
    assert head.startswith("HTTP/1.1 200") and json.loads(body)["error"]["field"] == field


def test_only_figures_that_race_have_a_race():
    head, _ = run(serving(lambda port: get(port, "/races/attention-lab?text=a+b&seed=1"), ROUTES))
    assert head.startswith("HTTP/1.1 404")


@pytest.fixture
def held(monkeypatch):
    held = Held()
    monkeypatch.setattr(table_handlers, "long_payload", lambda name, key, on_step: held(on_step))
    return held


def test_others_are_answered_while_a_race_runs_and_too_many_are_told_to_wait(held):
    async def visit(port):
        reader, writer = await ask(port, race_path())
        await reader.readuntil(b'{"step": 1}')
        _, answer = await get(port, "/healthz")
        head, refused = await get(port, race_path(seed=8))
        held.go.set()
        rest = await reader.read()
        writer.close()
        return json.loads(answer), head, json.loads(refused), rest

    answer, head, refused, rest = run(serving(visit, ROUTES, Services(Limits(races_waiting=1))))
    assert answer["status"] == "ok" and rest.endswith(b"table")
    assert head.startswith("HTTP/1.1 200") and "Retry-After: 3" in head and "immutable" not in head
    assert refused == {"error": {"field": "busy", "message": catalogue()["site.busy"]}}


def test_who_waits_for_a_turn_is_told_so_again_and_again(held, monkeypatch):
    async def visit(port):
        first, second = await ask(port, race_path()), await ask(port, race_path(seed=8))
        await first[0].readuntil(b'{"step": 1}')
        for _ in range(3):
            await second[0].readuntil(b'{"step": 0}')
        held.go.set()
        ends = [await reader.read() for reader, _ in (first, second)]
        for _, writer in (first, second):
            writer.close()
        return ends

    monkeypatch.setattr(races, "TOLD_AT_LEAST_S", 0.01)
    assert all(end.endswith(b"table") for end in run(serving(visit, ROUTES)))


def test_two_who_ask_for_the_same_race_get_one(held):
    async def visit(port):
        asked = [await ask(port, race_path()) for _ in range(2)]
        for reader, _ in asked:
            await reader.readuntil(b'{"step": 1}')
        held.go.set()
        told = [await reader.read() for reader, _ in asked]
        for _, writer in asked:
            writer.close()
        return told

    told = run(serving(visit, ROUTES))
    assert held.count == 1 and all(rest.endswith(b"table") for rest in told)


def test_a_learner_who_leaves_ends_the_race(held):
    async def visit(port):
        reader, writer = await ask(port, race_path())
        await reader.readuntil(b'{"step": 1}')
        job = services.work["races"].start(("en", ("race", "training-race", tuple(KEY.values()))), held)
        job.leave()  # one less than the learner: theirs goes on
        assert not job.given_up
        writer.close()
        await writer.wait_closed()
        async with asyncio.timeout(10):
            while not job.given_up:
                await asyncio.sleep(0.01)
        held.go.set()
        assert await asyncio.to_thread(held.ended.wait, 10)

    services = Services()
    run(serving(visit, ROUTES, services))
    assert isinstance(held.why, GivenUp)


def test_a_race_that_cannot_be_run_tells_why(monkeypatch):
    def run_off(name, key, on_step):
        raise ValueError("the scores run off to infinity")

    monkeypatch.setattr(table_handlers, "long_payload", run_off)
    _, body = run(serving(lambda port: get(port, race_path()), ROUTES))
    told = json.loads(body.splitlines()[-1])
    assert told == {"error": {"field": "race", "message": "the scores run off to infinity"}}


def test_a_race_that_the_server_gives_up_tells_so_and_is_not_kept_by_the_browser(held):
    async def visit(port):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(f"GET {race_path()} HTTP/1.1\r\nHost: here\r\n\r\n".encode())
        await reader.readuntil(b'{"step": 1}')
        services.end()
        held.go.set()
        rest = await reader.read()
        writer.close()
        return rest

    services = Services()
    rest = run(serving(visit, ROUTES, services))
    assert catalogue()["site.restarts"].encode() in rest
    assert not rest.endswith(b"0\r\n\r\n")  # an answer without its end is not complete
