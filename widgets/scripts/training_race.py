"""The script of the training race: plain gradient descent, 300 steps in three lanes."""

from __future__ import annotations

from widgets.scripts import Script, template

TEMPLATE = template(
    """\
# The training race: 300 steps of gradient descent, with three scales; needs NumPy alone.
import numpy as np

text = {text}
seed, d_k, rate, step = {seed}, {d_k}, {learning_rate}, {step}
tokens = text.split()


#embed


#softmax


X = np.stack([embed(token, seed) for token in tokens])
rng = np.random.default_rng(seed)
W_q, W_k, W_v = (rng.standard_normal((16, 64))[:, :d_k] / 4 for _ in range(3))
V = X @ W_v
# The task: look at the token before you, the first one at the last.
target = np.eye(len(tokens))[np.roll(np.arange(len(tokens)), 1)]

losses, shown = {}, {}
for lane, factor in {"none": 1, "sqrt_d_k": 1 / np.sqrt(d_k), "d_k": 1 / d_k}.items():
    q, k = W_q, W_k
    losses[lane] = []
    for i in range(301):
        Q, K = X @ q, X @ k
        weights = softmax(factor * Q @ K.T)
        error = (weights - target) @ V
        losses[lane].append((error**2).sum() / d_k)
        if i == step:
            shown[lane] = weights
        d_weights = 2 / d_k * error @ V.T
        d_scores = weights * (d_weights - (d_weights * weights).sum(axis=-1, keepdims=True))
        q = q - rate * factor * X.T @ d_scores @ K
        k = k - rate * factor * X.T @ d_scores.T @ Q

for name, loss in losses.items():
    left = np.array(loss) / loss[0]
    print(f"{name}: after {step} steps {left[step]:.3f} of the loss is left, after 300 {left[300]:.3f}")
print("The weights of the lane " + {lane} + ":", np.round(shown[{lane}], 2), sep="\\n")
"""
)

SCRIPT = Script(TEMPLATE)
