"""What a soak says of its samples."""

import numpy as np
import pytest

from bench.trend import trend

TIMES = np.arange(200) * 15.0  # 50 minutes


@pytest.fixture
def noise():
    return np.random.default_rng(5108).standard_normal(len(TIMES))


def test_a_slope_is_found_with_its_interval(noise):
    line = trend(TIMES, 100 + 12 * TIMES / 3600 + noise)
    assert abs(line.slope - 12) < line.half < 1
    assert line.verdict == "grows"
    assert trend(TIMES, 100 - 12 * TIMES / 3600 + noise).verdict == "falls"


@pytest.mark.parametrize("size", [0, 0.1, 1])
def test_what_stays_within_two_percent_an_hour_is_flat(noise, size):
    assert trend(TIMES, 100 + size * noise).verdict == "flat"


def test_what_nobody_can_know_is_not_called_flat(noise):
    assert trend(TIMES, 100 + 80 * noise).verdict == "too short to tell"
    assert trend(TIMES, 100 + 10 * noise).verdict == "no slope seen"
    assert trend(TIMES[:20], np.full(20, 100.0)).verdict == "too few samples (20)"
    assert trend([], []).samples == 0


def test_neighbours_that_are_alike_count_for_less(noise):
    slow = np.repeat(noise[::10], 10)
    assert trend(TIMES, 100 + slow).half > 2 * trend(TIMES, 100 + noise).half


def test_the_interval_holds_the_slope_as_often_as_it_says():
    rng = np.random.default_rng(1)
    lines = [trend(TIMES, 5 * TIMES / 3600 + rng.standard_normal(len(TIMES))) for _ in range(400)]
    held = np.mean([abs(line.slope - 5) <= line.half for line in lines])
    assert 0.92 <= held <= 0.98
