"""Playing the scheduler and playing a process: the two docks, their commands, and the keys that choose."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt

from lydian.app.live.player import PlayerPanel
from lydian.app.live.tray import Tray
from lydian.app.panels import arrangement

if TYPE_CHECKING:
    from lydian.app.window.mainwindow import MainWindow
    from lydian.desk.live import Live

__all__ = ["Turns"]

#: Pixels a dock of cards takes when it is shown first, where there is room.
WIDE = 330


class Turns(QObject):
    """Connects a window with what may happen next.

    Attributes:
        tray: the enabled events.
        player: the process on its card.
        choosing: whether the user chooses every event: Space and the right arrow let the highlighted one happen.
    """

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self.window = window
        self.choosing = False
        self.tray: Tray
        self.player: PlayerPanel
        self._taken: frozenset[str] = frozenset()
        self._tips: dict[str, str] = {}
        self._usual = ""  # what stands beside the narration when nobody chooses

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

    def begin(self) -> None:
        """The stage is built: add the docks."""
        window, live = self.window, self.live
        self.tray = Tray(live, window.playhead, window.theme)
        self.player = PlayerPanel(live, self.tray.chooser, window.theme)
        window.stage.add_dock(
            "pending", "What may happen next", "turns", self.tray,
            "Every event that is enabled now. Choose one, and it happens before the others.",
        )  # fmt: skip
        window.stage.add_dock(
            "player", "Your process", "hand", self.player,
            "A process that you play: what it knows, and what it can handle now.", beside="step",
        )  # fmt: skip
        self.player.release_wanted.connect(self.give_back)
        self.player.take_wanted.connect(self.take_over)
        window.player.changed.connect(self._selected, Qt.ConnectionType.QueuedConnection)
        live.changed.connect(self._changed)
        live.ended.connect(lambda _why: self._changed())
        self._changed()

    @property
    def live(self) -> Live:
        """The live run."""
        return self.window.session.live

    # ------------------------------------------------------------------ the scheduler

    def set_choosing(self, on: bool) -> None:
        """Have the user choose every event, or let the run go by itself again."""
        self.choosing = on
        self.tray.list.keys = on
        self.window.actions_by_name["choose_mode"].setChecked(on)
        self._say_keys()
        if not on:
            self.window.say("The run goes by itself again: Space plays it.", False)
            return
        if not self.live.on:
            self.live.switch(True)
        self.window.playhead.pause()
        self._show("pending")
        self.tray.list.setFocus(Qt.FocusReason.OtherFocusReason)
        self.window.say("You choose: Space or the right arrow lets the highlighted event happen.", False)

    def _say_keys(self) -> None:
        """What Space does, beside the narration."""
        hint = self.window.bottom.narration.hint
        if not self._usual:
            self._usual = hint.text()
        hint.setText("Space or → : the highlighted event happens" if self.choosing else self._usual)

    def _show(self, name: str) -> None:
        """Bring a dock to the front, as wide as its cards need."""
        stage = self.window.stage
        dock = stage.docks[name]
        new = dock.isHidden()
        stage.show_view(name, True)
        arrangement.settle(stage)
        if new and not dock.isFloating() and dock.width() < self.window.theme.grown(WIDE):
            room = max(dock.width(), min(self.window.theme.grown(WIDE), stage.width() // 3))
            stage.resizeDocks([dock], [room], Qt.Orientation.Horizontal)

    def choose_highlighted(self) -> None:
        """Let the highlighted event happen now; if it cannot be chosen, say why."""
        card = self.tray.list.current
        if not self.live.on:
            self.window.say("Go live first: what has been simulated cannot be chosen any more.", False)
        elif card is None:
            self.window.say("Nothing can happen now.", False)
        elif not self.tray.chooser.choose(card) and card.reason:
            self.window.say(f"{card.title}: {card.reason} N lets the earliest event happen.", False)

    # ------------------------------------------------------------------ a process

    def take_over(self) -> None:
        """Play the selected process from now on."""
        name = self.player.selected()
        if not name:
            self.window.say("Select the process that you want to play.", False)
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
            self.window.say("You play no process.", False)

    def _selected(self, what: str) -> None:
        """A process of the user's own is selected: its card comes to the front, if it is open at all."""
        dock = self.window.stage.docks["player"]
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
            self.window.actions_by_name["choose_mode"].setChecked(False)
            self._say_keys()
        for name in ("give_back", "player_next", "player_previous"):
            self._allow(name, bool(taken), "You play no process: take one over first")
        for name in ("choose_now", "choose_earliest", "choose_any"):
            self._allow(name, live.on, "Go live first: what has been simulated cannot be chosen any more")

    def _allow(self, name: str, on: bool, why: str) -> None:
        """Let a command be used, or say why it cannot be."""
        action = self.window.actions_by_name[name]
        usual = self._tips.setdefault(name, action.statusTip())
        action.setEnabled(on)
        action.setStatusTip(usual if on else why)
