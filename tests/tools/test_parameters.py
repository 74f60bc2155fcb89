"""docs/instructors.md: its generated parts are in step, and what stands in it by hand is true."""

import importlib.util
import re
import runpy
from html import unescape
from pathlib import Path
from urllib.parse import parse_qsl

import pytest
import yaml

from app.export import locks, pieces
from app.figures import FIGURES
from app.lessons import LESSONS, load_lesson
from app.links import read_state
from widgets.words import catalogue

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "instructors.md"
FOLDER = LESSONS / "05_trainable_attention"
LARGEST_PICTURE = 120_000


def load(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


claims = load(ROOT / "tests" / "lessons" / "claims_05.py")


@pytest.fixture(scope="module")
def tool():
    return load(ROOT / "tools" / "parameters.py")


@pytest.fixture(scope="module")
def guide():
    return PAGE.read_text("utf-8")


@pytest.fixture(scope="module")
def lesson():
    return load_lesson(FOLDER)


@pytest.fixture
def copy(tool, guide, tmp_path, monkeypatch):
    """A page of its own for the tool: `copy.write_text(…)`, then `tool.main(…)`."""
    path = tmp_path / "instructors.md"
    path.write_text(guide, "utf-8")
    monkeypatch.setattr(tool, "PAGE", path)
    return path


def section(guide, title):
    """What stands beneath a heading, up to the next one of its level."""
    level = re.search(rf"^(#+) {re.escape(title)}$", guide, re.MULTILINE)
    return re.split(rf"^#{{1,{len(level[1])}}} ", guide[level.end() :], flags=re.MULTILINE)[0]


def rows(text):
    """The cells of each line of a table, without its head."""
    lines = [line for line in text.split("\n") if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines[1:]]


def words():
    return set(catalogue().values())


# ---- the tool -------------------------------------------------------------------------------------------------


def test_the_page_is_what_the_code_says(tool, capsys):
    assert tool.main("--check") == 0, capsys.readouterr().err


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("| `d_k` | 2 to 64 |", "| `d_k` | 2 to 63 |"),
        ("**128**", "**129**"),
        ("<!-- /answers -->", "More.\n<!-- /answers -->"),
    ],
)
def test_a_page_out_of_step_is_told_in_one_line_and_mended(old, new, tool, copy, guide, capsys):
    wrong = guide.replace(old, new, 1)
    assert wrong != guide
    copy.write_text(wrong, "utf-8")
    assert tool.main("--check") == 1
    line = wrong[: next(i for i, (a, b) in enumerate(zip(wrong, guide, strict=False)) if a != b)].count("\n") + 1
    message = f"instructors.md:{line}: not what the code says. Run: python tools/parameters.py\n"
    assert capsys.readouterr().err == message
    assert copy.read_text("utf-8") == wrong, "--check only looks"
    assert tool.main() == 0
    assert copy.read_text("utf-8") == guide


@pytest.mark.parametrize("mark", ["<!-- parameters -->", "<!-- /answers -->"])
def test_a_page_without_its_marks_is_left_alone(mark, tool, copy, guide, capsys):
    copy.write_text(guide.replace(mark, ""), "utf-8")
    assert tool.main() == 2
    assert re.fullmatch(r"instructors\.md: it needs one line <!-- .*\n", capsys.readouterr().err)


def test_an_unknown_option_is_told(tool, capsys):
    assert tool.main("--chekc") == 2
    assert capsys.readouterr().err.startswith("usage: python tools/parameters.py")


# ---- what it writes, read back -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FIGURES)
def test_each_figure_has_every_parameter_lock_and_piece(name, tool, guide):
    text = section(guide, f"{FIGURES[name].title}: `/embed/{name}/`")
    State = FIGURES[name].State
    told = {cells[0].strip("`"): cells[2].strip("`") for cells in rows(text)}
    common = {cells[0].strip("`"): cells[2].strip("`") for cells in rows(section(guide, "Link parameters"))}
    for item in State.names():
        query = {item: told.get(item, common.get(item))}
        assert read_state(query, State) == (State.default(), []), f"the default of {item} as the guide has it"
    (taken,) = re.findall(r"`lock=` takes (.*)\.", text)
    assert re.findall(r"`([^`]+)`", taken) == locks(name)
    (hidden,) = re.findall(r"`hide=` takes (.*)\.", text)
    (everywhere,) = re.findall(r"Every figure has (.*);", guide)
    assert {*re.findall(r"`([^`]+)`", hidden + everywhere)} == {*pieces(name)}


def test_the_key_has_the_right_answer_of_every_question(guide):
    questions = yaml.safe_load((FOLDER / "quiz.yaml").read_text("utf-8"))["questions"]
    items = re.split(r"^\d+\. ", section(guide, "Quiz"), flags=re.MULTILINE)[1:]
    plain = runpy.run_path(str(ROOT / "tools" / "answer_key.py"))["words"]
    assert len(items) == len(questions)
    for item, question in zip(items, questions, strict=True):
        rights = [choice["text"] for choice in question.get("choices", []) if choice.get("right")]
        right = f"{question['number']:g}" if "number" in question else plain(rights[0])
        assert re.findall(r"\*\*(.*?)\*\*", item)[0].rstrip(".") == right.rstrip(".")
        assert plain(question["question"]) in item


def test_the_key_has_the_checkpoint_and_nothing_of_latex(guide, lesson):
    key = section(guide, "Answer key") + section(guide, "Checkpoint") + section(guide, "Predict first")
    (checkpoint,) = [block for block in lesson.blocks if getattr(block, "kind", "") == "checkpoint"]
    for task in checkpoint.tasks:
        assert f"d_k goes from {task.start} or less to {task.stop} by slider or keys" in key
    assert "**Trainable: the gradient still reaches the matrices that have to move.**" in key
    assert "**It climbs until one token takes nearly everything.**" in key
    assert not re.search(r"[$\\]", guide.partition("<!-- answers -->")[2].partition("<!-- /answers -->")[0])


def test_a_formula_that_cannot_be_plain_is_told():
    plain = runpy.run_path(str(ROOT / "tools" / "answer_key.py"))["words"]
    assert plain("$e^8 \\approx 2981$ and\n $\\sqrt{d_k}$") == "e⁸ ≈ 2981 and √d_k"
    with pytest.raises(ValueError, match=r"\\frac.*Add its commands to SIGNS"):
        plain("$\\frac{1}{2}$")


# ---- what is written by hand ---------------------------------------------------------------------------------


def test_every_address_in_the_page_is_one_that_works(guide, lesson):
    text = unescape(guide)
    found = re.findall(r"(/embed/|/lessons/|#)([a-z0-9-]+)/?(?:\?([\w=&,.-]+))?", text.split("<!-- parameters -->")[0])
    checked = 0
    for place, name, query in found:
        if place == "/lessons/":
            assert name == lesson.slug
            name = "attention-lab"
        elif name not in FIGURES:
            assert place == "#" and not query, f"there is no figure {name}"
            continue
        asked = dict(parse_qsl(query))
        hidden, held = (asked.pop(look, "").split(",") for look in ("hide", "lock"))
        assert {*filter(None, hidden)} <= {*pieces(name)} and {*filter(None, held)} <= {*locks(name)}
        state, ignored = read_state(asked, FIGURES[name].State)
        assert ignored == [] and asked.keys() <= state.keys(), f"{name}?{query}"
        checked += bool(query)
    assert checked > 15


def test_names_of_the_builder_are_those_on_its_page(guide):
    """Bold in the text about the builder is what stands on screen."""
    for title in ("The shortest way", "Without a server"):
        bold = [re.sub(r"\s+", " ", name) for name in re.findall(r"\*\*(.+?)\*\*", section(guide, title), re.DOTALL)]
        assert bold and {*bold} <= words()
    choices = re.findall(r"\*\*For\*\*: \*([^*]+)\*", re.sub(r"\s+", " ", guide))
    assert len(choices) >= 4 and {*choices} <= words()
    for said in ("See what happens", "Grade my answers", "Start over", "Copy link", "Other matrices"):
        assert f"“{said}”" in guide and said in words()


def test_pictures_are_there_told_and_light(guide):
    pictures = re.findall(r"!\[([^]]*)\]\(([^)]+)\)", guide)
    assert len(pictures) >= 3
    for told, path in pictures:
        assert len(told) > 40
        assert (PAGE.parent / path).stat().st_size <= LARGEST_PICTURE


def test_links_to_places_lead_somewhere(guide):
    anchors = {
        re.sub(r"[^\w -]", "", title).lower().replace(" ", "-") for title in re.findall(r"^#+ (.+)$", guide, re.M)
    }
    for target in re.findall(r"\]\(([^)]+)\)", guide):
        path, _, anchor = target.partition("#")
        assert (PAGE.parent / path).exists() if path else anchor in anchors, target


def test_the_plan_adds_up_and_names_the_sections(guide, lesson):
    assert f"learners take about {lesson.meta['minutes']} minutes" in guide
    *plan, last = rows(section(guide, "Timing"))
    minutes = [[0 if cell == "–" else int(cell) for cell in cells[1:3]] for cells in plan]
    assert [f"**{sum(column)}**" for column in zip(*minutes, strict=True)] == last[1:3] == ["**45**", "**90**"]
    titles = [cells[0] for cells in plan]
    assert [title for title in lesson.sections.values() if title in titles] == titles
    assert [title for title in lesson.sections.values() if title[0].isdigit() and title not in titles] == []


def test_goals_and_prerequisites_are_the_lessons(guide, lesson):
    text = re.sub(r"\s+", " ", section(guide, "Teaching lesson 05"))
    for line in [*lesson.meta["goals"], *lesson.meta["prerequisites"]]:
        assert line.rstrip(")").split(" (")[0] in text
    assert lesson.meta["title"] in text


NUMBERS = {
    "spread by about 8 now": lambda: abs(claims.draws().measured_deviation[64 - 2] - 8) < 0.1,
    "a lead of 8? (A factor of 2981.)": lambda: round(float(claims.np.exp(8))) == 2981,
    "Five of six rows are dead": lambda: claims.table().dead_rows[claims.state(64, False)] == 5,
    "ends at 0.56 of its loss": lambda: round(float(claims.losses(64, 0.1)[0]), 2) == 0.56,
    "At width 4 the lane without a scale does": lambda: claims.losses(4, 0.03).argmin() == 0,
    "About half over many draws": lambda: 0.45 < claims.draws().dead_share[-1, 0] < 0.55,
    "0.54, then 0.33": lambda: [round(claims.peak(d_k, False), 2) for d_k in (9, 11)] == [0.54, 0.33],
    "No weight is above 0.21": lambda: (
        round(float(claims.table().weights[claims.state(64, True, "divide_by_d_k")].max()), 2) == 0.21
    ),
    "gives itself 0.97 or more": lambda: (
        round(float(claims.np.diag(claims.table().weights[claims.state(64, True, "shared_projection")]).min()), 2)
        == 0.97
    ),
    "sums to 1.28": lambda: (
        round(float(claims.table().row_sum[(*claims.state(8, True, "softmax_over_queries"), claims.JOURNEY)]), 2)
        == 1.28
    ),
    "16 numbers come out where 8 were wanted": lambda: claims.trace(8, fault="blend_embeddings").context.shape[1] == 16,
    "Twice the tokens, four times the table": lambda: (2 * 6) ** 2 == 4 * 6**2,
}


@pytest.mark.parametrize("passage", NUMBERS)
def test_a_number_about_a_misconception_holds(passage, guide):
    assert passage in section(guide, "Misconceptions to expect")
    assert NUMBERS[passage]()


def test_no_other_number_stands_among_the_misconceptions(guide):
    text = section(guide, "Misconceptions to expect")
    for passage in NUMBERS:
        text = text.replace(passage, "")
    text = re.sub(r"`[^`]*`|\]\([^)]*\)|, then d_k 11", "", text)
    assert re.findall(r".{0,30}\d.{0,30}", text) == []


def test_what_scorm_counts_is_what_the_page_says(guide):
    script = (ROOT / "app" / "static" / "scorm.js").read_text("utf-8")
    (mastery,) = re.findall(r"const MASTERY = (\d+);", script)
    assert {*re.findall(r"(\d+) %", section(guide, "Moodle") + section(guide, "A graded lesson (SCORM)"))} == {mastery}
