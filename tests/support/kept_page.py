"""One page for many tests: where BokehJS has been compiled once, a figure loads in half the time of a new page."""

from urllib.parse import urlsplit

from playwright.sync_api import Error

VIEWPORT = {"width": 1280, "height": 720}


class KeptPage:
    """Lends its page to one test after another and clears it in between. What cannot be cleared is thrown away."""

    def __init__(self, new_context):
        self.new_context = new_context
        self.page = None
        self.spent = False

    def lend(self):
        if self.page is None:
            self.page, self.spent = self.new_context(viewport=VIEWPORT).new_page(), False
            for place in (self.page, self.page.context):
                place.add_init_script = self.spending(place.add_init_script)
        return self.page

    def spending(self, add):
        def add_and_note(*args, **options):
            self.spent = True  # nothing takes such a script away again
            add(*args, **options)

        return add_and_note

    def take_back(self, *, failed):
        try:
            if not (failed or self.spent or self.page.is_closed()):
                return self.clear(self.page, self.page.context)
        except Error:
            pass  # a page that forbids its storage, say
        return self.drop()

    def clear(self, page, context):
        for other in context.pages:
            if other is not page:
                other.close()
        for place in (page, context):
            place.unroute_all(behavior="ignoreErrors")
        if urlsplit(page.url).scheme in ("http", "https"):
            page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
        page.mouse.move(0, 0)  # elsewhere it would hover over something of the next test
        page.goto("about:blank")
        page.set_viewport_size(VIEWPORT)
        page.emulate_media(media="null", color_scheme="null", reduced_motion="null", forced_colors="null")
        context.clear_cookies()
        context.clear_permissions()

    def drop(self):
        if self.page is not None:
            self.page.context.close()
            self.page = None
