"""The script of the memory wall: bytes of the T × T table and of a streaming evaluation."""

from __future__ import annotations

from widgets.scripts import Script, template

TEMPLATE = template(
    """\
# The memory wall: bytes for one head; needs NumPy alone.
import numpy as np

length, dtype = {length}, {dtype}
block, d_v = 128, 64  # keys looked at together, width of the values
T = np.array([6] + [2**power for power in range(3, 18)])
size = np.dtype(dtype).itemsize

table = T * T * size
# A block of scores and one of weights, a maximum and a sum for each row, and the blend.
streaming = T * (2 * np.minimum(block, T) + 2 + d_v) * size
ratio = table / streaming

print("tokens", "T x T table", "streaming", "ratio", sep="\\t")
for i in range(len(T)):
    mark = "  <- on screen" if i == length else ""
    print(f"{T[i]}\\t{table[i]}\\t{streaming[i]}\\t{ratio[i]:.2f}{mark}")
"""
)

SCRIPT = Script(TEMPLATE)
