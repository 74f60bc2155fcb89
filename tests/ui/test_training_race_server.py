"""Other races than the one on the page: choices, own sentences, progress, cancel, no server."""

import re

import pytest
from playwright.sync_api import expect
from race_page import EMBED, LESSON, RacePage


@pytest.fixture
def race(page, app_url):
    return RacePage(page, app_url)


def test_a_choice_brings_another_race_and_the_good_one_stays_until_then(race):
    held = []
    race.open(step=50)
    race.page.route("**/tables/training-race*", lambda route: held.append(route))
    race.d_k.select_option("16")
    race.page.wait_for_timeout(100)
    race.expect_state(50)
    assert len(held) == 1 and "d_k=16" in held[0].request.url
    held.pop().continue_()
    expect(race.kpi("loss-d_k")).to_have_text("0.029")
    race.expect_state(50, d_k=16)
    race.rate.select_option("0.03")
    race.page.wait_for_timeout(100)
    held.pop().continue_()
    race.page.wait_for_url("**d_k=16&learning_rate=0.03**")
    race.expect_state(50, d_k=16, learning_rate=0.03)


def test_a_choice_made_before_the_table_came_counts(race, app_url):
    race.page.route("**/tables/training-race*", lambda route: None)
    race.page.goto(f"{app_url}{EMBED}?step=50")
    race.d_k.select_option("4")
    expect(race.page.locator("[data-ready]")).to_have_count(0)
    race.page.unroute("**/tables/training-race*")  # lets go of what was held
    expect(race.kpi("loss-none")).to_have_text("0.211")
    race.expect_state(50, d_k=4)


def test_my_own_sentence_and_seed_race_on_the_server(race):
    asked = []
    race.open(step=40)
    race.page.on("request", lambda request: asked.append(request.url) if "/races/" in request.url else None)
    race.use_sentence("a race of my own")
    race.page.wait_for_url("**text=a+race+of+my+own**")
    race.expect_state(40, text="a race of my own")
    expect(race.page.locator('[data-message="text"]')).to_have_text("2 to 12 words, 24 characters each at most")
    race.seed.fill("12")
    race.page.get_by_role("button", name="Use seed").click()
    race.page.wait_for_url("**seed=12&**")
    race.expect_state(40, text="a race of my own", seed=12)
    race.page.get_by_role("button", name="Back to the lesson’s draw").click()
    expect(race.sentence).to_have_value(LESSON["text"])
    race.expect_state(40)
    assert len(asked) == 2  # the lesson's own lies ready


def test_bad_sentences_and_seeds_are_told_and_keep_the_race(race):
    race.open(step=50)
    race.use_sentence("alone")
    expect(race.page.locator('[data-message="text"]')).to_contain_text("Use 2 to 12 words")
    expect(race.sentence).to_have_attribute("aria-invalid", "true")
    race.seed.fill("-1")
    race.page.keyboard.press("Enter")
    expect(race.page.locator('[data-message="seed"]')).to_contain_text("a whole number from 0 to 4294967295")
    race.expect_state(50)


# The race's answer comes when the test says so: window.tell(line) sends a line of it.
HOLD = """
const plain = window.fetch;
window.fetch = (url, options) => String(url).includes("/races/")
  ? Promise.resolve(new Response(new ReadableStream({
      start(controller) {
        window.tell = (line) => controller.enqueue(new TextEncoder().encode(JSON.stringify(line) + "\\n"));
        const leave = () => { window.left = true; controller.error(options.signal.reason); };
        options.signal.addEventListener("abort", leave);
      },
    }), { headers: { "content-type": "application/octet-stream" } }))
  : plain(url, options);
"""


@pytest.mark.parametrize("width", [320, 1280])
def test_progress_is_shown_and_can_be_cancelled(width, race):
    race.page.set_viewport_size({"width": width, "height": 800})
    race.page.add_init_script(HOLD)
    race.open(step=50)
    expect(race.progress).to_be_hidden()
    expect(race.cancel).to_be_hidden()
    race.use_sentence("my own words")
    expect(race.progress).to_be_visible()
    assert race.page.evaluate("() => document.documentElement.scrollWidth") <= width
    before = race.page.locator(".race-lanes").bounding_box()
    race.page.evaluate("() => { tell({ step: 0 }); tell({ step: 120 }); }")
    expect(race.progress).to_have_js_property("value", 120)
    race.expect_state(50)
    race.cancel.focus()
    race.page.keyboard.press("Enter")
    expect(race.progress).to_be_hidden()
    expect(race.message).to_have_text("Cancelled. The race that was here stays.")
    assert race.page.evaluate("() => window.left")
    assert race.page.locator(".race-lanes").bounding_box() == before
    expect(race.page.get_by_role("button", name="Use it")).to_be_focused()
    expect(race.page.locator('[data-notice="offline"]')).to_be_hidden()
    race.expect_state(50)


def test_a_busy_server_is_told(race):
    race.open(step=50)
    busy = '{"error": {"field": "race", "message": "The server is busy. Try again."}}'
    race.page.route("**/races/**", lambda route: route.fulfill(content_type="application/json", body=busy))
    race.use_sentence("my own words")
    expect(race.message).to_have_text("The server is busy. Try again.")
    race.expect_state(50)


def test_without_a_server_the_race_plays_on_and_says_what_it_cannot(race, expect_network_errors):
    race.open(step=50)
    expect_network_errors()
    race.page.route(re.compile("/(tables|races|healthz)"), lambda route: route.abort("connectionrefused"))
    race.d_k.select_option("4")
    expect(race.message).to_have_text("Another race needs the server, which does not answer now. This one stays.")
    expect(race.d_k).to_have_value("64")
    race.slider.press("End")
    race.expect_state(300)


READER = """async ([sizes, lines, body]) => {
  const { readProgress } = (await import("core")).progress_module;
  const bytes = new TextEncoder().encode(lines.map((line) => JSON.stringify(line) + "\\n").join("") + body);
  const stream = new ReadableStream({ start(controller) {
    let at = 0;
    for (let i = 0; at < bytes.length; i++) {
      controller.enqueue(bytes.slice(at, at + sizes[i % sizes.length]));
      at += sizes[i % sizes.length];
    }
    controller.close();
  } });
  const seen = [];
  const refuse = (field, message) => Object.assign(new Error(message), { field });
  try {
    const buffer = await readProgress(stream, { onProgress: (step) => seen.push(step), refuse });
    return [seen, new TextDecoder().decode(buffer)];
  } catch (error) {
    return [seen, error.field ?? null, error.message];
  }
}"""


def test_the_answer_is_read_however_it_is_cut(race):
    race.open()
    lines = [{"step": 0}, {"step": 7}, {"bytes": 10}]
    for sizes in ([1], [3, 17], [1000]):
        assert race.page.evaluate(READER, [sizes, lines, "ta\nble{}\n9"]) == [[0, 7], "ta\nble{}\n9"]
    failed = [{"step": 3}, {"error": {"field": "race", "message": "no"}}]
    assert race.page.evaluate(READER, [[5], failed, ""]) == [[3], "race", "no"]
    assert race.page.evaluate(READER, [[5], lines, "short"]) == [[0, 7], None, "the answer ended early"]
