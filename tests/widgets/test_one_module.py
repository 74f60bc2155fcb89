"""Modules that import each other by name become one text that imports nothing."""

import re

import pytest

from widgets.files import module_paths
from widgets.one_module import EXPORT, one_module


@pytest.mark.parametrize("name", module_paths())
def test_nothing_is_left_to_import_and_the_entry_still_exports(name):
    whole = one_module(name)
    assert not re.search(r"^import\b", whole, re.MULTILINE)
    assert EXPORT.findall(whole) == EXPORT.findall(module_paths()[name].read_text("utf-8"))
    # Panel writes it into a script element of a notebook's output.
    assert "</script" not in whole


def test_what_a_module_imports_stands_once_and_before_it():
    whole = one_module("panel-lab")
    assert whole.count("const text_module = ") == whole.count("const table_module = ") == 1
    assert whole.index("const text_module = ") < whole.index("const figure_module = ")
    assert "const { unpack } = table_module;" in whole


def test_a_form_that_it_cannot_read_is_refused(tmp_path, monkeypatch):
    path = tmp_path / "odd.mjs"
    monkeypatch.setattr("widgets.one_module.module_paths", lambda: {"odd": path})
    path.write_text('import * as text from "text";\n', "utf-8")
    with pytest.raises(RuntimeError, match="cannot read 'import \\* as text"):
        one_module("odd")
