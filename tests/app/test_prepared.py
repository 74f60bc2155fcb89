"""Tables made ahead: which, and that they are the very tables that a server would send."""

import gzip
import json

import numpy as np

from app.figures import FIGURES
from app.hosting import FILE, LESSON_FILE, site
from app.prepared import IN_A_FILE, SEEDS, SENTENCES, prepared_keys, prepared_tables

LAB = FIGURES["attention-lab"].State.default()


def read(asset):
    block = gzip.decompress(asset.body)
    size = int.from_bytes(block[:4], "little")
    header = json.loads(block[4 : 4 + size])
    arrays = {}
    for name, told in header["arrays"].items():
        dtype, start = np.dtype(told["dtype"]), 4 + size + told["offset"]
        body = block[start : start + int(np.prod(told["shape"])) * dtype.itemsize]
        if planes := told.get("planes"):
            body = np.frombuffer(body, np.uint8).reshape(planes, -1).T.tobytes()
        arrays[name] = np.frombuffer(body, dtype).reshape(told["shape"])
    return header["meta"], arrays


def test_the_state_that_a_page_starts_in_comes_first_and_once():
    own = LAB | {"text": "dog bites dog"}
    keys = prepared_keys("attention-lab", own, FILE)
    assert keys[0] == {"text": "dog bites dog", "seed": 5108}
    assert [(key["text"], key["seed"]) for key in keys[1:]] == [IN_A_FILE[0], IN_A_FILE[2]]
    assert prepared_keys("attention-lab", own, LESSON_FILE) == keys[:2]


def test_a_site_has_every_sentence_with_every_seed_and_every_race():
    assert len(prepared_keys("attention-lab", LAB, site())) == len(SENTENCES) * len(SEEDS)
    race = FIGURES["training-race"].State
    choices = race.schema()["d_k"]["values"], race.schema()["learning_rate"]["values"]
    assert len(prepared_keys("training-race", race.default(), site())) == len(choices[0]) * len(choices[1])
    assert len(prepared_keys("training-race", race.default(), FILE)) == 1


def test_each_table_is_bit_for_bit_the_core_s():
    for prepared in prepared_tables("attention-lab", LAB, FILE):
        meta, arrays = read(prepared.asset)
        table = FIGURES["attention-lab"].table(**prepared.key)
        assert (meta["text"], meta["seed"]) == (prepared.key["text"], prepared.key["seed"])
        for name, array in arrays.items():
            np.testing.assert_array_equal(array, getattr(table, name))
