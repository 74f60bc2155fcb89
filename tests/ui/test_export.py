"""The single file: opened from disk with the network cut, it is the same lab."""

import pytest
from folder_server import FolderServer
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


def test_prepared_draws_stand_where_a_server_would_compute(lab):
    draw = lab.root.get_by_label("Sentence and draw")
    expect(lab.root).to_contain_text("Your own sentence needs one")
    draw.select_option("dog bites dog · seed 5108")
    lab.expect_state(text="dog bites dog", seed=5108, d_k=64, scaled=False, row=2)
    draw.select_option(index=0)
    lab.expect_state(d_k=64, scaled=False, row=2)


def test_a_link_to_the_file_is_read_as_a_server_does(exported, new_context):
    page = new_context(offline=True).new_page()
    lab = LabPage(page, exported.as_uri()).open("", d_k=12, row=9, text="dog bites dog", theme="pink")
    notice = page.locator('[data-notice="link"]')
    expect(notice.get_by_role("listitem")).to_have_count(2)
    expect(notice).to_contain_text("row=9 was ignored and 1 used. Allowed: 0 to 2 for this sentence.")
    expect(notice).to_contain_text("theme=pink was ignored")
    lab.expect_state(d_k=12, scaled=False, row=1, text="dog bites dog")
    lab.open("", d_k=12, text="my own words")
    expect(notice).to_contain_text("no server to compute that. It holds what was prepared: Your journey")
    lab.expect_state(d_k=12, scaled=False, row=2)


def test_it_is_small_and_names_no_host(exported):
    text = exported.read_text("utf-8")
    assert len(text.encode()) <= 2.0e6
    assert "<script src" not in text and 'rel="stylesheet"' not in text


# What a strict host would let a page do: no eval, nothing from anywhere else.
STRICT = "; ".join(
    (
        "default-src 'none'",
        "script-src 'unsafe-inline' data: blob:",
        "style-src 'unsafe-inline'",
        "font-src data:",
        "img-src data: blob:",
    )
)


def test_it_needs_no_eval_and_nothing_from_its_host(exported, new_context):
    with FolderServer(exported.parent, {"Content-Security-Policy": STRICT}) as host:
        LabPage(new_context().new_page(), f"{host.url}/{exported.name}").open("", canvas=True).expect_state(
            d_k=64, scaled=False, row=2
        )


def test_a_whole_lesson_opens_offline(tmp_path, new_context):
    file = tmp_path / "lesson.html"
    assert main(["export", str(file), "--lesson", "05-trainable-attention", "--quiet"]) == 0
    page = new_context(offline=True).new_page()
    lab = LabPage(page, file.as_uri()).open("", canvas=True)
    page.get_by_role("link", name="Turn the scale off at width 64").click()
    lab.expect_state(d_k=64, scaled=False)
    for figure in page.locator("[data-mount]").all():
        figure.scroll_into_view_if_needed()
        expect(figure).to_have_attribute("data-ready", "canvas")
    expect(page.get_by_role("link", name="Open it alone")).to_have_count(0)
    assert not page.locator("a[href^='/']").count()
