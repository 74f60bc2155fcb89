"""What lesson 05 claims: each passage with a number or a law, and a computation that supports it.

A passage stands here as it stands in the lesson, white space aside. The computations use
`attention` and numpy alone.
"""

import math
from functools import cache

import numpy as np

from attention import SelfAttention, embed, evaluate_with_fault, lab_table, many_draws, softmax, softmax_jacobian
from attention.faults import FAULTS
from attention.training import race

TOKENS = "Your journey starts with one step".split()
SEED = 5108
JOURNEY = 1


@cache
def table():
    return lab_table(TOKENS, SEED)


@cache
def draws():
    return many_draws(tuple(TOKENS))


def state(d_k, scaled, fault="none"):
    """Index of a state in the lab's table."""
    return d_k - 2, FAULTS.index(fault), int(scaled)


def peak(d_k, scaled, fault="none"):
    return float(table().peak[(*state(d_k, scaled, fault), JOURNEY)])


@cache
def products():
    """Many products q_c k_c of entries drawn as the lesson supposes: independent, mean 0, variance 1."""
    rng = np.random.default_rng(1)
    return rng.standard_normal((200_000, 64)) * rng.standard_normal((200_000, 64))


def trace(d_k, scaled=True, fault="none"):
    layer = SelfAttention.seeded(SEED).narrow(d_k)
    return evaluate_with_fault(layer, embed(TOKENS, SEED), scaled=scaled, fault=fault)


@cache
def losses(d_k, rate):
    """Relative loss of the three lanes after 300 steps."""
    layer = SelfAttention.seeded(SEED)
    run = race(embed(TOKENS, SEED), layer.W_q, layer.W_k, layer.W_v, d_k=d_k, learning_rate=rate)
    return run.relative_loss[:, -1]


def one_hot_is_flat():
    return not softmax_jacobian(np.eye(6)).any()


def variance_adds_up():
    sums = products().cumsum(axis=1)[:, [0, 3, 15, 63]].var(axis=0)
    return np.allclose(sums, [1, 4, 16, 64], rtol=0.02)


def spread_near_one():
    spread = table().spread[:, 0, 1]
    return 0.8 < spread.min() and spread.max() < 1.5 and np.abs(np.median(spread) - 1) < 0.1


def healthy_everywhere():
    return not table().state[:, 0, 1, JOURNEY].any()


def raw_peaks_jump():
    peaks = table().peak[:, 0, 0, JOURNEY]
    return (np.diff(peaks) < -0.05).any() and (np.diff(peaks) > 0.05).any()


CLAIMS = {
    # 3 · why divide
    "independent with mean 0 and variance 1, which is about what a sound initialisation gives": lambda: (
        np.isclose(embed(TOKENS, SEED).var(axis=1), 1).all() and 0.8 < draws().measured_deviation[-1] / 8 < 1.2
    ),
    "Each product has variance 1, and the variances of independent terms add up": variance_adds_up,
    "a head of width 64, which is what GPT-2 uses, they spread by about ±8": lambda: (
        768 // 12 == 64 and abs(draws().measured_deviation[64 - 2] - 8) < 0.1
    ),
    "scores that spread by 8 into a softmax. A lead of 8 over another token means $e^8 \\approx 2981$ times its weight": (
        lambda: round(math.exp(8)) == 2981 and np.isclose(np.divide(*softmax([8.0, 0.0])), math.exp(8))
    ),
    "Most of a row’s weight lands on one token before training has begun": lambda: draws().peak_band[-1, 0, 1] > 0.5,
    "when $\\alpha$ has a single 1 and zeros otherwise, every entry of it is 0": one_hot_is_flat,
    "\\frac{d_k}{(\\sqrt{d_k})^2} = 1": lambda: all(d / math.sqrt(d) ** 2 - 1 < 1e-12 for d in range(2, 65)),
    "Whatever the width, the scores now spread by about 1": spread_near_one,
    "at width 4 it hardly matters": lambda: losses(4, 0.03)[0] < 0.01,
    "In a wide head many rows start out one-hot": lambda: 0.4 < draws().dead_share[-1, 0] < 0.6,
    "some rows never move again, and the loss stalls with them": lambda: abs(losses(64, 0.1)[0] - 0.56) < 0.005,
    # 4 · shapes
    "twice the tokens, four times the table": lambda: (2 * 6) ** 2 == 4 * 6**2,
    # 5 · the lab
    "$d_k$ goes from 2 to 64. What happens to the peak weight of ‘journey’, which is 0.35 at first": lambda: (
        round(peak(2, False), 2) == 0.35
    ),
    "It ends at 1.00. Each component adds one more product": lambda: round(peak(64, False), 2) == 1.00,
    "It goes from 0.35 to 1.00. Not step by step: at a width of 9 it is 0.54, two steps on it is 0.33": lambda: (
        [round(peak(d, False), 2) for d in (2, 64, 9, 11)] == [0.35, 1.00, 0.54, 0.33]
    ),
    "It sinks towards 1/6": lambda: len(TOKENS) == 6,
    "It ends at 1.00. You get what you describe by dividing too much: with ÷d_k the peak is down to 0.20 at a width of 64": (
        lambda: [round(peak(64, False), 2), round(peak(64, True, "divide_by_d_k"), 2)] == [1.00, 0.20]
    ),
    "Turn the scale off at width 64": lambda: (table().state[state(64, False)] == 2).all(),
    "almost every row is a single dark cell": lambda: (table().peak[state(64, False)] > 0.95).all(),
    "without the scale it follows $\\sqrt{d_k}$, with it it stays near 1": spread_near_one,
    "the peak of a row jumps about as the head gets wider; it does not climb step by step": raw_peaks_jump,
    "go to $d_k = 8$ or less, and from there up to 64": lambda: table().state[(*state(64, False), JOURNEY)] == 2,
    "go back to $d_k = 8$ or less, and take the same way again": healthy_everywhere,
    "5 of the 6 rows that you saw at $d_k = 64$ pass on almost no gradient; over many draws it is about half": lambda: (
        table().dead_rows[state(64, False)] == 5 and 0.45 < draws().dead_share[-1, 0] < 0.55
    ),
    # 6 · failure modes and checklist
    "At $d_k = 64$ five of the six rows here are dead": lambda: table().dead_rows[state(64, False)] == 5,
    "at $d_k = 64$ every token here gives itself 0.97 or more": lambda: (
        round(float(np.diag(table().weights[state(64, True, "shared_projection")]).min()), 2) == 0.97
    ),
    "Scores shrink towards 0 as the head gets wider": lambda: (
        np.diff(table().expected_spread[:, FAULTS.index("divide_by_d_k"), 0]) < 0
    ).all(),
    "at $d_k = 64$ no weight here is above 0.21, with 1/6 for each the flattest possible. The spread is 0.12": lambda: (
        round(float(table().weights[state(64, True, "divide_by_d_k")].max()), 2) == 0.21
        and round(float(table().spread[state(64, True, "divide_by_d_k")]), 2) == 0.12
    ),
    "Each column is made to sum to 1, not each row": lambda: np.allclose(
        trace(8, fault="softmax_over_queries").weights.sum(axis=0), 1
    ),
    "Row sums that are not 1: here ‘journey’ hands out 1.28 in all, and ‘with’ 0.50": lambda: (
        [round(float(table().row_sum[(*state(8, True, "softmax_over_queries"), row)]), 2) for row in (1, 3)]
        == [1.28, 0.50]
    ),
    "16 numbers for each token, where $d_k = 8$ were wanted. At $d_k = 16$ even that fits": lambda: (
        [trace(d, fault="blend_embeddings").context.shape[1] for d in (8, 16)] == [16, 16]
    ),
    "so that each query’s row sums to 1": lambda: np.allclose(trace(8).weights.sum(axis=1), 1),
    # interview
    "With independent entries of mean 0 and variance 1 each product has variance 1, so the sum has variance $d_k$": (
        variance_adds_up
    ),
    "Dividing by it brings the variance back to 1 at every width": lambda: np.allclose(
        products().cumsum(axis=1).std(axis=0) / np.sqrt(np.arange(1, 65)), 1, rtol=0.02
    ),
    "The scores’ spread would be $1/\\sqrt{d_k}$ and shrink as the head gets wider": lambda: np.allclose(
        (products().cumsum(axis=1).std(axis=0) / np.arange(1, 65)) * np.sqrt(np.arange(1, 65)), 1, rtol=0.02
    ),
    # glossary
    "Here each has 16 numbers, drawn at random from the token’s spelling, with mean 0 and standard deviation 1": lambda: (
        embed(TOKENS, SEED).shape == (6, 16) and np.allclose(embed(TOKENS, SEED).std(axis=1), 1)
    ),
    "shares that are positive and sum to 1": lambda: np.isclose(softmax([1.0, 2.0, 3.0]).sum(), 1),
}

# Numbers that claim nothing: names of lessons and books, and symbols.
NAMES = [
    "In lesson 04",
    "Here is lesson 04",
    "Lesson 04’s attention has no parameters",
    "Lesson 06 mends both",
    "Lesson 00 asked",
    "*cs336 · 02 The Transformer*",
    "*gpt_mini · 01 Architecture*",
    "*cs336 · 07 Kernels*",
    "\\sum_{c=1}^{d_k}",
    "derive $1/\\sqrt{d_k}$ from",
    "The $1/\\sqrt{d_k}$ is forced",
]

# The quiz's numeric answers, by a passage of the question.
ANSWERS = {
    "How many numbers does $W_q$ hold": lambda: SelfAttention.seeded(SEED).narrow(8).W_q.size,
    "What is the variance of $q \\cdot k$ for $d_k = 16$": lambda: round(products()[:, :16].sum(axis=1).var(), 0),
    "By how much do raw scores spread": lambda: round(products().sum(axis=1).std(), 0),
    "Two scores of a row differ by 8": lambda: round(math.exp(8)),
    "There are 4 keys. What weight does each get": lambda: softmax(np.zeros(4))[0],
    "How many numbers are in the table of scores for $T = 6$": lambda: trace(8).scores.size,
}
