"""The script of the trained head: its scores as the model gave them, with the scale and without."""

from __future__ import annotations

from widgets.scripts import Script, template

TEMPLATE = template(
    """\
# A trained head: layer {layer}, head {head} of all-MiniLM-L6-v2 (Apache License 2.0); needs NumPy alone.
# Below are its raw scores, Q @ K.T with d_k = 32. Q and K of all heads are in the file
# lessons/05_trainable_attention/data/trained_heads.npz of the lesson's source.
import numpy as np

tokens = {tokens}
scaled, row = {scaled}, {row}
raw = np.array(
    [
{rows}
    ]
)


#softmax


scores = raw / np.sqrt(32) if scaled else raw
weights = softmax(scores)
a = weights[row]
norms = np.array([np.linalg.norm(np.diag(w) - np.outer(w, w)) for w in weights])

print(np.round(weights, 2))
print(f"score spread: {scores.std():.2f}")
print(f"peak weight of '{tokens[row]}': {a.max():.3f} on '{tokens[a.argmax()]}'")
print(f"saturated rows: {(weights.max(axis=-1) >= 0.95).sum()} of {len(tokens)}")
print(f"dead rows: {(norms <= 0.05).sum()} of {len(tokens)}")
print(f"Jacobian norm of this row: {norms[row]:.4f}")
"""
)

SCRIPT = Script(TEMPLATE)
