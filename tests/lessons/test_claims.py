"""Every number in the text of lesson 05 is on the list of claims, and every claim holds."""

import importlib.util
import json
import re
from pathlib import Path

import numpy as np
import pytest
import yaml

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "lessons" / "05_trainable_attention"

spec = importlib.util.spec_from_file_location("claims_05", Path(__file__).with_name("claims_05.py"))
claims = importlib.util.module_from_spec(spec)
spec.loader.exec_module(claims)


def squeeze(text):
    return re.sub(r"\s+", " ", text)


def prose():
    """What a learner reads, without states of figures, anchors and front matter."""
    lesson = (FOLDER / "lesson.md").read_text("utf-8").split("---\n", 2)[2]
    kept = [
        line
        for line in lesson.split("\n")
        if not re.match(r"\s*(:state:|try:|then:|break:|from:|to:|section:)|## \d", line)
    ]
    text = re.sub(r"\]\(#[^)]*\)", "]", "\n".join(kept))
    return squeeze(text + (FOLDER / "glossary.yaml").read_text("utf-8"))


@pytest.mark.parametrize("passage", claims.CLAIMS)
def test_a_claim_stands_in_the_text_and_holds(passage):
    assert squeeze(passage) in prose(), "this passage is no longer in the lesson: take the claim off the list"
    assert claims.CLAIMS[passage]()


def test_every_number_in_the_text_is_on_the_list():
    text = prose()
    # Longest first: a short passage may be a part of a longer one.
    for passage in sorted([*claims.CLAIMS, *claims.NAMES], key=len, reverse=True):
        text = text.replace(squeeze(passage), " ")
    left = [text[max(0, found.start() - 60) : found.end() + 30] for found in re.finditer(r"\d", text)]
    assert left == []


def test_every_numeric_answer_of_the_quiz_is_computed():
    questions = yaml.safe_load((FOLDER / "quiz.yaml").read_text("utf-8"))["questions"]
    numeric = [question for question in questions if "number" in question]
    for question in numeric:
        (passage,) = [passage for passage in claims.ANSWERS if passage in squeeze(question["question"])]
        assert np.isclose(question["number"], claims.ANSWERS[passage](), atol=1e-9)
        tolerance = question.get("tolerance", 0)
        for mistake in question.get("mistakes", []):
            assert abs(mistake["number"] - question["number"]) > tolerance, "a mistake would be taken for the answer"
    assert len(numeric) == len(claims.ANSWERS)


WORDS = {path.stem: json.loads(path.read_text("utf-8")) for path in (ROOT / "widgets/words/en").glob("*.json")}


def trained_heads():
    with np.load(FOLDER / "data" / "trained_heads.npz") as file:
        return file["Q"], file["K"]


def test_the_figures_words_claim_nothing_wrong():
    Q, K = trained_heads()
    assert "All 72 heads" in WORDS["trained-head"]["trained-head.caption"] and Q.shape[0] * Q.shape[1] == 72
    assert "√32" in WORDS["trained-head"]["trained.reply.1"] and Q.shape[-1] == 32
    weights = claims.softmax(Q[0, 2] @ K[0, 2].T / np.sqrt(32))
    assert "layer 1, head 3" in WORDS["trained-head"]["trained.limits"] and (weights.max(axis=-1) > 0.95).all()
    assert "12 layers of 12 heads: 144" in WORDS["memory-wall"]["memory.fact.many"] and 12 * 12 == 144
    race = WORDS["training-race"]["race.choice.note"]
    assert "d_k 4 at a rate of 0.03 is won without it" in race and claims.losses(4, 0.03).argmin() == 0
