"""Bytes that are hardly HTTP, sent to the real process: it lives, and has met no error of its own."""

import re
import socket
from http.client import HTTPConnection
from urllib.parse import urlsplit

import pytest
from fuzz import fuzz
from fuzz_http import answers, streams
from hypothesis import strategies as st


@pytest.fixture(scope="module")
def port(app_url):
    return urlsplit(app_url).port


def get(port, path):
    connection = HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("GET", path)
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer.status, body.decode()


def errors(port):
    status, text = get(port, "/metrics")
    assert status == 200
    return re.findall(r"^attention_lessons_errors_total.* (\S+)$", text, re.MULTILINE)


@fuzz(40, shrink=False, stream=streams(), pieces=st.integers(1, 4))
def test_bytes_end_their_own_connection_only(port, stream, pieces):
    before = errors(port)
    told = answers(port, stream, pieces)
    for status in re.findall(rb"^HTTP/1\.[01] (\d{3}) ", told, re.MULTILINE):
        assert status in (b"100", b"200") or status.startswith(b"4"), told[:300]
    assert b"Traceback" not in told
    assert get(port, "/healthz")[0] == 200 and errors(port) == before == ["0.0"]


def test_many_that_never_finish_their_request_keep_nobody_waiting(port):
    slow = [socket.create_connection(("127.0.0.1", port), timeout=30) for _ in range(100)]
    try:
        for connection in slow:
            connection.sendall(b"GET / HTTP/1.1\r\nHost: h\r\nX: ")
        assert get(port, "/healthz")[0] == 200
    finally:
        for connection in slow:
            connection.close()
    assert get(port, "/healthz")[0] == 200 and errors(port) == ["0.0"]
