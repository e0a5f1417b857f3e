"""How far a run that failed would have gone without its faults: the same experiment, run again in a child process."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lydian.desk.conversation import Conversation
from lydian.desk.loop import Loop
from lydian.desk.signal import Signal
from lydian.engine import wire
from lydian.model.errors import LydianError
from lydian.model.experiment.experiment import Experiment

__all__ = ["Undisturbed", "disturbed"]

#: The run without faults is given up after this multiple of the events of the run with them, and this many more.
TIMES, MORE = 10, 20_000


def disturbed(experiment: Experiment) -> bool:
    """Return whether an experiment has faults that can be left out."""
    return bool(experiment.faults or experiment.churn or experiment.interventions)


class Undisturbed:
    """The run of an experiment without its faults, with the same seed and the same delays.

    Attributes:
        end: the simulated time at which that run ends as it should; ``None`` if it does not, or is not known yet.
        asked: whether that run was requested.
        changed: emitted when ``end`` has changed.
    """

    def __init__(self, loop: Loop) -> None:
        self.end: float | None = None
        self.asked = False
        self.changed = Signal()
        self._most = 0
        self.conversation = Conversation(loop)
        self.conversation.heard.connect(self._heard)
        self.conversation.gone.connect(lambda _why: self.conversation.drop())

    @property
    def busy(self) -> bool:
        """Whether the run without faults is in progress."""
        return self.conversation.alive

    def look(
        self,
        experiment: Experiment,
        events: int,
        trace: Path,
        folder: Path | None,
        bounds: Mapping[str, Any] | None = None,
    ) -> None:
        """Run an experiment without its faults in the background.

        Args:
            events: the number of events of the run with them.
            trace: the file for its events, which only the child needs.
            folder: the folder of the files to which it refers.
            bounds: limits of the code of the protocol, as in :class:`~lydian.engine.wire.Request`.
        """
        self.forget()
        self.asked = True
        if not disturbed(experiment):
            return
        self._most = TIMES * events + MORE
        try:
            record = experiment.with_(faults=(), churn=(), interventions=()).to_dict()
        except LydianError:
            return  # it cannot be written down, so that no other process can run it
        where = None if folder is None else str(folder)
        self.conversation.start(
            wire.Request(record, where, str(trace), to=None, told=False, pending=0, **(bounds or {}))
        )

    def forget(self) -> None:
        """End the run in progress and forget the last one."""
        self.asked = False
        self.conversation.drop()
        self._found(None)

    def close(self) -> None:
        """End the run in progress without emitting any further signal."""
        self.conversation.close()

    def _found(self, end: float | None) -> None:
        if end != self.end:
            self.end = end
            self.changed.emit()

    def _heard(self, said: wire.Frame) -> None:
        if isinstance(said, wire.Progress):
            if int(said.done.get("events", 0)) > self._most:
                self.conversation.drop()
        elif isinstance(said, wire.Error):
            self.conversation.drop()
        elif isinstance(said, wire.Result):
            self.conversation.drop()
            result = said.result
            well = all(each.get("holds") is not False for each in result.get("checks") or ())
            if well and not result.get("error") and result.get("stopped"):
                self._found(float(result.get("time", 0.0)))
