"""The moving of receipts: a message arrives earlier or later, the rest runs again, and both runs are kept."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from lydian.app.live.tools.receivedrag import ReceiveDrag
from lydian.language import tr
from lydian.views.playback.receives import Place, Receipt, branch_name, interventions, receipt, receipt_of
from lydian.views.selection import Hit
from lydian.views.words.faultwords import message_name

if TYPE_CHECKING:
    from lydian.app.canvas.canvas import Canvas
    from lydian.app.live.runs.comparing import Comparing
    from lydian.app.live.tools.interference import Interference
    from lydian.app.stage.stage import Stage
    from lydian.desk.desk import Desk

__all__ = ["Receiving"]

_COMMANDS = {"receive_earlier": -1, "receive_later": 1}


class Receiving(QObject):
    """The controller of the commands *Receive earlier* and *Receive later* and of the dragging in causality views."""

    def __init__(
        self, desk: Desk, stage: Stage, interference: Interference, comparing: Comparing, parent: QObject
    ) -> None:
        super().__init__(parent)
        self.desk, self._interference, self._comparing = desk, interference, comparing
        self._wanted = -1  # the message whose receipt is to be selected in the next run
        for canvas in stage.pictures():
            self.attach(canvas)
        stage.canvas_made.connect(self.attach)
        stage.player.changed.connect(self._changed)
        desk.session.experiment_changed.connect(self.refresh)
        desk.session.run_ready.connect(lambda _run, _play: self._arrived())
        desk.session.run_grown.connect(lambda _run, _first, _play: self._arrived())
        self.refresh()

    def handlers(self) -> dict[str, Callable[..., object]]:
        """Return the functions of the commands by name."""
        return {name: lambda by=by: self.move(by) for name, by in _COMMANDS.items()}

    def attach(self, canvas: Canvas) -> None:
        """Let the user drag receipts in a view if it shows causality."""
        if canvas.spec.name == "causality":
            canvas.aide = ReceiveDrag(canvas, self.read, self.carry_out, self._refuse)

    # ------------------------------------------------------------------ what is possible

    @property
    def hindrance(self) -> str:
        """The reason why no receipt of this run can be moved, or ""."""
        if self.desk.session.withholding:
            return tr("A part of this run is still hidden, so it cannot be changed")
        return self._interference.hindrance

    def read(self, event: int) -> Receipt | str | None:
        """Return the receipt of an event, or why it cannot be moved; ``None`` if this run cannot be changed."""
        situation = None if self.hindrance else self._interference.situation()
        if situation is None:
            return None
        experiment = self.desk.session.experiment
        until = None if experiment is None else experiment.stop.until
        return receipt(situation, event, math.inf if until is None else until)

    def _chosen(self) -> Receipt | str:
        """Return the selected receipt, or why there is none."""
        head = self.desk.playhead
        if self.hindrance:
            return self.hindrance
        timeline, chosen = head.timeline, head.selection
        event = -1 if timeline is None else receipt_of(timeline, chosen.event, chosen.messages)
        if event < 0:
            return tr("Select the receipt of a message to move it")
        return self.read(event) or self.hindrance

    def refresh(self) -> None:
        """Disable the commands, with the reason, where the selected receipt cannot be moved."""
        found = self._chosen()
        for name, by in _COMMANDS.items():
            self.desk.commands.hinder(name, "receiving", found if isinstance(found, str) else found.why_not(by))

    def _changed(self, what: str) -> None:
        if what == "selection" or (what == "timeline" and not self.desk.session.live.alive):
            self.refresh()

    # ------------------------------------------------------------------ actions

    def move(self, direction: int) -> None:
        """Move the selected receipt past the neighbouring event, earlier (-1) or later (1)."""
        found = self._chosen()
        if isinstance(found, str):
            self._refuse(found)
            return
        place = found.earlier if direction < 0 else found.later
        if place is None:
            self._refuse(found.why_not(direction))
        else:
            self.carry_out(found, place)

    def carry_out(self, moved: Receipt, place: Place) -> None:
        """Move a receipt to a place and run the rest again, as one undoable step."""
        live, timeline = self.desk.session.live, moved.situation.timeline
        name = message_name(timeline, moved.message, moved.situation.animation)
        earlier = place.time < moved.now
        text = tr("receive {message} earlier", message=name) if earlier else tr("receive {message} later", message=name)
        before = live.branch
        self.desk.playhead.pause()
        self._wanted = moved.message
        if not live.rerun(interventions(moved, place, live.done), place.time, text, branch_name(moved, place)):
            self._wanted = -1
            return
        sentence = f"{moved.order(place)} {tr('The old run is kept as a branch.')}"
        self.desk.notices.show(
            sentence, problem=False, button=tr("Compare the two runs"),
            act=lambda: self._comparing.compare_branch(before) if live.branch != before else None,
        )  # fmt: skip

    def _arrived(self) -> None:
        """Select the moved receipt in the new run, as soon as it contains it."""
        timeline = self.desk.playhead.timeline
        if self._wanted < 0 or timeline is None or self._wanted >= timeline.m_messages:
            return
        event = int(timeline.receives[self._wanted])
        if event >= 0:
            self._wanted = -1
            self.desk.playhead.pick(Hit("event", event))

    def _refuse(self, reason: str) -> None:
        self.desk.notices.say(f"{reason.rstrip('.')}.", False)
