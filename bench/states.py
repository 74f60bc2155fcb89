"""What all pages show while they are measured: the lesson's sentence, scale off, d_k from 8 to 48 and back."""

from __future__ import annotations

from functools import cache

from attention import lab_table, tokenize

SENTENCE = "Your journey starts with one step"
SEED = 5108
ROW = 1
START = 8
PRESSES = 40
OUR_QUERY = f"?d_k={START}&scaled=0"


@cache
def read_outs() -> dict[int, tuple[float, float]]:
    """Score spread and peak weight by d_k, as the core computes them.

    In these states the two numbers together, with two decimals, are new at each step:
    whoever shows 40 values has shown every one.
    """
    table = lab_table(tokenize(SENTENCE), SEED)
    return {
        d_k: (float(table.spread[d_k - 2, 0, 0]), float(table.peak[d_k - 2, 0, 0, ROW]))
        for d_k in range(START, START + PRESSES + 1)
    }


@cache
def picture() -> str:
    """The numbers in the heatmap's cells at `START`, row by row, as a page prints them."""
    table = lab_table(tokenize(SENTENCE), SEED)
    return " ".join(f"{weight:.2f}" for weight in table.weights[START - 2, 0, 0].ravel())


def agrees(shown: str, d_k: int) -> bool:
    """Whether a page's text "spread|peak" is what the core has for that d_k, but for the last digit's rounding."""
    try:
        numbers = [float(part) for part in shown.split("|")]
    except ValueError:
        return False
    return len(numbers) == 2 and all(abs(a - b) <= 0.0101 for a, b in zip(numbers, read_outs()[d_k], strict=True))


def foreign(shown: list[str]) -> list[str]:
    """Which of the texts belong to no state of the lab: none, unless a page computes something else."""
    return [text for text in shown if not any(agrees(text, d_k) for d_k in read_outs())]
