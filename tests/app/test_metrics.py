"""The numbers as Prometheus reads them, over all workers."""

import os
import re
import time

import pytest
from prometheus_client.parser import text_string_to_metric_families
from served import SMALL, Served

from app import __version__, handlers, health, table_handlers
from app.metrics import BUCKETS, FAMILIES, PREFIX, ROUTES, STATUSES, WORK, Metrics
from app.services import Services
from app.watched import Watched


def read(text):
    """Samples by name and labels, as the official parser finds them."""
    found = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            assert sample.name.startswith(PREFIX)
            key = (sample.name.removeprefix(PREFIX), *sample.labels.values())
            assert key not in found
            found[key] = sample.value
    return found


def test_the_text_is_what_prometheus_reads():
    metrics = Metrics()
    metrics.count("requests_total", "/", "200")
    metrics.count("requests_total", "/", "200")
    metrics.count("requests_total", "/", "418")
    metrics.set("connections", 7)
    for seconds in (0.001, 0.005, 0.3, 100):
        metrics.observe("work_seconds", seconds, "races")
    found = read(metrics.text())
    assert found["requests_total", "/", "200"] == 2 and found["requests_total", "/", "other"] == 1
    assert found["connections",] == 7 and found["build_info", __version__] == 1
    counts = [found["work_seconds_bucket", "races", str(bound)] for bound in BUCKETS]
    assert counts == [2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3]
    assert found["work_seconds_bucket", "races", "+Inf"] == found["work_seconds_count", "races"] == 4
    assert found["work_seconds_sum", "races"] == pytest.approx(100.306)
    kinds = dict(re.findall(r"^# TYPE (\S+) (\S+)$", metrics.text(), re.MULTILINE))
    assert all(kinds[PREFIX + family.name] == family.kind for family in FAMILIES)


def test_what_is_not_counted_yet_is_told_as_0_where_somebody_waits_for_it():
    found = read(Metrics().text())
    assert found["errors_total",] == 0 and all(found["busy_total", work] == 0 for work in WORK)
    assert not any(name == "requests_total" for name, *_ in found)


def test_processes_that_were_forked_count_into_one_sum():
    metrics = Metrics(3)
    for row in range(3):
        if (pid := os.fork()) == 0:
            try:
                metrics.use(row)
                for _ in range(row + 1):
                    metrics.count("errors_total")
                metrics.observe("work_seconds", 0.5, "tables")
                metrics.set("connections", 10)
            finally:
                os._exit(0)
        os.waitpid(pid, 0)
    found = read(metrics.text())
    assert found["errors_total",] == 6 and found["connections",] == 30
    assert found["work_seconds_count", "tables"] == 3 and found["work_seconds_sum", "tables"] == 1.5


def test_who_takes_a_lost_workers_place_goes_on_counting_and_has_no_connections_yet():
    metrics = Metrics()
    metrics.count("errors_total")
    metrics.set("connections", 5)
    metrics.use(0)
    found = read(metrics.text())
    assert found["errors_total",] == 1 and found["connections",] == 0


def test_every_handler_has_a_route_that_is_counted():
    def below(cls):
        return {cls}.union(*(below(child) for child in cls.__subclasses__()))

    ours = {
        cls for cls in below(Watched) if cls.__module__ in (handlers.__name__, health.__name__, table_handlers.__name__)
    }
    assert {cls.route for cls in ours} == set(ROUTES) and len(ours) >= len(ROUTES)
    assert "500" in STATUSES and Services().metrics is not Services().metrics


@pytest.fixture(scope="module")
def served():
    served = Served("--workers", "2", *SMALL)
    yield served
    served.stop()


def scrape(served):
    answer, body = served.get("/metrics")
    assert answer.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
    return read(body.decode())


def test_a_scrape_of_any_worker_has_the_sums_of_all(served):
    pages = 40
    for _ in range(pages):
        assert served.get("/embed/attention-lab")[0].status == 200
    served.get("/tables/attention-lab?text=own+words&seed=3")
    key = "page_loads_total", "/embed/{figure}"
    # A worker counts just after it has answered.
    deadline = time.monotonic() + 60
    while scrape(served)[key] < pages and time.monotonic() < deadline:
        pass
    for _ in range(6):
        found = scrape(served)
        assert found[key] == found["requests_total", "/embed/{figure}", "200"] == pages
        assert found["request_seconds_count", "/embed/{figure}"] == pages
        assert found["work_seconds_count", "tables"] == 1 and found["queue_length", "tables"] == 0
    if os.path.exists("/proc/self/stat"):
        assert all(found["memory_bytes", worker] > 10_000_000 for worker in "01")
        assert found["cpu_seconds_total", "0"] > 0
    assert b"own" not in served.get("/metrics")[1]


def test_only_those_who_were_named_may_read(served):
    answer, body = served.get("/metrics", X_Forwarded_For="203.0.113.7")
    assert answer.status == 404 and b"attention_lessons" not in body
