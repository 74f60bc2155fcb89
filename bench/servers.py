"""The three servers that are compared, each a process of its own, and what they cost."""

from __future__ import annotations

import http.client
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryFile

ROOT = Path(__file__).resolve().parents[1]
COMMANDS = {
    "ours": ["app", "serve", "--port"],
    "panel": ["bench.panel_page"],
    "vanilla": ["bench.vanilla"],
}
READY_S = 90
TICKS = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")


class Server:
    """A running server on a free port of 127.0.0.1."""

    def __init__(self, name: str, *options: str):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.name = name
        self.url = f"http://127.0.0.1:{self.port}"
        # A file and not a pipe: a pipe that nobody reads fills up and blocks the server.
        self.log = TemporaryFile()
        self.options = options
        self.process = subprocess.Popen(self.command(), cwd=ROOT, stdout=self.log, stderr=self.log)

    def command(self) -> list[str]:
        return [sys.executable, "-m", *COMMANDS[self.name], str(self.port), *self.options]

    def wait_until_ready(self) -> None:
        deadline = time.monotonic() + READY_S
        while not self.answers():
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.log.seek(0)
                raise RuntimeError(f"the {self.name} server does not answer. Its log:\n{self.log.read().decode()}")
            time.sleep(0.1)

    def answers(self) -> bool:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
        try:
            connection.request("GET", "/")
            return connection.getresponse().status < 500
        except OSError:
            return False
        finally:
            connection.close()

    def stop(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.log.close()

    def cpu_ms(self) -> float:
        """Processor time so far, user and system, children included (steps of 10 ms: measure many loads)."""
        return sum(1000 / TICKS * sum(map(int, stat(pid)[11:15])) for pid in family(self.process.pid))

    def rss_mb(self) -> float:
        return sum(PAGE * int(stat(pid)[21]) for pid in family(self.process.pid)) / 1e6

    def pss_mb(self) -> float:
        """What its processes really take: a page that several share counts once."""
        return sum(told(pid, "smaps_rollup", "Pss") for pid in family(self.process.pid)) * 1024 / 1e6

    def threads(self) -> int:
        return sum(told(pid, "status", "Threads") for pid in family(self.process.pid))

    def open_files(self) -> int:
        return sum(len(list(Path(f"/proc/{pid}/fd").iterdir())) for pid in family(self.process.pid))


def stat(pid: int) -> Sequence[str]:
    """The fields of /proc/PID/stat after the name, which may hold spaces."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()


def told(pid: int, file: str, name: str) -> int:
    """A number, most of them in kB, from one of the files that the kernel keeps for each process."""
    return int(Path(f"/proc/{pid}/{file}").read_text().partition(f"\n{name}:")[2].split()[0])


def family(pid: int) -> list[int]:
    """A process and its living descendants."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid, *(member for child in children for member in family(int(child)))]


@contextmanager
def running(*names: str, options: Sequence[str] = ()) -> Iterator[dict[str, Server]]:
    """Start servers by name; end them, and only them, whatever happens."""
    with ExitStack() as stack:
        servers = {}
        for name in names:
            servers[name] = Server(name, *options)
            stack.callback(servers[name].stop)
        for server in servers.values():
            server.wait_until_ready()
        yield servers
