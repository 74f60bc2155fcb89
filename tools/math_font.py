"""Make app/static/math.woff2: the glyphs of Noto Sans Math that formulas use.

    npm pack @fontsource/noto-sans-math && tar xzf fontsource-noto-sans-math-*.tgz
    pip install fonttools brotli
    python tools/math_font.py package/files/noto-sans-math-latin-400-normal.woff2

Only needed when a lesson uses a sign that the font does not have yet.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

OUT = Path(__file__).parent.parent / "app" / "static" / "math.woff2"
SIGNS = "√∑∏∫∂∇∞·×÷±−=≠≈≡≤≥<>∈∉⊤ᵀ→←↦⇒∀∃∥|‖′…⋯⋮⌊⌋⌈⌉⟨⟩^~¯ˆ̂ℝ𝔼"
RANGES = "U+0020-007E,U+0391-03C9,U+1D434-1D467,U+1D468-1D49B,U+1D6E2-1D71B,U+210E,U+2061-2064"


def main(source: str) -> int:
    unicodes = RANGES + "," + ",".join(f"U+{ord(sign):04X}" for sign in SIGNS)
    command = ["pyftsubset", source, f"--unicodes={unicodes}", "--layout-features=*", "--flavor=woff2"]
    return subprocess.run([*command, f"--output-file={OUT}"], check=False).returncode


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:2]))
