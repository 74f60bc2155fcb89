"""`python -m app serve` as a process of its own, asked without a browser."""

import re
import signal
import subprocess
import sys
from http.client import HTTPConnection
from pathlib import Path

ROOT = Path(__file__).parents[2]
# One short lesson with one figure: with it a server starts in a third of the time.
SMALL = ("--lessons", str(ROOT / "tests" / "ui" / "lessons"))


class Served:
    """A server, told to stop by `stop`; `with` ends it whatever happens."""

    def __init__(self, *options):
        command = [sys.executable, "-u", "-m", "app", "serve", "--port", "0", *options]
        self.process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        told = self.process.stdout.readline()
        self.port = int(re.search(r"http://127.0.0.1:(\d+)/lessons", told)[1])

    def get(self, path, method="GET", **headers):
        connection = HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request(method, path, headers={name.replace("_", "-"): value for name, value in headers.items()})
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        return answer, body

    def stop(self):
        """Tell it to stop; returns the exit status and all that it wrote."""
        self.process.send_signal(signal.SIGTERM)
        out, err = self.process.communicate(timeout=60)
        return self.process.returncode, out + err

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate(timeout=60)
