"""Readers of links, sentences and seeds: nothing gets through that a figure's schema does not have."""

from dataclasses import fields
from functools import cache
from unicodedata import category
from urllib.parse import parse_qsl, quote, urlencode

import numpy as np
import pytest
from fuzz import ANY_TEXT, fuzz, inside, links
from hypothesis import strategies as st

from app.figures import FIGURES, cached_table, table_key
from app.languages import accepted_language, choose
from app.links import read_state, read_value
from attention import tokenize
from widgets.figure import figure_payload
from widgets.sentence import MAX_TOKEN_LENGTH, MAX_TOKENS, MIN_TOKENS, parse_sentence
from widgets.words import languages

NAMES = st.sampled_from(sorted(FIGURES))
LINKS = NAMES.flatmap(lambda name: st.tuples(st.just(name), links(FIGURES[name].State)))
MOST_BYTES = 4_000_000  # of one table; the largest, for 12 tokens, has less


@fuzz(80, link=LINKS)
def test_whatever_a_link_says_the_state_is_in_the_schema(link):
    name, pairs = link
    State = FIGURES[name].State
    state, ignored = read_state(dict(parse_qsl(urlencode(pairs, quote_via=quote), keep_blank_values=True)), State)
    assert inside(state, State)
    for told in ignored:
        assert told.name in state and len(told.came) <= 40 and told.allowed
    for token in State.token_names:
        assert state[token] < len(tokenize(state["text"]))
    key = table_key(FIGURES[name], state)
    assert all(type(value) in (int, float, bool, str) for value in key)


@fuzz(100, name=NAMES, text=ANY_TEXT, data=st.data())
def test_one_value_is_read_or_refused(name, text, data):
    State = FIGURES[name].State
    field = data.draw(st.sampled_from(State.names()))
    state = State()
    try:
        setattr(state, field, read_value(field, text, State))
    except ValueError as error:
        assert str(error)
    assert inside(state.values(), State)


@fuzz(100, text=ANY_TEXT | st.lists(st.text(max_size=27), max_size=14).map(" ".join))
def test_a_sentence_is_tokens_that_can_be_shown_or_one_line_says_why_not(text):
    try:
        tokens = parse_sentence(text)
    except ValueError as error:
        assert 0 < len(str(error)) < 1000 and str(error).isprintable()
        return
    assert tokens == tokenize(text) == tokenize(" ".join(tokens))
    assert MIN_TOKENS <= len(tokens) <= MAX_TOKENS and all(0 < len(token) <= MAX_TOKEN_LENGTH for token in tokens)
    assert not any(category(character)[0] in "CM" or character in "<>" for character in text)


RANGES = st.lists(st.sampled_from(["de", "en-GB", "*", "q=0.5", "x-klingon", "de;q=9", "fr;q=", ";;", ""]) | ANY_TEXT)


@fuzz(40, lang=ANY_TEXT, header=RANGES.map(",".join))
def test_a_page_has_a_language_whatever_is_asked_for(lang, header):
    assert accepted_language(header) in languages()
    chosen = choose({"lang": lang}, header)
    assert chosen.lang in languages() and all(len(told.came) <= 40 for told in chosen.ignored)


@cache
def shapes(name, key):
    table = cached_table(name, key)
    return {
        item.name: getattr(table, item.name).shape
        for item in fields(table)
        if hasattr(getattr(table, item.name), "shape")
    }


WORD = st.text(st.characters(categories=["L", "N", "P"], codec="utf-8"), min_size=1, max_size=MAX_TOKEN_LENGTH)


@fuzz(10, name=NAMES, words=st.lists(WORD, min_size=2, max_size=12), seed=st.integers(0, 2**32 - 1), data=st.data())
def test_every_table_of_a_valid_state_is_finite_and_bounded(name, words, seed, data):
    figure = FIGURES[name]
    state = figure.State.default()
    schema = figure.State.schema()
    for field in figure.key:
        if schema[field]["type"] == "choice":
            state[field] = data.draw(st.sampled_from(schema[field]["values"]))
    if "text" in state:
        try:
            parse_sentence(" ".join(words))
        except ValueError:
            words = ["w" + str(i) for i in range(len(words))]
        state["text"] = " ".join(words)
    if "seed" in state:
        state["seed"] = seed
    table = figure.table(**dict(zip(figure.key, table_key(figure, state), strict=True)))
    plain = table_key(
        figure, state | ({"text": " ".join(f"w{i}" for i in range(len(words)))} if "text" in state else {})
    )
    size = 0
    for field, shape in shapes(name, plain).items():
        array = getattr(table, field)
        size += array.nbytes
        assert array.shape == shape, field
        if array.dtype.kind == "f":
            # Only what says so may be no number: see the figure's own table.
            assert np.isfinite(array).all(), (field, name)
    assert size <= MOST_BYTES
    assert len(figure_payload(figure, table)) <= MOST_BYTES + 100_000


@pytest.mark.parametrize("text", ["a" * 1_000_000, "a " * 500_000, "\u202e" * 100_000])
def test_a_very_long_sentence_is_refused_at_once(text):
    with pytest.raises(ValueError, match="long|character"):
        parse_sentence(text)
