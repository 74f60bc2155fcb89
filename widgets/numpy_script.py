"""The lab's script that rebuilds the state on screen with NumPy alone, for Python; see `widgets.scripts`."""

from __future__ import annotations

from widgets.scripts.attention_lab import SCRIPT


def numpy_script(*, d_k: int, scaled: bool, fault: str, row: int, seed: int, text: str) -> str:
    """The script for one state.

    Parameters
    ----------
    d_k, scaled, fault, row, seed, text
        As in `widgets.state.LabState`.

    Returns
    -------
    str
        Python source that prints the weights and the read-outs.
    """
    return SCRIPT.fill({"d_k": d_k, "scaled": scaled, "fault": fault, "row": row, "seed": seed, "text": text})
