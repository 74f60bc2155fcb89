"""What the tests of the core share: PyTorch's numbers, and the sentence that the lesson runs on."""

from pathlib import Path

import numpy as np
import pytest

REFERENCE = Path(__file__).parents[1] / "reference" / "attention_torch.npz"

# The same examples in every run: a failure in CI is one that a laptop shows too.


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
