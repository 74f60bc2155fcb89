"""A program that hosts figures, as a process of its own on a free port of 127.0.0.1."""

import os
import socket
import subprocess
import time
from pathlib import Path
from urllib.request import ProxyHandler, build_opener

DIRECT = build_opener(ProxyHandler({}))


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


class HostProcess:
    """`with` starts the command, waits until `asks` answers with 200, and ends it."""

    def __init__(self, command: list[str], *, home: Path, env: dict[str, str], asks: str):
        self.command, self.home, self.asks = command, home, asks
        # A home of its own, so that nothing of the person's settings counts.
        self.env = os.environ | {"HOME": str(home)} | env
        self.log = home / "log.txt"

    def __enter__(self):
        with self.log.open("w") as log:
            self.process = subprocess.Popen(self.command, cwd=self.home, env=self.env, stdout=log, stderr=log)
        deadline = time.monotonic() + 120
        while not self.answers():
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.__exit__()
                raise AssertionError(f"{self.command} did not start. Its log:\n{self.log.read_text()}")
            time.sleep(0.1)
        return self

    def answers(self) -> bool:
        try:
            with DIRECT.open(self.asks, timeout=2) as answer:
                return answer.status == 200
        except OSError:
            return False

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
