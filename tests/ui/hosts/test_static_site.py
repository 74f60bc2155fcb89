"""The static site behind a real nginx, as deploy/nginx-static.conf has it: what is sent, and how it works."""

import gzip
from http.client import HTTPConnection
from urllib.parse import urlsplit
from urllib.request import Request

import pytest
from host_process import DIRECT
from lab_page import LabPage
from nginx import DEPLOY, Nginx, changed
from playwright.sync_api import expect

from app.lessons import LESSONS, all_lessons
from app.site import write_site

pytestmark = pytest.mark.hosts


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The site at the top, and the same once more below an address of a course."""
    folder = tmp_path_factory.mktemp("site")
    write_site(folder, all_lessons(LESSONS))
    (folder / "courses").mkdir()
    (folder / "courses" / "attention").symlink_to(folder, target_is_directory=True)
    return folder


@pytest.fixture(scope="module")
def url(site, tmp_path_factory):
    text = changed((DEPLOY / "nginx-static.conf").read_text(), {"/srv/attention-lessons": str(site)})
    with Nginx(text, tmp_path_factory.mktemp("nginx")) as nginx:
        yield nginx.url


@pytest.fixture(params=["", "/courses/attention"], ids=["at the top", "below an address"])
def base(request, url):
    return url + request.param


def get(address, **headers):
    with DIRECT.open(
        Request(address, headers={name.replace("_", "-"): value for name, value in headers.items()})
    ) as answer:
        return answer.headers, answer.read()


def test_each_kind_of_file_is_sent_as_it_should_be(base, site):
    kinds = {
        ".mjs": "text/javascript",
        ".js": "application/javascript",
        ".css": "text/css",
        ".woff2": "font/woff2",
        ".json": "application/json",
        ".table": "application/octet-stream",
    }
    files = [path for path in (site / "static").iterdir() if path.suffix != ".gz"]
    assert {path.suffix for path in files} == set(kinds)
    for path in {path.suffix: path for path in files}.values():
        headers, body = get(f"{base}/static/{path.name}")
        assert (headers["Content-Type"], body) == (kinds[path.suffix], path.read_bytes()), path.name
        assert headers["Cache-Control"] == "public, max-age=31536000, immutable"
        assert headers["X-Content-Type-Options"] == "nosniff" and headers["Access-Control-Allow-Origin"] == "*"
    for page in ("", "lessons/05-trainable-attention/", "de/embed/attention-lab/", "embed.js"):
        headers, _ = get(f"{base}/{page}")
        assert headers["Cache-Control"] == "no-cache" and headers["X-Content-Type-Options"] == "nosniff", page
        # Who has it already gets nothing.
        with pytest.raises(OSError, match="304"):
            get(f"{base}/{page}", If_None_Match=headers["ETag"])


def test_compressed_copies_are_sent_to_who_takes_them(base, site):
    path = "lessons/05-trainable-attention/"
    plain, page = get(f"{base}/{path}")
    packed, body = get(f"{base}/{path}", Accept_Encoding="gzip")
    assert packed["Content-Encoding"] == "gzip" and body == (site / path / "index.html.gz").read_bytes()
    assert plain["Content-Encoding"] is None and gzip.decompress(body) == page
    assert plain["Vary"] == packed["Vary"] == "Accept-Encoding"


def test_an_address_without_its_slash_leads_to_the_page_through_any_proxy(base):
    parts = urlsplit(base)
    connection = HTTPConnection(parts.netloc, timeout=10)
    connection.request("GET", f"{parts.path}/embed/attention-lab?d_k=3", headers={"Host": "lessons.example.org"})
    answer = connection.getresponse()
    assert (answer.status, answer.headers["Location"]) == (301, f"{parts.path}/embed/attention-lab/?d_k=3")
    connection.close()


def test_it_works_in_a_browser(page, base):
    lab = LabPage(page, base).open("/embed/attention-lab/", canvas=True, d_k=64, scaled=False)
    lab.expect_state(d_k=64, scaled=False)
    page.goto(f"{base}/de/lessons/05-trainable-attention/")
    lab.ready(canvas=True)
    race = page.locator('[data-mount="training-race"]')
    race.scroll_into_view_if_needed()
    expect(race).to_have_attribute("data-ready", "canvas")
    losses = race.locator('[data-table="losses"]')
    before = losses.text_content()
    race.get_by_label("d_k", exact=True).select_option("16")
    expect(losses).not_to_have_text(before)


def test_a_site_that_was_replaced_asks_for_a_reload(page, url, site, expect_another_version):
    folder = site / "edition.json"
    told = folder.read_text()
    assert get(f"{url}/edition.json")[0]["Cache-Control"] == "no-cache"
    LabPage(page, url).open("/lessons/05-trainable-attention/")
    expect_another_version()
    (module,) = (site / "static").glob("memory_wall.*.mjs")
    moved = [
        path.rename(path.with_name(f"old-{path.name}")) for path in (module, module.with_name(f"{module.name}.gz"))
    ]
    folder.write_text(told.replace('"edition": "', '"edition": "next-'))
    page.locator('[data-mount="memory-wall"]').scroll_into_view_if_needed()
    expect(page.locator('[data-notice="newer"]')).to_be_visible()
    expect(page.locator('[data-notice="offline"]')).to_be_hidden()
    folder.write_text(told)
    for path in moved:
        path.rename(path.with_name(path.name.removeprefix("old-")))
