"""One operation of the core, or PyTorch's same, timed in a process of its own.

`python -m bench.operations ENGINE OPERATION T THREADS` prints JSON; `bench.against` starts it, with the number of
threads set in its environment, which numeric libraries read when they are loaded.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter

import numpy as np

D_MODEL, D_K, SEED = 16, 64, 5108
TIME_S = 0.4
RUNS_LEAST, RUNS_MOST = 3, 200
Run = Callable[[], object]


def numpy_run(operation: str, T: int) -> Run:
    """The lesson's own layer, gradients and streaming evaluation."""
    from attention import SelfAttention
    from attention.streaming import attend_streaming

    X, d_context = inputs(T)
    layer = SelfAttention.seeded(SEED, D_MODEL, D_K)
    if operation == "forward":
        return lambda: layer(X)
    if operation == "backward":
        trace = layer(X)
        return lambda: layer.backward(trace, d_context)
    Q, K, V = X @ layer.W_q, X @ layer.W_k, X @ layer.W_v
    return lambda: attend_streaming(Q, K, V)


def torch_run(operation: str, T: int, threads: int) -> Run:
    """The same steps written with PyTorch; autograd; its fused attention."""
    import torch
    from torch.nn.functional import scaled_dot_product_attention

    from attention import SelfAttention

    torch.set_num_threads(threads)
    layer = SelfAttention.seeded(SEED, D_MODEL, D_K)
    X, d_context, *W = (torch.tensor(array) for array in (*inputs(T), layer.W_q, layer.W_k, layer.W_v))

    def forward() -> torch.Tensor:
        Q, K, V = (X @ matrix for matrix in W)
        return torch.softmax(Q @ K.T / D_K**0.5, dim=-1) @ V

    if operation == "backward":
        wanted = [tensor.requires_grad_() for tensor in (X, *W)]
        context = forward()
        return lambda: torch.autograd.grad(context, wanted, d_context, retain_graph=True)
    Q, K, V = ((X @ matrix)[None, None] for matrix in W)
    run = forward if operation == "forward" else lambda: scaled_dot_product_attention(Q, K, V)

    def without_grad() -> object:
        with torch.no_grad():
            return run()

    return without_grad


def inputs(T: int) -> tuple[np.ndarray, np.ndarray]:
    """Embeddings and the gradient at the context."""
    rng = np.random.default_rng(SEED)
    return rng.standard_normal((T, D_MODEL)), rng.standard_normal((T, D_K))


def memory_mb(name: str) -> float:
    """VmRSS, what is resident now; VmHWM, the most since `forget_peak`."""
    status = Path("/proc/self/status").read_text()
    return int(status.partition(f"{name}:")[2].split()[0]) * 1024 / 1e6


def forget_peak() -> None:
    Path("/proc/self/clear_refs").write_text("5")


def main() -> None:
    """The first run tells the memory, the others the time."""
    engine, operation, T, threads = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    # What is loaded with the first call is no memory of this T.
    small = numpy_run(operation, 6) if engine == "numpy" else torch_run(operation, 6, threads)
    small()
    run = numpy_run(operation, T) if engine == "numpy" else torch_run(operation, T, threads)
    before = memory_mb("VmRSS")
    forget_peak()
    run()
    peak = memory_mb("VmHWM") - before
    times: list[float] = []
    started = perf_counter()
    while len(times) < RUNS_LEAST or (len(times) < RUNS_MOST and perf_counter() - started < TIME_S):
        start = perf_counter()
        run()
        times.append(1000 * (perf_counter() - start))
    print(json.dumps({"ms": median(times), "runs": len(times), "mb": peak}))


if __name__ == "__main__":
    main()
