"""tools/browser.py: where it looks, in which order, and what it says when it finds nothing. No real installs."""

import importlib.util
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "tools" / "browser.py"


@pytest.fixture
def tool():
    spec = importlib.util.spec_from_file_location("browser_under_test", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def machine(tool, monkeypatch):
    """A make-believe machine: the programs on its PATH, Playwright's browser, and the commands that were run."""

    # `brings`: what running a command puts on the PATH, by a word of that command; any other command fails.
    machine = SimpleNamespace(programs={}, playwright=None, ran=[], brings={})

    def run(command, limit):
        machine.ran.append(" ".join(command))
        new = [programs for word, programs in machine.brings.items() if word in command]
        for programs in new:
            machine.programs.update(programs)
        return bool(new)

    monkeypatch.delenv("CHROMIUM", raising=False)
    monkeypatch.setattr(tool.shutil, "which", lambda name: machine.programs.get(name))
    monkeypatch.setattr(tool, "playwrights_own", lambda: machine.playwright)
    monkeypatch.setattr(tool, "run", run)
    monkeypatch.setattr(tool.os, "geteuid", lambda: 1000)
    return machine


def test_the_named_browser_comes_first(tool, machine, monkeypatch):
    machine.programs = {"/opt/my/chrome": "/opt/my/chrome", "chromium": "/usr/bin/chromium"}
    monkeypatch.setenv("CHROMIUM", "/opt/my/chrome")
    assert tool.find_browser() == "/opt/my/chrome"


def test_then_the_path_in_order_then_playwrights_own(tool, machine):
    machine.playwright = "/cache/chrome"
    machine.programs = {name: f"/usr/bin/{name}" for name in tool.NAMES}
    for name in tool.NAMES:
        assert tool.find_browser() == f"/usr/bin/{name}"
        del machine.programs[name]
    assert tool.find_browser() == "/cache/chrome"


def test_the_headless_shell_comes_first_where_it_is_asked_for(tool, machine, monkeypatch):
    machine.programs = {name: f"/usr/bin/{name}" for name in (tool.SHELL, "chromium")}
    assert tool.find_browser() == "/usr/bin/chromium"
    assert tool.find_browser(shell=True) == f"/usr/bin/{tool.SHELL}"
    del machine.programs[tool.SHELL]
    assert tool.find_browser(shell=True) == "/usr/bin/chromium"
    machine.programs |= {tool.SHELL: f"/usr/bin/{tool.SHELL}", "/opt/my/chrome": "/opt/my/chrome"}
    monkeypatch.setenv("CHROMIUM", "/opt/my/chrome")
    assert tool.find_browser(shell=True) == "/opt/my/chrome"


def test_a_browser_that_is_there_installs_nothing(tool, machine, capsys):
    machine.programs = {"google-chrome": "/usr/bin/google-chrome"}
    assert tool.main() == 0
    assert capsys.readouterr().out == "/usr/bin/google-chrome\n"
    assert machine.ran == []


def test_playwright_installs_before_apt(tool, machine, capsys):
    machine.programs = {"apt-get": "/usr/bin/apt-get"}
    machine.brings = {"playwright": {"chromium": "/cache/chromium"}}
    assert tool.main() == 0
    assert machine.ran == [f"{sys.executable} -m playwright install --with-deps chromium"]
    assert capsys.readouterr().out == "/cache/chromium\n"


@pytest.mark.parametrize(
    ("user", "programs", "prefix"),
    [(0, {"sudo"}, ""), (1000, {"sudo"}, "sudo "), (1000, set(), "")],
)
def test_apt_installs_where_playwright_cannot(tool, machine, monkeypatch, user, programs, prefix):
    monkeypatch.setattr(tool.os, "geteuid", lambda: user)
    machine.programs = {name: f"/usr/bin/{name}" for name in {"apt-get", *programs}}
    machine.brings = {"update": {}, "-y": {"chromium": "/usr/bin/chromium"}}
    assert tool.main() == 0
    apt = f"{prefix}env DEBIAN_FRONTEND=noninteractive apt-get"
    assert machine.ran[1:] == [f"{apt} update", f"{apt} install -y chromium {tool.SHELL}"]


def test_where_apt_has_no_shell_chromium_is_installed_alone(tool, machine, monkeypatch):
    def run(command, limit):
        machine.ran.append(command)
        if command[-1] == "chromium" and "-y" in command:
            machine.programs["chromium"] = "/usr/bin/chromium"
        return command[-1] in ("update", "chromium") and "apt-get" in command

    monkeypatch.setattr(tool, "run", run)
    machine.programs = {"apt-get": "/usr/bin/apt-get"}
    assert tool.main() == 0
    assert [command[-2:] for command in machine.ran if "-y" in command] == [
        ["chromium", tool.SHELL],
        ["-y", "chromium"],
    ]


def test_without_any_way_one_line_says_what_was_tried_and_what_to_run(tool, machine, capsys):
    assert tool.main() == 2
    last = capsys.readouterr().err.splitlines()[-1]
    assert "chromium-browser" in last and "playwright install --with-deps chromium" in last
    assert last.endswith("run: python tools/browser.py")


def test_a_wrong_name_is_told_and_not_replaced(tool, machine, monkeypatch, capsys):
    machine.programs = {"chromium": "/usr/bin/chromium", "apt-get": "/usr/bin/apt-get"}
    monkeypatch.setenv("CHROMIUM", "/no/such/chrome")
    assert tool.main() == 2
    assert machine.ran == []
    assert capsys.readouterr().err.startswith("CHROMIUM names '/no/such/chrome', no program here")


def test_a_command_that_hangs_is_stopped(tool, capfd):
    assert tool.run([sys.executable, "-c", "import time; time.sleep(60)"], 0.2) is False
    assert "Stopped after 0.2 s" in capfd.readouterr().err


def test_playwright_is_asked_without_harm(tool):
    path = tool.playwrights_own()
    assert path is None or Path(path).is_file()
