"""JupyterLab as a process of its own, and a notebook in it as a person uses it."""

import json
import sys
import time
from pathlib import Path

from host_process import HostProcess, free_port
from playwright.sync_api import expect

# JupyterLab asks the network for news and newer versions.
SETTINGS = {"apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False}}
PLACES = {
    "JUPYTER_CONFIG_DIR": "config",
    "JUPYTER_DATA_DIR": "data",
    "JUPYTER_RUNTIME_DIR": "runtime",
    "JUPYTERLAB_SETTINGS_DIR": "settings",
    "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
    "IPYTHONDIR": "ipython",
}


class JupyterLab(HostProcess):
    """It ends its kernels when it is ended."""

    def __init__(self, home: Path):
        port = free_port()
        self.url, self.notebooks = f"http://127.0.0.1:{port}", home / "notebooks"
        self.notebooks.mkdir()
        server = {
            "ip": "127.0.0.1",
            "port": port,
            "port_retries": 0,
            "open_browser": False,
            "allow_root": True,
            "root_dir": str(self.notebooks),
        }
        write(home / "config/jupyter_server_config.json", {"ServerApp": server, "IdentityProvider": {"token": "test"}})
        for name, setting in SETTINGS.items():
            write(home / f"settings/@jupyterlab/{name}.jupyterlab-settings", setting)
        env = {name: str(home / place) for name, place in PLACES.items()}
        command = [sys.executable, "-m", "jupyterlab"]
        super().__init__(command, home=home, env=env, asks=f"{self.url}/api?token=test")


class Notebook:
    """One notebook, in a browser's page; cells are counted from 0."""

    def __init__(self, page, jupyter: JupyterLab, name: str, cells: list[str]):
        self.page, self.jupyter, self.name = page, jupyter, name
        self.file = jupyter.notebooks / f"{name}.ipynb"
        write(self.file, notebook(cells))
        self.open()

    def open(self):
        """Open it, or open it once more."""
        self.page.goto(f"{self.jupyter.url}/lab/tree/{self.name}.ipynb?token=test&reset")
        # A slow machine's kernel takes seconds, and a cell that runs before it is there does nothing.
        expect(self.page.get_by_text("| Idle")).to_be_visible(timeout=60_000)

    @property
    def cells(self):
        return self.page.locator(".jp-Notebook .jp-CodeCell")

    def output(self, cell: int):
        return self.cells.nth(cell).locator(".jp-Cell-outputArea")

    def run(self, cell: int):
        self.cells.nth(cell).locator(".jp-InputArea-editor").click()
        self.page.keyboard.press("Control+Enter")

    def menu(self, name: str, item: str):
        self.page.get_by_role("menuitem", name=name, exact=True).click()
        # By its text: the accessible name has the shortcut too.
        self.page.locator(".lm-Menu").get_by_text(item, exact=True).click()

    def save(self):
        before = self.file.stat().st_mtime_ns
        self.menu("File", "Save Notebook")
        deadline = time.monotonic() + 20
        while self.file.stat().st_mtime_ns == before or not is_whole(self.file):
            assert time.monotonic() < deadline, "The notebook was not saved within 20 s"
            self.page.wait_for_timeout(100)


def is_whole(file: Path) -> bool:
    try:
        return bool(json.loads(file.read_text("utf-8")))
    except json.JSONDecodeError:
        return False


def notebook(cells: list[str]) -> dict:
    code = {"cell_type": "code", "metadata": {}, "execution_count": None, "outputs": []}
    return {
        "nbformat": 4,
        "nbformat_minor": 5,
        "metadata": {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}},
        "cells": [code | {"id": f"cell-{i}", "source": source} for i, source in enumerate(cells)],
    }


def write(path: Path, content: dict):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content), "utf-8")
