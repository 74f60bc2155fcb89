"""Bytes of the table of scores and of a streaming evaluation, by hand."""

import numpy as np

from attention import memory_table, score_table_bytes, streaming_bytes
from attention.memory import BREAK_EVEN


def test_a_table_of_scores_grows_with_the_square():
    assert score_table_bytes(6, 2) == 72
    assert score_table_bytes(131_072, 4) == 68_719_476_736
    assert score_table_bytes(2000, 4) == 4 * score_table_bytes(1000, 4)


def test_a_streaming_evaluation_grows_with_the_tokens():
    # A block of 128 scores and 128 weights, a maximum, a sum and 64 numbers of the blend, for each token.
    assert streaming_bytes(4096, 4) == 4096 * (128 + 128 + 1 + 1 + 64) * 4
    assert streaming_bytes(8192, 4) == 2 * streaming_bytes(4096, 4)
    assert streaming_bytes(6, 2) == 6 * (6 + 6 + 1 + 1 + 64) * 2
    assert streaming_bytes(1024, 2, block=32, d_v=8) == 1024 * (32 + 32 + 2 + 8) * 2


def test_the_table_holds_every_count_of_tokens(check_arrays):
    table = memory_table()
    check_arrays(
        table,
        {"T": ("float64", 16), "score_table": ("float64", 16, 2)}
        | {"streaming": ("float64", 16, 2), "ratio": ("float64", 16), "inverse": ("float64", 16)},
    )
    assert table.T.tolist() == [6, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072]
    for column, itemsize in enumerate((2, 4)):
        assert table.score_table[:, column].tolist() == [score_table_bytes(int(T), itemsize) for T in table.T]
        assert table.streaming[:, column].tolist() == [streaming_bytes(int(T), itemsize) for T in table.T]
        np.testing.assert_allclose(table.ratio, table.score_table[:, column] / table.streaming[:, column], rtol=1e-15)
        np.testing.assert_allclose(table.inverse * table.score_table[:, column], table.streaming[:, column], rtol=1e-15)


def test_a_short_sentence_gains_nothing_and_a_long_one_400_times():
    table = memory_table()
    assert table.ratio[0] < 0.1 and (np.diff(table.ratio) > 0).all()
    assert 400 < table.ratio[-1] < 410


def test_the_two_ways_cost_the_same_at_322_tokens():
    assert BREAK_EVEN == 322
    for itemsize in (2, 4):
        assert score_table_bytes(BREAK_EVEN, itemsize) == streaming_bytes(BREAK_EVEN, itemsize)
        assert score_table_bytes(BREAK_EVEN + 1, itemsize) > streaming_bytes(BREAK_EVEN + 1, itemsize)
