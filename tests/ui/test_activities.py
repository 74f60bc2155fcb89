"""Predictions, the checkpoint, links to a state, failure modes and the checklist, as a learner uses them."""

import numpy as np
import pytest
from doing_page import RIGHT
from oracle import LESSON
from playwright.sync_api import expect

from attention import FAULTS, SelfAttention, embed, evaluate_with_fault, tokenize
from attention.checklist import check_layer


def test_checkpoint_and_quiz_are_done_with_the_keyboard_alone(doing):
    page, checkpoint = doing.page, doing.part("checkpoint")
    assert doing.marks("checkpoint") == ["not yet", "not yet"]
    doing.tab_to(doing.scale)
    doing.press("Enter")
    doing.press("Shift+Tab")
    doing.press("Home")
    expect(checkpoint.locator("[data-word]").first).to_have_text("under way")
    doing.press("End")
    expect(checkpoint.locator("[data-word]").first).to_have_text("done")
    expect(checkpoint.locator("[data-said]")).to_have_text("Task 1 of 2 is done.")
    doing.press("Home")
    doing.press("Tab")
    doing.press("Enter")
    doing.press("Shift+Tab")
    doing.press("End")
    expect(checkpoint.locator("[data-said]")).to_have_text("Task 2 of 2 is done.")
    assert doing.marks("checkpoint") == ["done", "done"]
    expect(doing.progress).to_contain_text("Checkpoint: 2 of 2 tasks done.")

    doing.tab_to(checkpoint.get_by_role("radio").first)
    doing.press("ArrowDown")
    doing.tab_to(checkpoint.get_by_role("button", name="Answer"))
    doing.press("Enter")
    expect(checkpoint.locator("[data-reply]")).to_have_text("Yes. It keeps the gradient alive.")

    for question, answer in zip(doing.part("quiz").locator("[data-question]").all(), RIGHT, strict=True):
        doing.tab_to(question.locator("input").first)
        if isinstance(answer, str):
            page.keyboard.type(answer)
        else:
            doing.press("ArrowDown", answer)
    doing.press("Tab")
    doing.press("Enter")
    expect(doing.score()).to_have_text("8 of 8 right. Nothing left to explain.")
    expect(page.get_by_role("button", name="Grade my answers")).to_be_focused()
    expect(doing.progress).to_contain_text("Quiz: 8 of 8 right.")


@pytest.mark.parametrize(
    "spoil",
    ["a link sets d_k", "a fault", "the scale on", "another row on the way", "not from 8"],
)
def test_a_task_that_was_not_really_done_is_not_ticked(spoil, doing):
    if spoil == "not from 8":
        doing.slider.fill("9")
    doing.scale.click()
    if spoil == "a fault":
        doing.fault.select_option("blend_embeddings")
    if spoil == "the scale on":
        doing.scale.click()
    if spoil != "not from 8":
        doing.slider.fill("2")
    if spoil == "a link sets d_k":
        doing.page.get_by_role("link", name="set d_k to 64").click()
    elif spoil == "another row on the way":
        doing.slider.fill("30")
        doing.row.select_option("2")
    doing.slider.fill("64")
    expect(doing.kpi("score-spread")).not_to_have_text("")
    expect(doing.slider).to_have_value("64")
    assert doing.marks("checkpoint")[0] == "not yet"


def test_a_drag_with_the_mouse_counts(doing):
    doing.scale.click()
    doing.slider.fill("2")
    box = doing.slider.bounding_box()
    mouse = doing.page.mouse
    mouse.move(box["x"] + 8, box["y"] + box["height"] / 2)
    mouse.down()
    for x in range(10, int(box["width"]) + 20, 12):
        mouse.move(box["x"] + x, box["y"] + box["height"] / 2)
    mouse.up()
    expect(doing.slider).to_have_value("64")
    assert doing.marks("checkpoint") == ["done", "not yet"]


def test_a_prediction_moves_the_lab_and_gets_its_own_reply(doing):
    predict = doing.part("predict")
    button, reply = predict.get_by_role("button", name="See what happens", exact=True), predict.get_by_role("status")
    button.click()
    expect(reply).to_have_text("Choose one of the answers first.")
    expect(doing.slider).to_have_value("8")
    predict.get_by_label("It stays.").check()
    button.click()
    expect(reply).to_have_text("Not this time. It does not stay.")
    expect(doing.slider).to_have_value("64")
    expect(doing.kpi("peak-weight")).to_have_text("1.00")
    expect(button).to_be_focused()
    predict.get_by_label("It climbs.").check()
    button.click()
    expect(reply).to_contain_text("As you said. It climbs to 1.00")
    doing.page.reload()
    doing.ready()
    expect(reply).to_contain_text("As you said. It climbs to 1.00")


def test_a_link_acts_on_the_lab_and_is_undone(doing):
    page = doing.page
    undo = page.get_by_role("button", name="Undo")
    doing.slider.fill("20")
    doing.row.select_option("3")
    page.get_by_role("link", name="set d_k to 64").click()
    expect(doing.slider).to_have_value("64")
    expect(doing.scale).to_have_attribute("aria-pressed", "false")
    expect(doing.row).to_have_value("3")  # what the link does not name stays
    expect(doing.slider).to_be_focused()
    expect(undo).to_have_accessible_name("Undo: set d_k to 64 and turn the scale off")

    page.get_by_role("link", name="break it", exact=True).click()
    expect(doing.fault).to_have_value("softmax_over_queries")
    expect(doing.slider).to_have_value("64")
    expect(undo).to_have_count(1)
    undo.focus()
    doing.press("Enter")
    expect(doing.fault).to_have_value("none")
    expect(doing.slider).to_have_value("64")
    expect(undo).to_have_count(0)
    expect(page.get_by_role("link", name="break it", exact=True)).to_be_focused()


def test_each_failure_is_tried_and_undone(doing):
    table = doing.page.get_by_role("table", name="Failure modes")
    assert table.get_by_role("columnheader").count() == 4
    row = table.get_by_role("row").filter(has_text="Wrong axis")
    row.get_by_role("link", name="Try it").click()
    expect(doing.kpi("softmax-state")).to_contain_text("no distribution")
    row.get_by_role("button", name="Undo").click()
    expect(doing.kpi("softmax-state")).to_have_text("healthy")
    expect(row.get_by_role("link", name="Try it")).to_be_focused()


def test_the_checklist_tells_the_truth_in_every_kind_of_state(doing):
    lines = doing.part("checklist").locator("[data-word]")
    expect(lines).to_have_text(["holds"] * 5)
    rng = np.random.default_rng(5)
    for fault in FAULTS:
        doing.fault.select_option(fault)
        for d_k in (16, *rng.integers(2, 65, 3)):
            doing.slider.fill(str(d_k))
            for _ in range(2):
                doing.scale.click()
                scaled = doing.scale.get_attribute("aria-pressed") == "true"
                layer = SelfAttention.seeded(LESSON["seed"]).narrow(int(d_k))
                X = embed(tokenize(LESSON["text"]), LESSON["seed"])
                trace = evaluate_with_fault(layer, X, scaled=scaled, fault=fault)
                if fault == "shared_projection":
                    layer = SelfAttention(layer.W_q, layer.W_q, layer.W_q)
                want = ["holds" if holds else "broken now" for holds in check_layer(layer, trace)]
                assert lines.all_inner_texts() == want, (fault, d_k, scaled)


def test_a_line_is_broken_and_mended_where_it_stands(doing):
    checklist = doing.part("checklist")
    line = checklist.get_by_role("listitem").filter(has_text="along the keys")
    line.get_by_role("link", name="Break it").click()
    expect(line.locator("[data-word]")).to_have_text("broken now")
    expect(line.get_by_role("link", name="Break it")).to_be_focused()
    expect(checklist.locator("[data-now]")).to_have_text(
        "The layer now: d_k 8, scale on, broken: softmax over the queries."
    )
    expect(checklist.get_by_role("status")).to_have_text("Checklist: 4 of 5 lines hold.")
    line.get_by_role("button", name="Undo").click()
    expect(checklist.locator("[data-word]")).to_have_text(["holds"] * 5)
