"""What all tests share: Hypothesis repeats itself, slow machines are no failure, random cases are counted."""

import fuzz
import pytest
from hypothesis import settings

settings.register_profile("repeatable", derandomize=True, deadline=None, max_examples=100)
settings.load_profile("repeatable")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    before = fuzz.made
    try:
        return (yield)
    finally:
        if fuzz.made > before:
            item.user_properties.append(("cases", fuzz.made - before))


def pytest_terminal_summary(terminalreporter):
    """Say how many cases there were, over all workers."""
    reports = [report for kind in ("passed", "failed") for report in terminalreporter.getreports(kind)]
    told = [report.user_properties for report in reports if getattr(report, "when", "") == "call"]
    if cases := sum(number for properties in told for name, number in properties if name == "cases"):
        terminalreporter.write_line(f"{cases} cases made at random (tests/support/fuzz.py)")
