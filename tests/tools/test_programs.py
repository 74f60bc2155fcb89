"""tools/programs.py: installs what is missing and nothing else, and says what is still missing. No real installs."""

import runpy
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

TOOLS = Path(__file__).resolve().parents[2] / "tools"


@pytest.fixture
def tool(monkeypatch):
    """The tool on a make-believe machine: `there` are its programs, `ran` the commands, `brings` what these install."""
    monkeypatch.syspath_prepend(str(TOOLS))
    monkeypatch.delitem(sys.modules, "browser", raising=False)
    names = runpy.run_path(str(TOOLS / "programs.py"))
    tool = SimpleNamespace(main=names["main"], there=set(), ran=[], brings=set())
    browser = sys.modules["browser"]
    monkeypatch.setattr(browser.shutil, "which", lambda name, path=None: name if name in tool.there else None)
    monkeypatch.setattr(browser.os, "geteuid", lambda: 0)

    def run(command, limit):
        tool.ran.append(" ".join(command[2:]))
        tool.there |= tool.brings & set(command)
        return True

    names["main"].__globals__["run"] = run
    yield tool
    del sys.modules["browser"]


def test_what_is_there_is_not_installed(tool):
    tool.there = {"nginx", "systemd-analyze", "apt-get"}
    assert tool.main() == 0 and tool.ran == []


def test_what_is_missing_is_installed(tool):
    tool.there, tool.brings = {"systemd-analyze", "apt-get"}, {"nginx"}
    assert tool.main() == 0
    assert tool.ran == ["apt-get update", "apt-get install -y nginx"]


@pytest.mark.parametrize("there", [set(), {"apt-get"}], ids=["without apt", "with apt that has none"])
def test_what_cannot_be_installed_is_told(tool, there, capsys):
    tool.there = there
    assert tool.main() == 2
    last = capsys.readouterr().err.splitlines()[-1]
    assert last == "The tests need nginx and systemd-analyze: install them, then run: make test-hosts"
