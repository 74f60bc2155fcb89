"""Links: any text in a parameter gives a usable state, and a full state survives the way."""

from urllib.parse import parse_qsl

from hypothesis import given
from hypothesis import strategies as st

from app.links import read_state, write_query
from attention import FAULTS
from widgets.state import THEMES, LabState

DEFAULT = LabState.default()
STATES = st.fixed_dictionaries(
    {
        "d_k": st.integers(2, 64),
        "scaled": st.booleans(),
        "fault": st.sampled_from(FAULTS),
        "row": st.integers(0, 1),
        "seed": st.integers(0, 2**32 - 1),
        "text": st.sampled_from(["a b", "Your journey starts with one step", "$ + \\ é &=?#%"]),
        "theme": st.sampled_from(THEMES),
    }
)


@given(STATES)
def test_a_state_survives_its_link(state):
    assert read_state(dict(parse_qsl(write_query(state))), LabState) == (state, [])


@given(st.dictionaries(st.sampled_from([*LabState.names(), "other"]), st.text()))
def test_any_link_gives_a_full_valid_state(query):
    state, ignored = read_state(query, LabState)
    LabState(**state)
    assert state["row"] < len(state["text"].split())
    for value in ignored:
        assert value.name in LabState.names() and len(value.came) <= 40 and value.allowed
        assert state[value.name] == DEFAULT[value.name] or value.name == "row"


@given(STATES, st.sampled_from(["d_k", "scaled", "fault", "seed", "theme"]))
def test_one_bad_value_leaves_the_others(state, bad):
    query = dict(parse_qsl(write_query(state))) | {bad: "?"}
    read, (ignored,) = read_state(query, LabState)
    assert read == state | {bad: DEFAULT[bad]}
    assert (ignored.name, ignored.came) == (bad, "?")


def test_an_empty_link_is_the_default_state():
    assert read_state({}, LabState) == (DEFAULT, [])
