"""The messages between a framed page and the page around it, as docs/embedding.md describes them."""

import pytest
from host_page import HostPage, HostServer
from lab_page import LabPage
from playwright.sync_api import expect

from app import __version__
from widgets.state import LabState

START = LabState.default() | {"d_k": 64, "scaled": False}


@pytest.fixture(scope="module")
def host():
    with HostServer() as server:
        yield server


@pytest.fixture
def lab(page, host, app_url):
    lab = HostPage(
        page, host, f'<iframe width="1000" height="900" src="{app_url}/embed/attention-lab?d_k=64&scaled=0">'
    )
    lab.ready = lab.wait("ready")
    lab.wait("resize")
    return lab


def test_a_frame_says_what_it_is(lab):
    ready = lab.ready
    assert (ready["protocol"], ready["figure"], ready["version"]) == (
        "attention-lessons/1",
        "attention-lab",
        __version__,
    )
    assert ready["state"] == START
    assert ready["schema"]["d_k"] == {"type": "integer", "min": 2, "max": 64, "default": 8}
    assert list(ready["schema"]) == list(START) and "values" in ready["schema"]["fault"]
    assert {"heatmap", "score-spread", "caption"} <= set(ready["pieces"]) and "d_k" in ready["locks"]
    assert len(lab.heard("ready")) == 1 and lab.heard("error") == []


def test_a_host_sets_asks_and_resets(lab):
    told = lab.answer("set", told="state", state={"d_k": 12, "scaled": True})
    assert (told["by"], told["state"]) == ("host", START | {"d_k": 12, "scaled": True})
    assert told["readouts"]["score-spread"] == lab.frame().locator('[data-kpi="score-spread"]').inner_text()
    assert set(told["readouts"]) == {"score-spread", "peak-weight", "softmax-state", "dead-rows"}
    assert lab.answer("set", told="state", state={"d_k": 12})["by"] == "host", "told even where nothing moves"
    assert lab.answer("get", told="state", id=7)["id"] == 7
    # Values as a link has them count too, and orders of one moment are merged.
    lab.forget()
    for state in ({"d_k": "30"}, {"scaled": "0"}, {"fault": "divide_by_d_k"}):
        lab.say("set", state=state)
    assert lab.settle()["state"] == START | {"d_k": 30, "fault": "divide_by_d_k"}
    assert lab.answer("reset", told="state")["state"] == START


def test_a_learner_and_a_host_are_told_apart(lab):
    before = lab.page.evaluate("history.length")
    slider = LabPage(lab.frame(), "").slider
    lab.forget()
    slider.press("ArrowLeft")
    told = lab.wait("state")
    assert (told["by"], told["state"]["d_k"]) == ("learner", 63)
    for d_k in range(2, 40):
        lab.say("set", state={"d_k": d_k})
    lab.settle()
    slider.press("ArrowRight")
    assert lab.page.evaluate("history.length") == before
    expect(lab.frame().locator("html")).not_to_have_attribute("data-theme", "dark")
    lab.say("set", state={"theme": "dark"})
    expect(lab.frame().locator("html")).to_have_attribute("data-theme", "dark")


def test_what_cannot_be_used_is_named_and_the_rest_counts(lab):
    bad = {"d_k": 999, "scaled": "yes", "fault": {"a": 1}, "row": 6, "seed": -1, "theme": ["dark"], "bogus": 1}
    lab.answer("set", told="error", count=7, state=bad | {"__proto__x": 1, "text": "x" * 1300}, id="mine")
    lab.wait("error", count=9)
    errors = {error["name"]: error for error in lab.heard("error")}
    assert set(errors) == {*bad, "__proto__x", "text"}
    assert errors["d_k"]["code"] == "bad-value" and "2 to 64" in errors["d_k"]["message"]
    assert errors["bogus"]["code"] == "unknown-name" and errors["bogus"]["id"] == "mine"
    assert "0 to 5 for this sentence" in errors["row"]["message"]
    assert lab.settle()["state"] == START
    # A sentence that is refused leaves the rest to count; a good one brings its own number of rows.
    error = lab.answer("set", told="error", state={"text": "<b> bold", "d_k": 5})
    assert (error["code"], error["name"]) == ("refused", "text") and "<" in error["message"]
    assert lab.settle()["state"] == START | {"d_k": 5}
    lab.say("set", state={"text": "a b c d e f g h", "row": 7})
    assert lab.settle()["state"] == START | {"d_k": 5, "text": "a b c d e f g h", "row": 7}


def test_a_host_locks_and_points_at_controls(lab):
    figure = LabPage(lab.frame(), "")
    error = lab.answer("lock", told="error", names=["d_k", "theme", "nothing"])
    assert error["code"] == "unknown-name"
    expect(figure.slider).to_be_disabled()
    lab.say("set", state={"d_k": 9})
    expect(figure.slider).to_have_value("9")
    assert lab.standing() == ["BODY", 0, 0]
    lab.say("focus")
    expect(figure.scale).to_be_focused()
    lab.say("lock", names=[])
    expect(figure.slider).to_be_enabled()
    lab.say("focus")
    expect(figure.slider).to_be_focused()
    assert lab.standing() == ["IFRAME", 0, 0]


def test_a_flood_is_merged_and_leaves_nothing_behind(lab):
    lab.forget()
    lab.page.evaluate("""() => {
      for (let i = 0; i < 2500; i++) {
        say(0, { type: "set", state: { d_k: 2 + (i % 63), ["x" + i]: i } });
        say(0, { type: "get", id: i });
        say(0, { type: "lock", names: ["y" + i] });
        say(0, { type: "reset" });
      }
      say(0, { type: "set", state: { d_k: 33, scaled: true } });
      say(0, { type: "lock", names: [] });
    }""")
    lab.page.wait_for_function("of('state').at(-1)?.state.d_k === 33")
    assert lab.settle()["state"] == START | {"d_k": 33, "scaled": True}
    told = lab.page.evaluate("heard.length")
    # Of 10,000 messages a handful is told back, and errors stop a few frames later.
    assert told < 400
    lab.page.wait_for_function(
        "() => new Promise(done => { const n = heard.length; setTimeout(() => done(heard.length === n), 200); })"
    )
    lab.frame().get_by_role("slider", name="d_k", exact=True).press("ArrowRight")
    lab.page.wait_for_function("of('state').at(-1)?.by === 'learner'")


def test_a_lesson_tells_how_far_the_learner_is(page, host, lessons_url):
    lesson = HostPage(page, host, f'<iframe width="1000" height="900" src="{lessons_url}/lessons/01-doing"></iframe>')
    assert lesson.wait("checkpoint")["done"] == 0
    # What a host does is no achievement of the learner's.
    for d_k in (2, 64):
        lesson.say("set", state={"d_k": d_k, "scaled": False})
        lesson.settle()
    frame, lab = lesson.frame(), LabPage(lesson.frame(), "")
    expect(frame.locator('[data-mark="done"]')).to_have_count(0)
    lesson.say("set", state={"d_k": 8, "scaled": False})
    lesson.settle()
    lab.slider.press("Home")
    lab.slider.press("End")
    told = lesson.wait("checkpoint")
    assert told["done"] == 1 and told["count"] >= 2 and lesson.heard("quiz") == []
    frame.locator('[data-activity="quiz"] [data-grade]').click()
    told = lesson.wait("quiz")
    assert (told["right"], told["count"]) == (0, 8)
