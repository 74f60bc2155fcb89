"""The script of the variance law: one draw, and the 400 draws behind the bands."""

from __future__ import annotations

from widgets.scripts import Script, template
from widgets.sentence import LESSON_SEED, LESSON_TEXT

TEMPLATE = (
    template(
        """\
# The variance law: one draw of scores beside 400 draws; needs NumPy alone.
import numpy as np

d_k, scaled, row = {d_k}, {scaled}, 1
tokens = LESSON_TEXT.split()


#embed


#softmax


def scores_of(seed):
    X = np.stack([embed(token, seed) for token in tokens])
    rng = np.random.default_rng(seed)
    W_q, W_k = (rng.standard_normal((16, 64))[:, :d_k] / 4 for _ in range(2))
    return (X @ W_q) @ (X @ W_k).T / (np.sqrt(d_k) if scaled else 1)


draw = scores_of(LESSON_SEED)
many = np.stack([scores_of(seed) for seed in range(400)])
weights = softmax(many)
peaks = weights.max(axis=-1)
jacobians = weights[..., None] * (np.eye(len(tokens)) - weights[..., None, :])
dead = np.linalg.norm(jacobians, axis=(-2, -1)) <= 0.05
low, _, high = spread_band = np.quantile(many.std(axis=(1, 2)), (0.05, 0.5, 0.95))
low_peak, _, high_peak = peak_band = np.quantile(peaks, (0.05, 0.5, 0.95))
peaked = (peaks > 0.9).all(axis=-1)

print(f"law: {1 if scaled else np.sqrt(d_k):.2f}")
print(f"all draws: {many.std():.2f}")
print(f"this draw: {draw.std():.2f}")
print(f"90 % of draws: {low:.2f} to {high:.2f}")
print(f"peak of '{tokens[row]}': {softmax(draw)[row].max():.2f}")
print(f"90 % of rows: {low_peak:.2f} to {high_peak:.2f}")
print(f"draws with all rows above 0.9: {peaked.sum()} of 400")
print(f"dead rows: {100 * dead.mean():.1f} %")
"""
    )
    .replace("LESSON_TEXT", repr(LESSON_TEXT))
    .replace("LESSON_SEED", str(LESSON_SEED))
)

SCRIPT = Script(TEMPLATE)
