"""Every read-out and every cell of the table against the core, across all that can be chosen."""

import random

from figure_page import each_opened
from lab_page import LabPage
from playwright.sync_api import expect

from attention import FAULTS

SENTENCES = [
    "Your journey starts with one step",
    "yes no",
    "the cat saw the other cat",
    "a b c d e f g h i j k l",
    "same same same same same same same same",
]


def random_states(count):
    chance = random.Random(20)
    for i in range(count):
        text = SENTENCES[i % len(SENTENCES)]
        yield {
            "d_k": chance.choice([2, 3, 8, 32, 63, 64, chance.randint(2, 64)]),
            "scaled": chance.random() < 0.5,
            "fault": FAULTS[i // len(SENTENCES) % len(FAULTS)],
            "row": chance.randrange(len(text.split())),
            "seed": chance.choice([5108, 0, 2**32 - 1, chance.randrange(2**32)]),
            "text": text,
        }


def test_linked_states_show_what_the_layer_computes(page, app_url):
    lab = LabPage(page, app_url)
    for state in each_opened(page, app_url, "attention-lab", random_states(40)):
        lab.expect_state(**state)


def test_driven_states_show_what_the_layer_computes(page, app_url):
    lab = LabPage(page, app_url).open()
    for fault in FAULTS:
        lab.fault.select_option(fault)
        for scaled in (False, True):
            if (lab.scale.get_attribute("aria-pressed") == "true") != scaled:
                lab.scale.click()
            for row, key, d_k in ((3, "Home", 2), (5, "End", 64), (0, "ArrowLeft", 63)):
                lab.row.select_option(str(row))
                lab.slider.focus()
                lab.press(key)
                lab.expect_state(fault=fault, scaled=scaled, row=row, d_k=d_k)


def test_the_first_state_is_in_the_html_before_any_script(browser, new_context, app_url):
    page = new_context(java_script_enabled=False).new_page()
    page.goto(f"{app_url}/embed/attention-lab?d_k=64&scaled=0&row=2")
    LabPage(page, app_url).expect_state(d_k=64, scaled=False, row=2)


def test_the_scripts_change_nothing_that_the_html_said(page, app_url, new_context):
    state = "?d_k=17&scaled=0&fault=shared_projection&row=4&seed=9&text=one+two+three+two+five"
    plain = new_context(java_script_enabled=False).new_page()
    texts = "els => els.map(el => el.textContent.trim())"
    seen = {}
    for tab in (plain, page):
        tab.goto(f"{app_url}/embed/attention-lab{state}")
        if tab is page:
            LabPage(page, app_url).ready()
        seen[tab] = tab.locator("[data-text], [data-kpi], td, th, option").evaluate_all(texts)
    assert seen[plain] == seen[page] and len(seen[page]) > 40


def test_numbers_do_not_move_anything_while_dragging(page, app_url):
    lab = LabPage(page, app_url).open(scaled=False, d_k=2)
    lab.slider.focus()
    boxes = set()
    for _ in range(20):
        lab.press("PageUp")
        lab.press("ArrowRight")
        sides = [lab.kpi(name).bounding_box() for name in ("score-spread", "peak-weight", "softmax-state", "dead-rows")]
        boxes.add(tuple((round(box["x"]), round(box["y"])) for box in (*sides, lab.table.bounding_box())))
    assert len(boxes) == 1


def test_reset_keeps_sentence_and_seed(page, app_url):
    lab = LabPage(page, app_url).open(d_k=40, scaled=False, fault="divide_by_d_k", row=0, seed=7, text="yes no maybe")
    page.get_by_role("button", name="Reset").click()
    lab.expect_state(seed=7, text="yes no maybe")
    expect(lab.seed).to_have_value("7")


def test_a_key_pressed_before_the_table_came_counts(page, app_url):
    held = []
    page.route("**/tables/**", lambda route: held.append(route))
    page.goto(f"{app_url}/embed/attention-lab")
    lab = LabPage(page, app_url)
    lab.slider.focus()
    lab.press("ArrowRight", 5)
    expect(lab.slider).to_have_value("13")
    expect(page.locator("[data-ready]")).to_have_count(0)
    for route in held:
        route.continue_()
    lab.ready().expect_state(d_k=13)
