"""Values that a page may meet from a link, a host, a form or a store, made from a seed: many of them in one go."""

import random
from urllib.parse import quote

from fuzz import NUMBERS, WORDS
from playwright.sync_api import expect

KEYS = [
    "d_k",
    "scaled",
    "fault",
    "row",
    "seed",
    "text",
    "theme",
    "state",
    "names",
    "id",
    "type",
    "protocol",
    "done",
    "answer",
    "answers",
]
KEYS += [
    "right",
    "own",
    "mark",
    "open",
    "keysOff",
    "toString",
    "valueOf",
    "__proto__",
    "constructor",
    "length",
    "then",
    "",
    "0",
]
SCALARS = [None, True, False, 0, 1, -1, 2, 8, 64, 65, 11, 12, 0.5, 8.5, 1e308, 2**31, 2**32, 2**53, "none", "knew", "1"]


class Values:
    """Anything that JSON can say."""

    def __init__(self, seed):
        self.rng = random.Random(seed)

    def text(self):
        rng = self.rng
        if rng.random() < 0.8:
            return rng.choice(NUMBERS + WORDS)[:3000]
        return "".join(
            chr(rng.choice([rng.randrange(32, 127), rng.randrange(0xD7FF), rng.randrange(0xE000, 0x110000)]))
            for _ in range(rng.randrange(30))
        )

    def value(self, depth=3):
        kind = self.rng.random()
        if depth and kind < 0.25:
            return {self.rng.choice(KEYS): self.value(depth - 1) for _ in range(self.rng.randrange(5))}
        if depth and kind < 0.4:
            return [self.value(depth - 1) for _ in range(self.rng.randrange(5))]
        return self.text() if kind < 0.7 else self.rng.choice(SCALARS)

    def near(self, rule):
        """As text, for one name of a state: often at its bounds, or one of its values."""
        good = [
            rule["default"],
            *rule.get("values", ()),
            *(rule[end] + by for end in ("min", "max") if end in rule for by in (-1, 0, 1)),
        ]
        text = str(self.rng.choice(good))
        return self.rng.choice([text, text, f"{text}0", f"0{text}", f"{text}.0", self.text(), self.text(), self.text()])

    def query(self, schema):
        others = ["hide", "lock", "view", "lang", *(set(KEYS) - {"seed", "text"})]
        names = [self.rng.choice([*schema] * 3 + sorted(others)) for _ in range(self.rng.randrange(9))]
        pairs = [
            f"{quote(name, safe='')}={quote(self.near(schema.get(name, {'default': 1})), safe='')}" for name in names
        ]
        return self.rng.choice(["&"] * 9 + ["&&", ";"]).join(
            [*pairs, *self.rng.sample(["%", "%zz", "%ff", "=", "&", "#", "+"], 1)]
        )

    def message(self, schema):
        """One that a host page sends: often of the right form, with anything in it."""
        message = {
            "protocol": "attention-lessons/1",
            "type": self.rng.choice(["set"] * 4 + ["get", "reset", "focus", "lock", self.text()]),
        }
        state = {self.rng.choice([*schema, *KEYS]): self.value(1) for _ in range(self.rng.randrange(5))}
        # Another sentence or seed asks the server each time: that is another test's.
        message["state"] = {name: value for name, value in state.items() if name not in ("text", "seed")}
        message["names"] = [self.rng.choice([*schema, *KEYS]) for _ in range(self.rng.randrange(4))]
        if self.rng.random() < 0.4:
            message[self.rng.choice(KEYS)] = self.value()
        if isinstance(message.get("state"), dict):
            message["state"] = {name: value for name, value in message["state"].items() if name not in ("text", "seed")}
        return self.value() if self.rng.random() < 0.2 else message


def answers_keys(lab):
    """It moves when somebody presses a key."""
    before = lab.slider.input_value()
    lab.slider.press("ArrowLeft" if before == "64" else "ArrowRight")
    expect(lab.slider).not_to_have_value(before)
