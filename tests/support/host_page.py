"""Pages that embed ours, served from another origin: 127.0.0.1 with another port."""

from http.server import BaseHTTPRequestHandler
from urllib.parse import urlsplit

from local_server import LocalServer

PAGE = """<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>A course page</title>
<link rel="icon" href="data:,"><body style="margin: 0">{body}</body></html>"""

# Keeps what each frame says, and says things to it: say(0, {type: "reset"}) in the protocol, post(0, …) anything.
FOLLOW = """<script>
window.heard = [];
const frames_ = () => [...document.querySelectorAll("iframe")];
addEventListener("message", ({ source, data }) =>
  heard.push([frames_().findIndex((el) => el.contentWindow === source), data]));
const of = (type, frame = 0) => heard.filter(([i, data]) => i === frame && data.type === type).map(([, data]) => data);
const post = (frame, data) => frames_()[frame].contentWindow.postMessage(data, "*");
const say = (frame, message) => post(frame, { protocol: "attention-lessons/1", ...message });
</script>"""


class HostServer(LocalServer):
    """`with HostServer() as host:` `host.put(body)` gives the address of a page with that body."""

    def __init__(self):
        self.pages = pages = {}

        class Answer(BaseHTTPRequestHandler):
            def do_GET(self):
                html = pages.get(urlsplit(self.path).path)
                self.send_response(200 if html else 404)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.end_headers()
                self.wfile.write((html or "").encode())

            def log_message(self, *_):
                pass

        super().__init__(Answer)

    def put(self, body, *, template=PAGE):
        path = f"/{len(self.pages)}"
        self.pages[path] = template.replace("{body}", body)
        return self.url + path


class HostPage:
    """Such a page in the browser, and what its frames tell it."""

    def __init__(self, page, host, body):
        self.page = page
        page.goto(host.put(FOLLOW + body))

    def heard(self, type, frame=0):
        return self.page.evaluate("([type, frame]) => of(type, frame)", [type, frame])

    def wait(self, type, frame=0, *, count=1):
        """The last message of a type, once there are so many."""
        self.page.wait_for_function(
            "([type, frame, count]) => of(type, frame).length >= count", arg=[type, frame, count], timeout=20_000
        )
        return self.heard(type, frame)[-1]

    def forget(self):
        self.page.evaluate("heard.length = 0")

    def say(self, type, frame=0, **values):
        self.page.evaluate("([frame, message]) => say(frame, message)", [frame, {"type": type, **values}])

    def answer(self, type, frame=0, *, told, count=1, **values):
        """Say something, and give the last answer of the type `told`."""
        self.forget()
        self.say(type, frame, **values)
        return self.wait(told, frame, count=count)

    def frame(self, number=0):
        """The page in a frame."""
        return self.page.locator("iframe").nth(number).content_frame

    def settle(self, frame=0):
        """Ask, and wait for the answer: what was said before has had its effect."""
        self.forget()
        self.say("get", frame, id="settle")
        # Not any state: that of an earlier order may be told first.
        mine = "frame => of('state', frame).find(({ id }) => id === 'settle')"
        return self.page.wait_for_function(mine, arg=frame, timeout=20_000).json_value()

    def standing(self):
        """Where the host page's own focus and scrolling are."""
        return self.page.evaluate("[document.activeElement.id || document.activeElement.tagName, scrollX, scrollY]")
