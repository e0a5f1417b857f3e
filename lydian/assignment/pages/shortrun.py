"""The short run that shows a failure: its steps, and which processes are at fault from which step on.

A *step* is an action of a process with everything that it sends, a fault, or the loss of a message. Step k is the k-th
shown; what was before the first one is at step 0.
"""

from __future__ import annotations

import re
import tempfile
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lydian.model.errors import BadInput
from lydian.pieces.animation import Animation, animation_for
from lydian.trace.events import ATTACHED, EFFECTS, Kind
from lydian.trace.timeline import Timeline
from lydian.views.words.sentence import narrate
from lydian.views.words.verdicts import concerned, decided_at

__all__ = ["MOST_PROCESSES", "MOST_STEPS", "ShortRun", "read_run", "short_run"]

#: The largest numbers of steps and processes that are shown; of a longer run the last steps.
MOST_STEPS, MOST_PROCESSES = 40, 12
#: The largest trace that is read, in bytes.
MOST_BYTES = 50_000_000


@dataclass(frozen=True, eq=False)
class ShortRun:
    """The part of a run that is shown.

    Attributes:
        timeline: the whole run.
        animation: its looks.
        acts: (m,) the event with which each step begins.
        texts: what happens in each step.
        left_out: the number of earlier steps that are not shown.
        rows: the processes that are shown, from top to bottom.
        guilty: the processes at fault, in order; they are among ``rows``.
        since: the step from which on they are at fault.
    """

    timeline: Timeline
    animation: Animation
    acts: NDArray[np.int64]
    texts: tuple[str, ...]
    left_out: int
    rows: tuple[int, ...]
    guilty: tuple[int, ...]
    since: int

    @property
    def steps(self) -> int:
        """The number of steps that are shown."""
        return len(self.acts)

    def step_of(self, seqs: Any) -> Any:
        """Return the step to which events belong, 0 for those before the first step."""
        return np.searchsorted(self.acts, seqs, side="right")


def read_run(path: Path) -> Timeline | None:
    """Return the run in a hand-in file of a run; ``None`` if there is none, or it cannot be read."""
    from lydian.trace.parquet.file import load

    try:
        with zipfile.ZipFile(path) as whole, tempfile.TemporaryDirectory(prefix="lydian-") as folder:
            if whole.getinfo("run.parquet").file_size > MOST_BYTES:
                return None
            file = Path(folder) / "run.parquet"
            file.write_bytes(whole.read("run.parquet"))
            return Timeline(load(file))
    except (OSError, KeyError, ValueError, zipfile.BadZipFile, BadInput):
        return None


def short_run(timeline: Timeline, failure: Mapping[str, Any]) -> ShortRun | None:
    """Return what is shown of a run; ``None`` if nothing happens in it.

    Args:
        failure: what the run shows, as in the result of a check: its ``sentence``, ``name``, ``guilty`` and ``event``,
            as far as they are known.
    """
    animation = animation_for(timeline.trace)
    acts = np.flatnonzero(~np.isin(timeline.kind, (*ATTACHED, *EFFECTS)))
    if not len(acts):
        return None
    left_out, acts = max(0, len(acts) - MOST_STEPS), acts[-MOST_STEPS:].astype(np.int64)
    guilty, event = _guilty(timeline, failure)
    since = int(np.searchsorted(acts, event, side="right")) if event >= 0 else len(acts)
    rows = _rows(timeline, acts, guilty)
    return ShortRun(
        timeline=timeline,
        animation=animation,
        acts=acts,
        texts=tuple(narrate(timeline, seq, animation).removeprefix("Process ") for seq in acts.tolist()),
        left_out=left_out,
        rows=rows,
        guilty=tuple(process for process in rows if process in guilty),
        since=max(since, 1),
    )


def _guilty(timeline: Timeline, failure: Mapping[str, Any]) -> tuple[set[int], int]:
    """Return the processes at fault and the event from which on they are at fault, -1 for the end.

    They are those of the failure, and those that its sentence names; else those at which its property was violated.
    """
    index = {name: code for code, name in enumerate(timeline.processes)}
    guilty = {index[name] for name in failure.get("guilty") or () if name in index}
    named = re.search(r"\b[Pp]rocess(?:es)? ([^.:;]+)", str(failure.get("sentence", "")))
    for word in re.split(r", and |, | and | ", named[1]) if named else ():
        if word not in index:
            break
        guilty.add(index[word])
    event = failure.get("event")
    checks = [each for each in timeline.trace.summary.get("checks") or () if isinstance(each, Mapping)]
    check = next((each for each in checks if each.get("name") == failure.get("name")), {})
    if not isinstance(event, int):
        errors = np.flatnonzero(timeline.kind == Kind.ERROR)
        event = int(errors[-1]) if len(errors) else decided_at(check, timeline) if check.get("kind") == "always" else -1
    return guilty or set(concerned(check, timeline)), event


def _rows(timeline: Timeline, acts: NDArray[np.int64], guilty: set[int]) -> tuple[int, ...]:
    """Return the processes to show, in the network's order; if there are too many, those at fault and the latest."""
    names = timeline.n
    seen = list(dict.fromkeys([*sorted(guilty), *(int(p) for p in timeline.process[acts[::-1]] if p >= 0)]))
    later = timeline.sends[timeline.sends >= acts[0]]
    seen += [int(p) for p in timeline.peer[later] if p >= 0]
    return tuple(sorted(process for process in list(dict.fromkeys(seen))[:MOST_PROCESSES] if process < names))
