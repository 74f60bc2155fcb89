"""The script of "the whole operation": seven lines, and the matrix that the chosen one makes."""

from __future__ import annotations

from widgets.scripts import Script, template

TEMPLATE = template(
    """\
# The whole operation, line by line; needs NumPy alone.
import numpy as np

text = {text}
seed, d_k, scaled, step = {seed}, {d_k}, {scaled}, {step}
tokens = text.split()


#embed


#softmax


X = np.stack([embed(token, seed) for token in tokens])
{batch}rng = np.random.default_rng(seed)
W_q, W_k, W_v = (rng.standard_normal((16, 64))[:, :d_k] / 4 for _ in range(3))

Q = X @ W_q
K = X @ W_k
V = X @ W_v
scores = Q @ np.swapaxes(K, -1, -2)
if scaled:
    scores = scores / np.sqrt(d_k)
weights = softmax(scores)
Z = weights @ V

steps = {"X": X, "Q": Q, "K": K, "V": V, "scores": scores, "weights": weights, "Z": Z}
for name, matrix in steps.items():
    print(f"{name}: {matrix.shape}")
name = list(steps)[step]
print(f"The line on screen makes {name}:", np.round(steps[name], 2), sep="\\n")
"""
)

SCRIPT = Script(
    TEMPLATE,
    by=("batch",),
    parts={"0": {"batch": ""}, "1": {"batch": "X = np.stack([X, X[::-1]])  # and its tokens in reverse order\n"}},
)
