"""The package in tests/example_package as if installed: Python finds its entry points and its modules."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path

__all__ = ["PACKAGE", "installed", "installed_as", "searched"]

PACKAGE = Path(__file__).resolve().parent / "example_package"


def installed(folder: Path) -> list[Path]:
    """Write the files an installer would create for the example package; return the folders that Python must search."""
    project = tomllib.loads((PACKAGE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return [installed_as(folder, project["name"], project["version"], project["entry-points"]), PACKAGE]


def installed_as(folder: Path, name: str, version: str, entries: dict[str, dict[str, str]]) -> Path:
    """Write the files an installer would create for a package with these entry points."""
    there = folder / f"{name.replace('-', '_')}-{version}.dist-info"
    there.mkdir(parents=True)
    (there / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n", encoding="utf-8")
    lines = [[f"[{group}]", *(f"{key} = {value}" for key, value in own.items())] for group, own in entries.items()]
    (there / "entry_points.txt").write_text("\n".join(line for own in lines for line in own), encoding="utf-8")
    return folder


def searched(env: dict[str, str], folders: list[Path]) -> dict[str, str]:
    """Return an environment in which a child Python searches these folders too."""
    return env | {"PYTHONPATH": os.pathsep.join([env["PYTHONPATH"], *map(str, folders)])}
