"""The single file: opened from disk with the network cut, it is the same lab."""

import pytest
from lab_page import LabPage
from playwright.sync_api import expect

from app.cli import main


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    file = tmp_path_factory.mktemp("export") / "lab.html"
    assert main(["export", str(file), "--state", "d_k=64&scaled=0&row=2"]) == 0
    return file


@pytest.fixture
def lab(exported, new_context):
    context = new_context(offline=True)
    return LabPage(context.new_page(), exported.as_uri()).open("", canvas=True)


def test_it_opens_in_its_state_and_moves(lab):
    lab.expect_state(d_k=64, scaled=False, row=2)
    lab.scale.click()
    lab.slider.focus()
    for key, d_k in (("Home", 2), ("ArrowRight", 3), ("End", 64)):
        lab.press(key)
        lab.expect_state(d_k=d_k, row=2)
    lab.fault.select_option("divide_by_d_k")
    lab.expect_state(d_k=64, row=2, fault="divide_by_d_k")


def test_it_says_what_needs_a_server(lab):
    lab.use_sentence("my own words")
    expect(lab.page.locator('[data-message="text"]')).to_contain_text("need the server")
    lab.expect_state(d_k=64, scaled=False, row=2)


def test_it_is_small_and_names_no_host(exported):
    text = exported.read_text("utf-8")
    assert len(text.encode()) <= 2.0e6
    assert "<script src" not in text and 'rel="stylesheet"' not in text
