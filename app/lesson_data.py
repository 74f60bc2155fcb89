"""Data that a lesson ships with: figures get it from here, so that they need not know where lessons are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

LESSONS = Path(__file__).parent.parent / "lessons"
TRAINED_HEADS = LESSONS / "05_trainable_attention" / "data" / "trained_heads.npz"


def trained_heads() -> dict[str, NDArray[Any]]:
    """Queries, keys and tokens of the trained heads; the README beside the file says where they come from."""
    with np.load(TRAINED_HEADS, allow_pickle=False) as file:
        return {name: file[name] for name in file.files}
