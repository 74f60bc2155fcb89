"""The test lesson's page, with every kind of activity, as a learner uses it."""

import pytest
from lab_page import LabPage

PAGE = "/lessons/01-doing"
KEY = "attention-lessons/01-doing"
RIGHT = (1, 1, 1, 1, "2,981", "0,5", "−3", "128")  # the quiz: an index for a choice, a text for a number


class Doing(LabPage):
    """The test lesson's page."""

    def __init__(self, page, url):
        super().__init__(page, url)
        self.open(PAGE)
        self.fault = page.get_by_label("Break it", exact=True)
        self.progress = page.get_by_role("region", name="Your progress")

    def part(self, kind):
        return self.page.locator(f'[data-activity="{kind}"]')

    def marks(self, kind):
        return self.part(kind).locator("[data-word]").all_inner_texts()

    def tab_to(self, target):
        """Press Tab until the focus is there, as somebody without a mouse does."""
        for _ in range(150):
            if target.evaluate("el => el === document.activeElement"):
                return
            self.press("Tab")
        pytest.fail(f"Tab never reaches {target}")

    def answer_quiz(self, *answers):
        """Fill in the quiz: an index for a choice, a text for a number, None for no answer."""
        for question, answer in zip(self.part("quiz").locator("[data-question]").all(), answers, strict=True):
            if isinstance(answer, int):
                question.get_by_role("radio").nth(answer).check()
            elif answer is not None:
                question.get_by_role("textbox").fill(answer)
        self.page.get_by_role("button", name="Grade my answers").click()

    def replies(self):
        return self.part("quiz").locator("[data-reply]").all_inner_texts()

    def score(self):
        return self.part("quiz").get_by_role("status")

    def kept(self):
        return self.page.evaluate(f"JSON.parse(localStorage.getItem('{KEY}'))")
