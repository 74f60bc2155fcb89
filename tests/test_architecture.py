"""Imports go one way: attention <- widgets <- app -> lessons (text)."""

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
MAY_IMPORT = {
    "attention": ["numpy"],
    # jinja2 and its markupsafe: a figure's HTML is a template, and bokeh needs both anyway.
    "widgets": ["attention", "numpy", "param", "bokeh", "panel", "jinja2", "markupsafe"],
    "app": ["attention", "widgets", "numpy", "param", "bokeh", "panel", "tornado", "tqdm", "jinja2", "markupsafe"]
    + ["markdown_it", "mdit_py_plugins", "latex2mathml", "yaml"],
}


def imported(source: str) -> set[str]:
    """Top-level names of all that is imported, inside functions too; a relative import stays in its package."""
    names = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            names.add(node.module.partition(".")[0])
    return names


def bad_arrows(where: str, source: str) -> list[str]:
    package = where.partition("/")[0]
    allowed = {package, *MAY_IMPORT[package]}
    return [
        f"{where} imports {name}; {package}/ may import {', '.join(MAY_IMPORT[package])} and the standard library"
        for name in sorted(imported(source) - allowed - sys.stdlib_module_names)
    ]


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_imports_go_one_way(package):
    files = sorted((ROOT / package).rglob("*.py"))
    assert files, f"{package}/ holds no Python: this test would check nothing"
    problems = [
        line for file in files for line in bad_arrows(file.relative_to(ROOT).as_posix(), file.read_text("utf-8"))
    ]
    assert not problems, "\n".join(problems)


def test_lessons_are_text():
    assert not list((ROOT / "lessons").rglob("*.py"))


@pytest.mark.parametrize("source", ["import app", "from app.links import State", "def late():\n    import app.server"])
def test_a_bad_arrow_is_caught(source):
    (problem,) = bad_arrows("widgets/heatmap.py", source)
    assert problem.startswith("widgets/heatmap.py imports app; widgets/ may import attention, numpy")


@pytest.mark.parametrize("source", ["import ast, numpy as np", "from . import theme", "from widgets.theme import INK"])
def test_a_good_arrow_passes(source):
    assert bad_arrows("widgets/heatmap.py", source) == []
