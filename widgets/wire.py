"""How a table travels to the browser: a JSON header, then the arrays' own bytes.

Layout: 4 bytes header length (little endian), the header (UTF-8 JSON, padded with
spaces), then each array, little endian, starting at a multiple of 8 bytes so that the
browser can look at it without a copy. ``table.mjs`` has the reader.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

ALIGN = 8


def pack(arrays: Mapping[str, NDArray[Any]], meta: Mapping[str, Any], *, dense: bool = False) -> bytes:
    """Join arrays and what is said of them into one block of bytes.

    Parameters
    ----------
    arrays : mapping of str to ndarray
        float32, int8 or uint8 arrays.
    meta : mapping
        Anything that JSON can hold.
    dense : bool, optional
        Put an array's bytes in the order first bytes, second bytes, … where it compresses
        better so: neighbouring floats share their first bytes. For what is stored.
    """
    described: dict[str, dict[str, Any]] = {}
    blocks, offset = [], 0
    for name, array in arrays.items():
        block = np.ascontiguousarray(array).astype(array.dtype.newbyteorder("<"), copy=False).tobytes()
        described[name] = {"dtype": array.dtype.name, "shape": array.shape, "offset": offset}
        if dense:
            planes = np.frombuffer(block, np.uint8).reshape(-1, array.itemsize).T.tobytes()
            if len(zlib.compress(planes)) < len(zlib.compress(block)):
                block, described[name]["planes"] = planes, array.itemsize
        block += bytes(-len(block) % ALIGN)
        blocks.append(block)
        offset += len(block)
    header = json.dumps({"meta": meta, "arrays": described}, ensure_ascii=False).encode()
    header += b" " * (-(len(header) + 4) % ALIGN)
    return len(header).to_bytes(4, "little") + header + b"".join(blocks)
