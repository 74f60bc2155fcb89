"""Limits: read with care, and held by a real socket."""

import asyncio
import gc
import json
from dataclasses import fields

import pytest
from held import Held
from local_app import ask, get, run, serving
from tornado.iostream import IOStream

from app import handlers, health, table_handlers
from app.errors import UserError
from app.figures import FIGURES, TABLES, cached_table, table_key
from app.kept import Kept
from app.limits import DEFAULTS, Limits, limits_from
from app.rates import CLIENTS_MOST, Rates
from app.server import make_app
from app.services import LOOPBACK, Services, within
from widgets.words import catalogue

ROUTES = [
    (r"/tables/([a-z0-9-]+)", table_handlers.TableHandler),
    (r"/embed/([a-z0-9-]+)", handlers.EmbedHandler),
    (r"/healthz", health.HealthHandler),
    (r"/readyz", health.ReadyHandler),
    (r".*", handlers.MissingHandler),
]


def test_limits_are_read_by_name():
    limits = limits_from(["connections=20", "idle-seconds=3", "connections=30"])
    assert limits == Limits(connections=30, idle_seconds=3)
    assert limits.changed() == {"connections": 30, "idle_seconds": 3} and limits_from([]) == DEFAULTS


@pytest.mark.parametrize("item", fields(Limits), ids=lambda item: item.name)
def test_every_limit_has_bounds_and_a_doc(item):
    low, high = item.metadata["low"], item.metadata["high"]
    assert low <= item.default <= high and item.metadata["doc"].endswith(".")
    for text in (str(low - 1), str(high + 1), "", "x", "1.5", "१", "9" * 40):
        with pytest.raises(UserError, match=f"must be a whole number from {low} to {high}"):
            limits_from([f"{item.name}={text}"])


@pytest.mark.parametrize("setting", ["", "speed=1", "connections", "changed=1"])
def test_what_is_no_limit_is_told_with_those_that_are(setting):
    with pytest.raises(UserError, match="is no limit. Write NAME=VALUE with one of: connections, idle_seconds"):
        limits_from([setting])


# ---- rates and what is kept ----------------------------------------------------------


def test_a_client_has_a_burst_and_then_its_rate():
    now = [0.0]
    rates = Rates(10, 3, lambda: now[0])
    assert [rates.wait("a") for _ in range(3)] == [0, 0, 0]
    assert rates.wait("a") == pytest.approx(0.1) and rates.wait("b") == 0
    now[0] = 0.1
    assert rates.wait("a") == 0 and rates.wait("a") > 0
    now[0] = 100
    assert [rates.wait("a") > 0 for _ in range(4)] == [False, False, False, True]


def test_one_network_of_ipv6_is_one_client():
    rates = Rates(1, 1, lambda: 0.0)
    assert rates.wait("2001:db8::1") == 0
    assert rates.wait("2001:db8::2") > 0 and rates.wait("2001:db8:0:1::1") == 0


def test_a_flood_of_addresses_takes_no_more_room():
    rates = Rates(1, 1, lambda: 0.0)
    for n in range(CLIENTS_MOST + 100):
        rates.wait(f"10.{n // 65536}.{n // 256 % 256}.{n % 256}")
    assert len(rates._clients) == CLIENTS_MOST


def test_a_class_behind_one_address_is_never_limited_by_default():
    rates = Rates(DEFAULTS.client_rate, DEFAULTS.client_burst, lambda: 0.0)
    # 300 learners, each with a page of their own link, a sentence and a race in the same moment.
    assert not any(rates.wait("10.0.0.1") for _ in range(900))


def test_what_is_kept_is_bounded_and_the_latest_stays():
    kept = Kept(100)
    for name in "abc":
        kept.put(name, name, 40)
        kept.get("a")
    assert [name for name in "abc" if name in kept] == ["a", "c"] and kept.size == 80
    kept.put("a", "A", 50)
    assert kept.get("a") == "A" and kept.size == 90 and kept.get("b") is None
    kept.put("big", "", 1000)
    assert kept.get("big") == "" and kept.size == 1000  # the latest is there for those who ask with it


def test_what_nobody_asks_for_goes_after_a_while():
    now = [0.0]
    kept = Kept(100, lambda: now[0])
    kept.put("asked", 1, 10)
    kept.put("forgotten", 2, 20)
    now[0] = 8
    kept.get("asked")
    now[0] = 10
    kept.let_go(10)
    assert "forgotten" in kept
    now[0] = 11
    kept.let_go(10)
    assert "asked" in kept and "forgotten" not in kept and kept.size == 10


def test_what_was_made_before_the_first_visitor_is_kept_for_good():
    now = [0.0]
    services = Services(Limits(kept_seconds=10))
    kept = Kept(100, lambda: now[0])
    services.kept = (kept,)
    kept.put("first", 1, 80)
    services.begin()
    kept.put("later", 2, 15)
    kept.put("latest", 3, 15)
    assert "later" not in kept and kept.size == 95
    now[0] = 11
    services.let_go()
    assert kept.get("first") == 1 and "latest" not in kept and kept.size == 80


def test_a_server_lets_go_of_tables_and_pages():
    services = Services()
    app = make_app(services=services)
    assert services.kept == (TABLES, app.settings["lesson_pages"].pages)


@pytest.mark.parametrize(
    ("address", "found"),
    [("127.0.0.9", True), ("::1", True), ("::ffff:127.0.0.1", True), ("10.0.0.1", False), ("", False)],
)
def test_this_machine_is_known_by_its_addresses(address, found):
    assert within(address, LOOPBACK) is found


# ---- over a socket -------------------------------------------------------------------


def test_a_client_beyond_its_rate_gets_429_and_is_told_when_to_come_back():
    async def visit(port):
        first = await get(port, "/tables/attention-lab?text=limits+one&seed=1")
        again = await get(port, "/tables/attention-lab?text=limits+one&seed=1")
        table = await get(port, "/tables/attention-lab?text=limits+two&seed=1")
        page = await get(port, "/embed/attention-lab?text=limits+three")
        other = await get(port, "/tables/attention-lab?text=limits+two&seed=1", "X-Forwarded-For: 10.9.9.9")
        return first, again, table, page, other

    limits = Limits(client_rate=1, client_burst=1)
    first, again, table, page, other = run(serving(visit, ROUTES, Services(limits)))
    # What is kept counts for nobody, and a proxy's clients are told apart.
    assert all(head.startswith("HTTP/1.1 200") for head, _ in (first, again, other))
    assert all(head.startswith("HTTP/1.1 429") and "Retry-After: 3" in head for head, _ in (table, page))
    busy = catalogue()["site.busy"]
    assert json.loads(table[1]) == {"error": {"field": "busy", "message": busy}} and busy in page[1].decode()


def test_nobody_but_a_proxy_says_where_a_client_is():
    async def visit(port):
        asked = [f"/tables/attention-lab?text=proxy+{word}&seed=1" for word in ("one", "two")]
        return [await get(port, path, f"X-Forwarded-For: 10.0.0.{n}") for n, path in enumerate(asked)]

    told = run(serving(visit, ROUTES, Services(Limits(client_rate=1, client_burst=1), proxies=())))
    assert told[0][0].startswith("HTTP/1.1 200") and told[1][0].startswith("HTTP/1.1 429")


@pytest.fixture
def held_tables(monkeypatch):
    held = Held()
    monkeypatch.setattr(table_handlers, "compressed_payload", lambda name, key: (held(lambda step: None), b""))
    return held


def test_a_page_of_a_busy_server_says_so_and_comes_back_by_itself(held_tables):
    cached_table("attention-lab", table_key(FIGURES["attention-lab"], FIGURES["attention-lab"].State.default()))

    async def visit(port):
        waiting = asyncio.ensure_future(get(port, "/tables/attention-lab?text=busy+one&seed=1"))
        await asyncio.to_thread(held_tables.begun.wait, 10)
        page = await get(port, "/embed/attention-lab?text=busy+two", "Accept-Language: de")
        known = await get(port, "/embed/attention-lab")
        held_tables.go.set()
        await waiting
        return page, known

    (head, body), known = run(serving(visit, ROUTES, Services(Limits(tables_waiting=1))))
    assert head.startswith("HTTP/1.1 503") and "Refresh: 3" in head and "Retry-After: 3" in head
    assert catalogue("de")["site.busy"] in body.decode()
    assert known[0].startswith("HTTP/1.1 200")  # what is known needs no queue


def test_links_that_are_too_long_are_told_so_in_words():
    async def visit(port):
        return [await get(port, path) for path in ("/?" + "a" * 2000, "/?" + "a=1&" * 21, "/" + "a" * 4000)]

    limits = Limits(link_bytes=1024, link_parameters=20, header_bytes=2048)
    long, many, longest = run(serving(visit, ROUTES, Services(limits)))
    assert long[0].startswith("HTTP/1.1 414") and many[0].startswith("HTTP/1.1 400") and b"<h1>" in many[1]
    assert longest[0].startswith("HTTP/1.1 431") and b"(2048 bytes). Shorten the link" in longest[1]


def test_half_a_request_and_no_request_are_given_up():
    async def wait_for_the_end(port, text):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(text)
        told = await reader.read()
        writer.close()
        return told

    async def visit(port):
        head = b"GET / HTTP/1.1\r\nHost: h"
        body = b"POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nhalf"
        return await asyncio.gather(*(wait_for_the_end(port, text) for text in (b"", head, body)))

    services = Services(Limits(read_seconds=1))
    assert run(serving(visit, ROUTES, services)) == [b"", b"", b""]
    assert "attention_lessons_connections_cut_total 3.0\n" in services.metrics.text()
    assert "attention_lessons_connections 0.0\n" in services.metrics.text()


def test_more_connections_than_allowed_are_refused_but_for_health():
    async def visit(port):
        idle = [await asyncio.open_connection("127.0.0.1", port) for _ in range(10)]
        async with asyncio.timeout(10):
            while services.metrics.text().count("attention_lessons_connections 10.0\n") == 0:
                await asyncio.sleep(0.01)
        told = [await get(port, path) for path in ("/embed/attention-lab", "/healthz", "/readyz")]
        idle[0][1].close()
        async with asyncio.timeout(10):
            while not (later := await get(port, "/readyz"))[0].startswith("HTTP/1.1 200"):
                await asyncio.sleep(0.01)
        for _, writer in idle:
            writer.close()
        return told, later

    services = Services(Limits(connections=10))
    (page, alive, ready), later = run(serving(visit, ROUTES, services))
    assert page[0].startswith("HTTP/1.1 503") and "Retry-After: 5" in page[0] and b"The server is full" in page[1]
    assert alive[0].startswith("HTTP/1.1 200")
    assert ready[0].startswith("HTTP/1.1 503") and json.loads(ready[1])["status"] == "full"
    assert json.loads(later[1])["status"] == "ready"
    assert "attention_lessons_connections_refused_total 1.0\n" in services.metrics.text()


def test_a_connection_that_has_gone_waits_for_no_collection():
    def streams():
        return sum(isinstance(item, IOStream) for item in gc.get_objects())

    async def visit(port):
        gc.collect()
        gc.disable()
        try:
            before = streams()
            async with asyncio.timeout(10):
                for _ in range(3):
                    await get(port, "/healthz")
                while streams() > before:
                    await asyncio.sleep(0)
        finally:
            gc.enable()

    run(serving(visit, ROUTES))


def test_a_flood_of_connections_is_refused_without_being_read():
    async def visit(port):
        flood = [await asyncio.open_connection("127.0.0.1", port) for _ in range(10 + 32 + 5)]
        # The last ones have not said a word and are told.
        told = [await reader.read(12) for reader, _ in flood[-5:]]
        for _, writer in flood:
            writer.close()
        return told

    assert run(serving(visit, ROUTES, Services(Limits(connections=10)))) == [b"HTTP/1.1 503"] * 5


def test_an_answer_that_nobody_fetches_is_given_up():
    async def visit(port):
        reader, writer = await ask(port, "/long")
        async with asyncio.timeout(20):
            while "connections_cut_total 1.0" not in services.metrics.text():
                await asyncio.sleep(0.05)
        writer.close()

    class Long(handlers.Handler):
        def get(self):
            self.finish(b"x" * 30_000_000)

    services = Services(Limits(answer_seconds=1))
    run(serving(visit, [(r"/long", Long)], services))
