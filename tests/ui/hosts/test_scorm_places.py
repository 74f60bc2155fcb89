"""Where a lesson for learning platforms may find itself: with a strange API, in frames, behind a window, alone."""

import pytest
from doing_page import KEY, RIGHT
from playwright.sync_api import expect
from scorm_page import NOT_KEPT, Files, Placed

pytestmark = pytest.mark.hosts

PLAIN = (
    "<!DOCTYPE html><title>Around</title><link rel='icon' href='data:,'><script>{1}</script>"
    "<iframe name='lesson' src='{0}' width='1200' height='700'></iframe>"
)
# APIs, as expressions in JavaScript; in the last three LMSInitialize is fine and the others are not.
ALL_BUT_ONE = "new Proxy({}, { get: (_, name) => () => { if (name === 'LMSInitialize') return 'true'; %s } })"
STRANGE = {
    "throws at once": "{ get LMSInitialize() { throw new Error('no'); } }",
    "refuses": "{ LMSInitialize: () => 'false' }",
    "throws later": ALL_BUT_ONE % "throw new Error('no');",
    "answers nonsense": ALL_BUT_ONE % "return '[5, {\"x\": 1';",
    "keeps nonsense": ALL_BUT_ONE % f'return \'{{"{KEY}": [1], "b": null}}\';',
}


def strange(platform, api):
    """The address of a page around the lesson that has this for an API."""
    platform.files["/strange"] = PLAIN.format(f"{platform.url}/1.2/index.html", f"window.API = {api};").encode()
    return f"{platform.url}/strange"


@pytest.mark.parametrize("again", ["true", "false"])
def test_a_page_back_from_the_browsers_memory_says_whether_it_is_still_heard(again, page, platform):
    counting = "{ LMSInitialize: () => (window.began = (window.began ?? 0) + 1) === 1 ? 'true' : 'AGAIN',"
    counting += " LMSFinish: () => { window.ended = (window.ended ?? 0) + 1; },"
    counting += " LMSGetValue: () => '', LMSSetValue: () => 'true', LMSCommit: () => 'true' }"
    page.goto(strange(platform, counting.replace("AGAIN", again)))
    lesson = Placed(page)
    tell = "([name, persisted]) => dispatchEvent(new PageTransitionEvent(name, { persisted }))"
    for event in (["pagehide", True], ["pagehide", True], ["pageshow", False], ["pageshow", True]):
        lesson.page.evaluate(tell, event)
    assert page.evaluate("[began, ended]") == [2, 1]
    kept = "Your learning platform keeps your answers." if again == "true" else NOT_KEPT
    expect(lesson.progress).to_contain_text(kept)
    lesson.answer_quiz(*RIGHT)
    expect(lesson.score()).to_contain_text("8 of 8 right.")


@pytest.mark.parametrize("how", STRANGE)
def test_a_platform_that_misbehaves_does_no_harm(how, page, platform):
    page.goto(strange(platform, STRANGE[how]))
    lesson = Placed(page)
    lesson.do_checkpoint()
    lesson.answer_quiz(*RIGHT)
    expect(lesson.score()).to_contain_text("8 of 8 right.")
    if how in ("throws at once", "refuses"):
        expect(lesson.progress).to_contain_text("Answers are kept in this browser only.")
        assert lesson.kept()["quiz-1"]["right"] == 8
    else:
        expect(lesson.progress).to_contain_text(NOT_KEPT)
        assert page.evaluate("localStorage.length") == 0
    lesson.page.goto("about:blank")


def test_the_platform_is_found_around_another_origin_and_behind_a_window(page, platform, new_context):
    with Files() as other:
        other.files["/between"] = PLAIN.format(f"{platform.url}/1.2/index.html", "").encode()
        page.goto(platform.host("1.2", f"{other.url}/between"))
        page.frame("lesson").wait_for_selector("iframe")
        inner = page.frame("lesson").child_frames[0]
        expect(inner.get_by_text("Your learning platform keeps your answers.")).to_be_attached()

        # A page of another origin alone, with nothing to be found: the lesson as on any site.
        page.goto(f"{other.url}/between")
        lesson = Placed(page)
        expect(lesson.progress).to_contain_text("Answers are kept in this browser only.")
        lesson.answer_quiz(*RIGHT)

    page.goto(platform.host("2004", "about:blank"))
    with page.expect_popup() as opened:
        page.evaluate("() => void open('/2004/index.html?from=platform')")
    window = opened.value
    expect(window.get_by_text("Your learning platform keeps your answers.")).to_be_attached()
    expect(window.locator('[data-notice="link"]')).to_be_hidden()
    window.close(run_before_unload=True)
    page.wait_for_function("calls.at(-1)[0] === 'Terminate'")


def test_without_a_platform_the_page_is_the_lesson(new_context, platform, tmp_path):
    file = tmp_path / "index.html"
    file.write_bytes(platform.files["/2004/index.html"])
    page = new_context(offline=True).new_page()
    page.goto(file.as_uri())
    progress = page.get_by_role("region", name="Your progress")
    expect(progress).to_contain_text("Answers are kept in this browser only.")
    page.get_by_role("button", name="Grade my answers").click()
    expect(progress).to_contain_text("Quiz: 0 of 8 right.")
    page.reload()
    expect(progress).to_contain_text("Quiz: 0 of 8 right.")
    expect(page.locator('[data-mount="attention-lab"][data-ready="canvas"]')).to_be_attached()
