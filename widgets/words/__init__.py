"""The interface's strings, one catalogue a language, shared by Python and the modules.

A catalogue is a folder: ``language.json`` with the language's own name and direction,
``common.json``, and a file for each figure. A string that a language does not have is
English. The language is that of the context (`language`), so nobody passes it on.

A string may hold ``{names}``; both sides fill them in with `fill` (here and in
``text.mjs``).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache, lru_cache, wraps
from pathlib import Path
from typing import Any, TypeVar, cast

HERE = Path(__file__).parent
ENGLISH = "en"
RECORD = "language.json"

F = TypeVar("F", bound=Callable[..., Any])

_current: ContextVar[str] = ContextVar("language", default=ENGLISH)
_folders = [HERE]
_KEYS = ""  # the "language" of `keys_for_words`


@dataclass(frozen=True)
class Language:
    """A language of the interface: its tag, its own name, and ``ltr`` or ``rtl``."""

    tag: str
    name: str
    dir: str


@cache
def languages() -> dict[str, Language]:
    """The languages that there are, by tag, English first."""
    found = {}
    for folder in _folders:
        for path in sorted(folder.glob(f"*/{RECORD}")):
            found[path.parent.name] = _language(path)
    return {ENGLISH: found.pop(ENGLISH), **found}


def _language(path: Path) -> Language:
    """A language from its record; its tag is the folder's name, and gets into pages and names of files."""
    tag, record = path.parent.name, _strings(path)
    if not re.fullmatch(r"[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*", tag):
        raise ValueError(f"{tag!r} is no tag of a language, such as de or pt-BR")
    if record.keys() != {"name", "dir"} or not record["name"].strip() or record["dir"] not in ("ltr", "rtl"):
        raise ValueError(f'{tag}/{RECORD} is not like {{"name": "Deutsch", "dir": "ltr"}} (or "rtl")')
    return Language(tag, record["name"], record["dir"])


def _strings(path: Path) -> dict[str, str]:
    """The strings of one file, by key.

    Raises
    ------
    ValueError
        If it holds anything else.
    """
    where = f"{path.parent.name}/{path.name}"
    try:
        strings = json.loads(path.read_text("utf-8"))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{where} is no JSON") from error
    texts = [*strings, *strings.values()] if isinstance(strings, dict) else [None]
    # Half a character can be written in JSON, but not into a page.
    if not all(isinstance(text, str) and not re.search("[\ud800-\udfff]", text) for text in texts):
        raise ValueError(f"{where} holds something else than texts by name")
    return cast(dict[str, str], strings)


def add_languages(folder: Path) -> None:
    """Take in the catalogues of another folder, laid out as this one.

    Raises
    ------
    ValueError
        If there is none, or a file of one cannot be read.
    """
    before = languages().keys()
    try:
        _folders.append(folder)
        _forget()
        for lang in languages():
            catalogue(lang)
        if languages().keys() == before:
            raise ValueError(f"it has no folder with a {RECORD}")
    except (OSError, ValueError, LookupError, TypeError) as error:
        _folders.remove(folder)
        _forget()
        raise ValueError(str(error)) from error


def _forget() -> None:
    for kept in (languages, _own_strings, _catalogue, _figure_words):
        kept.cache_clear()


# ---- the language of what is being made -----------------------------------------------


def current() -> Language:
    """The language that is being written."""
    return languages()[_current.get()]


@contextmanager
def language(lang: str) -> Iterator[None]:
    """Write in a language; one of `languages`."""
    before = _current.set(languages()[lang].tag)
    try:
        yield
    finally:
        _current.reset(before)


def set_language(lang: str) -> None:
    """From here on, in this task or thread."""
    _current.set(languages()[lang].tag)


def cached_by_language(maxsize: int | None = None) -> Callable[[F], F]:
    """An `lru_cache` for what has words in it: what is kept belongs to the current language."""

    def decorate(function: F) -> F:
        @lru_cache(maxsize=maxsize)
        def kept(lang: str, *args: Any) -> Any:
            return function(*args)

        @wraps(function)
        def call(*args: Any) -> Any:
            return kept(_current.get(), *args)

        return cast(F, call)

    return decorate


# ---- strings --------------------------------------------------------------------------


def catalogue(lang: str | None = None) -> dict[str, str]:
    """All strings of a language, by key: the current one where none is named."""
    return _catalogue(_current.get() if lang is None else lang)


def figure_words(name: str, lang: str | None = None) -> dict[str, str]:
    """What one figure's module needs of them: the common strings and its own."""
    return _figure_words(name, _current.get() if lang is None else lang)


def word_files() -> list[Path]:
    """The files that the strings come from."""
    return [path for folder in _folders for path in sorted(folder.glob("*/*.json"))]


def own_strings(lang: str) -> dict[str, str]:
    """The strings that a language has itself, without the English ones for those that are missing."""
    return dict(_own_strings(lang))


@cache
def _own_strings(lang: str) -> dict[str, str]:
    strings: dict[str, str] = {}
    for folder in _folders:
        for path in sorted((folder / lang).glob("*.json")):
            if path.name != RECORD:
                strings |= _strings(path)
    return strings


@cache
def _catalogue(lang: str) -> dict[str, str]:
    if lang == _KEYS:
        return {key: f"\ue000{key}\ue001" for key in _own_strings(ENGLISH)}
    return _own_strings(ENGLISH) | _own_strings(lang)


@cache
def _figure_words(name: str, lang: str) -> dict[str, str]:
    # English says which strings a figure has; a language may have them in any of its files.
    keys: dict[str, str] = {}
    for file in ("common", name):
        keys |= json.loads((HERE / ENGLISH / f"{file}.json").read_text("utf-8"))
    return {key: _catalogue(lang)[key] for key in keys}


@contextmanager
def keys_for_words() -> Iterator[None]:
    """Write marks in place of whole strings; `put_words` puts these in, in any language."""
    before = _current.set(_KEYS)
    try:
        yield
    finally:
        _current.reset(before)


def put_words(text: str) -> str:
    """JSON that was made with `keys_for_words`, in the current language."""
    words = catalogue()
    return re.sub(r"\\ue000(.+?)\\ue001", lambda found: json.dumps(words[found[1]])[1:-1], text)


def placeholders(template: str) -> set[str]:
    """The ``{names}`` that a string asks for."""
    return set(re.findall(r"\{(\w+)\}", template))


def fill(template: str, values: Mapping[str, object]) -> str:
    """Put values in place of ``{names}``; braces around anything else are left alone."""
    return re.sub(r"\{(\w+)\}", lambda found: str(values.get(found[1], found[0])), template)


def fixed(value: float, digits: int = 2) -> str:
    """A number as the page shows it, in every language alike: fixed decimals, and − for minus."""
    text = f"{value:.{digits}f}"
    if not text.strip("-0."):
        text = text.lstrip("-")  # a rounded zero has no sign
    return text.replace("-", "−")
