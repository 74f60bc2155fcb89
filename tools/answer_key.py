"""The answer key of a lesson as Markdown, from what its activities say themselves; used by parameters.py."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml

from app.prose import Block, parse

ROOT = Path(__file__).parent.parent
LESSON = ROOT / "lessons" / "05_trainable_attention"

# Formulas in running text. Not every reader of Markdown draws them, and the few that answers use need no drawing.
SIGNS = {
    r"\\sqrt\{([^{}]*)\}": r"√\1",
    r"\\operatorname\{([^{}]*)\}": r"\1",
    r"\s*\^\\top": "ᵀ",
    r"\\cdot": "·",
    r"\\times": "×",
    r"\\approx": "≈",
    " - ": " − ",
}
POWERS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def words(text: str) -> str:
    """A text of a lesson as one line of plain Markdown."""
    return re.sub(r"\$([^$]+)\$", lambda found: _formula(found[1]), re.sub(r"\s+", " ", text.strip()))


def _formula(latex: str) -> str:
    for sign, plain in SIGNS.items():
        latex = re.sub(sign, plain, latex)
    latex = re.sub(r"\^(\d+)", lambda found: found[1].translate(POWERS), latex)
    if re.search(r"[\\{}^]", latex):
        raise ValueError(f"tools/answer_key.py cannot write {latex!r} as plain text. Add its commands to SIGNS.")
    return latex


def answer_key(folder: Path = LESSON) -> str:
    """Predictions, checkpoint, quiz and interview prompts, in the order of the lesson."""
    body = (folder / "lesson.md").read_text("utf-8").split("---\n", 2)[2]
    written = []
    for block in parse(folder / "lesson.md", body, 1):
        if not isinstance(block, Block) or block.name not in WRITERS:
            continue
        text = block.body if block.name != "quiz" else (folder / "quiz.yaml").read_text("utf-8")
        written.append(WRITERS[block.name](yaml.safe_load(text)))
    return "\n\n".join(written)


def _predict(activity: dict[str, Any]) -> str:
    target = activity["then"].partition("?")[2]
    shown = f"“See what happens” brings the lab to `?{target}`."
    return "\n\n".join(["### Predict first", words(activity["question"]), _choice(activity), shown])


def _checkpoint(activity: dict[str, Any]) -> str:
    tasks = [f"{number}. {words(task['text'])} {_way(task)}" for number, task in enumerate(activity["tasks"], start=1)]
    return "\n\n".join(
        ["### Checkpoint", "\n".join(tasks), f"Question: {words(activity['question'])}", _choice(activity)]
    )


def _way(task: dict[str, Any]) -> str:
    """How a task is done, from what its module checks."""
    told = f"{'throughout' if 'throughout' in task else 'at the end'}: {task.get('throughout') or task['ends']}"
    scale = "on" if task["scaled"] else "off"
    return (
        f"(*Ticks itself when* d_k goes from {task['from']} or less to {task['to']} by slider or keys, ÷√d_k {scale}, "
        f"nothing broken and nothing else changed on the way; softmax state {told}.)"
    )


def _choice(question: dict[str, Any]) -> str:
    (right,) = [choice for choice in question["choices"] if choice.get("right")]
    return f"**{words(right['text']).rstrip('.')}.** {words(right['reply'])}"


def _quiz(activity: dict[str, Any]) -> str:
    questions = []
    for number, question in enumerate(activity["questions"], start=1):
        answer = _number(question) if "number" in question else _choice(question)
        questions.append(f"{number}. {words(question['question'])}  \n   {answer}")
    return "### Quiz\n\n" + "\n".join(questions)


def _number(question: dict[str, Any]) -> str:
    near = f" (within {question['tolerance']:g})" if question.get("tolerance") else ""
    answer = f"**{question['number']:g}**{near}. {words(question['reply'])}"
    mistakes = [f"*{mistake['number']:g}*: {words(mistake['reply'])}" for mistake in question.get("mistakes", [])]
    return answer + (f"  \n   Wrong: {' '.join(mistakes)}" if mistakes else "")


def _interview(activity: dict[str, Any]) -> str:
    prompts = [f"* **{words(prompt['question'])}** {words(prompt['answer'])}" for prompt in activity["prompts"]]
    return "### Interview prompts\n\n" + "\n".join(prompts)


WRITERS = {"predict": _predict, "checkpoint": _checkpoint, "quiz": _quiz, "interview": _interview}
