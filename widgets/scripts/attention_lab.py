"""The attention lab's script: weights and read-outs, with any of the faults."""

from __future__ import annotations

from attention.faults import FAULTS
from widgets.scripts import Script

TEMPLATE = """\
# The attention lab at d_k = {d_k}, {title}; needs NumPy alone.
import numpy as np

text = {text}
seed, d_k, row = {seed}, {d_k}, {row}
tokens = text.split()


def embed(token):  # the same word always gets the same embedding
    x = np.random.default_rng([seed, *token.casefold().encode()]).standard_normal(16)
    return (x - x.mean()) / x.std()


def softmax(scores, axis):
    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


X = np.stack([embed(token) for token in tokens])
rng = np.random.default_rng(seed)
W_q, W_k, W_v = (rng.standard_normal((16, 64))[:, :d_k] / 4 for _ in range(3))
{roles}
scores = Q @ K.T{divide}
weights = softmax(scores, axis={axis})
context = weights @ {values}

a = weights[row]
entropy = -(a[a > 0] * np.log(a[a > 0])).sum()
norms = [np.linalg.norm(np.diag(w) - np.outer(w, w)) for w in weights]
state = "saturated (one-hot)" if a.max() >= 0.95 else "healthy"
if a.max() < 0.95 and entropy >= 0.99 * np.log(len(tokens)):
    state = "uniform"
dead = f"{sum(norm <= 0.05 for norm in norms)} of {len(tokens)}"
{override}print(np.round(weights, 2))
print(f"score spread: {scores.std():.2f}")
print(f"peak weight of '{tokens[row]}': {a.max():.2f} on '{tokens[a.argmax()]}'")
print(f"softmax state: {state}")
print(f"dead rows: {dead}")
print(f"context: {len(context[row])} numbers, length {np.linalg.norm(context[row]):.2f}")
"""

_RIGHT = {"roles": "Q, K, V = X @ W_q, X @ W_k, X @ W_v", "axis": "-1", "values": "V", "override": ""}
_WRONG = {
    "shared_projection": {"roles": "Q = K = V = X @ W_q  # the fault: one matrix for all three roles"},
    "softmax_over_queries": {
        "axis": "0",
        "override": (
            "# The fault: a softmax over the queries leaves rows that are no distributions.\n"
            'state, dead = f"no distribution: row sums to {a.sum():.2f}", "–"\n'
        ),
    },
    "blend_embeddings": {"values": "X  # the fault: embeddings in place of values"},
}


def _parts() -> dict[str, dict[str, str]]:
    parts = {}
    for fault in FAULTS:
        for scaled in (0, 1):
            divide = "" if not scaled else " / np.sqrt(d_k)"
            title = f"scale {'on' if scaled else 'off'}"
            if fault == "divide_by_d_k":
                divide, title = " / d_k  # the fault: d_k, not its root", "divided by d_k"
            parts[f"{fault}.{scaled}"] = {**_RIGHT, "divide": divide, "title": title, **_WRONG.get(fault, {})}
    return parts


SCRIPT = Script(TEMPLATE, by=("fault", "scaled"), parts=_parts())
