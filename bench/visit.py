"""What a first visitor waits for and downloads, and what a visit costs the server."""

from __future__ import annotations

import http.client
import time
from collections import defaultdict
from contextlib import ExitStack
from statistics import median
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Page

from bench.browser import LIMIT_MS, PAGES, address, chromium, fresh_context, wait_for_canvas
from bench.report import Row
from bench.servers import Server, running
from bench.stats import median_and_p95, number

LOADS = 7
BROWSER_LOADS = 12
HTTP_LOADS = 100
WARM_UP = 2
KEY_EVERY_S = 0.01
Figures = dict[str, dict[str, list[float]]]


def measure(rounds: int) -> list[Row]:
    """Load every page `LOADS` times or more, in turns; then count what the servers spent."""
    loads = max(LOADS, rounds)
    times: Figures = defaultdict(lambda: defaultdict(list))
    costs: Figures = defaultdict(lambda: defaultdict(list))
    with chromium() as browser:
        with running("ours", "panel", "vanilla") as servers:
            for turn in range(loads + 1):
                for name in PAGES:
                    found = first_load(browser, address(name, servers))
                    for what, value in found.items() if turn else ():
                        times[name][what].append(value)
        for name in ("lesson", "lab", "panel"):
            # A new server for each page: no memory left over from before.
            with running(PAGES[name][0]) as servers:
                cost(browser, name, servers, costs[name])
    return rows(times, costs, loads)


def first_load(browser: Browser, url: str) -> dict[str, float]:
    """One load with an empty cache, pressing ArrowRight from the moment that there is a slider."""
    with fresh_context(browser) as context:
        page = context.new_page()
        traffic = watch_traffic(page)
        page.goto(url, wait_until="commit")
        press_until_answered(page)
        wait_for_canvas(page)
        time.sleep(0.3)
        return page.evaluate("bench.load") | traffic


def press_until_answered(page: Page) -> None:
    """Press ArrowRight from the moment that there is a slider until the lab answers."""
    deadline = time.monotonic() + LIMIT_MS / 1000
    while not page.evaluate("bench.load.answered") and time.monotonic() < deadline:
        if page.evaluate("bench.load.slider"):
            page.keyboard.press("ArrowRight")
        time.sleep(KEY_EVERY_S)


def watch_traffic(page: Page) -> dict[str, float]:
    """Requests and bytes as sent, headers included; what a websocket carries is counted apart."""
    traffic = {"requests": 0, "kB": 0.0, "socket_kB": 0.0}
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")

    def add(name: str, amount: float) -> None:
        traffic[name] += amount

    session.on(
        "Network.requestWillBeSent",
        lambda event: add("requests", event["request"]["url"].startswith("http")),
    )
    session.on("Network.loadingFinished", lambda event: add("kB", event["encodedDataLength"] / 1000))
    session.on(
        "Network.webSocketFrameReceived",
        lambda event: add("socket_kB", len(event["response"]["payloadData"]) / 1000),
    )
    return traffic


def cost(browser: Browser, name: str, servers: dict[str, Server], costs: dict[str, list[float]]) -> None:
    """Server CPU a load, and memory a visitor while all their pages are still open."""
    (server,) = servers.values()
    url = address(name, servers)
    with ExitStack() as open_pages:
        wanted: list[str] = []
        for count in range(WARM_UP + BROWSER_LOADS):
            if count == WARM_UP:
                cpu, memory = server.cpu_ms(), server.rss_mb()
            page = open_pages.enter_context(fresh_context(browser)).new_page()
            if count == 0:
                page.on("request", lambda request: wanted.append(request.url))
            page.goto(url)
            wait_for_canvas(page)
        time.sleep(1)
        costs["browser_cpu"].append((server.cpu_ms() - cpu) / BROWSER_LOADS)
        costs["memory"].append((server.rss_mb() - memory) / BROWSER_LOADS)
    if name != "panel":
        # Panel's page lives on a websocket, which this does not open; its figure is the browser's.
        cpu = server.cpu_ms()
        for _ in range(HTTP_LOADS):
            fetch_all(server, [address for address in wanted if address.startswith(server.url)])
        costs["http_cpu"].append((server.cpu_ms() - cpu) / HTTP_LOADS)
    costs["rss"].append(server.rss_mb())


def fetch_all(server: Server, urls: list[str]) -> None:
    """What the browser fetched for the page, each file again as for a first visitor."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    try:
        for url in urls:
            parts = urlsplit(url)
            target = parts.path + (f"?{parts.query}" if parts.query else "")
            connection.request("GET", target, headers={"Accept-Encoding": "gzip"})
            answer = connection.getresponse()
            answer.read()
            if answer.status != 200:
                raise RuntimeError(f"{url} was answered with {answer.status}")
    finally:
        connection.close()


def rows(times: Figures, costs: Figures, loads: int) -> list[Row]:
    def row(what: str, key: str, wanted: str = "", *, source: Figures = times, spread: bool = False) -> Row:
        lists = {name: found[key] for name, found in source.items() if found[key]}
        middle = {name: median(values) for name, values in lists.items()}
        show = median_and_p95 if spread else lambda values: number(median(values))
        return Row(what, {name: show(values) for name, values in lists.items()}, wanted, middle)

    waiting = f"median / p95 of {loads} loads, ms"
    return [
        row("first load: requests", "requests"),
        row("first load: as sent, kB", "kB", "≤ 900"),
        row("first load: over the websocket, kB", "socket_kB"),
        row(f"first load → read-outs on the page: {waiting}", "readouts", "< 442", spread=True),
        row(f"first load → the lab answers a key: {waiting}", "answered", "< 442", spread=True),
        row(f"first load → heatmap painted: {waiting}", "canvas", spread=True),
        row(f"server CPU a page load, {HTTP_LOADS} over plain HTTP, ms", "http_cpu", "≤ 45", source=costs),
        row(f"server CPU a page load, {BROWSER_LOADS} by a browser, ms", "browser_cpu", "≤ 45", source=costs),
        row(f"server memory a visitor, {BROWSER_LOADS} pages open, MB", "memory", source=costs),
        row("server memory afterwards (RSS), MB", "rss", source=costs),
    ]
