from __future__ import annotations

from dataclasses import dataclass

from lydian.views.future import TO_COME
from lydian.views.registry import View


@dataclass(frozen=True)
class Fairness:
    """Record how many events each process has had."""

    title: str
    counts: tuple[int, ...]


def frame(timeline, t, selection=None, *, animation=None, future=True):
    """Count the events of the whole run; if ``future`` is hidden, those up to time ``t``."""
    events = timeline.process[: timeline.length if future else int(timeline.count(t))]
    counts = tuple(int((events == number).sum()) for number in range(timeline.n))
    return Fairness(f"at most {max(counts)} events", counts)


FAIRNESS = View(
    name="fairness",
    entry="F&airness",
    icon="eye",
    frame=frame,
    painter="lydian_example.painters.FairnessPainter",
    mouse="still",
    about="One bar for each process: the number of its events.",
    empty="Run to see which processes have the most events",
    shows="which processes have the most events",
    choices=(TO_COME,),
)
