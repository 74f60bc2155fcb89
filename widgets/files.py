"""The figures' modules and styles as files, by the names that modules import each other by."""

from __future__ import annotations

from pathlib import Path

HERE = Path(__file__).parent


def module_paths() -> dict[str, Path]:
    """Every module: ``attention_lab.mjs`` is imported as ``attention-lab``."""
    return {path.stem.replace("_", "-"): path for path in sorted(HERE.glob("*.mjs"))}


def module_styles() -> list[Path]:
    """The styles of single figures, which build on ``theme.css`` and ``figure.css``."""
    return [path for path in sorted(HERE.glob("*.css")) if path.stem not in ("theme", "figure")]
