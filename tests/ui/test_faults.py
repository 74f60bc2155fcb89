"""A server that is killed, a line that is cut or silent, a laptop that sleeps: the page goes on, and recovers."""

import os
import re
import signal
import time
from contextlib import contextmanager

import pytest
from cut_proxy import CutProxy
from faulty_app import FAIL_PAGE, FAIL_RACE, FAIL_TABLE, SLOW_RACE
from host_process import DIRECT
from lab_page import LESSON_PAGE, LabPage
from playwright.sync_api import expect
from race_page import RacePage

NEED = "need the server"
# 20 s without an answer, and 5 s without word from the server, pass at once.
HURRY = """{
  const every = setInterval;
  window.setInterval = (call, ms) => every(call, ms === 1000 ? 20 : ms);
  const timeout = AbortSignal.timeout;
  AbortSignal.timeout = () => timeout.call(AbortSignal, 300);
}"""
# This browser is never hidden: what a page is told at such a moment is told by hand.
WAKES = """() => {
  const { now } = Date;
  Date.now = () => now() + 5 * 3600 * 1000;
  document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
}"""
# Some a little later, and so at another moment of the page's start.
RELOADS = """{
  const n = Number(sessionStorage.getItem("n"));
  if (n < 30) {
    sessionStorage.setItem("n", n + 1);
    setTimeout(() => location.reload(), (n % 6) * 20);
  } else window.last = true;
}"""


@pytest.fixture(scope="module")
def faulty(app_server):
    faulty = app_server()
    faulty.command[faulty.command.index("app")] = "tests.support.faulty_app"
    faulty.start()
    yield faulty
    faulty.stop()


@pytest.fixture
def server(faulty):
    yield faulty
    if faulty.process.poll() is not None:  # a test that failed left it killed
        faulty.start()


@pytest.fixture
def offline(page):
    return page.locator('[data-notice="offline"]')


def kill(server):
    server.process.kill()
    server.process.wait()


def hold(page, pattern):
    """Hold back what the page asks for; `page.unroute(pattern)` lets it go."""
    page.route(pattern, lambda route: None)
    return pattern


@contextmanager
def asleep(browser):
    """Every page's process stands still, as on a laptop that sleeps."""
    told = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
    pages = [process["id"] for process in told if process["type"] == "renderer"]
    for pid in pages:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in pages:
            os.kill(pid, signal.SIGCONT)


def until(holds):
    deadline = time.monotonic() + 30
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def metric(server, name):
    text = DIRECT.open(f"{server.url}/metrics", timeout=10).read().decode()
    return float(re.search(rf"^attention_lessons_{re.escape(name)} (\S+)$", text, re.MULTILINE)[1])


def test_killed_while_a_module_loads_and_a_race_runs_the_page_goes_on_and_recovers(
    page, server, offline, expect_network_errors
):
    module = hold(page, "**/static/memory_wall.*.mjs")
    lab = LabPage(page, server.url).open(LESSON_PAGE)
    wall, race = (page.locator(f'[data-mount="{name}"]') for name in ("memory-wall", "training-race"))
    with page.expect_request(module):
        wall.scroll_into_view_if_needed()
    race.scroll_into_view_if_needed()
    expect(race).to_have_attribute("data-ready", "canvas")
    race.get_by_label("Race with your own sentence").fill(SLOW_RACE)
    race.get_by_role("button", name="Use it").click()
    expect(race.get_by_role("progressbar", name="Racing")).to_be_visible()

    expect_network_errors()
    kill(server)
    page.unroute(module)
    expect(offline).to_be_visible()
    expect(race.locator('[data-message="text"]')).to_contain_text(NEED)
    expect(race.locator("[data-progress]")).to_be_hidden()
    race.get_by_role("slider", name="step").press("End")
    expect(race.locator('[data-text="so-far"]')).to_contain_text("300")
    lab.scale.click()
    lab.slider.press("End")
    lab.fault.select_option("shared_projection")
    lab.row.select_option("3")
    lab.expect_state(d_k=64, scaled=False, fault="shared_projection", row=3)
    lab.table.locator("tr[data-q='2'] td").first.click()
    lab.use_sentence("my own words")
    expect(lab.root.locator('[data-message="text"]')).to_contain_text(NEED)
    expect(offline).to_contain_text("your own sentence and other seeds need the server")
    lab.expect_state(d_k=64, scaled=False, fault="shared_projection", row=2)
    expect(wall.locator("[data-kpi]").first).to_be_visible()

    server.start()
    expect(offline).to_be_hidden()
    wall.scroll_into_view_if_needed()
    expect(wall).to_have_attribute("data-ready", "canvas")
    lab.use_sentence("my own words")
    expect(lab.root.get_by_text("peak weight of ‘words’")).to_be_visible()
    lab.expect_state(d_k=64, scaled=False, fault="shared_projection", row=2, text="my own words")


def test_killed_before_the_page_or_its_plots_are_there_both_come_with_the_server(
    page, new_context, server, expect_network_errors
):
    other = new_context().new_page()
    bokeh, modules = hold(page, "**/static/bokeh.*"), hold(other, "**/static/page.*.mjs")
    with page.expect_request(bokeh):
        lab = LabPage(page, server.url).open(d_k=3)
    with other.expect_request(modules):
        other.goto(f"{server.url}/embed/attention-lab?d_k=5", wait_until="commit")

    expect_network_errors()
    kill(server)
    page.unroute(bokeh)
    other.unroute(modules)
    lab.slider.press("End")
    lab.expect_state(d_k=64)
    expect(page.locator("[data-mount]")).to_have_attribute("data-ready", "controls")
    expect(other.get_by_text("This page starts by itself")).to_be_visible()

    server.start()
    LabPage(other, server.url).ready(canvas=True).expect_state(d_k=5)
    lab.ready(canvas=True).expect_state(d_k=64)


def test_a_line_that_is_cut_or_silent_is_told_and_works_again_once_it_heals(new_context, server, expect_network_errors):
    page = new_context().new_page()
    page.add_init_script(HURRY)
    offline = page.locator('[data-notice="offline"]')
    with CutProxy(server.port) as proxy:
        lab = LabPage(page, proxy.url).open(canvas=True, d_k=7)
        expect_network_errors()
        message = page.locator('[data-message="text"]')
        for fault, text in ((proxy.cut, "one short cut"), (proxy.silence, "two silent minutes")):
            fault()
            lab.use_sentence(text)
            expect(message).to_contain_text(NEED)
            expect(offline).to_be_visible()
            lab.slider.press("ArrowRight")
            proxy.heal()
            expect(offline).to_be_hidden()
            lab.use_sentence(text)
            expect(page.get_by_text(f"peak weight of ‘{text.split()[1]}’")).to_be_visible()
        lab.expect_state(d_k=9, text="two silent minutes")

        # Asleep for hours, and woken where there is no network: nobody has to touch anything.
        proxy.cut()
        with asleep(page.context.browser):
            pass
        page.evaluate(WAKES)
        expect(offline).to_be_visible()
        proxy.heal()
        expect(offline).to_be_hidden()
        lab.expect_state(d_k=9, text="two silent minutes")


def test_a_race_that_ended_while_its_page_stood_still_is_shown_when_it_goes_on(page, server):
    race = RacePage(page, server.url).open(step=50)
    race.use_sentence(SLOW_RACE)
    expect(race.progress).to_be_visible()
    with asleep(page.context.browser):
        until(lambda: metric(server, 'queue_length{work="races"}') == 0)
    page.wait_for_url("**text=a+slow+race**")
    race.expect_state(50, text=SLOW_RACE)
    expect(race.message).to_have_text("")


def test_what_fails_in_the_server_is_told_logged_once_and_no_more(page, server, watch):
    watch.expected = re.compile("status of 500|ERR_INCOMPLETE_CHUNKED_ENCODING")
    before = server.log.read_text().count("A request failed.")
    broken = "The server could not finish its answer. Try again."
    answer = page.goto(f"{server.url}/embed/attention-lab?text={FAIL_PAGE.replace(' ', '+')}")
    assert answer.status == 500
    expect(page.get_by_role("heading", name="That did not work")).to_be_visible()
    lab = LabPage(page, server.url).open(d_k=5)
    lab.use_sentence(FAIL_TABLE)
    expect(page.locator('[data-message="text"]')).to_have_text(broken)
    lab.slider.press("End")
    lab.expect_state(d_k=64)
    lab.use_sentence("my own words")
    lab.expect_state(d_k=64, text="my own words")
    race = RacePage(page, server.url).open(step=50)
    race.use_sentence(FAIL_RACE)
    expect(page.locator('[data-message="text"]')).to_have_text(broken)
    race.expect_state(50)
    written = server.log.read_text()
    assert written.count("A request failed.") - before == 3
    assert "RuntimeError" in written and not re.search("fail the|my own|slow race", written)


def test_thirty_reloads_in_a_row_leave_the_page_as_it_was_and_nothing_behind(new_context, server):
    errors = metric(server, "errors_total")
    page = new_context().new_page()
    page.add_init_script(RELOADS)
    loads = []
    page.on("request", lambda request: loads.append(request) if request.is_navigation_request() else None)
    page.goto(f"{server.url}/embed/attention-lab?d_k=9&scaled=0", wait_until="commit")
    page.wait_for_function("() => window.last")
    assert len(loads) == 31
    LabPage(page, server.url).ready(canvas=True).expect_state(d_k=9, scaled=False)
    expect(page.locator('[data-notice="offline"]')).to_be_hidden()
    assert metric(server, "errors_total") == errors
    until(lambda: metric(server, "connections") < 20)


def test_a_module_that_was_lost_on_its_way_comes_all_the_same(page, app_url, expect_network_errors):
    expect_network_errors()
    page.route("**/static/lesson.*.mjs", lambda route: route.abort("connectionreset"), times=1)
    LabPage(page, app_url).open(LESSON_PAGE)
    expect(page.locator("[data-lesson] [data-done]")).to_have_text(re.compile("0 of 2"))
    expect(page.locator('[data-notice="offline"]')).to_be_hidden()


def test_figures_that_a_live_server_cannot_give_are_not_asked_for_in_a_rush(new_context, app_url, watch):
    watch.expected = re.compile("status of 500")
    page = new_context().new_page()
    # What waits for two seconds or more waits for ever: nothing is asked for twice.
    page.add_init_script("{ const set = setTimeout; window.setTimeout = (call, ms) => ms >= 2000 || set(call, ms); }")
    names, asked = ("memory-wall", "training-race"), []
    for name in names:
        page.route(f"**/tables/{name}?*", lambda route: (asked.append(route), route.fulfill(status=500)))
    LabPage(page, app_url).open(LESSON_PAGE)
    for name in names:
        with page.expect_response("**/healthz"):
            page.locator(f'[data-mount="{name}"]').scroll_into_view_if_needed()
    expect(page.locator('[data-notice="offline"]')).to_be_visible()
    page.locator('[data-mount="variance-law"]').scroll_into_view_if_needed()
    expect(page.locator('[data-mount="variance-law"]')).to_have_attribute("data-ready", "canvas")
    assert len(asked) == len(names)
