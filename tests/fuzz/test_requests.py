"""Requests to every route: each is answered with 200 or 4xx in words, and the server stays as it was."""

import gzip
import json
import re
from html import unescape
from urllib.parse import quote

import pytest
from fuzz import ANY_TEXT, fuzz, inside, links
from fuzz_http import answers, streams
from fuzzed_server import FuzzedServer
from hypothesis import strategies as st

from app.figures import FIGURES
from app.links import read_value


@pytest.fixture(scope="module")
def served():
    with FuzzedServer() as served:
        yield served
        served.lives()


FIGURE = st.sampled_from(sorted(FIGURES))
# Each byte as it is, escaped, escaped badly, or not at all: what a browser never sends.
BROKEN = st.sampled_from(
    ["%", "%%", "%zz", "%f", "%ff%fe", "%ed%a0%80", "%00", "%0d%0aX:%20y", "+", ";", "&&", "==", "%26", "#"]
)


def written(pairs, broken):
    """A query as a request line can hold it."""
    parts = [f"{quote(name, safe='')}={quote(text, safe='')}" for name, text in pairs]
    return "&".join([*parts, *broken])


FIGURE_LINKS = FIGURE.flatmap(
    lambda name: st.tuples(st.just(name), links(FIGURES[name].State), st.lists(BROKEN, max_size=3))
)
FREE = st.tuples(st.lists(st.tuples(ANY_TEXT, ANY_TEXT), max_size=4), st.lists(BROKEN, max_size=3))


def clear(status, headers, body):
    """An answer that reads well, whatever was asked."""
    body = gzip.decompress(body) if headers.get("Content-Encoding") == "gzip" and body else body
    assert status == 200 or 400 <= status < 500, (status, body[:300])
    if status == 400 and "Server" not in headers:
        return body  # what Tornado cannot read it answers itself
    assert headers["X-Content-Type-Options"] == "nosniff" and "Content-Security-Policy" in headers
    assert status in (200, 431) or not body or str(status).encode() in body
    assert b"Traceback" not in body
    return body


def shown_state(html):
    return json.loads(unescape(re.search(r"data-config[^>]*>(.*?)</script>", html, re.DOTALL)[1]))["state"]


@fuzz(20, link=FIGURE_LINKS)
def test_a_figures_page_shows_a_state_of_its_schema(served, link):
    name, pairs, broken = link
    status, headers, body = served.ask("GET", f"/embed/{name}?{written(pairs, broken)}")
    body = clear(status, headers, body)
    if status == 200:
        assert inside(shown_state(body.decode()), FIGURES[name].State)
        assert b"<script>hacked" not in body and b"<img src=x" not in body


@fuzz(60, link=FIGURE_LINKS)
def test_a_table_is_given_or_refused_with_its_field(served, link):
    name, pairs, broken = link
    figure = FIGURES[name]
    status, headers, body = served.ask("GET", f"/tables/{name}?{written(pairs, broken)}")
    clear(status, headers, body)
    if status != 200:
        assert "v" in dict(pairs) or len(pairs) > 90  # the table of another version
        return
    if headers["Content-Type"] == "application/json":
        error = json.loads(body)["error"]
        assert error["field"] in figure.key and error["message"].isprintable()
        return
    state, last = figure.State(), dict(pairs)
    for field in figure.key:
        setattr(state, field, read_value(field, last[field], figure.State))  # raises where it should have been refused


@fuzz(10, link=links(FIGURES["training-race"].State))
def test_a_race_runs_or_is_refused(served, link):
    status, headers, body = served.ask("GET", f"/races/training-race?{written(link, [])}")
    clear(status, headers, body)
    assert status == 404 or b'"error"' in body or b'"bytes"' in body


PATHS = st.one_of(
    st.sampled_from(["/", "/embed", "/embed/", "/embed.js", "/healthz", "/readyz", "/metrics", "/lessons/01-doing"]),
    st.sampled_from(
        ["/static/../app/cli.py", "/static/%2e%2e/x", "//", "/embed//", "/files/none.html", "*", "x", "http://a/"]
    ),
    ANY_TEXT.map(lambda text: "/" + quote(text)),
    st.tuples(
        st.sampled_from(["lessons", "embed", "files", "tables", "races", "static", ""]), st.text(max_size=30)
    ).map(lambda parts: f"/{parts[0]}/{quote(parts[1], safe='')}"),
)
METHODS = st.sampled_from(
    ["GET"] * 6 + ["HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "BREW", "get", "G" * 200]
)
VALUE = st.one_of(
    ANY_TEXT.map(lambda text: text[:3000].encode("utf-8", "replace")),
    st.binary(max_size=40),
    st.sampled_from(
        [b"gzip;q=0", b"gzip, br", b"*", b"identity", b"null", b"https://course.example.org", b"https://evil.example"]
        + [
            b"bytes=0-",
            b"bytes=9-1",
            b"bytes=-999999999999",
            b'"x"',
            b'W/"x", *',
            b"10.0.0.1, 10.0.0.2",
            b"::1",
            b"a" * 9000,
        ]
        + [b"Thu, 01 Jan 1970 00:00:00 GMT", b"100-continue", b"de" * 400, b"a=b; c=\xff; =;;", b"http", b"[::1]:x"]
    ),
).map(lambda value: re.sub(rb"[\r\n\0]", b" ", value))
NAMES = st.sampled_from(
    b"Accept-Language Accept-Encoding Origin Range If-None-Match If-Modified-Since Cookie X-Forwarded-For X-Real-Ip "
    b"X-Forwarded-Proto X-Scheme Referer User-Agent Sec-Fetch-Site Accept Content-Type Upgrade-Insecure-Requests X-Any "
    b"Connection".split()
)
HEADERS = st.lists(st.tuples(NAMES, VALUE).map(b": ".join), max_size=5)


@fuzz(120, method=METHODS, path=PATHS, query=FREE, headers=HEADERS)
def test_any_path_method_and_headers_get_an_answer(served, method, path, query, headers):
    status, answered, body = served.ask(method, f"{path}?{written(*query)}", headers)
    clear(status, answered, body)
    told = answered.get("Access-Control-Allow-Origin")
    assert told in (None, "null", "https://course.example.org", "*")
    assert served.errors() == []


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("&".join(f"n{i}=1" for i in range(10_000)), (400, 431)),
        ("&".join(["d_k=9"] * 101), (400,)),
        ("&".join(["d_k=9"] * 99), (200,)),
        ("text=" + "a" * 60_000, (200,)),
        ("a" * 100_000, (431,)),
        ("text=" + "%E2%80%AE" * 5000, (200,)),
        ("d_k=" + "9" * 50_000, (200,)),
    ],
)
def test_long_and_many_parameters_are_answered(query, status, served):
    assert served.ask("GET", f"/embed/attention-lab?{query}")[0] in status


@fuzz(80, stream=streams(), pieces=st.integers(1, 4))
def test_bytes_that_are_no_request_end_their_own_connection_only(served, stream, pieces):
    told = answers(served.port, stream, pieces)
    for status in re.findall(rb"^HTTP/1\.[01] (\d{3}) ", told, re.MULTILINE):
        assert status in (b"100", b"200") or status.startswith(b"4"), told[:300]
    assert b"Traceback" not in told
    assert served.errors() == []
