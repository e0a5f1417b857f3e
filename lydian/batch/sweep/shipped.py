"""The sweeps included with LYDIAN, by name: files in the folder ``sweeps`` beside the experiments."""

from __future__ import annotations

from pathlib import Path

from lydian.batch.sweep.file import load
from lydian.batch.sweep.sweep import Sweep
from lydian.model.archive.shelves import our_folder, user_folder
from lydian.model.errors import BadInput, did_you_mean, shown

__all__ = ["find_sweep", "sweep_names"]


#: The maximum number of names listed in an error.
_TOLD = 8


def _folders() -> list[Path]:
    roots = [root for root in (user_folder(), our_folder()) if root is not None]
    both = [folder for root in roots for folder in (root / "sweeps", root / "resources" / "experiments" / "sweeps")]
    return [folder for folder in both if folder.is_dir()]


def sweep_names() -> list[str]:
    """Return the names of all sweeps, the user's own included."""
    return sorted({path.stem for folder in _folders() for path in folder.glob("*.toml")})


def find_sweep(ref: str) -> Sweep:
    """Return the sweep with this name, or the one in this file.

    Raises:
        BadInput: there is no such sweep, or it cannot be used.
    """
    if ref.endswith(".toml") or "/" in ref or "\\" in ref or Path(ref).is_file():
        return load(ref)
    for folder in _folders():
        if (folder / f"{ref}.toml").is_file():
            return load(folder / f"{ref}.toml")
    names = sweep_names()
    more = f" and {len(names) - _TOLD} more" if len(names) > _TOLD else ""
    there = f"choose from {', '.join(names[:_TOLD])}{more}" if names else "there is none"
    hint = did_you_mean(ref, names)
    raise BadInput(f"unknown sweep {shown(ref)}{hint}; {there}, or give a file such as ./mine.toml")
