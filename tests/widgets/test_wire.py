"""Tables as bytes: read back here as the browser reads them."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention import lab_table
from widgets.attention_lab import ATTENTION_LAB
from widgets.figure import figure_payload
from widgets.wire import ALIGN, pack


def unpack(block):
    size = int.from_bytes(block[:4], "little")
    header = json.loads(block[4 : 4 + size])
    start = 4 + size
    arrays = {}
    for name, told in header["arrays"].items():
        count = int(np.prod(told["shape"]))
        first = start + told["offset"]
        body = block[first : first + count * np.dtype(told["dtype"]).itemsize]
        if planes := told.get("planes"):
            body = np.frombuffer(body, np.uint8).reshape(planes, -1).T.tobytes()
        arrays[name] = np.frombuffer(body, told["dtype"]).reshape(told["shape"])
        assert (start + told["offset"]) % ALIGN == 0
    return header["meta"], arrays


@given(st.lists(st.integers(0, 5), min_size=1, max_size=3), st.sampled_from(["float32", "int8", "uint8"]), st.text())
def test_what_is_packed_comes_back(shape, dtype, text):
    arrays = {"a": np.arange(np.prod(shape), dtype=dtype).reshape(shape), "b": np.ones(3, np.uint8)}
    meta, back = unpack(pack(arrays, {"text": text}))
    assert meta == {"text": text}
    for name, array in arrays.items():
        np.testing.assert_array_equal(back[name], array)


@pytest.mark.parametrize("dense", [False, True])
def test_the_labs_table_travels_whole(dense):
    table = lab_table(["a", "b", "c"], 1)
    meta, arrays = unpack(figure_payload(ATTENTION_LAB, table, dense=dense))
    assert meta["tokens"] == ["a", "b", "c"] and meta["seed"] == 1
    assert {"scores", "weights", "dead_rows"} <= arrays.keys()
    for name in arrays:
        np.testing.assert_array_equal(arrays[name], getattr(table, name))
        assert arrays[name].dtype == getattr(table, name).dtype
