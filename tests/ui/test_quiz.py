"""The quiz: each answer gets its own reply, and numbers are read as people type them."""

from playwright.sync_api import expect


def test_the_quiz_explains_each_wrong_answer(doing):
    doing.answer_quiz(0, 1, None, 1, "8", " 0.5004 ", "three", None)
    assert doing.replies() == [
        "Not right. That was the first of question 1.",
        "Right. So it is.",
        "No answer yet.",
        "Right. So it is.",
        "Not right. That is 8, a known mistake.",
        "Right. Well said.",
        "This does not read as a number. Write it like 0.5 or 2,981.",
        "No answer yet.",
    ]
    expect(doing.score()).to_contain_text("3 of 8 right. Read the replies")
    field = doing.part("quiz").get_by_role("textbox")
    field.nth(1).fill("0.6")
    assert doing.replies()[5] == ""  # the reply was about another answer
    doing.page.get_by_role("button", name="Grade my answers").click()
    assert doing.replies()[5] == "Not right. Read the question once more."
    doing.page.get_by_role("button", name="Try the others again").click()
    expect(doing.part("quiz").get_by_role("radio").first).to_be_focused()
    assert doing.part("quiz").locator("input:checked").count() == 2
    assert [box.input_value() for box in field.all()] == [""] * 4
    assert not any(doing.replies()[i] for i in (0, 2, 4, 5, 6, 7))


READINGS = {
    "2981": [2981],
    "2,981": [2.981, 2981],
    "2.981": [2.981, 2981],
    "2 981": [2981],
    "1,234,567.5": [1234567.5],
    "1.234.567,5": [1234567.5],
    "0,5": [0.5],
    ".5": [0.5],
    ",5": [0.5],
    "−3": [-3],
    "+7": [7],
    "128,": [128],
    "1,2,3": [],
    "1e3": [],
    "-": [],
    "": [],
    "12x": [],
}


def test_numbers_are_read_as_people_type_them(doing):
    read = "texts => import('lesson').then(({ numbers_module }) => texts.map(numbers_module.readings))"
    assert dict(zip(READINGS, doing.page.evaluate(read, list(READINGS)), strict=True)) == READINGS


def test_grading_leaves_the_button_where_it_is(doing):
    grade = doing.page.get_by_role("button", name="Grade my answers")
    grade.scroll_into_view_if_needed()
    before = grade.bounding_box()["y"]
    grade.click()
    expect(doing.score()).to_contain_text("0 of 8 right.")
    assert abs(grade.bounding_box()["y"] - before) <= 1
