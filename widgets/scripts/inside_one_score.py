"""The script of "inside one score": from components to a product, a sum, a weight and a blend."""

from __future__ import annotations

from widgets.scripts import Script, template

TEMPLATE = template(
    """\
# Inside one score, from components to a weight; needs NumPy alone.
# The page rounds so that its numbers add up: a last digit may differ from these.
import numpy as np

text = {text}
seed, d_k, scaled, query, key = {seed}, {d_k}, {scaled}, {query}, {key}
tokens = text.split()


#embed


X = np.stack([embed(token, seed) for token in tokens])
rng = np.random.default_rng(seed)
W_q, W_k, W_v = (rng.standard_normal((16, 64))[:, :d_k] / 4 for _ in range(3))
Q, K, V = X @ W_q, X @ W_k, X @ W_v

products = Q[query] * K[key]
sums = np.cumsum(products)
scores = Q[query] @ K.T / (np.sqrt(d_k) if scaled else 1)  # the whole row
shifted = scores - scores.max()
exponentials = np.exp(shifted)
weights = exponentials / exponentials.sum()
context = weights @ V

print(f"'{tokens[query]}' looks at '{tokens[key]}'")
print("  c      q      k    q·k    sum")
for c in range(d_k):
    print(f"{c + 1:3} {Q[query, c]:6.2f} {K[key, c]:6.2f} {products[c]:6.2f} {sums[c]:6.2f}")
print(f"score: {scores[key]:.4f}")
print(f"less the row's largest: {shifted[key]:.4f}")
print(f"exponential: {exponentials[key]:.4f}")
print(f"the row's sum: {exponentials.sum():.4f}")
print(f"weight: {weights[key]:.4f}")
print("context:", np.round(context[:8], 2))
"""
)

SCRIPT = Script(TEMPLATE)
