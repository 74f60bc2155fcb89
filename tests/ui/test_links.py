"""The state in the address: in, out, and what junk gets."""

from urllib.parse import parse_qs, urlsplit

import pytest
from lab_page import EMBED, LESSON_PAGE, LabPage
from playwright.sync_api import expect


def query_of(page):
    return {name: values[0] for name, values in parse_qs(urlsplit(page.url).query).items()}


def test_the_address_follows_and_carries_the_full_state(page, app_url):
    lab = LabPage(page, app_url).open(LESSON_PAGE)
    assert urlsplit(page.url).query == ""
    lab.scale.click()
    lab.slider.focus()
    lab.press("End")
    lab.row.select_option("4")
    page.wait_for_url(lambda url: "row=4" in url and "d_k=64" in url)
    assert query_of(page) == {
        "d_k": "64",
        "scaled": "0",
        "fault": "none",
        "row": "4",
        "seed": "5108",
        "text": "Your journey starts with one step",
        "theme": "auto",
    }
    page.reload()
    lab.ready().expect_state(d_k=64, scaled=False, row=4)


def test_dragging_leaves_the_history_alone(page, app_url):
    lab = LabPage(page, app_url).open()
    before = page.evaluate("history.length")
    lab.slider.focus()
    lab.press("ArrowRight", 30)
    page.wait_for_url("**d_k=38**")
    assert page.evaluate("history.length") == before


JUNK = {
    "d_k": ["999", "1", "-8", "8.5", "eight", "", "NaN", "٨", "0x10", "9" * 400],
    "scaled": ["2", "true", "yes", "", "None"],
    "fault": ["nothing", "<script>alert(1)</script>", "__class__"],
    "row": ["6", "-1", "a", "1e3"],
    "seed": ["-1", "4294967296", "1.5", "five"],
    "text": ["one", "x " * 13, "a" * 25 + " b", "<script> alert", "a\x00b c", "", "שלום עולם", "🙂 🙃", "e\u0301 a"],
    "theme": ["pink", "DARK", ""],
}


@pytest.mark.parametrize("name", JUNK)
def test_a_bad_value_is_named_and_the_rest_of_the_link_counts(name, page, new_context, app_url):
    # The server says so in the HTML, here for every value. That scripts read links as it does is held in
    # test_fuzz_page.py for hundreds of them, and that they leave the notice alone is seen here at one.
    plain = new_context(java_script_enabled=False).new_page()
    good = {"d_k": 33, "scaled": False, "row": 2} if name != "d_k" else {"scaled": False, "row": 2}
    good.pop(name, None)
    for tab, value in [(plain, value) for value in JUNK[name]] + [(page, JUNK[name][0])]:
        lab = LabPage(tab, app_url).go(**good, **{name: value})
        if tab is page:
            lab.ready()
        notice = tab.locator('[data-notice="link"]')
        expect(notice.get_by_role("listitem")).to_have_count(1)
        expect(notice).to_contain_text(f"{name}=")
        expect(notice).to_contain_text("Allowed: ")
        lab.expect_state(**good)
    notice.get_by_role("button", name="Close").click()
    expect(notice).to_have_count(0)


def test_a_row_beyond_the_sentence_falls_back(page, app_url):
    lab = LabPage(page, app_url).open(text="yes no", row=5)
    expect(page.locator('[data-notice="link"]')).to_contain_text("0 to 1 for this sentence")
    lab.expect_state(text="yes no", row=1)


def test_several_bad_values_are_all_named(page, app_url):
    lab = LabPage(page, app_url).open(d_k=0, scaled="x", seed=12, unknown="<b>")
    expect(page.locator('[data-notice="link"]').get_by_role("listitem")).to_have_count(2)
    lab.expect_state(seed=12)


def test_the_theme_of_a_link_is_the_page_s(page, app_url):
    LabPage(page, app_url).open(EMBED, theme="dark")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert ground == "rgb(22, 22, 27)"
