"""Lesson files: whatever is in them, they load, or one line says in which file and line they cannot."""

import random
import re
import shutil

import pytest
import yaml
from fuzz import ANY_TEXT, count, ends, fuzz
from fuzz_lessons import FRONT, HARD_TEXT, HARD_YAML, PIECES, QUESTIONS
from fuzzed_server import LESSONS
from hypothesis import strategies as st

from app.lessons import Lesson, check, load_lesson
from app.prose import LessonError

REAL = LESSONS / "01_doing"
FILES = ("lesson.md", "quiz.yaml", "glossary.yaml")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("lessons") / "01_fuzzed"


def loaded(folder, files):
    """Load a lesson of these files; its text is one line where it cannot be loaded."""
    count()
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name, content in files.items():
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass"))
    with ends():
        try:
            lesson = load_lesson(folder)
        except LessonError as error:
            told = str(error)
            assert re.match(rf"{re.escape(str(folder))}/[a-z]+\.(md|yaml):", told), told[:300]
            assert told.isprintable() and len(told) < 3000, told[:300]
            return told
    assert isinstance(lesson, Lesson) and all(isinstance(title, str) for title in lesson.sections.values())
    return lesson


def front(**changes):
    """A lesson whose front matter has other lines for some names."""
    lines = FRONT.splitlines(keepends=True)
    return "".join(f"{name}: {changes[name]}\n" if (name := line.split(":")[0]) in changes else line for line in lines)


@pytest.mark.parametrize("name", ["front", "glossary.yaml", "quiz.yaml", "activity"])
def test_hard_yaml_is_one_line(name, folder):
    if name in FILES:
        texts = [{"lesson.md": FRONT + "x\n\n:::{quiz}\n:::\n", name: text} for text in HARD_YAML]
    elif name == "front":
        whole = [f"---\n{text}\n---\nx\n" for text in HARD_YAML]
        whole += [
            front(number=text) for text in ("true", "1.5", "'1'", "[1]", "0x1f", "1_0", "1:2:3", ".inf", "-1", "*a")
        ]
        texts = [{"lesson.md": text} for text in whole]
    else:
        texts = [
            {"lesson.md": f"{FRONT}:::{{{kind}}}\n{text}\n:::\n"}
            for kind in ("predict", "checkpoint")
            for text in HARD_YAML
        ]
    for files in texts:
        loaded(folder, files)


def test_hard_markdown_is_one_line_or_loads(folder):
    for text in HARD_TEXT:
        loaded(folder, {"lesson.md": f"{FRONT}{text}\n", "quiz.yaml": f"questions:\n{QUESTIONS}"})


def test_files_that_are_none_are_told(folder):
    loaded(folder, {})
    for name in FILES:
        text = {"lesson.md": FRONT + ":::{quiz}\n:::\n", "quiz.yaml": f"questions:\n{QUESTIONS}"}
        told = loaded(folder, text | {name: b"\xff\xfe\0"})
        assert isinstance(told, str) and name in told
        for make in (
            lambda path: path.mkdir(),
            lambda path: path.symlink_to(path),
            lambda path: path.symlink_to("nothing"),
        ):
            loaded(folder, text)
            (folder / name).unlink(missing_ok=True)
            make(folder / name)
            with ends():
                good, bad = check([folder])
            assert len(good) + len(bad) == 1 and "".join(good + bad).isprintable()


REAL_TEXT = {name: (REAL / name).read_bytes() for name in FILES if (REAL / name).exists()}


@fuzz(30, each=0, seed=st.integers(0, 2**32))
def test_a_real_lesson_with_mistakes_loads_or_says_where(seed, folder):
    rng = random.Random(seed)
    files = dict(REAL_TEXT)
    for _ in range(rng.randint(1, 4)):
        name = rng.choice(list(files))
        text = files[name]
        at, cut = rng.randrange(len(text) + 1), rng.choice([0, 1, 3, 30, 300])
        piece = rng.choice([*PIECES, text[at : at + cut] * 2])
        files[name] = text[:at] + piece + text[at + cut :]
    loaded(folder, files)


SCALARS = st.one_of(ANY_TEXT, st.integers(), st.floats(), st.booleans(), st.none())
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(ANY_TEXT, inner, max_size=4), max_leaves=8
)
KINDS = [
    "predict",
    "checkpoint",
    "failure-modes",
    "checklist",
    "interview",
    "quiz",
    "attention-lab",
    "note",
    "trap",
    "x",
]
NAMES = st.sampled_from(
    "title question choices text reply right then tasks from to ends scaled prompts answer section rows lines".split()
)
BODY = st.dictionaries(NAMES | ANY_TEXT, VALUES, max_size=5)


@fuzz(
    40,
    each=0,
    kind=st.sampled_from(KINDS),
    body=BODY,
    prose=ANY_TEXT,
    meta=VALUES,
    name=st.sampled_from("title number goals".split()),
)
def test_any_values_in_a_lesson_are_read_or_refused(kind, body, prose, meta, name, folder):
    written = yaml.safe_dump(body, allow_unicode=True)
    head = front(**{name: yaml.safe_dump(meta, default_flow_style=True, width=9**9).splitlines()[0]})
    glossary = yaml.safe_dump({str(prose): meta}, allow_unicode=True)
    quiz = yaml.safe_dump({"questions": [body] * 8}) if kind == "quiz" else f"questions:\n{QUESTIONS}"
    for text in (
        f"{head}{prose}\n",
        f"{FRONT}{prose}\n\n:::{{{kind}}} {prose}\n{written if kind != 'quiz' else ''}:::\n",
    ):
        loaded(folder, {"lesson.md": text, "glossary.yaml": glossary, "quiz.yaml": quiz})
