"""What is logged: an error once, with its place, and never what a learner typed."""

import asyncio
import io
import json
import logging
import re
import threading

import pytest
from local_app import get, run, serving

from app import handlers, health, logs, table_handlers
from app.services import Services

SECRET = "my secret sentence"
ASKED = "my+secret+sentence"


@pytest.fixture(params=["json", "text"])
def log(request, monkeypatch):
    """What is written to stderr in one of the forms."""
    stream = io.StringIO()
    before = logging.root.handlers, logging.root.level, logging.raiseExceptions
    monkeypatch.setattr("sys.stderr", stream)
    logs.set_up(request.param)
    stream.form = request.param
    yield stream
    logging.root.handlers, logging.root.level, logging.raiseExceptions = before
    logging.getLogger("tornado.access").disabled = False


class Page(handlers.Handler):
    route, page = "/embed/{figure}", True

    def get(self):
        text = self.query()["text"]
        try:
            raise KeyError(text)
        except KeyError as error:
            raise RuntimeError(f"cannot draw {text}", text) from error


ROUTES = [
    (r"/embed/x", Page),
    (r"/tables/([a-z0-9-]+)", table_handlers.TableHandler),
    (r"/healthz", health.HealthHandler),
    (r".*", handlers.MissingHandler),
]


def test_an_error_is_logged_once_without_what_was_typed_and_the_server_goes_on(log):
    async def visit(port):
        failed = await get(port, f"/embed/x?text={ASKED}&{ASKED}=1&d_k=3", f"User-Agent: {SECRET}")
        return failed, await get(port, "/healthz")

    services = Services()
    (head, body), (alive, _) = run(serving(visit, ROUTES, services))
    written = log.getvalue()
    assert head.startswith("HTTP/1.1 500") and alive.startswith("HTTP/1.1 200")
    assert b"<h1>That did not work</h1>" in body
    assert not re.search(rb"Traceback|RuntimeError|KeyError|\.py|secret", body)
    assert "secret" not in written and "127.0.0.1" not in written
    assert written.count("A request failed.") == 1
    assert "RuntimeError" in written and "KeyError" in written and "test_logs.py:" in written
    assert "errors_total 1.0" in services.metrics.text()
    reference = re.search(rb"runs this server: (\w+)", body)[1].decode()
    if log.form == "json":
        (line,) = map(json.loads, written.splitlines())
        assert {
            "level": "error",
            "event": "error",
            "request": reference,
            "route": "/embed/{figure}",
        }.items() <= line.items()
        assert line["parameters"] == "d_k,other,text" and line["seconds"] >= 0 and line["method"] == "GET"
    else:
        assert f"request={reference}" in written and "parameters=d_k,other,text" in written


def test_what_many_wait_for_and_fails_is_logged_once(log, monkeypatch):
    def fail(name, key):
        assert go.wait(10)
        raise RuntimeError(SECRET)

    async def visit(port):
        path = f"/tables/attention-lab?text={ASKED}&seed=9"
        asked = [asyncio.ensure_future(get(port, path)) for _ in range(5)]
        async with asyncio.timeout(10):
            while [job.waiting for job in services.work["tables"].jobs] != [5]:
                await asyncio.sleep(0.01)
        go.set()
        return await asyncio.gather(*asked)

    go, services = threading.Event(), Services()
    monkeypatch.setattr(table_handlers, "compressed_payload", fail)
    told = run(serving(visit, ROUTES, services))
    assert all(head.startswith("HTTP/1.1 500") for head, _ in told)
    assert log.getvalue().count("A request failed.") == 1 and "secret" not in log.getvalue()


def test_a_race_that_fails_on_its_way_is_cut_off_and_logged_once(log, monkeypatch):
    def fail(name, key, on_step):
        on_step(1)
        raise RuntimeError(SECRET)

    monkeypatch.setattr(table_handlers, "long_payload", fail)
    routes = [(r"/races/([a-z0-9-]+)", table_handlers.RaceHandler)]
    path = f"/races/training-race?text={ASKED}&seed=1&d_k=4&learning_rate=0.1"
    head, body = run(serving(lambda port: get(port, path), routes))
    assert head.startswith("HTTP/1.1 200") and b'"bytes"' not in body and b"secret" not in body
    assert len(re.findall("^.*(?:error|ERROR|library).*$", log.getvalue(), re.MULTILINE)) == 1
    assert "A request failed." in log.getvalue() and "secret" not in log.getvalue()


def test_what_is_no_error_of_ours_is_not_logged(log):
    async def visit(port):
        paths = ["/nothing?text=" + ASKED, f"/tables/attention-lab?text={'x' * 30}&seed=1", "/?" + "a=1&" * 200]
        for path in paths:
            await get(port, path)
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(f"{SECRET}\r\n\r\n".encode())
        await reader.read()
        writer.close()

    run(serving(visit, ROUTES))
    assert log.getvalue() == ""


def test_each_request_is_logged_where_that_is_wanted(log):
    run(serving(lambda port: get(port, f"/nothing/{ASKED}?text={ASKED}"), ROUTES, Services(access_log=True)))
    assert log.getvalue().count("\n") == 1 and "404" in log.getvalue() and "secret" not in log.getvalue()


def test_what_libraries_log_keeps_its_place_and_loses_what_was_put_into_it(log):
    try:
        raise ValueError(SECRET)
    except ValueError:
        logging.getLogger("tornado.application").error("Uncaught exception in %s", SECRET, exc_info=True)
        logging.getLogger("concurrent.futures").error(f"already filled in: {SECRET}")
    logging.getLogger("tornado.access").warning("404 GET %s", SECRET)
    written = log.getvalue()
    assert "Uncaught exception in %s" in written and "ValueError" in written and "test_logs.py:" in written
    assert "concurrent.futures" in written and "secret" not in written and "404" not in written


def test_an_error_in_the_event_loop_is_logged_without_its_text(log):
    async def fail():
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(logs.on_loop_error)

        def raises():
            raise ValueError(SECRET)

        loop.call_soon(raises)
        await asyncio.sleep(0)
        await asyncio.sleep(0)

    run(fail())
    assert "An error outside of any request." in log.getvalue() and "ValueError" in log.getvalue()
    assert "secret" not in log.getvalue()
