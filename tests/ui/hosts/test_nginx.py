"""Two replicas behind a real nginx without sticky sessions, as deploy/nginx.conf has it, and a browser before them."""

import shutil
import signal
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from host_process import DIRECT
from lab_page import LESSON_PAGE, LabPage
from nginx import DEPLOY, Nginx, changed
from playwright.sync_api import expect
from race_page import RacePage

pytestmark = pytest.mark.hosts

ROOT = Path(__file__).resolve().parents[3]
# A race takes seconds, as on a machine that has others to run.
SLOW = """
import sys, app.work
assert app.work.ASIDE_S
app.work.ASIDE_S = 0.005
from app.cli import main
sys.exit(main())
"""


class Replicas:
    """Replicas behind nginx; who answered what stands in a header of each answer."""

    def __init__(self, servers, folder):
        self.by_address = {f"127.0.0.1:{server.port}": server for server in servers}
        one, two = self.by_address
        text = (DEPLOY / "nginx.conf").read_text()
        told = "server_tokens off; add_header X-Replica $upstream_addr always;"
        self.nginx = Nginx(changed(text, {"web1:5006": one, "web2:5006": two, "server_tokens off;": told}), folder)

    def __enter__(self):
        with ThreadPoolExecutor() as threads:
            list(threads.map(lambda server: server.start(), self.by_address.values()))
        self.nginx.__enter__()
        self.url = self.nginx.url
        return self

    def __exit__(self, *_):
        self.nginx.__exit__()
        for server in self.by_address.values():
            server.stop()

    def of(self, answer):
        """The replica whose answer this is; others before it did not answer, or lacked it."""
        return answer.headers["x-replica"].split(", ")[-1]

    def kill(self, address):
        process = self.by_address[address].process
        process.send_signal(signal.SIGKILL)
        process.wait()

    def start(self, address):
        """Start it again, and go on when nginx asks it again."""
        self.by_address[address].start()
        while DIRECT.open(f"{self.url}/healthz", timeout=5).headers["X-Replica"] != address:
            pass


@pytest.fixture(scope="module")
def replicas(app_server, tmp_path_factory):
    servers = [app_server(), app_server()]
    for server in servers:
        server.command = [sys.executable, "-u", "-c", SLOW, "serve", "--port", str(server.port)]
    with Replicas(servers, tmp_path_factory.mktemp("nginx")) as replicas:
        yield replicas


@pytest.fixture
def answers(page):
    """The page's answers as they come."""
    answers = []
    listen = lambda answer: answers.append(answer)  # noqa: E731  Playwright takes no method of a list
    page.on("response", listen)
    yield answers
    page.remove_listener("response", listen)


def use_sentences(lab, numbers, **state):
    """Ask for tables that nobody has yet; each is there before the next."""
    for number in numbers:
        lab.use_sentence(f"my words zebra {number}")
        expect(lab.root.get_by_text("peak weight of ‘words’")).to_be_visible()
        lab.page.wait_for_url(f"**text=my+words+zebra+{number}**")
        lab.expect_state(text=f"my words zebra {number}", **state)
        expect(lab.page.locator('[data-notice="offline"]')).to_be_hidden()


def test_each_request_may_go_to_another_replica_and_one_may_be_killed(page, replicas, answers):
    lab = LabPage(page, replicas.url).open(LESSON_PAGE, canvas=True)
    mine = replicas.of(answers[0])
    assert {replicas.of(answer) for answer in answers} == set(replicas.by_address)
    use_sentences(lab, range(4))
    tables = [answer for answer in answers if "my+words" in answer.url]
    assert {replicas.of(answer) for answer in tables} == set(replicas.by_address)

    replicas.kill(mine)
    use_sentences(lab, range(4, 8))
    figure = page.locator('[data-mount="memory-wall"]')
    figure.scroll_into_view_if_needed()
    expect(figure).to_have_attribute("data-ready", "canvas")
    replicas.start(mine)
    use_sentences(lab, range(8, 12))
    assert mine in {replicas.of(answer) for answer in answers[-8:]}
    # A sentence is in no log.
    log = (replicas.nginx.home / "access.log").read_text()
    assert '"GET /tables/attention-lab"' in log and "zebra" not in log
    assert "zebra" not in (replicas.nginx.home / "error.log").read_text()


def test_a_race_tells_its_progress_through_nginx_and_can_be_run_again_elsewhere(
    page, replicas, answers, expect_network_errors
):
    race = RacePage(page, replicas.url).open(step=40)
    race.use_sentence("a race of my own")
    # It is told while most of it is still to come.
    expect(race.progress).to_be_visible()
    page.wait_for_function("() => document.querySelector('progress').value > 20")
    expect_network_errors()
    running = answers[-1]
    assert "/races/" in running.url
    replicas.kill(replicas.of(running))
    expect(race.progress).to_be_hidden()
    message = page.locator('[data-message="text"]')
    expect(message).to_have_text("The server could not finish its answer. Try again.")
    race.expect_state(40)

    page.get_by_role("button", name="Use it").click()
    page.wait_for_url("**text=a+race+of+my+own**")
    race.expect_state(40, text="a race of my own")
    expect(page.locator('[data-notice="offline"]')).to_be_hidden()
    replicas.start(replicas.of(running))


@pytest.fixture(scope="module")
def two_versions(app_server, tmp_path_factory):
    """A replica of this version and one of the next, in which modules and tables have other names."""
    folder = tmp_path_factory.mktemp("next")
    for name in ("app", "attention", "lessons", "widgets"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for changed_file in [*(folder / "widgets").glob("*.mjs"), *(folder / "app" / "static").glob("*.mjs")]:
        changed_file.write_text(changed_file.read_text() + "globalThis.version = 'next';\n")
    core = folder / "attention" / "core.py"
    core.write_text(core.read_text() + "# of the next version\n")
    now, later = app_server(), app_server()
    later.folder = folder
    with Replicas([now, later], tmp_path_factory.mktemp("versions")) as replicas:
        yield replicas


def test_while_replicas_are_replaced_each_page_has_all_of_its_own_version(page, two_versions, answers):
    lab = LabPage(page, two_versions.url).open(LESSON_PAGE, canvas=True)
    mine = two_versions.of(answers[0])
    use_sentences(lab, range(4))
    for figure in page.locator("[data-mount]").all():
        figure.scroll_into_view_if_needed()
        expect(figure).to_have_attribute("data-ready", "canvas")
    versioned = [answer for answer in answers if urlsplit(answer.url).path.startswith(("/static/", "/tables/"))]
    lacking = [answer for answer in versioned if ", " in answer.headers["x-replica"]]
    assert len(lacking) > 5  # the other replica was asked first, and had none
    assert {answer.status for answer in answers} == {200}
    tables = [answer for answer in versioned if "my+words" in answer.url]
    assert len(tables) == 4 and {two_versions.of(answer) for answer in tables} == {mine}


def test_a_page_whose_version_is_gone_says_so_and_can_be_loaded_again(
    page, two_versions, answers, expect_another_version
):
    lab = LabPage(page, two_versions.url).open(LESSON_PAGE, canvas=True)
    mine = two_versions.of(answers[0])
    page.wait_for_load_state("networkidle")  # all that it asks for by itself
    lab.slider.focus()
    lab.press("End")
    two_versions.kill(mine)
    expect_another_version()
    newer = page.locator('[data-notice="newer"]')
    expect(newer).to_be_hidden()
    lab.use_sentence("my own words")
    expect(newer).to_contain_text("newer version")
    expect(lab.root.locator('[data-message="text"]')).to_contain_text("newer version")
    expect(page.locator('[data-notice="offline"]')).to_be_hidden()
    lab.expect_state(d_k=64)
    newer.get_by_role("button", name="Reload").click()
    lab.ready()
    expect(newer).to_be_hidden()
    lab.expect_state(d_k=64)
    use_sentences(lab, range(2), d_k=64)
    two_versions.start(mine)
