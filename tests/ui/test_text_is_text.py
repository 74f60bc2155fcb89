"""What a learner types stays text in the page, in what is copied and saved, and in what the builder writes."""

import ast
from urllib.parse import parse_qs, quote, urlsplit
from xml.etree import ElementTree

from host_page import HostPage, HostServer
from hostile import PLAIN, SENTENCE, TOKENS
from lab_page import LabPage
from markup import Markup
from playwright.sync_api import expect

SHAPE = """() => {
  const counts = {};
  for (const { localName, attributes } of document.querySelectorAll("*")) {
    counts[localName] = (counts[localName] ?? 0) + 1;
    for (const { name, value } of attributes)
      if (/^on/.test(name) || /^javascript:/i.test(value)) counts[`${localName} ${name}`] = value;
  }
  return counts;
}"""


def test_a_sentence_adds_no_markup_to_the_page_nor_to_its_picture(page, app_url):
    lab = LabPage(page, app_url).open(canvas=True, text=PLAIN)
    shape = page.evaluate(SHAPE)
    lab.use_sentence(SENTENCE)
    expect(lab.table.get_by_role("rowheader").first).to_have_text(TOKENS[0])
    assert page.evaluate(SHAPE) == shape
    read = lab.read_table()
    assert read["keys"] == read["queries"] == list(TOKENS)
    assert lab.row.locator("option").all_inner_texts() == [f"{i} · {token}" for i, token in enumerate(TOKENS, 1)]
    for q, token in enumerate(TOKENS):
        lab.row.select_option(str(q))
        expect(lab.root.get_by_text(f"peak weight of ‘{token}’")).to_be_visible()
    # Read by a browser's own reader of addresses, the link says the same sentence.
    page.wait_for_url(lambda url: parse_qs(urlsplit(url).query)["text"] == [SENTENCE])
    page.locator("[data-takeaway] summary").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Picture (SVG)").click()
    assert "onload" not in download.value.suggested_filename
    picture = ElementTree.parse(download.value.path()).getroot()
    assert SENTENCE in picture.find("{*}title").text
    made = {element.tag.rpartition("}")[2] for element in picture.iter()}
    assert not made & {"script", "foreignObject", "a", "img", "iframe"}
    assert not [name for element in picture.iter() for name in element.attrib if name.startswith("on")]


def test_a_sentence_from_another_page_is_text(page, app_url):
    with HostServer() as host:
        framed = HostPage(
            page, host, f'<iframe src="{app_url}/embed/attention-lab" width="1000" height="900"></iframe>'
        )
        framed.wait("ready")
        told = framed.answer("set", told="state", state={"text": SENTENCE})
        assert told["state"]["text"] == SENTENCE
        lab = LabPage(framed.frame(), "")
        assert lab.read_table()["queries"] == list(TOKENS)
        error = framed.answer("set", told="error", state={"text": "<img src=x onerror='top.ran = 1'> b"})
        assert error["code"] == "refused"
        assert page.evaluate("window.ran === undefined") and framed.frame().locator("img").count() == 0


def test_what_the_builder_writes_holds_a_sentence_as_text(page, app_url):
    page.goto(f"{app_url}/embed?figure=attention-lab&text={quote(SENTENCE)}&hide={quote(TOKENS[0])}")
    code = page.get_by_label("What to paste")
    told = {}
    expect(code).not_to_have_value("", timeout=20_000)
    format = page.get_by_label("For", exact=True)
    for value in format.locator("option").evaluate_all("all => all.map(one => one.value)"):
        format.select_option(value)
        told[value] = code.input_value()
    (frame,) = Markup(told["iframe"]).elements
    assert set(frame[1]) == {"src", "title", "width", "height", "style", "loading", "allow"}
    assert parse_qs(urlsplit(frame[1]["src"]).query)["text"] == [SENTENCE]
    (script, lesson) = Markup(told["element"]).elements
    assert (script[0], lesson[0]) == ("script", "attention-lesson") and set(script[1]) == {"src"}
    assert parse_qs(lesson[1]["state"])["text"] == [SENTENCE] and "onload" not in lesson[1]
    link = told["link"]
    assert not set(link) & set("\"'<>`{}\\ \n")
    assert told["markdown"].count("](") == 1 and told["markdown"].endswith(")") and "\n" not in told["markdown"]
    calls = [node for node in ast.walk(ast.parse(told["jupyter"])) if isinstance(node, ast.Call)]
    assert len(calls) == 1 and calls[0].args[0].value == link
