"""The learner's own sentence and seed: computed by Python, refused in words."""

import pytest
from figure_page import GO
from kept_page import VIEWPORT
from lab_page import LabPage
from playwright.sync_api import expect

from widgets.state import LabState

BAD = {
    "one token": "alone",
    "thirteen tokens": "a b c d e f g h i j k l m",
    "nothing": "",
    "spaces": "    ",
    "25 characters": "a" * 25 + " b",
    "a control character": "a\u0007b c",
    "a zero-width character": "a\u200bb c",
    "markup": "<script>alert(1)</script> there",
    "right-to-left writing": "שלום עולם",
    "a direction override": "a \u202eb",
    "emoji": "hello 🙂",
    "a combining mark": "cafe\u0301 noir",
    "a very long text": "word " * 300,
}


@pytest.fixture(scope="module")
def opened(kept_page, app_url):
    """A lab in a page of its own, loaded once for the tests that type into it."""
    lab = LabPage(kept_page.new_context(viewport=VIEWPORT).new_page(), app_url).open()
    yield lab
    lab.page.context.close()


@pytest.fixture
def lab(opened, watch):
    """That lab in the lesson's state. A test that calls a message forth sends it away again."""
    opened.page.evaluate(GO, ["attention-lab", LabState.default()])
    expect(opened.root.locator("[aria-invalid=true]")).to_have_count(0)
    opened.expect_state()
    return opened


@pytest.mark.parametrize("text", BAD.values(), ids=BAD)
def test_a_bad_sentence_is_told_what_is_allowed_and_keeps_the_figure(text, lab):
    lab.use_sentence(text)
    message = lab.page.locator('[data-message="text"]')
    expect(message).to_contain_text("Use 2 to 12 words of letters, digits and punctuation, with at most 24 characters")
    expect(lab.sentence).to_have_attribute("aria-invalid", "true")
    lab.expect_state()
    lab.use_sentence("now it works")
    expect(lab.sentence).not_to_have_attribute("aria-invalid", "true")
    lab.expect_state(text="now it works")


@pytest.mark.parametrize(
    "text", ["yes no", "Größe naïve Straße", "$$x^2$$ \\(a\\) {b}", "a  b   a", "日本 東京", "can't, won't!"]
)
def test_a_sentence_of_my_own_is_computed(text, lab):
    lab.use_sentence(text)
    expect(lab.page.get_by_text("peak weight of")).to_contain_text(text.split()[1])
    lab.expect_state(text=" ".join(text.split()))


def test_enter_uses_the_sentence_and_the_row_stays_inside_it(lab):
    lab.row.select_option("5")
    lab.sentence.fill("only three words")
    lab.press("Enter")
    expect(lab.row).to_have_value("2")
    lab.expect_state(text="only three words", row=2)
    lab.page.wait_for_url("**text=only+three+words**")


def test_redraw_and_back_to_the_lessons_draw(lab):
    lab.page.get_by_role("button", name="Redraw").click()
    expect(lab.seed).not_to_have_value("5108")
    lab.expect_state(seed=int(lab.seed.input_value()))
    lab.use_sentence("something else here")
    expect(lab.page.get_by_text("peak weight of ‘else’")).to_be_visible()
    lab.page.get_by_role("button", name="Back to the lesson’s draw").click()
    expect(lab.page.get_by_text("peak weight of ‘journey’")).to_be_visible()
    lab.expect_state()


@pytest.mark.parametrize("seed", ["-1", "4294967296", "1.5", "seed", ""])
def test_a_bad_seed_is_told_what_is_allowed(seed, lab):
    lab.seed.fill(seed)
    lab.press("Enter")
    message = lab.page.locator('[data-message="seed"]')
    expect(message).to_contain_text("a whole number from 0 to 4294967295")
    lab.expect_state()
    lab.use_sentence("now it works")
    lab.expect_state(text="now it works")
    expect(message).to_be_empty()


def test_a_seed_of_my_own_is_used(lab):
    lab.seed.fill("4294967295")
    lab.page.get_by_role("button", name="Use seed").click()
    lab.page.wait_for_url("**seed=4294967295**")
    lab.expect_state(seed=4294967295)


def test_what_a_learner_moves_while_a_link_is_on_its_way_stays(page, app_url):
    lab, held = LabPage(page, app_url).open(), []
    lab.page.route("**/tables/attention-lab?*", lambda route: held.append(route))
    lab.page.evaluate(
        """async () => {
          const { awake } = (await import("core")).figures_module;
          const [lab] = awake.values();
          for (const text of ["an older link", "a newer link"]) {
            (window.links ??= []).push(lab.go({ text, d_k: 40, row: 2 }));
          }
        }"""
    )
    lab.slider.press("End")
    lab.expect_state(d_k=64)
    for route in reversed(held):  # the newer one is answered first
        route.continue_()
    lab.page.evaluate("Promise.all(links)")
    lab.expect_state(text="a newer link", d_k=64, row=2)


LABELS = """Bokeh.documents.flatMap((each) => [...each.all_models])
    .flatMap((model) => [...(model.major_label_overrides?.values() ?? [])])"""


def test_a_new_sentence_changes_the_plots_labels_and_makes_no_new_ones(page, app_url):
    """A Bokeh document keeps every model that it ever had, so that each sentence would take memory for good."""
    lab = LabPage(page, app_url).open(canvas=True)
    page.evaluate(f"window.before = new Set({LABELS})")
    for text in ("one two three four five six", "these are the last six words"):
        lab.use_sentence(text)
        lab.expect_state(text=text)
        assert page.evaluate(f"{LABELS}.map((label) => label.text)") == 2 * text.split()
        assert page.evaluate(f"{LABELS}.every((label) => before.has(label))")
