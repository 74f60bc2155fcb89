"""The server's answers, asked without a browser."""

import gzip
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import quote

import pytest
from served import ROOT, SMALL, Served

LESSON = "/lessons/05-trainable-attention"


@pytest.fixture(scope="module")
def server():
    server = Served()
    yield server
    code, log = server.stop()
    assert code == 0 and "Traceback" not in log


@pytest.mark.parametrize(
    ("path", "content_type"),
    [
        ("/", "text/html; charset=utf-8"),
        (LESSON, "text/html; charset=utf-8"),
        ("/embed/attention-lab", "text/html; charset=utf-8"),
        ("/healthz", "application/json"),
        ("/tables/attention-lab?text=a+b&seed=1", "application/octet-stream"),
    ],
)
def test_pages_answer_plain_and_compressed(path, content_type, server):
    answer, body = server.get(path)
    assert (answer.status, answer.headers["Content-Type"]) == (200, content_type)
    packed, small = server.get(path, Accept_Encoding="gzip, br")
    assert packed.headers["Content-Encoding"] == "gzip" and gzip.decompress(small) == body
    for refused in ("gzip;q=0", "br, gzip ; q=0.000", "gzip;q=0, *"):
        plain, same = server.get(path, Accept_Encoding=refused)
        assert "Content-Encoding" not in plain.headers and same == body
    head, nothing = server.get(path, method="HEAD")
    assert head.status == 200 and nothing == b""


def test_health_is_json(server):
    assert json.loads(server.get("/healthz")[1])["status"] == "ok"


def test_everything_a_page_names_is_there_and_cached_for_good(server):
    html = server.get(LESSON)[1].decode()
    named = set(re.findall(r'(?:href|src|data-table-url)="(/(?:static|tables)/[^"]+)"', html))
    assert len(named) >= 7
    for path in named:
        answer, body = server.get(path.replace("&amp;", "&"))
        assert answer.status == 200 and body
        assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert server.get(LESSON)[0].headers["Cache-Control"] == "no-cache"


def test_no_address_of_another_host_is_in_a_page(server):
    for path in ("/", LESSON, "/embed/attention-lab"):
        html = server.get(path)[1].decode()
        outside = {url for url in re.findall(r"(?:https?:)?//[a-z0-9.-]+\.[a-z]{2,}", html) if "www.w3.org" not in url}
        assert outside == set()


@pytest.mark.parametrize(
    "path", ["/nothing", "/lessons/99-none", "/embed/none", "/tables/none", "/static/none.js", "/static/../app/cli.py"]
)
def test_what_is_not_there_is_a_page_that_says_so(path, server):
    answer, body = server.get(path)
    assert answer.status == 404 and b"<h1>This page is not here</h1>" in body


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("", "text"),
        ("text=one&seed=1", "text"),
        ("text=a+b", "seed"),
        ("text=a+b&seed=-1", "seed"),
        ("text=a+b&seed=4294967296", "seed"),
    ],
)
def test_a_table_that_cannot_be_made_is_told_with_its_field(query, field, server):
    answer, body = server.get(f"/tables/attention-lab?{query}")
    assert answer.status == 200 and json.loads(body)["error"]["field"] == field


def test_text_of_a_link_is_text_in_the_page(server):
    for text in ("<script>alert(1)</script> x", "\"onload='x' b", "</title><b> c", "{{7*7}} d"):
        _, body = server.get(f"/embed/attention-lab?text={quote(text)}&theme={quote(text)}")
        assert b"<script>alert" not in body and b"<b> c" not in body and b"49 d" not in body


def children(pid):
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def wait_until(true):
    deadline = time.monotonic() + 60
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="children are listed in /proc, which only Linux has")
def test_several_workers_serve_are_replaced_and_stop_together():
    server = Served("--workers", "2", *SMALL)
    wait_until(lambda: len(children(server.process.pid)) == 2)
    lost, kept = children(server.process.pid)
    os.kill(lost, signal.SIGKILL)
    wait_until(lambda: kept in (now := children(server.process.pid)) and lost not in now and len(now) == 2)
    assert server.get("/lessons/01-doing")[0].status == 200
    code, log = server.stop()
    assert code == 0 and "Traceback" not in log and "another takes its place" in log
    assert not Path(f"/proc/{kept}").exists()


def test_a_stop_right_after_a_lost_worker_is_not_forgotten():
    server = Served("--workers", "2", *SMALL)
    wait_until(lambda: len(children(server.process.pid)) == 2)
    os.kill(children(server.process.pid)[0], signal.SIGKILL)
    wait_until(lambda: len(children(server.process.pid)) == 1)
    code, _ = server.stop()
    assert code == 0


def test_a_stop_during_start_up_is_heard():
    command = [sys.executable, "-m", "app", "serve", "--port", "0"]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)
    wait_until(lambda: f"{signal.SIGTERM:d}" in caught_signals(process.pid))
    process.send_signal(signal.SIGTERM)
    assert process.wait(10) == 0


def caught_signals(pid):
    mask = int(re.search(r"SigCgt:\s*(\w+)", Path(f"/proc/{pid}/status").read_text())[1], 16)
    return {str(number) for number in range(1, 32) if mask >> (number - 1) & 1}
