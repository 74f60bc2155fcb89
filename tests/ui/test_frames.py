"""Framed by a page of another origin: it fits, it stays where it is, and keys, wheel and drags come out again."""

import pytest
from host_page import HostPage, HostServer
from lab_page import LabPage
from playwright.sync_api import expect

from app.hosting import FILE
from app.pages import embed_page
from widgets.state import LabState

# What a browser does that blocks storage in frames.
NO_STORAGE = """for (const name of ["localStorage", "sessionStorage", "indexedDB"])
  Object.defineProperty(window, name, { get() { throw new DOMException("blocked", "SecurityError"); } });"""

INSIDE = """() => { const { scrollHeight, clientHeight, scrollWidth, clientWidth } = document.documentElement;
  return [scrollHeight - clientHeight, scrollWidth - clientWidth]; }"""


@pytest.fixture(scope="module")
def host():
    with HostServer() as server:
        yield server


@pytest.fixture
def framed(page, host, app_url):
    """Two labs on one page, the second 320 px wide and without an origin of its own."""
    page.add_init_script(NO_STORAGE)
    body = f"""<script src="{app_url}/embed.js"></script><button id="before">Before</button>
    <attention-lesson id="first" state="d_k=64&scaled=0" hide="caption"></attention-lesson>
    <button id="after">After</button>
    <attention-lesson id="second" sandbox="allow-scripts" loading="eager" style="width: 320px"></attention-lesson>
    <div style="height: 3000px"></div>"""
    framed = HostPage(page, host, body)
    for number in (0, 1):
        framed.wait("ready", number)
        wait_fit(framed, number)
    return framed


def wait_fit(framed, number):
    framed.wait("resize", number)
    framed.page.wait_for_function("n => frames_()[n].offsetHeight === of('resize', n).at(-1).height", arg=number)


def inside(framed, number):
    return framed.frame(number).locator("html").evaluate(INSIDE)


def test_frames_fit_stay_apart_and_leave_the_page_alone(framed):
    page, (first, second) = framed.page, [LabPage(framed.frame(i), "") for i in (0, 1)]
    expect(page.locator("iframe").first).to_have_attribute("title", "attention-lab")
    for number in (0, 1):
        assert inside(framed, number) == [0, 0]
    assert framed.standing() == ["BODY", 0, 0]
    assert second.root.evaluate("() => [self.origin, innerWidth]") == ["null", 320]
    # The sandboxed one does all that the other does; neither moves the other.
    second.use_sentence("dog bites dog")
    expect(second.table.locator("tbody tr")).to_have_count(3)
    second.sentence.fill("one two three four")
    second.sentence.press("Enter")
    expect(second.table.locator("tbody tr")).to_have_count(4)
    second.slider.press("End")
    page.wait_for_function("second.state.d_k === 64 && second.state.scaled && first.state.scaled === false")
    assert page.evaluate("first.state.text") == "Your journey starts with one step"
    expect(first.table.locator("tbody tr")).to_have_count(6)
    second.root.get_by_role("button", name="Copy as NumPy").click()
    page.evaluate("scrollTo(0, second.offsetTop)")
    expect(framed.frame(1).locator("[data-mount]")).to_have_attribute("data-ready", "canvas")
    # Content that grows or shrinks takes its frame along.
    before = framed.heard("resize", 1)[-1]["height"]
    second.use_sentence("a b c d e f g h i j k l")
    page.wait_for_function("([n, before]) => of('resize', n).at(-1).height > before", arg=[1, before])
    wait_fit(framed, 1)
    assert inside(framed, 1) == [0, 0]
    told = [len(framed.heard("resize", number)) for number in (0, 1)]
    framed.settle()  # the last of the change may still be on its way
    framed.settle()
    assert [len(framed.heard("resize", number)) for number in (0, 1)] == [0, 0], f"goes on and on after {told}"


def test_keys_wheel_and_drags_come_out_of_a_frame(framed):
    page, lab = framed.page, LabPage(framed.frame(), "")
    active = "() => document.activeElement.name || document.activeElement.tagName"
    page.locator("#before").focus()
    page.keyboard.press("Tab")
    assert framed.standing()[0] == "IFRAME"
    seen = set()
    for _ in range(40):
        focused = (
            framed.frame()
            .locator("html")
            .evaluate("() => [document.activeElement.name, document.activeElement.matches(':focus-visible')]")
        )
        assert focused[1], f"focus on {focused[0]} is not seen"
        seen.add(focused[0])
        page.keyboard.press("Tab")
        if framed.standing()[0] == "after":
            break
    assert framed.standing()[0] == "after" and {"d_k", "scaled", "fault", "row", "text", "seed"} <= seen
    page.keyboard.press("Shift+Tab")
    assert framed.standing()[0] == "IFRAME"
    # At the end of the slider the keys still work, and Tab still leaves.
    lab.slider.focus()
    for key in ("End", "ArrowRight", "ArrowRight", "Shift+Tab", "Tab", "ArrowLeft"):
        page.keyboard.press(key)
    expect(lab.slider).to_have_value("63")
    assert lab.slider.evaluate(active) == "d_k"
    # A drag that ends outside has ended.
    page.evaluate("scrollTo(0, 0)")
    box = lab.slider.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(2, box["y"] + 5)
    page.mouse.move(2, 2)
    page.mouse.up()
    expect(lab.slider).to_have_value("2")
    page.mouse.move(box["x"] + box["width"], box["y"] + 5)
    expect(lab.slider).to_have_value("2")
    # The wheel over the heatmap scrolls the host's page.
    expect(lab.canvas).to_be_attached()
    box = framed.frame().locator('[data-canvas="heatmap"]').bounding_box()
    page.mouse.move(box["x"] + 150, box["y"] + 150)
    page.mouse.wheel(0, 120)
    page.wait_for_function("scrollY === 120")


def test_the_element_has_events_methods_and_a_state(framed):
    page = framed.page
    assert page.evaluate("first.state") == LabState.default() | {"d_k": 64, "scaled": False}
    answers = page.evaluate("""async () => {
      window.told = [];
      for (const type of ["state", "error"])
        first.addEventListener(`lesson-${type}`, ({ detail, bubbles }) => told.push([type, detail.name, bubbles]));
      first.set({ d_k: 3 });
      first.state = { scaled: true, bogus: 1 };
      const [answer, same] = await Promise.all([first.get(), first.get()]);
      first.lock(["row"]);
      return [answer.state, same.state];
    }""")
    assert answers[0] == answers[1] == LabState.default() | {"d_k": 3}
    page.wait_for_function("first.state.d_k === 3 && told.some(([type]) => type === 'error')")
    # On a slow machine the two orders may come in two frames, and be told in two.
    assert {tuple(told) for told in page.evaluate("told")} == {("error", "bogus", False), ("state", None, False)}
    expect(framed.frame().get_by_label("Highlighted row")).to_be_disabled()
    page.evaluate("first.focusFigure()")
    expect(framed.frame().get_by_role("slider", name="d_k", exact=True)).to_be_focused()
    page.evaluate("first.setAttribute('state', 'd_k=21&row=2')")
    page.wait_for_function("first.state.d_k === 21 && first.state.row === 2")
    page.evaluate("first.reset()")
    page.wait_for_function("first.state.d_k === 64")
    # Taken out and put back it starts anew; an address that is no page is not framed.
    page.evaluate("() => { const el = document.querySelector('#first'); el.remove(); document.body.prepend(el); }")
    framed.forget()
    assert framed.wait("ready")["state"]["d_k"] == 21
    page.evaluate("first.setAttribute('src', 'javascript:parent.hacked = 1')")
    expect(page.locator("#first iframe")).to_have_count(0)


def test_a_whole_lesson_and_a_single_file_in_frames(page, host, app_url):
    file = host.put(embed_page("attention-lab", LabState.default(), hosting=FILE), template="{body}")
    body = f"""<script src="{app_url}/embed.js"></script>
    <attention-lesson id="lesson" lesson="05-trainable-attention" sandbox="allow-scripts"></attention-lesson>
    <attention-lesson id="file" src="{file}" state="d_k=5" loading="eager"></attention-lesson>"""
    framed = HostPage(page, host, body)
    assert framed.wait("ready", 1)["state"]["d_k"] == 5
    framed.wait("checkpoint", 0)
    page.wait_for_function("frames_()[0].offsetHeight > 8000 && frames_()[1].offsetHeight < 2000")
    assert inside(framed, 0) == [0, 0]
    # A link of the lesson moves its lab, and not the host's page.
    link = framed.frame().locator("[data-go]").first
    link.scroll_into_view_if_needed()
    stands = page.evaluate("scrollY")
    link.click()
    expect(framed.frame().locator('[data-eager] input[name="d_k"]')).to_have_value("64")
    framed.settle()
    assert page.evaluate("scrollY") == stands > 0
    page.evaluate("file.set({ scaled: false })")
    page.wait_for_function("file.state.scaled === false")


def test_an_address_with_a_place_in_it_takes_no_focus(page, host, app_url):
    lesson = f"{app_url}/lessons/05-trainable-attention"
    framed = HostPage(
        page,
        host,
        f"""<div style="height: 900px"></div><iframe src="{lesson}#variance-law?d_k=40" width="900" height="600">
        </iframe><div style="height: 2000px"></div>""",
    )
    framed.wait("ready")
    expect(framed.frame().locator('[data-mount="variance-law"] input[name="d_k"]')).to_have_value("40", timeout=20_000)
    framed.settle()
    assert framed.standing() == ["BODY", 0, 0]


def test_the_script_is_small_and_for_everyone(page, app_url):
    answer = page.request.get(f"{app_url}/embed.js")
    assert answer.status == 200 and len(answer.body()) < 4000
    headers = answer.headers
    assert headers["access-control-allow-origin"] == "*" and headers["cache-control"] == "public, max-age=600"
    assert headers["content-type"].startswith("text/javascript")
