"""What browser tests share: the browser, a running app, and a watch on everything that a page must not do."""

import re
import runpy
import socket
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import ProxyHandler, build_opener

import pytest
from doing_page import Doing
from kept_page import KeptPage
from playwright.sync_api import expect

ROOT = Path(__file__).resolve().parents[2]
FLAGS = "--no-sandbox --disable-gpu --disable-background-networking --disable-component-update --disable-sync"
# Else the headless shell draws text as no desktop does, a little higher and wider; Chromium itself knows no such flag.
FLAGS += " --font-render-hinting=slight"
# What Chromium and BokehJS write to the console when the server has gone away.
SERVER_GONE = re.compile(r"net::ERR_(CONNECTION_|INCOMPLETE_|EMPTY_RESPONSE|SOCKET_NOT_)")
# And what it writes when a server of another version, or a proxy before it, has not what it asked for.
VERSION_GONE = re.compile(rf"{SERVER_GONE.pattern}|status of (404|502)")
# No proxy, whatever the environment says.
DIRECT = build_opener(ProxyHandler({}))

expect.set_options(timeout=10_000)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    # tools/ is no package: its scripts are loaded by path.
    path = runpy.run_path(str(ROOT / "tools" / "browser.py"))["find_browser"](shell=True)
    if path is None:
        pytest.fail("No browser for the UI tests. Run: python tools/browser.py", pytrace=False)
    return {**browser_type_launch_args, "executable_path": path, "args": FLAGS.split()}


@pytest.fixture(scope="session")
def base_url():
    # Tests write full addresses. The plugin's own fixture is a method, which pytest 9.2 warns of: an error here.
    return None


class AppServer:
    """`python -m app serve` in a process of its own; it can be stopped and started again on the same port."""

    def __init__(self, log: Path, *options: str):
        self.log = log
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.command = [sys.executable, "-u", "-m", "app", "serve", "--port", str(self.port), *options]
        self.folder = ROOT  # of the version that is run
        self.process = None

    def start(self):
        # A file and not a pipe: a pipe that nobody reads fills up and blocks the server.
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(self.command, cwd=self.folder, stdout=log, stderr=log)
        deadline = time.monotonic() + 90
        while not self.answers():
            if self.process.poll() is not None or time.monotonic() > deadline:
                state = "ended" if self.process.poll() is not None else "did not answer within 90 s"
                self.stop()
                pytest.fail(f"The app {state}. Its log:\n{self.log.read_text()}", pytrace=False)
            time.sleep(0.05)

    def answers(self) -> bool:
        try:
            with DIRECT.open(f"{self.url}/healthz", timeout=2) as answer:
                return answer.status == 200
        except OSError:
            return False

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            pytest.fail(f"The app did not end within 10 s of SIGTERM. Its log:\n{self.log.read_text()}", pytrace=False)

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.stop()
        text = self.log.read_text()
        if "Traceback" in text:
            pytest.fail(f"The app logged a traceback:\n{text}", pytrace=False)


@pytest.fixture(scope="session")
def app_server(tmp_path_factory):
    """A factory: `with app_server() as server:` gives `server.url`, `server.stop()` and `server.start()`."""
    return lambda *options: AppServer(tmp_path_factory.mktemp("app") / "log.txt", *options)


@pytest.fixture(scope="session")
def app_url(app_server):
    with app_server() as server:
        yield server.url


@pytest.fixture(scope="session")
def lessons_url(app_server):
    """A server of the lessons in tests/ui/lessons, which have every kind of activity."""
    with app_server("--lessons", str(Path(__file__).parent / "lessons")) as server:
        yield server.url


@pytest.fixture
def doing(page, lessons_url):
    """The page of such a lesson."""
    return Doing(page, lessons_url)


class Watch:
    """Errors and outside requests of every page of a context."""

    def __init__(self):
        self.problems = []
        self.expected = None

    def follow(self, context):
        context.on("weberror", lambda error: self.problems.append(f"page error: {error.error}"))
        context.on("console", self.on_console)
        context.on("request", lambda request: self.on_address(request.url))
        context.on("page", lambda page: page.on("websocket", lambda socket: self.on_address(socket.url)))

    def on_console(self, message):
        if message.type == "error" and not (self.expected and self.expected.search(message.text)):
            self.problems.append(f"console error: {message.text} ({message.location['url']})")

    def on_address(self, url):
        address = urlsplit(url)
        if address.scheme not in ("data", "blob", "file") and address.hostname != "127.0.0.1":
            self.problems.append(f"outside request: {url}")


@pytest.fixture(scope="session")
def watching():
    return Watch()


@pytest.fixture
def watch(watching):
    watching.problems, watching.expected = [], None
    yield watching
    assert not watching.problems, "\n".join(watching.problems)


@pytest.fixture
def new_context(watch, new_context):
    """A context of a test's own; what is opened with it is watched too."""

    def make(**options):
        context = new_context(**options)
        watch.follow(context)
        return context

    return make


@pytest.fixture(scope="session")
def kept_page(browser, browser_context_args, watching):
    def make(**options):
        context = browser.new_context(**browser_context_args | options)
        watching.follow(context)
        return context

    kept = KeptPage(make)
    yield kept
    kept.drop()


@pytest.fixture
def page(request, watch, kept_page):
    """A page as good as new: `new_context().new_page()` is new, and takes half a second more."""
    if any(request.config.getoption(name) != "off" for name in ("tracing", "video", "screenshot")):
        yield request.getfixturevalue("new_context")().new_page()  # these record the plugin's own contexts
        return
    failed = request.session.testsfailed
    yield kept_page.lend()
    kept_page.take_back(failed=request.session.testsfailed > failed)


@pytest.fixture
def expect_network_errors(watch):
    """Call it in a test that stops the server: from then on the browser may say that nobody answers."""
    return lambda: setattr(watch, "expected", SERVER_GONE)


@pytest.fixture
def expect_another_version(watch):
    """The same in a test in which the server is replaced by one of another version."""
    return lambda: setattr(watch, "expected", VERSION_GONE)
