"""A page into which markup got that means harm, wherever it comes from."""

import re

from playwright.sync_api import expect

# At the top of the page's main part, where text of a learner or of a link stands.
INJECTED = """<div style="position: relative; z-index: 99; background: white">
<script>ran.push("script")</script>
<script type="module">ran.push("module")</script>
<script src="https://attacker.example/script.js"></script>
<img src="data:," onerror="ran.push('error')">
<svg onload="ran.push('load')" width="9" height="9"></svg>
<button onclick="ran.push('click')">Click here</button>
<a href="javascript:ran.push('link')">Follow this</a>
<iframe name="sink" width="9" height="9"></iframe>
<form action="https://attacker.example/form" target="sink"><button>Send it</button></form>
<iframe srcdoc="<script>parent.ran.push('frame')</script>" width="9" height="9"></iframe>
<iframe src="https://attacker.example/frame" width="9" height="9"></iframe>
<object data="https://attacker.example/object" width="9" height="9"></object>
<img src="https://attacker.example/image" width="9" height="9">
<link rel="stylesheet" href="https://attacker.example/style.css">
<style>@import "https://attacker.example/import.css"; main { background: url(https://attacker.example/url) }</style>
<base href="https://attacker.example/">
</div>"""
RAN = ["click", "error", "frame", "link", "load", "module", "script"]
WATCH = """window.ran = []; window.stopped = [];
addEventListener("securitypolicyviolation", ({ effectiveDirective }) => stopped.push(effectiveDirective));"""
STOPPED = {"script-src-elem", "script-src-attr", "form-action", "frame-src", "object-src", "img-src", "style-src-elem"}
STOPPED |= {"base-uri"}


class Attacked:
    """A page with that in it, whoever sends it."""

    def __init__(self, page, *, policy=True):
        self.page, self.policy, self.asked = page, policy, []
        page.add_init_script(WATCH)
        page.route("**/*", self.answer)

    def answer(self, route):
        request = route.request
        if "attacker.example" in request.url:
            self.asked.append(request.url)
            return route.abort()
        if not request.is_navigation_request() or request.frame != self.page.main_frame:
            return route.continue_()
        answer = route.fetch()
        headers = dict(answer.headers)
        html, found = re.subn(r'(<main id="main"[^>]*>)', lambda main: main[0] + INJECTED, answer.text())
        assert found == 1
        if not self.policy:
            headers.pop("content-security-policy", None)
            html = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", html)
        return route.fulfill(response=answer, headers=headers, body=html)

    def use(self, url):
        self.page.goto(url)
        # Keys and not clicks: Playwright waits after a click for where it may lead.
        for role, name in (("button", "Click here"), ("link", "Follow this"), ("button", "Send it")):
            self.page.get_by_role(role, name=name).focus()
            self.page.keyboard.press("Enter")
        return self

    def told(self):
        """What ran, what the browser stopped, and which addresses were asked."""
        ran, stopped = self.page.evaluate("() => [ran, stopped]")
        return sorted(ran), set(stopped), self.asked

    def expect_harmless(self, watch):
        """Nothing ran and nobody was asked; the page works, and the browser told of each thing that it stopped."""
        expect(self.page.locator("[data-mount]")).to_have_attribute("data-ready", "canvas")
        self.page.wait_for_function("wanted => wanted.every(name => stopped.includes(name))", arg=sorted(STOPPED))
        assert self.told() == ([], STOPPED, [])
        assert len(watch.problems) >= len(STOPPED)
        # The driver tells of requests that the browser stopped, too; `asked` has those that it sent.
        known = re.compile("Content Security Policy|^outside request: https://attacker.example/")
        assert [problem for problem in watch.problems if not known.search(problem)] == []
        watch.problems.clear()
