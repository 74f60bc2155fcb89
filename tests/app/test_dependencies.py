"""What is installed is what was chosen, tested and pinned; `make audit` asks for known holes, with a network."""

import re
import tomllib
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
PROJECT = "attention-lessons"
EXTRAS = ("", "dev", "hosts")
LINES = [line for line in (ROOT / "constraints.txt").read_text("utf-8").splitlines() if not line.startswith("#")]
PINS = {canonicalize_name(name): version for name, _, version in (line.partition("==") for line in LINES)}
# Whoever passes the image on may do so under these: none asks for the source of what stands beside it.
FREE = re.compile(r"\b(MIT|BSD|0BSD|ISC|Apache|PSF|Python Software Foundation|MPL|HPND|Zlib|CC0|Unlicense)\b", re.I)
BOUND = re.compile(r"\b[AL]?GPL|General Public|Proprietary|Commercial|SSPL|BUSL", re.I)


def needed(extras):
    """Every installed package that the project with these extras needs, and theirs, by name."""
    found, waiting = {}, [(PROJECT, frozenset(extras))]
    seen = set()
    while waiting:
        name, wanted = waiting.pop()
        if (name, wanted) in seen:
            continue
        seen.add((name, wanted))
        try:
            package = distribution(name)
        except PackageNotFoundError:
            continue  # of an extra that is not installed here
        found[canonicalize_name(name)] = package
        for requirement in map(Requirement, package.requires or []):
            if requirement.marker is None or any(
                requirement.marker.evaluate({"extra": extra}) for extra in {"", *wanted}
            ):
                waiting.append((requirement.name, frozenset(requirement.extras)))
    del found[PROJECT]
    return found


def named():
    """What pyproject.toml asks for itself."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    lists = [project["dependencies"], *project["optional-dependencies"].values()]
    return {canonicalize_name(Requirement(line).name) for one in lists for line in one}


def licence(package):
    """What a package says of its licence, in the three places where packages do."""
    said = package.metadata
    classes = [line for line in said.get_all("Classifier") or [] if line.startswith("License")]
    return said.get("License-Expression") or " ".join([*classes, (said.get("License") or "")[:200]])


def test_every_pin_is_one_version_of_one_package():
    wrong = [line for line in LINES if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*==[0-9][0-9A-Za-z.+!]*", line)]
    assert not wrong, "constraints.txt holds names and exact versions, and no addresses or markers"
    assert len(PINS) == len(LINES), "constraints.txt names a package twice"


def test_what_is_installed_is_what_is_pinned():
    packages = needed(EXTRAS)
    assert {"bokeh", "numpy", "markupsafe", "pytest"} <= set(packages)
    other = {name: (package.version, PINS.get(name)) for name, package in packages.items()}
    other = {name: versions for name, versions in other.items() if versions[0] != versions[1]}
    assert not other, f"installed and pinned differ: {other}. Set up .venv anew, or pin what is installed."
    assert named() <= set(PINS), "pyproject.toml asks for what constraints.txt does not pin"


def test_every_dependency_was_decided_on():
    text = (ROOT / "docs" / "decisions.md").read_text("utf-8")
    table = text[text.index("## Dependencies") :].split("\n\n")[0]
    cells = [row.split("|")[1] for row in table.splitlines() if row.startswith("|")][2:]
    decided = {canonicalize_name(name.strip()) for cell in cells for name in cell.split(",")}
    missing = named() - decided
    assert not missing, (
        f"docs/decisions.md, Dependencies: say what {sorted(missing)} is for and what else was considered"
    )


@pytest.mark.parametrize("name", sorted(needed([])))
def test_what_an_image_carries_may_be_passed_on(name):
    said = licence(distribution(name))
    assert FREE.search(said) and not BOUND.search(said), f"{name} says of its licence: {said!r}"
