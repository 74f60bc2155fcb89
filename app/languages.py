"""Which language a page is in: what its link says, else what the reader's browser asks for, else English."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from markupsafe import Markup

from app.links import Ignored, shorten
from widgets.words import ENGLISH, Language, current, languages, own_strings, placeholders

NAME = "lang"
RANGES_MOST = 20  # of an Accept-Language; nobody reads more


@dataclass(frozen=True)
class Chosen:
    """The language, whether the link named it, and what of the link could not be used."""

    lang: str
    linked: bool
    ignored: list[Ignored]


def choose(query: Mapping[str, str], accepted: str = "") -> Chosen:
    """Choose a page's language.

    Parameters
    ----------
    query : mapping of str to str
        The link's parameters. An unknown ``lang`` gives English and not the browser's
        language: a link looks the same to everybody.
    accepted : str, optional
        The browser's Accept-Language.
    """
    came = query.get(NAME, "")
    if not came:
        return Chosen(accepted_language(accepted), False, [])
    if (lang := match(came)) is not None:
        return Chosen(lang, True, [])
    return Chosen(ENGLISH, False, [Ignored(NAME, shorten(came), ENGLISH, ", ".join(languages()))])


def match(tag: str) -> str | None:
    """The language for a tag: ``de`` serves ``de-AT`` too."""
    known = {lang.casefold(): lang for lang in languages()}
    tag = tag.casefold()
    return known.get(tag) or known.get(tag.partition("-")[0])


def accepted_language(header: str) -> str:
    """The first language of an Accept-Language that there is here."""
    wanted: list[tuple[float, int, str]] = []
    for part in header.split(",")[:RANGES_MOST]:
        read = re.fullmatch(r"\s*([A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*)\s*(?:;\s*q=([01](?:\.[0-9]{0,3})?)\s*)?", part)
        if read and (weight := float(read[2] or 1)):
            wanted.append((-weight, len(wanted), read[1]))
    found = (match(tag) for _, _, tag in sorted(wanted))
    return next((lang for lang in found if lang), ENGLISH)


def check_words() -> tuple[list[str], list[str]]:
    """What each language says and lacks, and what is wrong in it, a line each."""
    english, good, bad = own_strings(ENGLISH), [], []
    for lang in languages().values():
        own = own_strings(lang.tag)
        missing = [key for key in english if key not in own]
        lacks = f"; English where it has none: {', '.join(missing)}" if missing else ""
        good.append(f"{lang.tag}: {lang.name}, {len(own)} of {len(english)} strings{lacks}")
        for key, text in own.items():
            if key not in english:
                bad.append(f"{lang.tag}: {key!r} is no string of English, so nobody shows it. Take it out.")
            elif (came := placeholders(text)) != (wanted := placeholders(english[key])):
                bad.append(f"{lang.tag}: {key!r} fills in {_names(came)}; English has {_names(wanted)}. Use the same.")
    return good, bad


def _names(names: set[str]) -> str:
    return ", ".join(f"{{{name}}}" for name in sorted(names)) or "nothing"


@dataclass(frozen=True)
class Tongue:
    """How a piece of a page says its language, where it is not that of what is around it.

    Attributes
    ----------
    own : Markup
        Attributes of the lesson's text: empty where it is in the interface's language.
    ui : Markup
        Attributes of what stands within that text and is the interface's.
    label : Markup
        The same for a word of the interface in a line of the text, which keeps the text's direction.
    """

    own: Markup = Markup()
    ui: Markup = Markup()
    label: Markup = Markup()


NONE = Tongue()


def attributes(language: Language) -> Markup:
    """`lang` and `dir` of an element."""
    return Markup(' lang="{}" dir="{}"').format(language.tag, language.dir)


def tongue(text_lang: str) -> Tongue:
    """For a text in some language on a page in the current one."""
    page = current()
    if text_lang == page.tag:
        return NONE
    text = languages()[text_lang]
    return Tongue(attributes(text), attributes(page), Markup(' lang="{}"').format(page.tag))
