from __future__ import annotations

from dataclasses import dataclass

from lydian.views.registry import TO_COME, View


@dataclass(frozen=True)
class Fairness:
    """How many events each process has had."""

    title: str
    counts: tuple[int, ...]


def frame(timeline, t, selection=None, *, animation=None, future=True):
    """The counts at time ``t``; at the end of the run unless ``future`` is hidden."""
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
    about="One bar a process: how many events it has had.",
    empty="Run to see which processes have the most to do",
    shows="which processes have the most to do",
    choices=(TO_COME,),
)
