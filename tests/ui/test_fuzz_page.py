"""Links, messages and what is typed, as bad as they come, in a page: no error, and it answers the next key."""

import json
from urllib.parse import urlencode

import pytest
from fuzz import fuzz, inside
from fuzz_page import Values, answers_keys
from host_page import HostPage, HostServer
from hypothesis import strategies as st
from lab_page import LabPage
from playwright.sync_api import expect

from app.figures import FIGURES
from app.links import read_state
from widgets.state import LabState

SEEDS = {"shrink": False, "seed": st.integers(0, 2**32)}
SCHEMAS = {name: figure.State.schema() for name, figure in FIGURES.items()}
DEFAULTS = {name: figure.State.default() for name, figure in FIGURES.items()}
LAB = SCHEMAS["attention-lab"]


@pytest.fixture(scope="module")
def lab(kept_page, app_url):
    """A lab's own page, for all tests of this file that do not leave it."""
    lab = LabPage(kept_page.new_context(viewport={"width": 1280, "height": 900}).new_page(), app_url).open()
    yield lab
    lab.page.context.close()


READ = """async ([links, schemas, defaults]) => {
  const { readState } = (await import("core")).link_module;
  return links.map(([figure, query]) => {
    const { state, ignored } = readState(new URLSearchParams(query), schemas[figure], defaults[figure]);
    return [state, ignored.map(({ name, came, used }) => [name, came, used]).sort()];
  });
}"""


@fuzz(1, each=300, **SEEDS)
def test_the_pages_reader_of_links_reads_as_the_servers(watch, lab, seed):
    values = Values(seed)
    links = []
    for _ in range(300):
        name = values.rng.choice(sorted(FIGURES))
        names = [field for field in SCHEMAS[name] if field != "text" and values.rng.random() < 0.6]
        links.append((name, {field: values.near(SCHEMAS[name][field]) for field in names}))
    given = lab.page.evaluate(READ, [[[name, urlencode(query)] for name, query in links], SCHEMAS, DEFAULTS])
    for (name, query), (state, ignored) in zip(links, given, strict=True):
        wanted, told = read_state(query, FIGURES[name].State)
        assert state == wanted, (name, query)
        assert [item[0] for item in ignored] == sorted(item.name for item in told), (name, query)


TYPED = """async ([cases, schemas]) => {
  const { typed } = (await import("core")).link_module;
  return JSON.parse(cases).map(([figure, name, value]) => {
    const found = typed(schemas[figure][name], value);
    return found === undefined ? [] : [found];
  });
}"""


@fuzz(1, each=300, **SEEDS)
def test_a_value_of_a_host_is_typed_or_refused(watch, lab, seed):
    values = Values(seed)
    cases = [
        (name := values.rng.choice(sorted(FIGURES)), values.rng.choice(sorted(SCHEMAS[name])), values.value())
        for _ in range(300)
    ]
    for (name, field, came), found in zip(cases, lab.page.evaluate(TYPED, [json.dumps(cases), SCHEMAS]), strict=True):
        if found and SCHEMAS[name][field]["type"] != "text":  # whether a sentence may be used the server says
            assert inside(DEFAULTS[name] | {field: found[0]}, FIGURES[name].State), (name, field, came)


ADDRESSES = """async (queries) => {
  const fit = location.href;
  for (const [query, hash] of queries) {
    history.replaceState(null, "", `${location.pathname}?${query}`);
    dispatchEvent(new PopStateEvent("popstate"));
    location.hash = hash;
    await new Promise(requestAnimationFrame);
  }
  history.replaceState(null, "", fit);
}"""
STATE = """() => new Promise((resolve) => {
  addEventListener("figure-state", ({ detail }) => resolve(detail.state), { once: true });
  document.querySelector('[data-figure="attention-lab"]').dispatchEvent(new CustomEvent("figure-ask"));
})"""


@fuzz(1, each=120, **SEEDS)
def test_addresses_that_come_while_the_page_stands_move_it_or_do_not(watch, lab, seed):
    values = Values(seed)
    # Another sentence or seed asks the server, whose answer may come after the key below.
    schema = {name: rule for name, rule in LAB.items() if name not in ("text", "seed")}
    queries = [(values.query(schema), f"attention-lab?{values.query(schema)}") for _ in range(60)]
    lab.page.evaluate(ADDRESSES, queries)
    assert inside(lab.page.evaluate(STATE), LabState)
    answers_keys(lab)


@fuzz(1, each=12, **SEEDS)
def test_whatever_is_typed_for_a_sentence_or_seed_is_used_or_answered(watch, lab, seed):
    values = Values(seed)
    for _ in range(6):
        for field in (lab.sentence, lab.seed):
            field.fill(values.text())
            field.press("Enter")
        expect(lab.root.locator("[aria-busy=true]")).to_have_count(0)
    assert inside(lab.page.evaluate(STATE), LabState)
    lab.use_sentence("one two three")
    expect(lab.kpi("peak-weight")).to_be_visible()
    answers_keys(lab)


# As JSON, here and below: Playwright's own way loses a name such as __proto__.
SAY = "(messages) => JSON.parse(messages).forEach((message) => post(0, message))"


@fuzz(1, each=600, **SEEDS)
def test_messages_of_a_host_move_the_figure_inside_its_schema(watch, page, app_url, seed):
    values = Values(seed)
    with HostServer() as host:
        hostile = HostPage(
            page, host, f'<iframe src="{app_url}/embed/attention-lab" width="1000" height="900"></iframe>'
        )
        hostile.wait("ready")
        for _ in range(6):
            page.evaluate(SAY, json.dumps([values.message(LAB) for _ in range(100)]))
            assert inside(hostile.settle()["state"], LabState)
        hostile.say("lock", names=[])
        hostile.settle()
        answers_keys(LabPage(hostile.frame(), ""))
