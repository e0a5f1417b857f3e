"""The layout of a sweep's file, read from plain data and tested as far as possible before any run."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lydian.batch.sweep.axes import Axis
from lydian.batch.sweep.drawn import DrawnFaults
from lydian.batch.sweep.fields import with_field
from lydian.batch.sweep.measure import measures_from
from lydian.batch.sweep.published import published_from
from lydian.batch.sweep.sweep import MOST_RUNS, Limits, Sweep, side_grouped
from lydian.model.archive.shelves import looks_like_path
from lydian.model.errors import BadInput, LydianError, shown
from lydian.model.experiment.experiment import Experiment, breaks_from
from lydian.model.experiment.experiment import from_dict as experiment_from
from lydian.model.reading import Table, at, parse_toml, read_text

__all__ = ["from_dict", "is_sweep", "load"]

_KEYS = ("name", "about", "experiment", "seeds", "vary", "zip", "faults", "measure", "traces", "limits", "published",
         "breaks")  # fmt: skip
#: This many values of an axis are tried when a sweep is read; the others are tried in their runs.
_TRIED = 200


def is_sweep(path: Path) -> bool:
    """Return whether a file is a sweep: whether it varies anything or names an experiment."""
    try:
        if path.suffix.lower() != ".toml" or not path.is_file():
            return False
        data = parse_toml(read_text(path, "a sweep in TOML"), path)
    except (LydianError, OSError):
        return False
    return "protocol" not in data and ("vary" in data or "experiment" in data)


def load(path: Path | str) -> Sweep:
    """Load the sweep in this file.

    Raises:
        BadInput: with the file and the place in it.
    """
    path = Path(path)
    return from_dict(parse_toml(read_text(path, "a sweep in TOML"), path), path)


def from_dict(data: Any, file: Path | str | None = None) -> Sweep:
    """Return the sweep that plain data describe.

    Raises:
        BadInput: with the file and the place.
    """
    top = Table(data, _KEYS, file=file)
    path = None if file is None else Path(file)
    base, ref = _experiment(top, path)
    limits = Table(top.data.get("limits", {}), ("events", "seconds", "memory"), file=file, place="limits")
    seconds = limits.number("seconds", Limits.seconds)
    if seconds == 0:
        raise limits.bad("seconds", "must be more than 0")
    zipped = top.get("zip", list, [])
    if not all(isinstance(each, list) and all(isinstance(name, str) for name in each) for each in zipped):
        raise top.bad("zip", 'must be a list of lists of names, such as [["n", "delay"]]')
    with at(file):
        sweep = Sweep(
            name=top.get("name", str, "" if path is None else path.stem) or "sweep",
            base=base,
            ref=ref,
            about=top.get("about", str, ""),
            vary=tuple(Axis.from_dict(item, file, place) for place, item in top.tables("vary")),
            zipped=tuple(tuple(each) for each in zipped),
            seeds=_seeds(top),
            faults=tuple(DrawnFaults.from_dict(item, file, place) for place, item in top.tables("faults")),
            measure=measures_from(top.get("measure", list, []), file),
            traces=top.get("traces", bool, False),
            limits=Limits(
                limits.whole("events", 0, 1) if "events" in limits else None,
                seconds,
                limits.whole("memory", Limits.memory, 64),
            ),
            published=tuple(published_from(item, file, place) for place, item in top.tables("published")),
            breaks=breaks_from(top),
            path=path,
        )
        _try_values(sweep)
        _ = sweep.marks
    return sweep


def _try_values(sweep: Sweep) -> None:
    """Read the experiments that the values of each axis give, so that errors are reported before any run."""
    for number, (axis, path) in enumerate(sweep._fields):
        place = f"{axis.place or f'vary[{number}]'}"
        with at(sweep.path, f"{place}.field"):
            if path[0] in ("name", "about", "branches", "seed"):
                instead = "; use the setting seeds instead" if path[0] == "seed" else ""
                raise BadInput(f"{path[0]} cannot be varied{instead}")
            with_field(sweep._base_data, path, None)
    with at(sweep.path):
        _tried(sweep, 0, "")
    stride = sweep.repetitions
    for side in reversed([side for side in sweep._sides if side_grouped(side)]):
        for i in range(1, min(len(side[0]), _TRIED)):
            _tried(sweep, i * stride, f"{side[0].place or 'vary'}.values[{i}]")
        stride *= len(side[0])
    stride = len(sweep.seeds)
    for side in reversed([side for side in sweep._sides if not side_grouped(side)]):
        for i in range(1, min(len(side[0]), _TRIED)):
            _tried(sweep, i * stride, f"{side[0].place or 'vary'}")
        stride *= len(side[0])


def _tried(sweep: Sweep, index: int, place: str) -> None:
    try:
        experiment_from(sweep.run(index).data, sweep.path)
    except BadInput as error:
        where = place or (error.place or "vary")
        inner = f" ({error.place})" if place and error.place else ""
        raise BadInput(f"{error.what}{inner}", file=sweep.path, place=where) from None


def _experiment(top: Table, path: Path | None) -> tuple[Experiment, str | None]:
    given = top.data.get("experiment")
    if isinstance(given, Mapping):
        with at(top.file, "experiment"):
            found = experiment_from(dict(given)).with_(path=path)
        return found, None
    ref = top.need("experiment", str, 'experiment = "echo-random"')
    from lydian.model.archive.archive import archive

    located: Any = looks_like_path(ref, "experiments")
    if located is not None and path is not None:
        located = path.parent / located
    try:
        return archive().experiment(ref if located is None else located), ref
    except BadInput as error:
        if error.file is None:
            raise BadInput(error.what, file=top.file, place="experiment") from None
        raise


def _seeds(top: Table) -> range | tuple[int, ...]:
    value = top.data.get("seeds", 1)
    example = "must be a number of runs such as 20, a list, or {first = 100, count = 20}"
    if isinstance(value, Mapping):
        table = Table(value, ("first", "count"), file=top.file, place="seeds")
        first, count = table.whole("first", 0), table.whole("count", 1, 1)
        if first + count > 2**63:
            raise top.bad("seeds", "must be below 2**63")
        return range(first, first + count)
    if isinstance(value, list):
        if not value or not all(isinstance(s, int) and not isinstance(s, bool) and 0 <= s < 2**63 for s in value):
            raise top.bad("seeds", f"{example}, not {shown(value)}")
        if len(set(value)) < len(value):
            raise top.bad("seeds", "one seed appears twice; each seed must be different")
        return tuple(value)
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= MOST_RUNS:
        raise top.bad("seeds", f"{example}, not {shown(value)}")
    return range(value)
