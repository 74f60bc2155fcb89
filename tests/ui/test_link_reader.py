"""Two readers of links, one in Python for a server and one in the page for files and sites, read alike."""

import random
from urllib.parse import urlencode

from lab_page import EMBED

from app.figures import FIGURES
from app.links import read_state

READ = """async ([links, schemas, defaults]) => {
  const { readState } = (await import("core")).link_module;
  return links.map(([figure, query]) => readState(new URLSearchParams(query), schemas[figure], defaults[figure]));
}"""

JUNK = ["", "0", "1", "7", "64", "65", "-1", "8.0", "0.1", "1e1", "true", "none", "٣", "<b>", "x" * 60, "99999999999"]
JUNK += ["08", "0.10", "00.1", "064", "4.0"]


def random_link(figure, rng):
    names = rng.sample(figure.State.names(), k=rng.randint(1, len(figure.State.names())))
    query = {}
    for name in names:
        rule = figure.State.schema()[name]
        good = [
            str(rule["default"]),
            *map(str, rule.get("values", [])),
            str(rule.get("max", 1)),
            str(rule.get("min", 0)),
        ]
        # Which sentences may be used is checked where the table comes from; here it is only a text.
        query[name] = "yes no" if rule["type"] == "text" else rng.choice(JUNK + good * 3)
    return query


def test_both_readers_give_the_same_state_and_refuse_the_same(page, app_url):
    rng = random.Random(4)
    links = [(name, random_link(figure, rng)) for name, figure in FIGURES.items() for _ in range(60)]
    schemas = {name: figure.State.schema() for name, figure in FIGURES.items()}
    defaults = {name: figure.State.default() for name, figure in FIGURES.items()}
    page.goto(app_url + EMBED)
    given = page.evaluate(READ, [[[name, urlencode(query)] for name, query in links], schemas, defaults])
    refused = 0
    for (name, query), read in zip(links, given, strict=True):
        state, ignored = read_state(query, FIGURES[name].State)
        assert read["state"] == state, (name, query)
        assert sorted(item["name"] for item in read["ignored"]) == sorted(item.name for item in ignored), (name, query)
        told = {item["name"]: (item["came"], item["used"]) for item in read["ignored"]}
        assert told == {item.name: (item.came, item.used) for item in ignored}, (name, query)
        refused += len(ignored)
    assert refused > 100
