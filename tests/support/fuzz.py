"""Cases made at random: how many, out of what, and how one of them is made again.

`make test` runs the same cases each time. `NIGHTLY=1` runs many more, other ones each time; what fails prints a
`@reproduce_failure` line (or the seed) that makes the case again when it is put above the test.
"""

import os
import signal
from functools import wraps

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

NIGHTLY = bool(os.environ.get("NIGHTLY"))
TIMES = 10 if NIGHTLY else 1
HANGS_S = 60  # far more than any case takes: it only ends those that would never end

made = 0  # cases of this process so far, for the summary (tests/conftest.py)


def count(cases=1):
    """Count cases that are made many at once."""
    global made
    made += cases


def fuzz(examples, *, shrink=True, each=1, **strategies):
    """Run a test with so many cases, `TIMES` as many in a nightly run; `each` of them are told in one call."""
    phases = settings().phases if shrink else [phase for phase in settings().phases if phase.name == "generate"]

    def decorate(test):
        @wraps(test)
        def counted(*args, **values):
            count(each)
            test(*args, **values)

        chosen = settings(
            max_examples=examples * TIMES,
            derandomize=not NIGHTLY,
            print_blob=True,
            deadline=None,
            database=None,
            phases=phases,
            suppress_health_check=list(HealthCheck),
        )
        return chosen(given(**strategies)(counted))

    return decorate


class Hangs(BaseException):
    """A case does not end. No `except Exception` takes it for anything else."""


class ends:
    """`with ends():` around what has to end, in the main thread."""

    def __enter__(self):
        def stop(*_):
            raise Hangs

        self.before = signal.signal(signal.SIGALRM, stop)
        signal.alarm(HANGS_S)

    def __exit__(self, *_):
        signal.alarm(0)
        signal.signal(signal.SIGALRM, self.before)


# ---- what means harm -------------------------------------------------------------------

NUMBERS = (
    "0 1 -1 -0 +8 08 8.0 0.1 0.10 0.03 1e1 1e309 0x8 8_0 64 65 63.5 127 128 255 256 2147483648 4294967295 4294967296 "
    "99999999999 18446744073709551616 NaN nan inf -inf Infinity true false True None null undefined ٣ ８ ² ½ Ⅷ"
).split() + ["9" * 5000, "0" * 400 + "8", " 8", "8 ", "8\n", "8\x00", ""]
WORDS = [
    "none", "auto", "__proto__", "constructor", "toString", "hasOwnProperty", "d_k", "..", "../../etc/passwd", "~",
    "<script>hacked=1</script>", "\"><img src=x onerror=hacked=1>", "</script><b>", "{{7*7}}", "${7*7}", "%s%n%d", "$$x$$",
    "'; DROP TABLE x; --", "a b", "Your journey starts with one step", "one", "a\tb", "a\u00a0b", "a\u2028b", "a\u3000b c",
    "שלום עולם", "مرحبا بك", "\u202eabc def\u202c", "\u2066a b\u2069", "e\u0301 a", "Z\u0351\u0367 " * 9, "👩‍👩‍👧 a", "\ufeffa b",
    "\U000e0041 a", "\U0010ffff a", "ｆｕｌｌ ｗｉｄｔｈ", "ß ẞ", "İ ı", "ǅ a", "ﷺ a", "a" * 25 + " b", "a " * 13, "x" * 2000, " " * 3000,
]  # fmt: skip
ANY_TEXT = st.one_of(st.sampled_from(NUMBERS), st.sampled_from(WORDS), st.text(max_size=40))


def near(rule):
    """Texts for one name of a state: at its bounds, just beyond them, of other names, and no such thing at all."""
    if rule["type"] == "text":
        word = st.text(st.characters(codec="utf-8"), min_size=1, max_size=26)
        return st.one_of(ANY_TEXT, st.lists(word, min_size=1, max_size=13).map(" ".join))
    if rule["type"] == "integer":
        close = [rule[end] + step for end in ("min", "max") for step in (-1, 0, 1)]
        return st.one_of(st.sampled_from(close), st.integers(), st.floats()).map(str) | ANY_TEXT
    good = [*rule.get("values", ()), 0, 1]
    return st.sampled_from([str(value) for value in good]) | ANY_TEXT


def links(State):
    """Parameters for a figure's state, as name and text: some missing, some twice, some of nobody."""
    schema = State.schema()
    named = st.one_of(*[st.tuples(st.just(name), near(rule)) for name, rule in schema.items()])
    other = st.tuples(st.sampled_from(["hide", "lock", "view", "theme", "lang", "v"]) | ANY_TEXT, ANY_TEXT)
    return st.lists(named | named | named | other, max_size=len(schema) + 4)


def inside(state, State):
    """Whether a state is one that the figure's schema has, and of the schema's types."""
    schema = State.schema()
    if state.keys() != schema.keys():
        return False

    def fits(value, rule):
        if rule["type"] == "text":
            return type(value) is str and 2 <= len(value.split()) <= 12 and len(value) <= 1200
        if rule["type"] == "boolean":
            return type(value) is bool
        if rule["type"] == "integer":
            return type(value) is int and rule["min"] <= value <= rule["max"]
        return any(type(value) is type(known) and value == known for known in rule["values"])

    return all(fits(state[name], rule) for name, rule in schema.items())
