"""Hosts, links and addresses that mean harm change nothing and break nothing."""

import socket
from urllib.parse import quote, urlencode, urlsplit

import pytest
from host_page import HostPage, HostServer
from lab_page import LabPage
from playwright.sync_api import expect

from app.figures import FIGURES
from widgets.state import LabState

ATTACKS = (
    """"><script>top.hacked = 1; parent.hacked = 1; hacked = 1</script>""",
    """javascript:hacked=1//'-alert(1)-'</style></script><img src=x onerror="hacked = 1">*{display:none}""",
)
LOOK = ("hide", "lock", "view", "theme", "lang")


@pytest.fixture(scope="module")
def host():
    with HostServer() as server:
        yield server


@pytest.mark.parametrize("attack", ATTACKS, ids=["script", "others"])
def test_markup_in_every_parameter_of_every_figure_is_text(attack, page, host, app_url):
    frames = []
    for name, figure in FIGURES.items():
        query = urlencode(dict.fromkeys((*figure.State.names(), *LOOK), attack) | {attack: attack}, quote_via=quote)
        frames.append(f'<iframe src="{app_url}/embed/{name}?{query}#{name}?d_k={quote(attack)}" height="90"></iframe>')
    # Out of view no figure draws, which is not what this is about: nine at once would take long.
    hostile = HostPage(page, host, '<div style="height: 4000px"></div>' + "".join(frames))
    for number, (name, figure) in enumerate(FIGURES.items()):
        ready = hostile.wait("ready", number)
        assert (ready["figure"], ready["state"]) == (name, figure.State.default())
        frame = hostile.frame(number)
        notice = frame.locator('[data-notice="link"] li').all_inner_texts()
        # Each name of the state and hide, lock, view; `theme` is of both, `lang` says nothing yet.
        for given in (*figure.State.names(), "hide", "lock", "view"):
            assert any(line.startswith(f"{given}=") for line in notice), (name, given, notice)
        assert frame.locator("html").evaluate("() => [window.hacked, document.querySelectorAll('img').length]") == [
            None,
            0,
        ]
        expect(frame.locator("[data-eager] .fig")).not_to_have_css("display", "none")
    assert page.evaluate("[window.hacked, scrollY]") == [None, 0]


def test_malformed_and_foreign_messages_change_nothing(page, host, app_url):
    src = f"{app_url}/embed/attention-lab"
    hostile = HostPage(
        page,
        host,
        f'<iframe src="{src}" width="1000" height="900"></iframe><iframe id="other" srcdoc="<p>Other</p>"></iframe>',
    )
    hostile.wait("ready")
    page.evaluate("""() => {
      const protocol = "attention-lessons/1";
      const state = { d_k: 40 };
      const loop = { protocol, type: "set", state: {} };
      loop.state.d_k = loop;
      let deep = 1;
      for (let i = 0; i < 500; i++) deep = [deep];
      const junk = [
        null, undefined, 1, "", "set", [], {}, [protocol], new Map([["protocol", protocol]]), new Date(),
        { type: "set", state }, { protocol: "attention-lessons/2", type: "set", state }, new Uint8Array(9),
        { protocol: [protocol], type: "set", state }, { protocol },
        { protocol, type: "destroy" }, { protocol, type: "constructor" }, { protocol, type: "__proto__" },
        { protocol, type: ["set"], state }, { protocol, type: "set" }, { protocol, type: "set", state: "d_k=40" },
        { protocol, type: "set", state: [["d_k", 40]] }, { protocol, type: "set", state: null },
        { protocol, type: "set", state: { d_k: 40, ["x".repeat(51)]: 1 } }, { protocol, type: "set", state, id: {} },
        { protocol, type: "get", id: "x".repeat(51) },
        { protocol, type: "set", state: { d_k: 40, ...Object.fromEntries(Array(99).keys().map((i) => ["n" + i, 1])) } },
        { protocol, type: "lock" }, { protocol, type: "lock", names: "d_k" },
        { protocol, type: "lock", names: [["d_k"]] }, { protocol, type: "lock", names: Array(51).fill("d_k") },
        JSON.stringify({ protocol, type: "set", state }), loop,
        { protocol, type: "set", state: { d_k: deep, row: new Date(), text: "x".repeat(1e6), fault: { a: "none" } } },
      ];
      for (const data of junk) post(0, data);
      const other = document.querySelector("#other").contentWindow;
      other.eval(`parent.frames[0].postMessage({ protocol: "${protocol}", type: "set", state: { d_k: 50 } }, "*")`);
      // Names that every object has are no names of a state.
      say(0, { type: "set", state: JSON.parse('{"__proto__": 1, "constructor": 2, "toString": 3}') });
    }""")
    page.wait_for_function("of('error').some(({ name }) => name === 'toString')")
    # What comes within one frame of the screen is told of once, so that a name may be told of twice.
    named = sorted({error["name"] for error in hostile.heard("error")})
    assert named == ["__proto__", "constructor", "d_k", "fault", "row", "text", "toString"]
    assert len({error["code"] for error in hostile.heard("error")}) == 2
    assert hostile.settle()["state"] == LabState.default()
    lab = LabPage(hostile.frame(), "")
    expect(lab.slider).to_be_enabled()
    lab.slider.press("ArrowRight")
    assert hostile.wait("state", count=2)["by"] == "learner"


def test_only_named_origins_take_part_and_only_named_pages_frame(page, host, app_server):
    with (
        HostServer() as stranger,
        app_server(
            "--allow-origin", host.url, "--frame-ancestors", host.url, "--frame-ancestors", stranger.url
        ) as server,
    ):
        frame = f'<iframe src="{server.url}/embed/attention-lab?d_k=7" width="1000" height="900"></iframe>'
        known = HostPage(page, host, frame)
        known.wait("ready")
        assert known.answer("set", told="state", state={"d_k": 9})["state"]["d_k"] == 9
        strange = HostPage(page, stranger, frame)
        lab = LabPage(strange.frame(), "")
        expect(strange.frame().locator("[data-mount]")).to_have_attribute("data-ready", "canvas")
        for order in ({"type": "set", "state": {"d_k": 9}}, {"type": "get"}, {"type": "lock", "names": ["d_k"]}):
            page.evaluate("order => say(0, order)", order)
        # A sandboxed frame of ours is of no origin, and still gets its own files; a learner's move comes after all
        # that was said before it.
        lab.slider.press("ArrowRight")
        expect(lab.slider).to_have_value("8")
        lab.scale.click()
        expect(lab.scale).to_have_attribute("aria-pressed", "false")
        assert page.evaluate("heard") == []
        page.goto(host.put(frame.replace("<iframe", '<iframe sandbox="allow-scripts"')))
        expect(page.frame_locator("iframe").locator("[data-mount]")).to_have_attribute("data-ready", "canvas")
        answer = page.request.get(f"{server.url}/embed/attention-lab")
        assert answer.headers["content-security-policy"].endswith(f"; frame-ancestors {host.url} {stranger.url}")


def ask(url, path):
    """One request, without a client that has limits of its own."""
    with socket.create_connection((urlsplit(url).hostname, urlsplit(url).port), timeout=10) as connection:
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n".encode())
        answer = b""
        while chunk := connection.recv(65536):
            answer += chunk
    return answer


@pytest.mark.parametrize("path", ["/embed/attention-lab?d_k=9&text=", "/lessons/05-trainable-attention?hide="])
def test_long_addresses_get_an_answer(path, app_url):
    long = ask(app_url, path + "a" * 60_000)
    assert long.startswith(b"HTTP/1.1 200 ") and len(long) > 10_000
    for size in (70_000, 1_000_000):
        refused = ask(app_url, path + "a" * size)
        assert refused.startswith(b"HTTP/1.1 431 ") and b"Shorten the link" in refused
        assert b"default-src 'none'" in refused and b"nosniff" in refused
    assert ask(app_url, "/healthz").startswith(b"HTTP/1.1 200 ")
