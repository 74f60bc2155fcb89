"""Markup that got into a page does not run, asks nobody for anything, and the page works on.

That the policy stops nothing of ours is seen in every other test here: a violation is an error on the console.
"""

import re

import pytest
from attacked_page import RAN, Attacked


@pytest.mark.parametrize("path", ["/embed/memory-wall", "/files/memory-wall.html"])
def test_markup_that_got_into_a_page_does_nothing(path, page, app_url, watch):
    Attacked(page).use(app_url + path).expect_harmless(watch)


def test_without_the_policy_it_would(page, app_url, watch):
    attacked = Attacked(page, policy=False)
    with page.expect_request(re.compile("attacker.example/form")):  # the last of all
        attacked.use(f"{app_url}/embed/memory-wall")
    ran, stopped, asked = attacked.told()
    assert (ran, stopped) == (RAN, set())
    for name in ("script.js", "form", "frame", "object", "image", "style.css", "import.css", "url"):
        assert any(url.startswith(f"https://attacker.example/{name}") for url in asked), name
    watch.problems.clear()  # the browser logs what it was refused here
