"""A learning platform: a page with a SCORM run-time that opens a package in a frame and keeps what it is told."""

import io
import json
import subprocess
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from zipfile import ZipFile

from doing_page import Doing
from lab_page import LabPage
from playwright.sync_api import expect

DOING = Path(__file__).parents[1] / "ui" / "lessons" / "01_doing"
NOT_KEPT = "does not keep your answers now"
RUNTIME = "scorm-again@3.4.3"
VERSIONS = {"1.2": ("scorm12", "Scorm12API", "API"), "2004": ("scorm2004", "Scorm2004API", "API_1484_11")}
# The run-time, with a list of all calls: name, arguments, answer.
HOST = """<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>Platform</title><link rel="icon" href="data:,">
<style>body { margin: 0 } iframe { border: 0; width: 100%; height: 760px }</style>
<script src="/runtime/SCRIPT.min.js"></script>
<script>
const api = new MAKER({ lmsCommitUrl: "/commit", terminateCommitParam: "over" });
const stored = STORED;
if (stored) api.loadFromJSON(stored);
const calls = [];
window.NAME = new Proxy(api, {
  get(target, name) {
    if (typeof target[name] !== "function") return target[name];
    return (...values) => {
      const answer = target[name](...values);
      calls.push([name.replace("LMS", ""), ...values, String(answer)]);
      return answer;
    };
  },
});
</script>
<iframe name="lesson" src="FRAME"></iframe>"""


def install_runtime(folder):
    """The run-time's scripts, from npm."""
    command = ["npm", "install", "--prefix", str(folder), "--ignore-scripts", "--no-audit", "--no-fund", RUNTIME]
    done = subprocess.run(command, capture_output=True, text=True, timeout=180)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stderr}"
    return folder / "node_modules" / "scorm-again" / "dist"


class Files:
    """A local server of files held in memory; what is posted to it is kept. `with` starts and ends it."""

    def __init__(self):
        self.files, self.posted, self.over = {}, [], Event()
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), self.handler())
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def handler(files):
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                found = files.files.get(self.path.partition("?")[0])
                kind = "text/javascript" if self.path.endswith(".js") else "text/html; charset=utf-8"
                self.answer(200 if found is not None else 404, kind, found or b"")

            def do_POST(self):
                files.posted.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                self.answer(200, "application/json", b'{"result": true, "errorCode": 0}')
                if self.path.endswith("?over=true"):
                    files.over.set()

            def answer(self, status, kind, body):
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        return Handler

    def __enter__(self):
        self.thread = Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()


class Platform(Files):
    """What an administrator does with it: upload a package, open it again with what was stored."""

    def __init__(self, runtime):
        super().__init__()
        for name, *_ in VERSIONS.values():
            self.files[f"/runtime/{name}.min.js"] = (runtime / f"{name}.min.js").read_bytes()

    def upload(self, name, package):
        with ZipFile(io.BytesIO(package)) as zipped:
            self.files |= {f"/{name}/{file}": zipped.read(file) for file in zipped.namelist()}
        return f"/{name}/index.html"

    def host(self, version, frame, stored=None):
        """The address of the page that a learner opens."""
        self.posted.clear()
        self.over.clear()
        script, maker, name = VERSIONS[version]
        names = {"SCRIPT": script, "MAKER": maker, "NAME": name, "STORED": json.dumps(stored), "FRAME": frame}
        text = HOST
        for key, value in names.items():
            text = text.replace(key, value)
        self.files["/host"] = text.encode()
        return f"{self.url}/host"

    @property
    def stored(self):
        """The last that the run-time sent to its server."""
        return self.posted[-1]["cmi"]

    def close(self, lesson):
        """The learner leaves the lesson, this page stays. What is stored then: browsers send it when they like."""
        lesson.page.goto("about:blank")
        assert self.over.wait(10), "the platform was not told that the learner left"
        return self.stored


class Placed(Doing):
    """A lesson in a frame of the platform's page."""

    def __init__(self, page):
        expect(page.locator("iframe")).to_be_attached()
        LabPage.__init__(self, page.frame("lesson"), "")
        self.progress = self.page.get_by_role("region", name="Your progress")
        expect(self.progress).to_contain_text("Start over")
        self.ready()

    def press(self, key, times=1):
        for _ in range(times):
            self.page.page.keyboard.press(key)

    def do_checkpoint(self):
        for _ in range(2):  # without the scale, then with it
            self.scale.click()
            self.slider.fill("8")
            self.slider.fill("64")
        expect(self.progress).to_contain_text("Checkpoint: 2 of 2 tasks done.")
