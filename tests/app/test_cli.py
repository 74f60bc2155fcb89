"""The command line: a user's mistake is one line on stderr and status 2."""

import io
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from app import export_command
from app.cli import main

ROOT = Path(__file__).parents[2]


def run(*arguments):
    return subprocess.run(
        [sys.executable, "-m", "app", *arguments], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "required"),
        (["fly"], "invalid choice: 'fly'"),
        (["serve", "--port", "70000"], "'70000' is not a whole number from 0 to 65535"),
        (["serve", "--port", "http"], "'http' is not a whole number"),
        (["serve", "--workers", "0"], "from 1 to 64"),
        (["serve", "--address", "no.such.host.invalid", "--port", "0"], "is no address of this machine"),
        (["serve", "--address", "192.0.2.1", "--port", "0"], "cannot listen on 192.0.2.1"),
        (["serve", "--address", ".", "--port", "0"], "'.' is no address of this machine"),
        (["serve", "--address", "a" * 70, "--port", "0"], "is no address of this machine"),
        (["serve", "--lessons", "x" * 300], "holds no lesson"),
        (["fly\x1b[2J\nhigh"], "invalid choice: 'fly\\x1b[2J\\nhigh'"),
        (["serve", "a\nb"], "unrecognized arguments: a\\nb"),
        (["check", "no\nwhere"], "no\\nwhere/lesson.md: the lesson cannot be read"),
        (["check", "nowhere"], "nowhere/lesson.md: the lesson cannot be read"),
        (["export", "x.html", "--figure", "lab"], "no figure is called 'lab'. There are: attention-lab"),
        (["export", "x.html", "--state", "d_k=1"], "d_k=1 cannot be used; allowed: 2 to 64"),
        (["export", "/no/such/folder/x.html"], "cannot write /no/such/folder/x.html"),
    ],
)
def test_a_mistake_is_one_line_and_status_2(arguments, told, capsys):
    assert main(arguments) == 2
    error = capsys.readouterr().err
    assert told in error and error.count("\n") == 1 and error.startswith("attention-lessons: ")


def test_a_port_in_use_is_one_line_and_status_2():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = run("serve", "--port", str(port))
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr == (
        f"attention-lessons: port {port} is in use. Stop what uses it, or choose another: --port {port + 1}.\n"
    )


def test_check_lists_our_lessons(capsys):
    assert main(["check"]) == 0
    assert "Self-attention that can learn" in capsys.readouterr().out


def test_a_file_may_have_any_name_that_the_system_takes(tmp_path, monkeypatch):
    name = os.fsdecode(b"a\xff.html")  # bytes that are no UTF-8, told to a terminal that takes nothing else
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), "utf-8"))
    monkeypatch.setattr(export_command, "figure_file", lambda *_: "page")
    monkeypatch.chdir(tmp_path)
    assert main(["export", name]) == 0 and (tmp_path / name).read_text() == "page"
    sys.stdout.flush()
    assert sys.stdout.buffer.getvalue().startswith(b"a\\udcff.html: 0.0 MB")


def test_the_installed_script_is_the_same_command():
    script = Path(sys.executable).with_name("attention-lessons")
    done = subprocess.run(
        [script, "check"], capture_output=True, text=True, timeout=60, check=False, cwd=ROOT / "tests"
    )
    assert done.returncode == 0 and "Self-attention that can learn" in done.stdout
