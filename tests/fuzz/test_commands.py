"""Command lines: each ends with status 0 or with status 2 and one line, whatever is on it."""

import signal
import sys

import pytest
from fuzz import ANY_TEXT, fuzz
from hypothesis import strategies as st

from app import export_command, serve_command
from app.cli import main
from app.figures import FIGURES
from app.run import ServeError, listen


@pytest.fixture(scope="module", autouse=True)
def nothing_is_made():
    """What takes long or stays is left out: pages are a word, and there is no port to listen on."""

    def refuse(address, port):
        raise ServeError(f"port {port} is in use.")

    with pytest.MonkeyPatch.context() as patch:
        for name in ("figure_file", "lesson_file"):
            patch.setattr(export_command, name, lambda *_: "page")
        patch.setattr(export_command, "scorm_package", lambda *_: b"package")
        patch.setattr(export_command, "write_site", lambda *_: 0)
        patch.setattr(serve_command, "listen", refuse)
        patch.setattr(serve_command, "room_for", lambda connections: None)
        before = {number: signal.getsignal(number) for number in serve_command.STOP_SIGNALS}
        yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("out"))  # whatever a path says, unless it is absolute, it is in here
        yield


class Written:
    """What a program writes, as a terminal would take it: strictly UTF-8."""

    def __init__(self):
        self.text = ""

    def write(self, text):
        text.encode()
        self.text += text

    def flush(self):
        pass

    def isatty(self):
        return False


# An argument of a real command line may hold any bytes but NUL; those that are no UTF-8 come as surrogates. Neither
# does one leave the test's folder: export writes where it is told.
ARGUMENT = (ANY_TEXT | st.binary(max_size=20).map(lambda b: b.decode("utf-8", "surrogateescape"))).map(
    lambda text: text.replace("\0", "").replace("/", "∕").replace("..", "‥")
)
STATES = st.lists(
    st.tuples(st.sampled_from(["d_k", "scaled", "hide", "lock", "view", "theme"]) | ARGUMENT, ARGUMENT).map("=".join)
).map("&".join)
OPTIONS = {
    "serve": "--port --address --workers --allow-origin --frame-ancestors --proxy --metrics --limit --log-format "
    "--access-log --lessons --words --help",
    "export": "--figure --lesson --site --state --theme --lang --zip --scorm --scorm-version --quiet --help",
    "check": "--help",
}
GOOD = st.sampled_from(
    [
        "out.html",
        "attention-lab",
        "05-trainable-attention",
        "2004",
        "de",
        "en",
        "8080",
        "json",
        "connections=20",
        "self",
        "10.0.0.0/8",
    ]
    + [
        "https://*.example.org",
        "http://127.0.0.1:8000",
        ".",
        "light",
        "=",
        "--",
        "-",
        "-x",
        "--fig",
        "--s",
        "--l=x",
        "@out",
        "x" * 300,
    ]
    + sorted(FIGURES)
)


@st.composite
def command_lines(draw):
    command = draw(st.sampled_from(sorted(OPTIONS)))
    words = [command] if draw(st.integers(0, 9)) else [draw(ARGUMENT)]
    if command == "export" and draw(st.booleans()):
        words.append("out.html")
    for _ in range(draw(st.integers(0, 4))):
        option, value = draw(st.sampled_from(OPTIONS[command].split())), draw(GOOD | ARGUMENT | STATES)
        words += draw(st.sampled_from([[option, value], [option], [value], [f"{option}={value}"]]))
    return words


@fuzz(80, words=command_lines())
def test_a_command_line_ends_well_or_says_what_is_wrong(folder, words):
    out, err = Written(), Written()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdout", out)
        patch.setattr(sys, "stderr", err)
        try:
            status = main(words)
        except SystemExit as end:  # --help
            status = end.code
    assert status in (0, 2), status
    if status == 0:
        assert err.text == ""
        return
    lines = err.text.split("\n")
    # `check` tells each folder's mistake, and may have read another well.
    assert lines.pop() == "" and len(lines) >= 1 and (len(lines) == 1 or "check" in words)
    assert all(line.startswith("attention-lessons: ") and line.isprintable() for line in lines)


# None is looked up: a name that reads like one would be asked of other machines.
ADDRESSES = st.sampled_from(
    [
        "",
        ".",
        "..",
        "a" * 70,
        "a." * 200,
        "\udcff",
        "\ud800",
        "١٢٧.٠.٠.١",
        "127.0.0.1 ",
        "127.1",
        "0",
        "256.1.1.1",
        "999999999999",
    ]
    + ["::", "::1", "[::1]", "::g", "1:2", "fe80::1%nothing", "127.0.0.1\n", "192.0.2.1", "\u3002", "xn--", "-", " "]
) | st.ip_addresses().map(str)


@fuzz(30, address=ADDRESSES, port=st.sampled_from([0, 1, 65535]))
def test_any_address_is_listened_on_or_refused(address, port):
    try:
        listen(address, port).close()
    except ServeError as error:
        assert len(str(error)) < 600
