"""What answers tell a browser to refuse, and that every page of the server keeps to it."""

import re
import subprocess
import sys
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlencode

import pytest
from markup import check_scripts, directives

from app import assets
from app.figures import FIGURES
from app.headers import answer_headers, file_policy, page_policy
from app.hosting import Hosting

ROOT = Path(__file__).parents[2]
LESSON = "/lessons/05-trainable-attention"
FILE = "/files/memory-wall.html"
ATTACK = """"><script>alert(1)</script><img src=x onerror='alert(1)'>"""
HOSTILE = f"/embed/attention-lab?{urlencode(dict.fromkeys(('text', 'seed', 'd_k', 'theme', 'hide', 'lang'), ATTACK))}"
LOST = [
    "/lessons/%3Cscript%3Ealert(1)%3C/script%3E",
    "/%22onload=%22alert(1)",
    "/%0D%0AFORGED:%20line%1B[31m",
    "/embed/%00",
]
PAGES = ["/", LESSON, f"{LESSON}?lang=de", "/embed", "/embed?lang=de", HOSTILE, "/nothing", "/files/none.html"]
DATA = ["/healthz", "/tables/memory-wall", "/tables/attention-lab?text=one", "/races/none"]


class Server:
    def __init__(self):
        command = [sys.executable, "-u", "-m", "app", "serve", "--port", "0"]
        self.process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.port = int(re.search(r"http://127.0.0.1:(\d+)", self.process.stdout.readline())[1])

    def get(self, path):
        connection = HTTPConnection("127.0.0.1", self.port, timeout=20)
        connection.request("GET", path)
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        return answer.headers, body

    def policy(self, path):
        return self.get(path)[0]["Content-Security-Policy"]

    def stop(self):
        self.process.terminate()
        return "".join(self.process.communicate(timeout=10))


@pytest.fixture(scope="module")
def server():
    server = Server()
    yield server
    log = server.stop()
    # What was asked for is text in the log, too: no line of its own, no colours of a terminal.
    assert "\x1b" not in log and not re.search(r"^FORGED", log, re.MULTILINE) and "Traceback" not in log


@pytest.mark.parametrize("path", [*PAGES, *(f"/embed/{name}" for name in FIGURES)])
def test_a_page_runs_our_scripts_and_no_others(path, server):
    headers, body = server.get(path)
    _, allowed = check_scripts(body.decode(), headers["Content-Security-Policy"])
    assert allowed["script-src"][0] == "'self'" and all(x.startswith("'sha256-") for x in allowed["script-src"][1:])
    # Only the builder shows other pages.
    assert allowed["frame-src"] == ["'self'" if path.startswith("/embed?") or path == "/embed" else "'none'"]
    assert "frame-ancestors" not in allowed


@pytest.mark.parametrize("path", LOST)
def test_a_page_that_is_not_there_says_nothing_of_its_address(path, server):
    headers, body = server.get(path)
    page, _ = check_scripts(body.decode(), headers["Content-Security-Policy"])
    assert not [text for text in (*page.texts, *page.scripts) if "alert" in text or "FORGED" in text]
    assert "FORGED" not in headers


def test_a_policy_is_the_same_for_every_link(server):
    assert server.policy(HOSTILE) == server.policy("/") == server.policy(LESSON)


def test_a_file_from_the_server_says_itself_what_it_may(server):
    headers, body = server.get(FILE)
    _, allowed = check_scripts(body.decode())
    assert allowed["script-src"][:2] == ["data:", "blob:"] and "'self'" not in headers["Content-Security-Policy"]
    assert "connect-src" not in allowed and "frame-src" not in allowed  # as default-src says: nothing
    assert directives(headers["Content-Security-Policy"])["base-uri"] == ["'none'"]


@pytest.mark.parametrize("path", DATA)
def test_an_answer_that_is_no_page_may_do_nothing_and_is_not_framed(path, server):
    headers, _ = server.get(path)
    if not headers["Content-Type"].startswith("text/html"):
        assert headers["Content-Security-Policy"] == "default-src 'none'; frame-ancestors 'none'"


def test_every_answer_has_the_other_headers(server):
    shared = ["/embed.js", *(f"/static/{asset.name}" for asset in (assets.styles(), assets.bokehjs(), assets.font()))]
    for path in [*PAGES, FILE, *DATA, *shared, "/static/none.js"]:
        headers, _ = server.get(path)
        assert headers["X-Content-Type-Options"] == "nosniff", path
        assert headers["Referrer-Policy"] == "same-origin", path
        assert "camera=()" in headers["Permissions-Policy"] and "clipboard" not in headers["Permissions-Policy"], path
        reach = "cross-origin" if path in shared or path.startswith("/static/") else "same-origin"
        assert headers["Cross-Origin-Resource-Policy"] == reach, path


def test_who_may_frame_is_as_the_operator_said():
    hosting = Hosting("server", frame_ancestors=("'self'", "https://*.example.org"))
    for policy in (page_policy(hosting), page_policy(hosting, frames=True), file_policy(hosting)):
        assert directives(policy)["frame-ancestors"] == ["'self'", "https://*.example.org"]


def test_nginx_and_the_page_about_it_say_the_same():
    said = {name: value for name, value in answer_headers(shared=False).items() if name != "Content-Security-Policy"}
    table = (ROOT / "docs" / "security.md").read_text("utf-8")
    nginx = (ROOT / "deploy" / "nginx-static.conf").read_text("utf-8")
    for name, value in said.items():
        assert re.search(rf"^\| `{name}` \| `{re.escape(value)}` \|", table, re.MULTILINE), name
        value = r"\$lessons_reach" if name == "Cross-Origin-Resource-Policy" else f'"?{re.escape(value)}"?'
        assert re.search(rf"^ *add_header {name} {value} always;$", nginx, re.MULTILINE), name
