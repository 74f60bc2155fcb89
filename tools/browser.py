"""Find a Chromium for the tests, or install one: `python tools/browser.py` prints its path."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

# Debian's Chromium that can do nothing but run without a window: of the same version, and with less to do.
SHELL = "chromium-headless-shell"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
RUN_THIS = "python tools/browser.py"
# In seconds. A network that swallows packets must not hold the tests up for ever.
PLAYWRIGHT_LIMIT = 300
APT_LIMIT = 900

# Asked in a process of its own: Playwright's sync API refuses to start twice in one, and pytest has it running.
ASK_PLAYWRIGHT = """
from playwright.sync_api import sync_playwright
with sync_playwright() as playwright:
    print(playwright.chromium.executable_path)
"""


def find_browser(*, shell: bool = False) -> str | None:
    """Return the browser named by CHROMIUM, else one on the PATH, else Playwright's own, else None.

    With `shell` the headless shell comes before the others on the PATH.
    """
    if named := os.environ.get("CHROMIUM"):
        # Somebody who names a browser wants that one: no other stands in for it.
        return shutil.which(named)
    names = (SHELL, *NAMES) if shell else NAMES
    return next(filter(None, map(shutil.which, names)), None) or playwrights_own()


def playwrights_own() -> str | None:
    try:
        answer = subprocess.run([sys.executable, "-c", ASK_PLAYWRIGHT], capture_output=True, text=True, timeout=60)
    except subprocess.TimeoutExpired:
        return None
    path = answer.stdout.strip()
    return path if path and Path(path).is_file() else None


def install_browser() -> list[str]:
    """Try each way to install until a browser is found; return the commands that were tried."""
    tried = []
    for commands, limit in ways_to_install():
        for command in commands:
            tried.append(" ".join(command))
            print(f"No browser found. Running: {tried[-1]}", file=sys.stderr, flush=True)
            if not run(command, limit):
                break
        if find_browser():
            break
    return tried


def ways_to_install() -> list[tuple[list[list[str]], int]]:
    ways = [([[sys.executable, "-m", "playwright", "install", "--with-deps", "chromium"]], PLAYWRIGHT_LIMIT)]
    # Not every kin of Debian has the shell.
    ways += [(apt, APT_LIMIT) for apt in (apt_install("chromium", SHELL), apt_install("chromium")) if apt]
    return ways


def apt_install(*packages: str) -> list[list[str]]:
    """The commands that install packages on Debian and its kin; none elsewhere."""
    if not shutil.which("apt-get"):
        return []
    # `env` sets the variable on the far side of sudo, which drops the caller's.
    apt = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get"]
    if os.geteuid() != 0 and shutil.which("sudo"):
        apt = ["sudo", *apt]
    return [[*apt, "update"], [*apt, "install", "-y", *packages]]


def run(command: list[str], limit: int) -> bool:
    # Root's commands get a session of their own, so that a slow one is ended with all its children. Other users'
    # stay on the terminal, where sudo may ask for a password.
    own_session = os.geteuid() == 0
    with subprocess.Popen(command, stdout=sys.stderr, start_new_session=own_session) as process:
        try:
            return process.wait(limit) == 0
        except BaseException as problem:
            if own_session:
                os.killpg(process.pid, signal.SIGKILL)
            process.kill()
            if isinstance(problem, subprocess.TimeoutExpired):
                print(f"Stopped after {limit} s.", file=sys.stderr)
                return False
            raise


def main() -> int:
    tried = []
    if not find_browser() and not os.environ.get("CHROMIUM"):
        tried = install_browser()
    if path := find_browser(shell=True):
        print(path)
        return 0
    if named := os.environ.get("CHROMIUM"):
        print(f"CHROMIUM names {named!r}, no program here: correct or unset it, then run: {RUN_THIS}", file=sys.stderr)
    else:
        print(
            f"No browser for the tests: looked for {', '.join(NAMES)} and Playwright's own; tried {'; '.join(tried)}. "
            f"Install Chromium or set CHROMIUM to its path, then run: {RUN_THIS}",
            file=sys.stderr,
        )
    return 2


if __name__ == "__main__":
    sys.exit(main())
