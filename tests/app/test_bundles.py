"""Few modules are sent, each part of the code once, and what comes later finds what was there before."""

import re
from collections import Counter

import pytest

from app import bundles as made
from app.bundles import CORE, bundles, held_core, page_bundle
from app.figures import FIGURES
from widgets.files import module_paths

LATER = {"contents", "lesson", "frame", "takeaway", "paper"}
MODULE = re.compile(r"^const (\w+)_module = \(\(\) => \{$", re.MULTILINE)
GIVEN = re.compile(r"^export \{([^}]*)\};$", re.MULTILINE)
TAKEN = re.compile(r'^import \{([^}]*)\} from "(\w+)";$', re.MULTILINE)


def names(listed):
    return {name.strip() for name in listed.split(",")}


def held(name):
    """The modules that a bundle has in it, itself included."""
    own = {found.replace("_", "-") for found in MODULE.findall(bundles()[name])}
    return own if name == CORE else own | {name}


def test_there_is_one_for_the_page_each_figure_and_each_part_that_comes_later():
    assert set(bundles()) == {"page", CORE, "builder", *FIGURES, *LATER}


def test_every_module_is_sent_in_one_bundle_only():
    sources = {path.stem for path in made.STATIC.glob("*.mjs")} | set(module_paths()) - {"panel-lab"}
    where = Counter(module.replace("_", "-") for name in bundles() if name != "builder" for module in held(name))
    # The builder's page has no figure in it, and brings its own copy of the little that it shares.
    assert set(where) | held("builder") == {name.replace("_", "-") for name in sources}
    assert set(where.values()) == {1}


def test_what_two_need_is_in_core_and_what_one_needs_is_with_it():
    assert {"text", "table", "figure", "heatmap", "figures", "tables"} <= held(CORE)
    assert {"quiz", "checklist", "choice", "numbers"} <= held("lesson")
    assert "training-race-play" in held("training-race")


def test_bundles_import_nothing_but_what_core_gives():
    given = names(GIVEN.findall(bundles()[CORE])[0])
    for name, text in bundles().items():
        for taken, source in TAKEN.findall(text):
            assert source == CORE and names(taken) <= given, name
        assert len(re.findall(r"^import\b", text, re.MULTILINE)) == len(TAKEN.findall(text)), name
    assert not TAKEN.search(bundles()[CORE]) and not TAKEN.search(bundles()["builder"])


@pytest.mark.parametrize("figure", FIGURES)
def test_a_file_has_in_its_first_text_what_answers_first(figure):
    text = page_bundle((figure,))
    assert not re.search(r"^(import|export)\b", text, re.MULTILINE)
    own = {found.replace("_", "-") for found in MODULE.findall(text)}
    assert own == held(CORE) | held("page") - {"page"} | held(figure)
    assert len(own) == len(MODULE.findall(text))
    assert "</script" not in text


def test_what_a_file_imports_later_finds_the_modules_that_run_already():
    (core,) = re.findall(r"^export const \{([^}]*)\} = window\.earlyModules\.core;$", held_core())
    assert names(core) == names(GIVEN.findall(bundles()[CORE])[0])
    assert f"window.earlyModules = {{ core: {{{core}}} }};" in page_bundle(("attention-lab",))
