"""Commands of the views along time: rows, and the causal past and future of the selected event."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from lydian.app.canvas.canvas import Canvas, TimeHand
from lydian.app.canvas.timemenu import choose_highlight, toggle_longest
from lydian.language import tr
from lydian.views.playback import steps
from lydian.views.selection import Hit

if TYPE_CHECKING:
    from lydian.app.stage.stage import Stage
    from lydian.desk.desk import Desk

__all__ = ["TimeCommands", "next_mode"]

#: The modes of causality that H shows in turn.
TURNS: tuple[str | None, ...] = ("both", "past", "future", "longest")


def next_mode(now: str | None, event: int | None) -> str | None:
    """Return the mode that H shows next; without a selected event, only the longest chain can be shown."""
    if event is None:
        return "both" if now == "longest" else "longest"
    return TURNS[(TURNS.index(now) + 1) % len(TURNS)] if now in TURNS else TURNS[0]


class TimeCommands:
    """The commands for the focused view along time, or for the first such view if none has the focus."""

    def __init__(self, desk: Desk, stage: Stage) -> None:
        self.desk, self.stage = desk, stage

    def handlers(self) -> dict[str, Callable[..., object]]:
        """Return the functions of the commands by name."""
        return {
            "row_up": lambda: self._shift(-1),
            "row_down": lambda: self._shift(1),
            "rows_hide": lambda: self._of_chosen(lambda hand, chosen: hand.hide(chosen)),
            "rows_near": lambda: self._of_chosen(lambda hand, chosen: hand.show_only(chosen)),
            "rows_all": lambda: self.hand.unfold(),
            "rows_reset": lambda: self.hand.camera.reset_order(),
            "highlight": self.turn,
            "highlight_past": lambda: self._show("past"),
            "highlight_future": lambda: self._show("future"),
            "highlight_both": lambda: self._show("both"),
            "highlight_longest": lambda: toggle_longest(self.causality),
            "compare": self.compare,
        }

    @property
    def causality(self) -> Canvas:
        """The focused space-time diagram, or the first one."""
        focused = self.stage.focused
        return focused if focused.spec.name == "causality" else self.stage.canvases["causality"]

    @property
    def hand(self) -> TimeHand:
        """The hand of the focused view along time, or of the first one."""
        hand = self.stage.focused.hand or self.stage.canvases["causality"].hand
        assert hand is not None
        if hand.rows is None and hand.canvas.spec.name == "causality":
            hand = self.stage.canvases["occupation"].hand or hand
        return hand

    def _shift(self, by: int) -> None:
        if not self.hand.shift(by):
            self.desk.notices.say(tr("Select exactly one process to move its row."), False)

    def _of_chosen(self, what: Callable[[TimeHand, list[int]], None]) -> None:
        hand = self.hand
        chosen = hand.chosen()
        if chosen:
            what(hand, chosen)
        else:
            self.desk.notices.say(tr("Select one or more processes first."), False)

    def turn(self) -> None:
        """Show the next mode for the selected event: causal past, causal future, both or the longest chain."""
        self._show(next_mode(self._mode, self.desk.playhead.selection.event))

    def _show(self, mode: str | None) -> None:
        if mode != "longest" and self.desk.playhead.selection.event is None and mode != self._default:
            self.desk.notices.say(tr("Select an event first: click a dot in the causality view."), False)
            return
        choose_highlight(self.causality, mode)

    _default = "both"

    @property
    def _mode(self) -> str | None:
        mode: str | None = self.causality.options.get("highlighted", self._default)
        return mode

    def compare(self) -> None:
        """Report the causal relation of the event at the play head to the selected event."""
        head, hand = self.desk.playhead, self.causality.hand
        event = head.selection.event
        if hand is None or head.timeline is None or event is None:
            self.desk.notices.say(tr("Select an event, move the play head to another event, and try again."), False)
            return
        now = steps.current(head.timeline, head.t, frozenset())
        if now is None or now == event:
            self.desk.notices.say(tr("Move the play head to another event to compare it with the selected one."), False)
            return
        if self.causality.compared != now:
            hand.pick(Hit("event", now), add=True)

    def end(self) -> bool:
        """Hide the longest chain and end the comparison of events; return whether either was shown."""
        ended = False
        for canvas in self.stage.pictures():
            if canvas.hand is not None and canvas.hand.camera.pair is not None:
                ended = True
                canvas.hand.camera.compare(None)
            if canvas.spec.name == "causality" and canvas.options.get("highlighted", "both") == "longest":
                ended = True
                choose_highlight(canvas, "both")
        return ended
