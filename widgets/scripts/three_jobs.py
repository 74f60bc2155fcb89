"""The script of "one vector, three jobs": both tables, and how far each is from its mirror."""

from __future__ import annotations

from widgets.scripts import Script, template

TEMPLATE = template(
    """\
# One vector, three jobs: scores or weights without and with projections; needs NumPy alone.
import numpy as np

text = {text}
seed, draw, query, key = {seed}, {draw}, {query}, {key}
tokens = text.split()


#embed


#softmax


X = np.stack([embed(token, seed) for token in tokens])
raw = X @ X.T  # nothing to train, and the same both ways

rng = np.random.default_rng((seed + draw) % 2**32)
W_q, W_k = (rng.standard_normal((16, 64))[:, :8] / 4 for _ in range(2))
made = (X @ W_q) @ (X @ W_k).T / np.sqrt(8)

for name, scores in (("embeddings alone", raw), ("with projections", made)):
    shown = {shown}
    print(name, np.round(shown, 2), sep="\\n")
    print(f"'{tokens[query]}' to '{tokens[key]}': {shown[query, key]:.2f}, and back: {shown[key, query]:.2f}")
    print(f"largest difference between two ways: {abs(scores - scores.T).max():.2f}")
"""
)

SCRIPT = Script(TEMPLATE, by=("show",), parts={"scores": {"shown": "scores"}, "weights": {"shown": "softmax(scores)"}})
