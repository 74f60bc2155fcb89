"""The lesson's checkpoint, done with the keyboard alone, on the lesson's own page."""

import pytest
from lab_page import LESSON_PAGE, LabPage
from oracle import number
from playwright.sync_api import expect


@pytest.fixture
def lab(page, app_url):
    return LabPage(page, app_url).open(LESSON_PAGE)


def test_without_the_scale_a_wide_head_saturates(lab):
    lab.scale.focus()
    lab.press("Enter")
    expect(lab.scale).to_have_attribute("aria-pressed", "false")
    lab.slider.focus()
    lab.press("Home")
    expect(lab.kpi("peak-weight")).to_have_text("0.35")
    peaks = []
    for _ in range(62):
        lab.press("ArrowRight")
        peaks.append(number(lab.kpi("peak-weight").inner_text()))
    expect(lab.slider).to_have_value("64")
    expect(lab.kpi("peak-weight")).to_have_text("1.00")
    expect(lab.kpi("softmax-state")).to_have_text("saturated (one-hot)")
    expect(lab.kpi("dead-rows")).to_have_text("5 of 6")
    assert max(peaks) == 1.0 and len(set(peaks)) > 20


def test_with_the_scale_it_stays_healthy_at_every_width(lab):
    lab.slider.focus()
    lab.press("Home")
    for d_k in range(2, 65):
        expect(lab.slider).to_have_value(str(d_k))
        assert number(lab.kpi("peak-weight").inner_text()) <= 0.55
        assert lab.kpi("softmax-state").inner_text() == "healthy"
        assert 0.8 < number(lab.kpi("score-spread").inner_text()) < 1.5
        lab.press("ArrowRight")
    expect(lab.kpi("dead-rows")).to_have_text("0 of 6")


def test_one_sentence_says_what_the_row_does(lab):
    sentence = lab.root.locator('[data-text="sentence"]')
    expect(sentence).to_have_text("‘journey’ spreads its attention and looks most at ‘journey’ (0.30).")
    lab.row.select_option("0")
    expect(sentence).to_have_text("‘Your’ spreads its attention and looks most at ‘with’ (0.60).")


def test_the_summary_is_spoken_once_and_only_after_a_pause(lab):
    live = lab.root.locator("[data-live]")
    expect(live).to_have_text("")
    lab.slider.focus()
    lab.press("ArrowRight", 5)
    expect(live).to_contain_text("d_k 13, scale on. Score spread ")
    expect(lab.slider).to_have_attribute("aria-valuetext", "d_k 13, scale on, healthy")


def test_the_whole_lab_is_reached_with_tab_alone(lab):
    lab.slider.focus()
    reached = ["d_k"]
    for _ in range(13):
        lab.press("Tab")
        reached.append(
            lab.page.evaluate(
                "() => { const el = document.activeElement;"
                " return el.matches('td') ? 'table' : (el.labels?.[0]?.textContent ?? el.textContent).trim(); }"
            )
        )
    order = "d_k ÷√d_k Look Break Highlighted Sentence Use Seed Use Redraw Back Reset Copy table"
    assert " ".join(name.split(" ")[0] for name in reached) == order
