"""A page as a browser reads its markup, and what of it could run."""

import re
from html.parser import HTMLParser

from app.headers import script_hash

# Scripts of other types hold data: a browser does not run them.
RUN = {"", "module", "importmap", "text/javascript"}


class Markup(HTMLParser):
    """`elements` as (name, attributes), the `texts` between them, and the `scripts` that stand in the page."""

    def __init__(self, html):
        super().__init__()
        self.elements, self.texts, self.scripts = [], [], []
        self._to = self.texts
        # Data is the greater part of a file, and none of it is markup.
        self.feed(re.sub(r'(<script type="(?:text/plain|application/json)"[^>]*>)[^<]*(?=</script>)', r"\1", html))
        self.close()

    def handle_starttag(self, tag, attrs):
        values = {name: value or "" for name, value in attrs}
        self.elements.append((tag, values))
        if tag == "script" and values.get("type", "") in RUN and "src" not in values:
            self._to = self.scripts

    def handle_endtag(self, tag):
        self._to = self.texts

    def handle_data(self, data):
        self._to.append(data)

    def policy(self):
        """What the page itself says that it may do."""
        (content,) = [values["content"] for _, values in self.elements if "http-equiv" in values]
        return content


def directives(policy):
    """A policy as a dict from each directive to the list of its sources."""
    return {name: sources for name, *sources in (part.split() for part in policy.split(";"))}


def check_scripts(html, policy=None):
    """Scripts run by their hash, and nothing else of the page's markup runs; gives the page and its directives."""
    page = Markup(html)
    allowed = directives(policy or page.policy())
    for name, values in page.elements:
        handlers = [attribute for attribute in values if attribute.startswith("on")]
        assert not handlers, f"<{name}> has {handlers}: listen in a module"
        addresses = [values.get(attribute, "") for attribute in ("href", "src", "action", "formaction", "data")]
        assert not [url for url in addresses if re.match(r"\s*(javascript|vbscript):", url, re.IGNORECASE)], values
        assert "srcdoc" not in values and name not in ("base", "object", "embed", "applet")
    for script in page.scripts:
        assert script_hash(script) in allowed["script-src"], f"no hash for the script {script[:100]!r}"
    said = {source for sources in allowed.values() for source in sources}
    assert "'unsafe-inline'" not in allowed["script-src"]
    assert not said & {"*", "'unsafe-eval'", "'unsafe-hashes'", "http:", "https:"}
    assert allowed["default-src"] == allowed["base-uri"] == allowed["form-action"] == ["'none'"]
    return page, allowed
