"""Every bad argument gets a ValueError that names it, says what came and what is wanted."""

import numpy as np
import pytest

import attention
from attention import SelfAttention, attend, causal_mask, embed, evaluate_with_fault, lab_table, softmax
from attention.checks import as_floats, as_whole

EYE = np.eye(2)
LAYER = SelfAttention(EYE, EYE, EYE)

DOORS = {
    "Q": lambda bad: attend(bad, EYE, EYE),
    "K": lambda bad: attend(EYE, bad, EYE),
    "V": lambda bad: attend(EYE, EYE, bad),
    "W_q": lambda bad: SelfAttention(bad, EYE, EYE),
    "W_k": lambda bad: SelfAttention(EYE, bad, EYE),
    "W_v": lambda bad: SelfAttention(EYE, EYE, bad),
    "X": LAYER,
    "X of a fault": lambda bad: evaluate_with_fault(LAYER, bad),
    "d_context": lambda bad: LAYER.backward(LAYER(EYE), bad),
    "scores": softmax,
    "scores of spread": attention.score_spread,
    "weights of peak": attention.peak_weight,
    "weights of entropy": attention.entropy,
    "weights of state": attention.softmax_state,
    "weights of Jacobian": attention.softmax_jacobian,
    "weights of norms": attention.row_jacobian_norms,
    "weights of dead rows": attention.dead_rows,
}
BAD_ARRAYS = {
    "strings": ([["a", "b"], ["c", "d"]], r"holds <U1 values: real numbers are needed.*np\.asarray"),
    "numbers as strings": ([["1", "2"], ["3", "4"]], "holds <U1 values: real numbers are needed"),
    "objects": ([[None, 1], [2, 3]], "holds object values: real numbers are needed"),
    "huge integers": ([[10**400, 1], [2, 3]], "holds object values: real numbers are needed"),
    "complex": (EYE * 1j, "holds complex128 values: real numbers are needed"),
    "bool": (EYE > 0, "holds bool values: real numbers are needed"),
    "nothing": (None, "holds object values: real numbers are needed"),
    "ragged": ([[1.0, 2.0], [3.0]], "is ragged: give every row the same length"),
    "one number": (3.0, r"has shape \(\): at least (1 axis is|2 axes are) needed"),
    "no rows": (np.empty((0, 2)), r"is empty, shape \(0, 2\): every axis needs at least one entry"),
    "no columns": (np.empty((2, 0)), r"is empty, shape \(2, 0\): every axis needs at least one entry"),
    "NaN": ([[1, 2], [np.nan, 3]], r"\[1, 0\] is nan: only finite numbers.* can be used"),
    "infinity": ([[1, 2], [3, np.inf]], r"\[1, 1\] is inf: only finite numbers.* can be used"),
}


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("kind", BAD_ARRAYS)
def test_every_door_refuses_a_bad_array_by_name(door, kind):
    bad, message = BAD_ARRAYS[kind]
    with pytest.raises(ValueError, match=rf"^{door.split()[0]} ?{message}"):
        DOORS[door](bad)


@pytest.mark.parametrize("door", [door for door in DOORS if door != "scores"])
def test_minus_infinity_is_for_scores_and_masks_alone(door):
    with pytest.raises(ValueError, match=rf"^{door.split()[0]}\[0, 0\] is -inf: only finite numbers can be used"):
        DOORS[door]([[-np.inf, 0], [0, 0]])


@pytest.mark.parametrize("door", ["Q", "K", "V", "W_q", "W_k", "W_v", "X", "d_context", "weights of dead rows"])
def test_a_flat_array_is_refused_where_a_table_is_needed(door):
    with pytest.raises(ValueError, match=rf"^{door.split()[0]} has shape \(2,\): at least 2 axes are needed"):
        DOORS[door]([1.0, 2.0])


def attend_with(**options):
    return attend(EYE, EYE, EYE, **options)


UNKNOWN_SCALE = "use one of 'sqrt_d_k', 'none', 'd_k' or a finite number"
BAD_OPTIONS = {
    "unknown scale": (lambda: attend_with(scale="sqrt"), f"^scale is 'sqrt': {UNKNOWN_SCALE}"),
    "scale True": (lambda: attend_with(scale=True), f"^scale is True: {UNKNOWN_SCALE}"),
    "scale np.True_": (lambda: attend_with(scale=np.True_), f"^scale is np.True_: {UNKNOWN_SCALE}"),
    "scale NaN": (lambda: attend_with(scale=np.nan), f"^scale is nan: {UNKNOWN_SCALE}"),
    "scale infinite": (lambda: attend_with(scale=-np.inf), f"^scale is -inf: {UNKNOWN_SCALE}"),
    "scale 10**400": (lambda: attend_with(scale=10**400), f"^scale is 10000.*0: {UNKNOWN_SCALE}"),
    "scale None": (lambda: attend_with(scale=None), f"^scale is None: {UNKNOWN_SCALE}"),
    "scale list": (lambda: LAYER(EYE, scale=[1]), rf"^scale is \[1\]: {UNKNOWN_SCALE}"),
    "integer mask": (
        lambda: attend_with(mask=[[1, 0], [1, 1]]),
        r"^mask holds int64 values: use booleans .* or floats",
    ),
    "text mask": (lambda: attend_with(mask="causal"), "^mask holds <U6 values: use booleans .* or floats"),
    "ragged mask": (
        lambda: attend_with(mask=[[True], [True, True]]),
        "^mask is ragged: give every row the same length",
    ),
    "NaN mask": (lambda: attend_with(mask=EYE * np.nan), r"^mask\[0, 0\] is nan: only finite numbers or -inf"),
    "+inf mask": (lambda: attend_with(mask=np.inf), r"^mask\[\] is inf: only finite numbers or -inf"),
    "mask of another size": (
        lambda: attend_with(mask=causal_mask(3)),
        r"^mask is \(3, 3\) but the scores are \(2, 2\): the mask has to broadcast to them",
    ),
    "mask with more axes": (
        lambda: attend_with(mask=np.ones((4, 2, 2), dtype=bool)),
        r"^mask is \(4, 2, 2\) but the scores are \(2, 2\): the mask has to broadcast to them",
    ),
    "d_k apart": (
        lambda: attend(np.ones((3, 4)), np.ones((3, 8)), np.ones((3, 8))),
        r"^Q is \(3, 4\) but K is \(3, 8\): queries and keys need the same last size, d_k",
    ),
    "T_k apart": (
        lambda: attend(np.ones((3, 4)), np.ones((5, 4)), np.ones((6, 4))),
        r"^K is \(5, 4\) but V is \(6, 4\): each key needs one value",
    ),
    "leading axes apart": (
        lambda: attend(np.ones((2, 3, 4)), np.ones((5, 3, 4)), np.ones((3, 4))),
        r"^Q is \(2, 3, 4\), K is \(5, 3, 4\), V is \(3, 4\): the leading axes .* have to broadcast",
    ),
    "leading axes of V apart": (
        lambda: attend(np.ones((2, 3, 4)), np.ones((2, 3, 4)), np.ones((5, 3, 4))),
        r"^Q is \(2, 3, 4\), K is \(2, 3, 4\), V is \(5, 3, 4\): the leading axes .* have to broadcast",
    ),
    "axis beyond": (lambda: softmax(EYE, axis=2), "^axis is 2, but scores has 2 axes: use -2 to 1"),
    "axis below": (lambda: softmax(EYE, axis=-3), "^axis is -3, but scores has 2 axes: use -2 to 1"),
    "axis None": (lambda: softmax(EYE, axis=None), "^axis is None, but scores has 2 axes: use -2 to 1"),
    "axis True": (lambda: softmax(EYE, axis=True), "^axis is True, but scores has 2 axes: use -2 to 1"),
    "no tokens to mask": (lambda: causal_mask(0), "^T is 0: a whole number of tokens, at least 1, is needed"),
    "T True": (lambda: causal_mask(True), "^T is True: a whole number of tokens"),
    "T fractional": (lambda: causal_mask(2.0), r"^T is 2\.0: a whole number of tokens"),
}


@pytest.mark.parametrize("case", BAD_OPTIONS)
def test_a_bad_option_is_refused_by_name(case):
    call, message = BAD_OPTIONS[case]
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize(
    ("Q", "K", "options"),
    [
        ([[1e200]], [[1e200]], {}),
        ([[1e200]], [[-1e200]], {}),
        ([[1e160, 1e160]], [[1e160, -1e160]], {}),
        ([[1e200]], [[1.0]], {"scale": 1e200}),
        ([[-1e200]], [[1.0]], {"scale": 1e200}),
        ([[1e200]], [[1e200]], {"mask": [[False]]}),
        ([[1e308]], [[1.0]], {"mask": [[1e308]]}),
    ],
)
def test_scores_that_overflow_are_refused(Q, K, options):
    with pytest.raises(ValueError, match="^the scores overflow float64: scale Q, K or the mask down"):
        attend(Q, K, [[1.0]], **options)


def test_single_precision_overflows_sooner():
    Q = np.full((1, 1), 1e20, dtype=np.float32)
    assert np.isfinite(attend(Q.astype(float), Q.astype(float), Q.astype(float)).scores).all()
    with pytest.raises(ValueError, match="^the scores overflow float32"):
        attend(Q, Q, Q)


@pytest.mark.parametrize("draw", [lambda seed: embed(["a"], seed), SelfAttention.seeded, lambda s: lab_table(["a"], s)])
@pytest.mark.parametrize("seed", [-1, 2**32, True, np.True_, 1.5, 1.0, "5108", None])
def test_a_bad_seed_is_refused_everywhere(draw, seed):
    with pytest.raises(ValueError, match=rf"^seed is {seed!r}: (a whole number|it has to lie) from 0 to 4294967295"):
        draw(seed)


@pytest.mark.parametrize("draw", [lambda seed: embed(["a"], seed), SelfAttention.seeded])
@pytest.mark.parametrize("seed", [0, 2**32 - 1, np.uint32(7), np.int64(7)])
def test_both_ends_of_the_seeds_are_good(draw, seed):
    draw(seed)


def test_a_whole_number_comes_back_as_a_python_integer():
    assert type(as_whole("seed", np.uint8(3), low=3, high=3)) is int


def test_good_floats_come_back_as_they_are():
    for dtype in (np.float32, np.float64):
        array = np.ones((2, 2), dtype=dtype)
        assert as_floats("X", array) is array
