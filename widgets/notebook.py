"""What Panel needs in a notebook, put there when a figure is first shown: from this machine, not from a CDN."""

from __future__ import annotations

import builtins
import sys
import threading
from typing import Any

from panel import config
from panel.config import panel_extension
from panel.io.notebook import JupyterCommJSBinary, JupyterCommManagerBinary, patch_inline_stylesheets

# marimo shows Panel's components by itself, and asks Panel where its scripts are.
if "marimo" in sys.modules:
    config.inline = True

# The cell and its run whose output holds BokehJS and Panel's scripts.
_holder: tuple[str, int] | None = None


def notebook_shell() -> Any:
    """IPython's shell, if there is one with a notebook's kernel."""
    shell = getattr(builtins, "get_ipython", lambda: None)()
    return shell if hasattr(shell, "kernel") else None


class InTurn(JupyterCommJSBinary):
    """What a page says, handled in turn with the cells.

    JupyterLab has it handled in a thread of its own. Panel is not made for that: what a cell prints meanwhile gets
    lost, and a cell that moves a lab while a learner moves it can fail.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._cells = notebook_shell().kernel.io_loop

    def _handle_msg(self, msg: Any) -> None:
        handle = super()._handle_msg
        if threading.current_thread() is threading.main_thread():
            handle(msg)
        else:
            self._cells.add_callback(handle, msg)


JupyterCommManagerBinary.client_comm = InTurn


def inline() -> Any:
    """A context in which Panel takes everything from its own files."""
    return config.set(inline=True)


def inline_styles(root: Any) -> None:
    """Put the text of Panel's own styles in the place of their addresses."""
    for model in root.references():
        if hasattr(model, "stylesheets"):
            patch_inline_stylesheets(model)


def ensure_loaded() -> None:
    """Write Panel's scripts into the output of the cell that runs now, unless the notebook has them.

    A cell that held them and runs again has lost them with its old output: then a notebook
    that is opened once more would show nothing. So they are written again.
    """
    global _holder
    shell = notebook_shell()
    if shell is None:
        return
    # Not every front end says which cell it runs.
    cell, run = shell.get_parent().get("metadata", {}).get("cellId"), shell.execution_count
    runs_again = cell is not None and _holder is not None and _holder[0] == cell and _holder[1] != run
    if runs_again or not panel_extension._loaded:
        _holder = (cell, run)
        panel_extension()
