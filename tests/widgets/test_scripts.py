"""Scripts to take along: run as they are, away from the project, they compute what the figure shows."""

import json
import subprocess
import sys

import numpy as np
import pytest

from app.figures import FIGURES, cached_table, table_key

OWN = 'say "it" {d_k} \\n $x$'
# Runs scripts that know nothing of each other in one interpreter; isolated, so that the project cannot be imported.
DRIVER = """
import contextlib, io, json, sys
import numpy as np
for script, names in json.load(sys.stdin):
    there, out = {"__name__": "__main__"}, io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(script, "script.py", "exec"), there)
    values = {name: np.asarray(eval(name, there), dtype=float).tolist() for name in names}
    print(json.dumps({"values": values, "printed": out.getvalue()}))
"""


def run(scripts, names, tmp_path):
    work = json.dumps([[script, names] for script in scripts])
    done = subprocess.run(
        [sys.executable, "-I", "-X", "utf8", "-c", DRIVER],
        input=work, capture_output=True, text=True, encoding="utf-8", cwd=tmp_path, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def lab(table, state):
    at = (state["d_k"] - 2, ("none", "divide_by_d_k").index(state["fault"]), int(state["scaled"]))
    return {"weights": table.weights[at], "scores.std()": table.spread[at]}


def operation(table, state):
    at, item = (state["d_k"] - 2, int(state["scaled"])), slice(None) if state["batch"] else 0
    return {
        "W_v": table.W_v[:, : state["d_k"]],
        "weights": table.weights[at][item],
        "Z": table.context[at][item][..., : state["d_k"]],
    }


def memory(table, state):
    j = ("float16", "float32").index(state["dtype"])
    return {"T": table.T, "table": table.score_table[:, j], "streaming": table.streaming[:, j], "ratio": table.ratio}


def variance(table, state):
    at = (state["d_k"] - 2, int(state["scaled"]))
    return {
        "many.std()": table.deviation[at],
        "draw": table.scores[at],
        "spread_band": table.spread_band[at],
        "peak_band": table.peak_band[at],
        "peaked.sum()": table.peaked_draws[at],
        "100 * dead.mean()": table.dead_percent[at],
        "softmax(draw)[row].max()": table.peak[at],
    }


def health(table, state):
    at = (state["d_k"] - 2, int(state["scaled"]))
    return {
        "norms": table.norm[at],
        "(norms <= 0.05).sum()": table.dead_rows[at],
        "np.round(jacobians[row], 2) + 0.0": table.jacobian[(*at, state["row"])],
        "band": table.norm_band[at],
        "100 * (many <= 0.05).mean()": table.dead_percent[at],
    }


def jobs(table, state):
    draw = state["draw"]
    return {
        "raw": table.raw_scores,
        "made": table.scores[draw],
        "shown": (table.scores if state["show"] == "scores" else table.weights)[draw],
        "abs(made - made.T).max()": table.asymmetry[draw],
    }


def race(table, state):
    # What a lane without a scale does late is chaotic in places: losses are compared as far as the step on screen,
    # which is the same in all cases.
    step = state["step"]
    return {
        **{
            f'np.array(losses["{lane}"])[:{step + 1}] / losses["{lane}"][0]': table.relative_loss[i, : step + 1]
            for i, lane in enumerate(("none", "sqrt_d_k", "d_k"))
        },
        'shown["sqrt_d_k"]': table.weights[1, step],
    }


def inside(table, state):
    i, j, at = state["query"], state["key"], (state["d_k"] - 2, int(state["scaled"]))
    return {
        "Q[query]": table.Q[i, : state["d_k"]],
        "K[key]": table.K[j, : state["d_k"]],
        # What is shown is rounded so that it adds up.
        "np.round(weights, 4)": table.shown_weights[(*at, i)],
        "np.round(scores[key], 4)": table.shown_scores[(*at, i, j)],
    }


def heads(table, state):
    at = (state["layer"] - 1, state["head"] - 1, int(state["scaled"]))
    return {"scores": table.scores[at], "weights": table.weights[at], "norms": table.norm[at]}


CASES = {
    "attention-lab": (lab, [{}, {"d_k": 64, "scaled": False}, {"fault": "divide_by_d_k", "text": OWN}]),
    "whole-operation": (operation, [{}, {"batch": True, "d_k": 16, "scaled": False, "step": 6}, {"text": OWN}]),
    "memory-wall": (memory, [{}, {"dtype": "float32", "length": 0}]),
    "variance-law": (variance, [{}, {"d_k": 64}, {"d_k": 23, "scaled": True}]),
    "gradient-health": (health, [{}, {"d_k": 64, "scaled": False, "row": 4}, {"text": OWN, "seed": 7}]),
    "three-jobs": (jobs, [{}, {"draw": 9, "show": "weights"}, {"text": OWN, "key": 4, "seed": 2**32 - 1, "draw": 3}]),
    "training-race": (race, [{"step": 60}, {"d_k": 16, "learning_rate": 0.03, "step": 60, "lane": "d_k"}]),
    "inside-one-score": (inside, [{}, {"d_k": 64, "scaled": False, "query": 0}, {"text": OWN, "key": 2}]),
    "trained-head": (heads, [{}, {"layer": 4, "head": 4, "scaled": False, "row": 2}]),
}
# What is rounded may be rounded the other way; what is trained drifts.
TOLERANCE = {"np.round(j": 0.0101, "np.round(w": 1.1e-4, "np.round(s": 1.1e-4, "np.array(l": 2e-4}


def extra(name, table, state):
    """What the trained head's module puts in beside the state."""
    if name != "trained-head":
        return {}
    raw = table.scores[state["layer"] - 1, state["head"] - 1, 0]
    rows = "\n".join(f"[{', '.join(map(repr, row))}]," for row in raw.tolist())
    return {"tokens": json.dumps(table.tokens), "rows": rows}


@pytest.mark.parametrize("name", FIGURES)
def test_a_script_computes_what_its_figure_shows(name, tmp_path):
    figure, (expect, changes) = FIGURES[name], CASES[name]
    states = [{**figure.State.default(), **change} for change in changes]
    tables = [cached_table(name, table_key(figure, state)) for state in states]
    want = [expect(table, state) for table, state in zip(tables, states, strict=True)]
    scripts = [figure.script.fill(s, extra(name, table, s)) for table, s in zip(tables, states, strict=True)]
    got = run(scripts, list(want[0]), tmp_path)
    for state, values, result in zip(states, want, got, strict=True):
        for quantity, value in values.items():
            np.testing.assert_allclose(
                result["values"][quantity],
                value,
                rtol=1e-4,
                atol=TOLERANCE.get(quantity[:10], 1e-5),
                err_msg=f"{quantity} at {state}",
            )
        assert result["printed"].count("\n") >= 4


@pytest.mark.parametrize("name", FIGURES)
def test_a_script_is_short_and_needs_numpy_alone(name):
    figure = FIGURES[name]
    state = figure.State.default()
    script = figure.script.fill(state, extra(name, cached_table(name, table_key(figure, state)), state))
    assert [line for line in script.splitlines() if "import " in line] == ["import numpy as np"]
    assert len(script.splitlines()) <= 55
    assert max(map(len, script.splitlines())) <= 120 or name == "trained-head"


def test_a_text_can_be_nothing_but_a_text():
    script = FIGURES["three-jobs"].script.fill(FIGURES["three-jobs"].State.default() | {"text": '"; import os #'})
    assert 'text = "\\"; import os #"' in script
