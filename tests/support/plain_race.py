"""The training race in plain loops, from the draw of a word's embedding on: nothing here is from the package."""

from functools import cache

import numpy as np

LANES = ("none", "sqrt_d_k", "d_k")
STEPS = 300


def draw(text, seed):
    """Embeddings and projections of a sentence, as the lesson defines them."""
    X = []
    for word in text.split():
        x = np.random.default_rng([seed, *word.casefold().encode()]).standard_normal(16)
        x -= x.mean()
        X.append(x / np.sqrt((x * x).mean()))
    rng = np.random.default_rng(seed)
    return np.array(X), [rng.standard_normal((16, 64)) / 4 for _ in range(3)]


def one_step(X, W_q, W_k, V, factor):
    """Loss, weights and gradients, one query after another."""
    Q, K = X @ W_q, X @ W_k
    loss, weights, d_Q, d_K = 0.0, [], np.zeros_like(Q), np.zeros_like(K)
    for i, q in enumerate(Q):
        scores = factor * (K @ q)
        row = np.exp(scores - scores.max())
        row /= row.sum()
        error = row @ V - V[i - 1]  # for the first token, -1 is the last
        loss += (error * error).mean()
        d_row = V @ error * (2 / len(error))
        d_scores = factor * row * (d_row - row @ d_row)
        d_Q[i] = d_scores @ K
        d_K += np.outer(d_scores, q)
        weights.append(row)
    return loss, np.array(weights), X.T @ d_Q, X.T @ d_K


def run_lane(X, W_q, W_k, V, factor, rate):
    losses, tables = [], []
    for _ in range(STEPS + 1):
        loss, weights, d_W_q, d_W_k = one_step(X, W_q, W_k, V, factor)
        losses.append(loss)
        tables.append(weights)
        W_q, W_k = W_q - rate * d_W_q, W_k - rate * d_W_k
    return np.array(losses), np.array(tables)


@cache
def plain_race(text, seed, d_k, rate):
    """Each lane's relative losses, weights, stuck rows, and up to which step they are sure.

    A lane without the scale can be chaotic: it is sure as far as a start that differs by 1e-9 makes no difference.
    """
    X, (W_q, W_k, W_v) = draw(text, seed)
    W_q, W_k, V = W_q[:, :d_k], W_k[:, :d_k], X @ W_v[:, :d_k]
    lanes = {}
    for lane, factor in zip(LANES, (1, 1 / np.sqrt(d_k), 1 / d_k), strict=True):
        losses, weights = run_lane(X, W_q, W_k, V, factor, rate)
        sure = STEPS
        if lane == "none":
            _, others = run_lane(X, W_q * (1 + 1e-9), W_k, V, factor, rate)
            apart = abs(others - weights).max(axis=(1, 2)) > 1e-6
            sure = int(apart.argmax()) - 1 if apart.any() else STEPS
        relative = losses / losses[0] if losses[0] > 1e-12 else np.zeros_like(losses)
        lanes[lane] = {"loss": relative, "weights": weights, "stuck": stuck_rows(weights), "sure": sure}
    return lanes


def stuck_rows(weights):
    """1 where a row has next to nothing on its target and passes on next to no gradient."""
    stuck = np.zeros(weights.shape[:2], dtype=int)
    for step, table in enumerate(weights):
        for i, row in enumerate(table):
            jacobian = np.diag(row) - np.outer(row, row)
            stuck[step, i] = row[i - 1] < 1e-3 and np.sqrt((jacobian**2).sum()) <= 0.05
    return stuck
