"""The folders of earlier sweeps, remembered in the settings, the latest first."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from lydian.desk.settings import Settings
from lydian.language import trn

__all__ = ["Kept", "folders", "progress", "remember"]

#: The number of folders that are remembered.
MOST = 30


@dataclass(frozen=True)
class Kept:
    """A sweep whose results are in a folder: its name, and how many of its runs are done."""

    name: str
    folder: Path
    done: int
    total: int


def folders(settings: Settings) -> list[Kept]:
    """Return the folders that still exist."""
    kept = settings.record("sweeps").get("folders", [])
    found = []
    for each in kept if isinstance(kept, list) else []:
        if isinstance(each, dict) and isinstance(each.get("folder"), str):
            done, total = (each.get(key) if isinstance(each.get(key), int) else 0 for key in ("done", "total"))
            found.append(Kept(str(each.get("name", "sweep")), Path(each["folder"]), int(done or 0), int(total or 0)))
    return [each for each in found if (each.folder / "sweep.json").is_file()]


def remember(settings: Settings, now: Kept) -> None:
    """Record the progress of a sweep."""
    now = Kept(now.name, now.folder.absolute(), now.done, now.total)
    all_of_them = [now, *(each for each in folders(settings) if each.folder != now.folder)][:MOST]
    told = [
        {"name": each.name, "folder": str(each.folder), "done": each.done, "total": each.total} for each in all_of_them
    ]
    settings.set_record("sweeps", {"folders": told})


def progress(kept: Kept) -> str:
    """Return the number of runs of a sweep, and how many of them are done, in words."""
    if kept.done == kept.total:
        return trn("{count:,} run", "{count:,} runs", kept.total)
    return trn("{done:,} of {count:,} run", "{done:,} of {count:,} runs", kept.total, done=kept.done)
