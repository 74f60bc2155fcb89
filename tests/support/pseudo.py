"""Languages that nobody speaks, made from the English strings: each shows another way in which a page may fail."""

import json
import re
from pathlib import Path

from widgets.words import ENGLISH, HERE, RECORD

FSI, PDI = "\u2068", "\u2069"

# From the range of tags that are for private use.
DOUBLE, RIGHT_TO_LEFT, MARKUP = "qaa", "qab", "qac"


def double(text: str) -> str:
    return f"{text} {text}"


def right_to_left(text: str) -> str:
    """Hebrew letters around it; what is filled in stands by itself, as docs/translating.md asks."""
    return "שלום " + re.sub(r"\{\w+\}", lambda found: f"{FSI}{found[0]}{PDI}", text) + " עולם"


def markup(text: str) -> str:
    return f"<b>&\"'{text}</b>"


PSEUDO = {
    DOUBLE: ("Double Double", "ltr", double),
    RIGHT_TO_LEFT: ("עברית", "rtl", right_to_left),
    MARKUP: ("<b>&Markup</b>", "ltr", markup),
}


def write_pseudo(folder: Path) -> Path:
    """Write the catalogues into a folder, for `serve --words`."""
    for lang, (name, direction, change) in PSEUDO.items():
        target = folder / lang
        target.mkdir()
        (target / RECORD).write_text(json.dumps({"name": name, "dir": direction}), "utf-8")
        for path in (HERE / ENGLISH).glob("*.json"):
            if path.name == RECORD:
                continue
            strings = {key: change(text) for key, text in json.loads(path.read_text("utf-8")).items()}
            (target / path.name).write_text(json.dumps(strings, ensure_ascii=False), "utf-8")
    return folder
