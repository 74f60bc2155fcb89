"""Files: complete, small, silent; and what the command line says of mistakes."""

import gzip
import re
import zipfile

import pytest

from app.cli import main
from app.export import locks, pieces
from app.figures import FIGURES

LESSON = "05-trainable-attention"


def export(tmp_path, *arguments, name="out.html"):
    file = tmp_path / name
    assert main(["export", str(file), "--quiet", *arguments]) == 0
    return file.read_bytes()


@pytest.mark.parametrize("figure", FIGURES)
def test_a_figure_is_within_its_budget(figure, tmp_path):
    page = export(tmp_path, "--figure", figure)
    assert len(page) <= 2.0e6 and len(gzip.compress(page)) <= 0.6e6


def test_a_lesson_is_within_its_budget_and_holds_every_figure(tmp_path):
    page = export(tmp_path, "--lesson", LESSON)
    assert len(page) <= 4.0e6 and len(gzip.compress(page)) <= 1.1e6
    for figure in FIGURES:
        assert f'data-mount="{figure}"'.encode() in page


@pytest.mark.parametrize("arguments", [("--figure", "attention-lab"), ("--lesson", LESSON)])
def test_a_file_asks_nobody_for_anything(arguments, tmp_path):
    page = export(tmp_path, *arguments).decode()
    # BokehJS names addresses in its code and its texts; it is opened offline in tests/ui.
    own = re.sub(r"<script type=\"text/plain\" data-bokeh>.*?</script>", "", page, flags=re.DOTALL)
    head = own[: own.index("</head>")]
    assert not re.search(r"<script[^>]* src=|<link[^>]* href=\"(?!data:)|@import|url\((?!\"?data:)", own)
    assert "earlyTables ??=" not in head and "modulepreload" not in head


def test_the_same_state_gives_the_same_bytes_plain_and_zipped(tmp_path):
    arguments = ("--state", "d_k=64&scaled=0&hide=fault", "--theme", "dark")
    page = export(tmp_path, *arguments)
    assert page == export(tmp_path, *arguments)
    assert b'<html lang="en" dir="ltr" data-theme="dark" data-start="hide=fault">' in page
    packed = export(tmp_path, *arguments, "--zip", name="out.zip")
    with zipfile.ZipFile(tmp_path / "out.zip") as archive:
        assert archive.namelist() == ["index.html"] and archive.read("index.html") == page
    assert packed == export(tmp_path, *arguments, "--zip", name="out.zip")


def test_a_lesson_starts_as_its_text_says_or_as_asked(tmp_path):
    own = export(tmp_path, "--lesson", LESSON, "--theme", "projector").decode()
    assert 'data-theme="projector"' in own
    asked = export(tmp_path, "--lesson", LESSON, "--state", "d_k=33").decode()
    lab = asked[asked.index('data-mount="attention-lab"') :]
    assert re.search(r'name="d_k"[^>]*value="33"', lab)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--figure", "lab"], "no figure is called 'lab'. There are: attention-lab"),
        (["--lesson", "5"], "no lesson is called '5'. There are: 05-trainable-attention."),
        (["--state", "d_k=1"], "d_k=1 cannot be used; allowed: 2 to 64"),
        (["--state", "dk=8"], "--state knows no 'dk'. It takes: d_k, scaled"),
        (["--state", "hide=nose"], "hide=nose cannot be used; allowed: score-spread"),
        (["--state", "lock=theme"], "lock=theme cannot be used; allowed: d_k"),
        (["--state", "view=x"], "view=x cannot be used; allowed: full, compact"),
        (["--theme", "pink"], "theme=pink cannot be used; allowed: auto, light"),
        (["--lesson", LESSON, "--figure", "attention-lab"], "not allowed with argument"),
        (["--site", "--zip"], "--site writes everything as it is"),
        (["--scorm", "--figure", "attention-lab"], "--scorm packs a whole lesson"),
    ],
)
def test_a_mistake_is_one_line_and_status_2(arguments, told, tmp_path, capsys):
    assert main(["export", str(tmp_path / "out"), *arguments]) == 2
    error = capsys.readouterr().err
    assert told in error and error.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_the_lab_names_what_can_be_hidden_and_locked():
    assert {"d_k", "scaled", "fault", "row", "text", "seed", "heatmap", "table", "caption", "title", "share"} <= set(
        pieces("attention-lab")
    )
    assert locks("attention-lab") == ["d_k", "scaled", "fault", "row", "seed", "text"]
