"""Playing the scheduler and playing a process: the two docks, their commands, and the keys that choose."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QLabel

from lydian.app.live.choosing.player import PlayerPanel
from lydian.app.live.choosing.tray import Tray
from lydian.app.panels import arrangement
from lydian.desk.guide.glossary import explained
from lydian.language import tr

if TYPE_CHECKING:
    from lydian.app.stage.stage import Stage
    from lydian.desk.desk import Desk
    from lydian.desk.live.live import Live

__all__ = ["Scheduling"]

#: The width in pixels of a dock of cards when it is first shown, where there is room.
WIDE = 330


class Scheduling(QObject):
    """The connection between a window and its two docks of enabled events.

    Attributes:
        tray: the enabled events.
        player: the process on its card.
        choosing: whether the user chooses every event: Space and the right arrow let the highlighted one happen.
        elsewhere: returns whether the events are chosen in another part of the window, so that no dock opens by itself.
    """

    def __init__(self, desk: Desk, stage: Stage, hint: QLabel, parent: QObject) -> None:
        """Add the docks; ``hint`` shows what Space does."""
        super().__init__(parent)
        self.desk = desk
        self.choosing = False
        self.elsewhere: Callable[[], bool] = bool
        self._taken: frozenset[str] = frozenset()
        self._usual = ""  # the hint beside the narration while the user does not choose
        self.stage, self.hint, live = stage, hint, self.live
        self.tray = Tray(live, self.desk.playhead, stage.theme)
        self.player = PlayerPanel(live, self.tray.chooser, stage.theme)
        pending = stage.add_dock(
            "pending", tr("What may happen next"), "turns", self.tray,
            tr("Every event that is enabled now. The one you choose happens before the others."),
        )  # fmt: skip
        pending.bar.setToolTip(explained(pending.bar.toolTip(), "enabled"))
        stage.add_dock(
            "player", tr("Your process"), "hand", self.player,
            tr("A process that you play: its variables, and the events that it can handle now."), beside="step",
        )  # fmt: skip
        self.player.release_wanted.connect(self.give_back)
        self.player.take_wanted.connect(self.take_over)
        stage.player.changed.connect(self._selected, Qt.ConnectionType.QueuedConnection)
        live.changed.connect(self._changed)
        live.ended.connect(lambda _why: self._changed())
        self._changed()

    def handlers(self) -> dict[str, Callable[..., object]]:
        """Return the name of each command with its handler."""
        return {
            "choose_mode": self.set_choosing,
            "choose_now": self.choose_highlighted,
            "choose_earliest": lambda: self.tray.chooser.take_earliest(),
            "choose_any": lambda: self.tray.take_random(),
            "take_over": self.take_over,
            "give_back": self.give_back,
            "player_next": lambda: self.player.turn(1),
            "player_previous": lambda: self.player.turn(-1),
        }

    def instead(self, usual: Callable[..., object]) -> Callable[..., object]:
        """Return a playback command that, at the run's end while the user chooses, takes the highlighted event."""

        def act(*arguments: object) -> object:
            if self.choosing and not self.tray.chooser.behind:
                self.choose_highlighted()
                return None
            return usual(*arguments)

        return act

    @property
    def live(self) -> Live:
        """The live run."""
        return self.desk.session.live

    # ------------------------------------------------------------------ the scheduler

    def set_choosing(self, on: bool) -> None:
        """Let the user choose every event, or let the run continue by itself."""
        self.choosing = on
        self.tray.list.keys = on
        self.desk.commands.check("choose_mode", on)
        self._say_keys()
        if not on:
            self.desk.notices.say(tr("The run continues by itself again; press Space to play it."), False)
            return
        if not self.live.on:
            self.live.switch(True)
        self.desk.playhead.pause()
        self._show("pending")
        self.tray.list.setFocus(Qt.FocusReason.OtherFocusReason)
        self.desk.notices.say(
            tr("You choose each event: Space or the right arrow lets the highlighted one happen."), False
        )

    def _say_keys(self) -> None:
        """Show beside the narration what Space does."""
        if not self._usual:
            self._usual = self.hint.text()
        self.hint.setText(tr("Space or →: let the highlighted event happen") if self.choosing else self._usual)

    def _show(self, name: str) -> None:
        """Bring a dock to the front, as wide as its cards need."""
        stage = self.stage
        dock = stage.docks[name]
        new = dock.isHidden()
        stage.show_view(name, True)
        arrangement.settle(stage)
        if new and not dock.isFloating() and dock.width() < stage.theme.grown(WIDE):
            room = max(dock.width(), min(stage.theme.grown(WIDE), stage.width() // 3))
            stage.resizeDocks([dock], [room], Qt.Orientation.Horizontal)

    def choose_highlighted(self) -> None:
        """Let the highlighted event happen now, or show why it cannot be chosen."""
        card = self.tray.list.current
        if not self.live.on:
            self.desk.notices.say(tr("Go live first: events that have already been simulated cannot be chosen."), False)
        elif card is None:
            self.desk.notices.say(tr("No event is enabled now."), False)
        elif not self.tray.chooser.choose(card) and card.reason:
            self.desk.notices.say(
                tr("{event}: {reason} Press N to let the earliest event happen.", event=card.title, reason=card.reason),
                False,
            )

    # ------------------------------------------------------------------ a process

    def take_over(self) -> None:
        """Play the selected process from now on."""
        name = self.player.selected()
        if not name:
            self.desk.notices.say(tr("Select the process that you want to play."), False)
        elif name in self.live.taken and self.live.on:
            self.player.show_process(name)
            self._show("player")
        else:
            self.live.act({"do": "take_over", "process": name}, tr("take over process {process}", process=name))

    def give_back(self, name: str = "") -> None:
        """Let the simulator play a process again: the named one, or the one on the card."""
        name = name or self.player.name
        if name:
            self.live.act({"do": "release", "process": name}, tr("release process {process}", process=name))
        else:
            self.desk.notices.say(tr("You are not playing a process."), False)

    def _selected(self, what: str) -> None:
        """Bring the card of a selected process that the user plays to the front, if the dock is open."""
        dock = self.stage.docks["player"]
        mine = bool(self.player.name) and self.player.name == self.player.selected()
        if what == "selection" and mine and not dock.isHidden():
            dock.raise_()

    def _changed(self) -> None:
        """Update docks and commands after a process was taken over or released, or the window is no longer live."""
        live = self.live
        taken = live.taken if live.on else frozenset()
        new, self._taken = taken - self._taken, taken
        if new and not self.elsewhere():
            self.player.show_process(sorted(new)[-1])
            self._show("player")
        if self.choosing and not live.on:
            self.choosing = self.tray.list.keys = False
            self.desk.commands.check("choose_mode", False)
            self._say_keys()
        why = "" if taken else tr("You are not playing a process: take one over first")
        for name in ("give_back", "player_next", "player_previous"):
            self.desk.commands.hinder(name, "turns", why)
        why = "" if live.on else tr("Go live first: events that have already been simulated cannot be chosen")
        for name in ("choose_now", "choose_earliest", "choose_any"):
            self.desk.commands.hinder(name, "turns", why)
