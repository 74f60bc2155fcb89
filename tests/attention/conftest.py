"""What the tests of the core share: PyTorch's numbers, and the sentence that the lesson runs on."""

import tracemalloc
from pathlib import Path

import numpy as np
import pytest

REFERENCE = Path(__file__).parents[1] / "reference" / "attention_torch.npz"


@pytest.fixture(scope="session")
def reference():
    """Every array that PyTorch computed, by its key."""
    with np.load(REFERENCE) as file:
        arrays = {key: file[key] for key in file.files}
    for array in arrays.values():
        array.flags.writeable = False
    return arrays


@pytest.fixture(scope="session")
def agrees_with_reference(reference):
    """Compare everything that is stored under a prefix: nothing may be left out on either side."""

    def check(prefix, ours):
        theirs = {key.removeprefix(prefix): value for key, value in reference.items() if key.startswith(prefix)}
        assert ours.keys() == theirs.keys()
        for name, value in ours.items():
            np.testing.assert_allclose(value, theirs[name], rtol=1e-9, atol=1e-12, err_msg=prefix + name)

    return check


@pytest.fixture(scope="session")
def lesson_tokens():
    return ("Your", "journey", "starts", "with", "one", "step")


@pytest.fixture
def rng():
    return np.random.default_rng(20170612)


@pytest.fixture
def frozen():
    """Turn arrays read-only, so that writing to an input raises."""

    def freeze(*arrays):
        copies = [np.array(array) for array in arrays]
        for copy in copies:
            copy.flags.writeable = False
        return copies

    return freeze


@pytest.fixture(scope="session", params=["two tokens", "the lesson", "twelve tokens, some of them twice"])
def any_sentence(request, lesson_tokens):
    """Tokens and a seed: the fewest and the most that a page takes, and the lesson's."""
    return {
        "two tokens": (("Your", "journey"), 0),
        "the lesson": (lesson_tokens, 5108),
        "twelve tokens, some of them twice": (
            tuple("a link carries the state , the page says so A link".split()),
            2**32 - 1,
        ),
    }[request.param]


@pytest.fixture(scope="session")
def check_arrays():
    """Every array of a table, by type and shape: none missing, none besides, all packed and finite."""

    def check(table, expected):
        arrays = {name: value for name, value in vars(table).items() if isinstance(value, np.ndarray)}
        assert arrays.keys() == expected.keys()
        for name, array in arrays.items():
            assert (array.dtype.name, array.shape) == (expected[name][0], expected[name][1:]), name
            assert array.flags.c_contiguous and np.isfinite(array).all(), name

    return check


@pytest.fixture
def peak_of():
    """The most bytes that a call holds at a time, beside its inputs."""

    def measure(evaluate, *inputs):
        tracemalloc.start()
        try:
            evaluate(*inputs)
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    return measure
