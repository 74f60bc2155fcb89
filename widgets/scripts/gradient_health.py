"""The script of gradient health: one row's Jacobian, the norms of all rows, and those of 400 draws."""

from __future__ import annotations

from widgets.scripts import Script, template
from widgets.sentence import LESSON_SEED, LESSON_TEXT

TEMPLATE = (
    template(
        """\
# Gradient health: the softmax Jacobians of one draw beside 400 draws; needs NumPy alone.
import numpy as np

text = {text}
seed, d_k, scaled, row = {seed}, {d_k}, {scaled}, {row}
tokens = text.split()


#embed


#softmax


def jacobians_of(tokens, seed):
    X = np.stack([embed(token, seed) for token in tokens])
    rng = np.random.default_rng(seed)
    W_q, W_k = (rng.standard_normal((16, 64))[:, :d_k] / 4 for _ in range(2))
    a = softmax((X @ W_q) @ (X @ W_k).T / (np.sqrt(d_k) if scaled else 1))
    return np.stack([np.diag(w) - np.outer(w, w) for w in a])


def norms_of(jacobians):
    return np.linalg.norm(jacobians, axis=(-2, -1))


jacobians = jacobians_of(tokens, seed)
norms = norms_of(jacobians)
lesson = LESSON_TEXT.split()  # what the band is of
many = np.stack([norms_of(jacobians_of(lesson, seed)) for seed in range(400)])
low, middle, high = band = np.quantile(many, (0.05, 0.5, 0.95))

print(f"The Jacobian of the row '{tokens[row]}':", np.round(jacobians[row], 2), sep="\\n")
for token, norm in zip(tokens, norms):
    print(f"{token}: {norm:.3f}{' dead' if norm <= 0.05 else ''}")
print(f"dead rows: {(norms <= 0.05).sum()} of {len(tokens)}")
print(f"middle of 400 draws: {middle:.3f}")
print(f"90 % of their rows: {low:.3f} to {high:.3f}")
print(f"dead among them: {100 * (many <= 0.05).mean():.1f} %")
"""
    )
    .replace("LESSON_TEXT", repr(LESSON_TEXT))
    .replace("LESSON_SEED", str(LESSON_SEED))
)

SCRIPT = Script(TEMPLATE)
