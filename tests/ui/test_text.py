"""The page writes numbers as Python does: what the server drew and what the browser draws are the same text."""

import random

from lab_page import EMBED

from widgets.words import fixed

FIXED = """async (numbers) => {
  const { fixed } = (await import("core")).text_module;
  return numbers.map(([value, digits]) => fixed(value, digits));
}"""


def test_numbers_are_rounded_as_by_python(page, app_url):
    rng = random.Random(18)
    ties = [
        (sign * odd / 2 ** (digits + 1), digits) for digits in range(5) for odd in range(1, 60, 2) for sign in (1, -1)
    ]
    near = [(rng.uniform(-1, 1) * 10.0 ** rng.randint(-6, 8), rng.randint(0, 6)) for _ in range(2000)]
    small = [
        (value, digits) for value in (0.0, -0.0, -0.001, -0.0049, -0.005, -0.5, 1e-300, -1e-300) for digits in range(4)
    ]
    numbers = [*ties, *near, *small]
    page.goto(app_url + EMBED)
    written = page.evaluate(FIXED, [list(number) for number in numbers])
    assert written == [fixed(value, digits) for value, digits in numbers]
