"""The static site on a plain host, in a folder below its top; and the builder that makes what to paste."""

import re

import pytest
from attacked_page import Attacked
from folder_server import FolderServer
from host_page import HostServer
from lab_page import LabPage
from playwright.sync_api import expect

from app.lessons import LESSONS, all_lessons
from app.site import write_site


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    top = tmp_path_factory.mktemp("host")
    write_site(top / "courses" / "attention", all_lessons(LESSONS))
    with FolderServer(top) as host:
        yield f"{host.url}/courses/attention"


class Builder:
    def __init__(self, page, url, query=""):
        self.page = page
        page.goto(f"{url}/embed/{query}")
        self.frame = page.frame_locator("[data-preview] iframe")
        self.ready()
        self.code = page.get_by_label("What to paste")
        self.format = page.get_by_label("For", exact=True)

    def ready(self):
        expect(self.frame.locator('[data-ready="canvas"]')).to_be_attached(timeout=20_000)

    def check(self, what, *names):
        group = self.page.locator("details").filter(has=self.page.locator("summary", has_text=what))
        if group.get_attribute("open") is None:
            group.locator("summary").click()
        for name in names:
            group.get_by_label(name, exact=True).check()


def test_the_lesson_works_without_a_server(page, site):
    page.goto(f"{site}/")
    page.get_by_role("link", name="Self-attention that can learn").click()
    lab = LabPage(page, site).ready(canvas=True)
    lab.slider.focus()
    lab.press("End")
    lab.scale.click()
    lab.expect_state(d_k=64, scaled=False)
    lab.root.get_by_label("Sentence and draw").select_option("she said that he said so · seed 42")
    lab.expect_state(d_k=64, scaled=False, text="she said that he said so", seed=42)
    page.wait_for_url("**seed=42**")
    page.reload()
    lab.ready().expect_state(d_k=64, scaled=False, text="she said that he said so", seed=42)
    lab.root.get_by_role("button", name="Look inside this score").click()
    inside = page.locator('[data-mount="inside-one-score"]')
    expect(inside.locator('[data-text="sentence"]')).to_contain_text("said")
    race = page.locator('[data-mount="training-race"]')
    race.scroll_into_view_if_needed()
    expect(race).to_have_attribute("data-ready", "canvas")
    race.get_by_label("d_k", exact=True).select_option("4")
    race.get_by_label("Learning rate").select_option("0.03")
    expect(race.locator(".refused")).to_have_count(0)
    expect(race.locator("[data-figure]")).not_to_have_attribute("aria-busy", "true")


def test_markup_that_got_into_a_page_of_the_site_does_nothing(page, site, watch):
    Attacked(page).use(f"{site}/embed/memory-wall/").expect_harmless(watch)


def test_what_is_pasted_shows_the_state_that_was_set(page, site, new_context, tmp_path):
    builder = Builder(page, site)
    builder.frame.get_by_role("slider", name="d_k").focus()
    page.keyboard.press("End")
    builder.frame.get_by_role("button", name="÷√d_k").click()
    builder.check("Leave out", "Break it", "caption")
    builder.ready()
    builder.check("Hold fast", "÷√d_k switch")
    builder.ready()
    expect(builder.code).to_have_value(re.compile(r"d_k=64.*scaled=0.*hide=fault%2Ccaption.*lock=scaled"))
    expect(builder.frame.get_by_label("Break it")).to_be_hidden()
    with HostServer() as host:
        for pasted in ("iframe", "element"):
            builder.format.select_option(pasted)
            course = new_context().new_page()
            course.goto(host.put(builder.code.input_value()))
            frame = course.frame_locator("iframe")
            expect(frame.locator('[data-ready="canvas"]')).to_be_attached(timeout=20_000)
            lab = LabPage(course, host.url)
            lab.root = frame.locator("[data-figure]")
            expect(lab.root.get_by_role("slider", name="d_k")).to_have_value("64")
            expect(lab.root.locator('[data-kpi="score-spread"]')).to_have_text("7.85")
            expect(lab.root.get_by_role("button", name="÷√d_k")).to_be_disabled()
            expect(lab.root.get_by_label("Break it")).to_be_hidden()
            course.close()
    # The same state as one file, from disk with the network cut.
    with page.expect_download() as download:
        page.get_by_role("button", name="Download as one file").click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    offline = new_context(offline=True).new_page()
    lab = LabPage(offline, file.as_uri()).open("", canvas=True)
    lab.expect_state(d_k=64, scaled=False)
    expect(lab.scale).to_be_disabled()
    expect(lab.fault).to_be_hidden()


def test_every_format_names_the_address_and_the_figure(page, site):
    builder = Builder(page, site, "?figure=variance-law&d_k=33")
    expect(page.get_by_label("Figure", exact=True)).to_have_value("variance-law")
    told = {}
    for value in builder.format.locator("option").evaluate_all("all => all.map(one => one.value)"):
        builder.format.select_option(value)
        told[value] = builder.code.input_value()
    assert told["link"].startswith(f"{site}/embed/variance-law/?d_k=33&scaled=0")
    address = told["link"].replace("&", "&amp;")
    assert told["iframe"].startswith(f'<iframe src="{address}" title="') and told["iframe"] in told["quarto"]
    assert told["markdown"].endswith(f"]({told['link']})")
    assert told["myst"].startswith(f":::{{iframe}} {told['link']}\n") and told["myst"].endswith("\n:::")
    assert f'IFrame("{told["link"]}", width="100%", height=' in told["jupyter"]
    assert f'<script src="{site}/embed.js">' in told["element"] and 'figure="variance-law"' in told["element"]
    compile(told["jupyter"], "cell", "exec")
    # Another figure starts from its own first state.
    page.get_by_label("Figure", exact=True).select_option("memory-wall")
    builder.ready()
    expect(builder.code).to_have_value(re.compile("embed/memory-wall/.*length=11"))


def test_a_language_in_a_link_leads_to_its_folder_with_the_state(page, site):
    page.goto(f"{site}/embed/memory-wall/?lang=de&length=3")
    page.wait_for_url(f"{site}/de/embed/memory-wall/?lang=de&length=3**")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.locator('[data-ready="canvas"]')).to_be_attached()
    expect(page.locator('input[name="length"]')).to_have_value("3")
    page.goto(f"{site}/?lang=de")
    page.wait_for_url(f"{site}/de/?lang=de")
    page.locator(".languages").get_by_role("link", name="English").click()
    page.wait_for_url(f"{site}/")
    page.goto(f"{site}/embed/memory-wall/?lang=xx")
    expect(page.locator('[data-notice="link"]')).to_contain_text("lang=xx was ignored and en used. Allowed: en, de.")


def test_a_pasted_figure_keeps_the_language_that_was_chosen(page, site):
    builder = Builder(page, site)
    page.get_by_role("combobox", name="Language").select_option("de")
    expect(builder.frame.locator("html")).to_have_attribute("lang", "de")
    builder.ready()
    expect(builder.code).to_have_value(re.compile("lang=de"))
    with page.expect_download() as download:
        page.get_by_role("button", name="Download as one file").click()
    assert '<html lang="de"' in download.value.path().read_text("utf-8")


def test_the_server_has_the_builder_too(page, app_url):
    builder = Builder(page, app_url)
    page.get_by_label("Colours").select_option("dark")
    builder.ready()
    expect(builder.frame.locator("html")).to_have_attribute("data-theme", "dark")
    expect(page.locator("[data-reach]")).to_contain_text("your own machine")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download as one file").click()
    assert 'data-start="d_k=8' in download.value.path().read_text("utf-8")


def test_a_lesson_leads_to_the_builder_with_its_state(page, app_url):
    lab = LabPage(page, app_url).open("/lessons/05-trainable-attention")
    lab.slider.focus()
    lab.press("End")
    page.locator('[data-mount="attention-lab"]').get_by_role("link", name="Embed it").click()
    preview = page.frame_locator("[data-preview] iframe")
    expect(preview.get_by_role("slider", name="d_k")).to_have_value("64")
