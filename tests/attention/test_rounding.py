"""Numbers as shown: they add up to the last digit, and none is off by a whole unit of it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from attention.rounding import shown_decimals, shown_running_sums, shown_total

ADDENDS = arrays(np.float64, (2, 7), elements=st.floats(-50, 50))


def units(values, decimals=2):
    """Whole numbers of the last digit, as they come out of the text that a reader sees."""
    return np.array([[int(f"{value:.{decimals}f}".replace(".", "")) for value in row] for row in np.atleast_2d(values)])


@given(ADDENDS)
def test_a_total_is_rounded_truly_and_its_addends_add_up(addends):
    shown = shown_total(addends, 2)
    np.testing.assert_array_equal(units(shown.addends).sum(axis=1), units(shown.sums)[0])
    np.testing.assert_allclose(shown.sums, addends.sum(axis=1), atol=0.005 + 1e-9)
    assert (abs(shown.addends - addends) < 0.01 + 1e-9).all()


@given(ADDENDS)
def test_running_sums_are_rounded_truly_and_each_step_adds_up(addends):
    shown = shown_running_sums(addends, 2)
    np.testing.assert_array_equal(np.cumsum(units(shown.addends), axis=1), units(shown.sums))
    np.testing.assert_allclose(shown.sums, np.cumsum(addends, axis=1), atol=0.005 + 1e-9)
    assert (abs(shown.addends - addends) < 0.01 + 1e-9).all()


def test_shares_equal_a_case_worked_by_hand():
    # Three thirds: one of them has to carry the unit that is left over, and the first is taken.
    assert shown_total(np.full(3, 1 / 3), 2).addends.tolist() == [0.34, 0.33, 0.33]
    # The sum, 1.1993, is shown as 1.20; rounded alone the addends would make 1.19. The last has most left over.
    shown = shown_total(np.array([1, 0.0646, 0.1347]), 2)
    assert shown.addends.tolist() == [1, 0.06, 0.14] and shown.sums == 1.2


def test_running_sums_equal_a_case_worked_by_hand():
    # .004, .008, .012, .016 are shown as 0, .01, .01, .02.
    shown = shown_running_sums(np.full(4, 0.004), 2)
    assert shown.sums.tolist() == [0, 0.01, 0.01, 0.02]
    np.testing.assert_allclose(shown.addends, [0, 0.01, 0, 0.01], atol=1e-15)


@pytest.mark.parametrize("almost", [-1e-9, -0.0])
def test_no_zero_is_negative(almost):
    values = np.array([almost, 1.0, -1.0, almost])
    every = [shown_decimals(values, 2), *shown_total(values, 2), *shown_running_sums(values, 2)]
    for array in every:
        assert not np.signbit(array[array == 0]).any()
