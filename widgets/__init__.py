"""The figures: what is drawn, what is said of it, and how a host shows it."""

from typing import Any


def __getattr__(name: str) -> Any:
    # Panel takes a second to import, and the server does without it.
    if name == "AttentionLab":
        from widgets.panel_lab import AttentionLab

        return AttentionLab
    raise AttributeError(f"widgets has no {name!r}; it has AttentionLab")
