"""What the page has to show in a state, computed straight from the layer and not from the lab's table."""

import math

from attention import (
    SelfAttention,
    dead_rows,
    embed,
    evaluate_with_fault,
    peak_weight,
    score_spread,
    softmax_state,
    tokenize,
)

STATE_WORDS = {0: "healthy", 1: "uniform", 2: "saturated (one-hot)"}
LESSON = {
    "d_k": 8,
    "scaled": True,
    "fault": "none",
    "row": 1,
    "seed": 5108,
    "text": "Your journey starts with one step",
}


def expected(**changes):
    """Numbers and words of one state, by name; the lesson's state where nothing else is asked for."""
    state = LESSON | changes
    tokens = tokenize(state["text"])
    layer = SelfAttention.seeded(state["seed"]).narrow(state["d_k"])
    trace = evaluate_with_fault(layer, embed(tokens, state["seed"]), scaled=state["scaled"], fault=state["fault"])
    row = trace.weights[state["row"]]
    columns = state["fault"] == "softmax_over_queries"
    spread = 1 if state["scaled"] else math.sqrt(state["d_k"])
    return {
        "tokens": tokens,
        "scores": trace.scores,
        "weights": trace.weights,
        "row_sums": trace.weights.sum(axis=-1),
        "score-spread": float(score_spread(trace.scores)),
        "theory": 1 / math.sqrt(state["d_k"]) if state["fault"] == "divide_by_d_k" else spread,
        "peak-weight": float(peak_weight(row)),
        "peak-key": tokens[int(row.argmax())],
        "softmax-state": "no distribution: row sums to " if columns else STATE_WORDS[int(softmax_state(row))],
        "dead-rows": "–" if columns else f"{int(dead_rows(trace.weights))} of {len(tokens)}",
    }


def number(text):
    """The number at the end of a read-out, as a person would read it."""
    return float(text.split()[-1].replace("−", "-"))


def shows(text, value, digits=2):
    """Whether a text shows a value at its displayed precision (tables hold float32)."""
    return abs(number(text) - value) <= 0.5 * 10**-digits + 1e-5 * max(1, abs(value))
