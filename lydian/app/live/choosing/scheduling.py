"""Playing the scheduler and playing a process: the two docks, their commands, and the keys that choose."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QLabel

from lydian.app.live.choosing.player import PlayerPanel
from lydian.app.live.choosing.tray import Tray
from lydian.app.panels import arrangement

if TYPE_CHECKING:
    from lydian.app.stage.stage import Stage
    from lydian.desk.desk import Desk
    from lydian.desk.live.live import Live

__all__ = ["Scheduling"]

#: Pixels a dock of cards takes when it is shown first, where there is room.
WIDE = 330


class Scheduling(QObject):
    """Connects a window with what may happen next.

    Attributes:
        tray: the enabled events.
        player: the process on its card.
        choosing: whether the user chooses every event: Space and the right arrow let the highlighted one happen.
    """

    def __init__(self, desk: Desk, stage: Stage, hint: QLabel, parent: QObject) -> None:
        """Add the docks; ``hint`` says what Space does."""
        super().__init__(parent)
        self.desk = desk
        self.choosing = False
        self._taken: frozenset[str] = frozenset()
        self._usual = ""  # what stands beside the narration when nobody chooses
        self.stage, self.hint, live = stage, hint, self.live
        self.tray = Tray(live, self.desk.playhead, stage.theme)
        self.player = PlayerPanel(live, self.tray.chooser, stage.theme)
        stage.add_dock(
            "pending", "What may happen next", "turns", self.tray,
            "Every event that is enabled now. Choose one, and it happens before the others.",
        )  # fmt: skip
        stage.add_dock(
            "player", "Your process", "hand", self.player,
            "A process that you play: what it knows, and what it can handle now.", beside="step",
        )  # fmt: skip
        self.player.release_wanted.connect(self.give_back)
        self.player.take_wanted.connect(self.take_over)
        stage.player.changed.connect(self._selected, Qt.ConnectionType.QueuedConnection)
        live.changed.connect(self._changed)
        live.ended.connect(lambda _why: self._changed())
        self._changed()

    def handlers(self) -> dict[str, Callable[..., object]]:
        """Name of the command -> what it does."""
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
        """A command of playing that chooses the highlighted event while the user chooses, at the run's end."""

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
        """Have the user choose every event, or let the run go by itself again."""
        self.choosing = on
        self.tray.list.keys = on
        self.desk.commands.check("choose_mode", on)
        self._say_keys()
        if not on:
            self.desk.notices.say("The run goes by itself again: Space plays it.", False)
            return
        if not self.live.on:
            self.live.switch(True)
        self.desk.playhead.pause()
        self._show("pending")
        self.tray.list.setFocus(Qt.FocusReason.OtherFocusReason)
        self.desk.notices.say("You choose: Space or the right arrow lets the highlighted event happen.", False)

    def _say_keys(self) -> None:
        """What Space does, beside the narration."""
        if not self._usual:
            self._usual = self.hint.text()
        self.hint.setText("Space or → : the highlighted event happens" if self.choosing else self._usual)

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
        """Let the highlighted event happen now; if it cannot be chosen, say why."""
        card = self.tray.list.current
        if not self.live.on:
            self.desk.notices.say("Go live first: what has been simulated cannot be chosen any more.", False)
        elif card is None:
            self.desk.notices.say("Nothing can happen now.", False)
        elif not self.tray.chooser.choose(card) and card.reason:
            self.desk.notices.say(f"{card.title}: {card.reason} N lets the earliest event happen.", False)

    # ------------------------------------------------------------------ a process

    def take_over(self) -> None:
        """Play the selected process from now on."""
        name = self.player.selected()
        if not name:
            self.desk.notices.say("Select the process that you want to play.", False)
        elif name in self.live.taken and self.live.on:
            self.player.show_process(name)
            self._show("player")
        else:
            self.live.act({"do": "take_over", "process": name}, f"take over {name}")

    def give_back(self, name: str = "") -> None:
        """Let the simulator play a process again: this one, or the one on the card."""
        name = name or self.player.name
        if name:
            self.live.act({"do": "release", "process": name}, f"give {name} back")
        else:
            self.desk.notices.say("You play no process.", False)

    def _selected(self, what: str) -> None:
        """A process of the user's own is selected: its card comes to the front, if it is open at all."""
        dock = self.stage.docks["player"]
        mine = bool(self.player.name) and self.player.name == self.player.selected()
        if what == "selection" and mine and not dock.isHidden():
            dock.raise_()

    def _changed(self) -> None:
        """Somebody was taken over or given back, or the window is no longer live."""
        live = self.live
        taken = live.taken if live.on else frozenset()
        new, self._taken = taken - self._taken, taken
        if new:
            self.player.show_process(sorted(new)[-1])
            self._show("player")
        if self.choosing and not live.on:
            self.choosing = self.tray.list.keys = False
            self.desk.commands.check("choose_mode", False)
            self._say_keys()
        why = "" if taken else "You play no process: take one over first"
        for name in ("give_back", "player_next", "player_previous"):
            self.desk.commands.hinder(name, "turns", why)
        why = "" if live.on else "Go live first: what has been simulated cannot be chosen any more"
        for name in ("choose_now", "choose_earliest", "choose_any"):
            self.desk.commands.hinder(name, "turns", why)
