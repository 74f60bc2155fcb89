"""Find the programs that `make test-hosts` needs beside a browser, or install them: `python tools/programs.py`."""

import os
import shutil
import sys

from browser import APT_LIMIT, apt_install, run

# By the package that they come with, which is called the same on Debian and its kin.
PROGRAMS = {"nginx": "nginx", "systemd-analyze": "systemd"}


def find_program(name: str) -> str | None:
    """Where a program is; system folders are on root's PATH alone."""
    return shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")


def missing() -> list[str]:
    return [name for name in PROGRAMS if not find_program(name)]


def main() -> int:
    lacking = missing()
    packages = [PROGRAMS[name] for name in lacking]
    for command in apt_install(*packages) if packages else []:
        print(f"No {' and no '.join(lacking)} found. Running: {' '.join(command)}", file=sys.stderr, flush=True)
        if not run(command, APT_LIMIT):
            break
    if lacking := missing():
        print(f"The tests need {' and '.join(lacking)}: install them, then run: make test-hosts", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
