"""What is known of the run that can be interfered with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from lydian.app.work.history import History
from lydian.app.work.simulation import Simulation

if TYPE_CHECKING:
    from lydian.app.work.session import Session
    from lydian.model.branches import Branches
    from lydian.model.experiment import Experiment
    from lydian.model.intervention import Intervention

__all__ = ["LiveState"]


class LiveState(QObject):
    """The run on the screen, whether it is live, and what may happen in it.

    Attributes:
        on: whether what is on the screen is a live run rather than a record.
        waiting: whether the simulator waits for us.
        quiet: it waits, and nothing is left to happen by itself.
        time, round: simulated time reached, and rounds done.
        pending, pending_total: the enabled events as :mod:`lydian.engine.pending` gives them, and how many there are.
        history: the run on the screen and its place among all others.
        checks: what became of the properties so far, as in ``lydian run --json``.
    """

    #: Any of the attributes.
    changed = Signal()
    #: An :class:`Acted`.
    acted = Signal(object)
    #: The simulator is gone; a sentence, empty if the run has come to its end.
    ended = Signal(str)
    #: A recorded run follows; it is to be shown at this time.
    resuming = Signal(float)

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.session = session
        self.on = self.waiting = self.quiet = False
        self.time, self.round = 0.0, 0
        self.pending: tuple[dict[str, Any], ...] = ()
        self.pending_total = 0
        self.history = History(session)
        self.checks: tuple[dict[str, Any], ...] = ()
        self._simulation: Simulation | None = None

    @property
    def tree(self) -> Branches:
        """All runs of the experiment at hand."""
        return self.history.tree

    @property
    def branch(self) -> int:
        """The run on the screen; the one it came from, as long as it has no place of its own."""
        return self.history.branch

    @property
    def done(self) -> tuple[Intervention, ...]:
        """What was done to it, what is planned for later included."""
        return self.history.done

    @property
    def alive(self) -> bool:
        """Whether there is a simulator that can be talked to."""
        return self._simulation is not None

    @property
    def taken(self) -> frozenset[str]:
        """The processes that somebody decides for."""
        return self.history.taken(self.time) if self.on else frozenset()

    def recorded(self) -> Experiment:
        """The experiment of the run on the screen, everything done to it included."""
        return self.tree.path(self.branch)
