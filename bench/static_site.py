"""The static site through a real nginx, beside the server: `python -m bench.static_site [--seconds 20]`.

Both answer whole visits, one after another on several connections, as fast as they can. Needs nginx (on Debian
nginx-light).
"""

from __future__ import annotations

import argparse
import asyncio
import os
import shutil
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from app.cli import main as command
from bench.browser import chromium
from bench.client import Connection
from bench.learner import Visit
from bench.lesson_page import LESSON, record
from bench.load import whole
from bench.report import markdown, print_report
from bench.servers import ROOT, Server, running
from bench.stats import percentile

CONF = ROOT / "deploy" / "nginx-static.conf"
MAIN = """{user}
daemon off;
worker_processes {workers};
pid nginx.pid;
error_log error.log;
events {{ worker_connections 1024; }}
http {{
    include /etc/nginx/mime.types;
    access_log off;
    client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi;
    uwsgi_temp_path uwsgi; scgi_temp_path scgi;
    include site.conf;
}}
"""
HEAD = ["measured", "static site, nginx", "server", "nginx ÷ server"]


class Nginx(Server):
    """nginx with the project's configuration for the site, on a free port, writing into a folder of its own."""

    def __init__(self, site: Path, folder: Path, workers: int) -> None:
        # Debian keeps it where only root looks.
        self.program = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
        if self.program is None:
            raise RuntimeError("no nginx on this machine; run: apt-get install nginx-light")
        self.site, self.folder, self.workers = site, folder, workers
        super().__init__("nginx")

    def command(self) -> list[str]:
        # As root it would give its workers to a user who may not read here.
        user = "user root;" if os.geteuid() == 0 else ""
        (self.folder / "nginx.conf").write_text(MAIN.format(user=user, workers=self.workers))
        conf = CONF.read_text("utf-8").replace("listen 8080;", f"listen 127.0.0.1:{self.port};")
        (self.folder / "site.conf").write_text(conf.replace("/srv/attention-lessons", str(self.site)))
        return [str(self.program), "-p", f"{self.folder}/", "-c", "nginx.conf", "-e", "error.log"]


@contextmanager
def site_through_nginx(workers: int) -> Iterator[Nginx]:
    """Export the site and serve it."""
    with TemporaryDirectory() as made:
        site, folder = Path(made) / "site", Path(made) / "nginx"
        folder.mkdir()
        # nginx's own user may look into it.
        Path(made).chmod(0o755)
        print("exporting the site ...", file=sys.stderr, flush=True)
        if command(["export", str(site), "--site", "--quiet"]):
            raise RuntimeError("the site could not be exported")
        server = Nginx(site, folder, workers)
        try:
            server.wait_until_ready()
            yield server
        finally:
            server.stop()


async def visits(server: Server, visit: Visit, seconds: float, at_once: int) -> dict[str, float]:
    """Whole visits, `at_once` at a time, for so long."""
    times: list[float] = []
    requests = size = count = 0
    targets = (visit.page, *visit.opening, *visit.reading)

    async def visitor() -> None:
        nonlocal requests, size, count
        while time.monotonic() < end:
            connection = Connection(server.port)
            try:
                for target in targets:
                    answer = await connection.get(target)
                    times.append(answer.seconds)
                    size += answer.bytes
            finally:
                connection.close()
            count += 1
            requests += len(targets)

    start, cpu = time.monotonic(), server.cpu_ms()
    end = start + seconds
    await asyncio.gather(*(visitor() for _ in range(at_once)))
    took = time.monotonic() - start
    return {
        "visits a second": count / took,
        "requests a second": requests / took,
        "CPU a visit, ms": (server.cpu_ms() - cpu) / count,
        "an answer, median, ms": 1000 * percentile(times, 0.5),
        "an answer, p95, ms": 1000 * percentile(times, 0.95),
        "requests a visit": float(len(targets)),
        "as sent a visit, kB": size / count / 1000,
        "memory (PSS), MB": server.pss_mb(),
    }


def measure(seconds: int, at_once: int, workers: int) -> str:
    """Both in turns; the table."""
    options = ("--workers", str(workers))
    with site_through_nginx(workers) as nginx, running("ours", options=options) as servers:
        both = {nginx: f"{LESSON}/", servers["ours"]: LESSON}
        with chromium() as browser:
            noted = {server: record(browser, server.url + path) for server, path in both.items()}
        found = []
        for server, visit in noted.items():
            asyncio.run(visits(server, visit, 1, at_once))  # each process has answered
            found.append(asyncio.run(visits(server, visit, seconds, at_once)))
    site, ours = found
    lines = [[what, f"{site[what]:.4g}", f"{ours[what]:.4g}", f"{site[what] / ours[what]:.2f}"] for what in site]
    return markdown(HEAD, lines)


def main(argv: Sequence[str] | None = None) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m bench.static_site", description="Measure the site behind nginx.")
    parser.add_argument("--seconds", type=whole(1, 600), default=20, metavar="S", help="of each (default: 20)")
    parser.add_argument("--at-once", type=whole(1, 200), default=8, metavar="N", help="visitors (default: 8)")
    parser.add_argument("--workers", type=whole(1, 64), default=2, metavar="N", help="processes of each (default: 2)")
    arguments = parser.parse_args(argv)
    return print_report(
        lambda: measure(arguments.seconds, arguments.at_once, arguments.workers), "clients on the same cores"
    )


if __name__ == "__main__":
    sys.exit(main())
