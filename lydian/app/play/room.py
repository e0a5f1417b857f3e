"""Playing against an algorithm in the window: the column, the views and the strip, and what their buttons do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QByteArray, QEvent, QObject, Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

from lydian.app.panels import arrangement
from lydian.app.play.choicelist import NUMBERED, Row
from lydian.app.play.column import PlayColumn
from lydian.app.play.goallist import Listed
from lydian.app.play.outlines import Outlines
from lydian.app.play.strip import PlayStrip
from lydian.desk.playing.playing import Playing
from lydian.desk.playing.stars import Stars
from lydian.desk.playing.words import chip, consequence, happened, title
from lydian.language import tr
from lydian.model.archive.shelves import called
from lydian.model.errors import LydianError
from lydian.model.goal.generated import generated
from lydian.model.goal.goal import MOST_STARS, Goal, load, names
from lydian.pieces.animation import generic
from lydian.views.words.source import read

if TYPE_CHECKING:
    from lydian.app.stage.stage import Stage
    from lydian.desk.desk import Desk
    from lydian.engine.adversary.position import Choice

__all__ = ["Room"]

#: The combination of docks while a game is played, which no layout has.
PLACES = "play"

#: The width of the views from which the assumptions of the protocol are shown beside a game, and their width.
WIDE, RELIES = 1180, 330


class Room(QObject):
    """The room of a game, which takes the place of the run's panels.

    Args:
        desk: the documents and runs of the window.
        stage: the views.
        parent: the window.

    Attributes:
        playing: the game.
        column, strip: the parts on the left of the views and below them, hidden while no game is played.
        usual: the parts of the window that are hidden meanwhile.
        told: called with the goal that is played, ``None`` for none, and whether it is over.
    """

    def __init__(self, desk: Desk, stage: Stage, parent: QWidget) -> None:
        super().__init__(parent)
        self.desk, self.stage = desk, stage
        self.playing = Playing(desk.session, Stars(desk.settings))
        self.column, self.strip = PlayColumn(self.playing, stage.theme), PlayStrip(stage.theme)
        self.usual: tuple[QWidget, ...] = ()
        self._before: QByteArray | None = None
        self._places = ""
        self.told: Callable[[Goal | None, bool], object] = lambda goal, over: None
        self._ready: tuple[Goal, ...] | None = None
        self._shown: object = None
        for part in (self.column, self.strip):
            part.hide()
        self.column.pressed.connect(self._pressed)
        self.strip.pressed.connect(self._pressed)
        self.column.hinted.connect(self.playing.show_hints)
        self.column.goals.chosen.connect(self.begin)
        self.strip.looked.connect(lambda number: desk.jump(float(number)))
        self.marks = Outlines(stage.canvases["basic"], self._shows)
        self.playing.changed.connect(self.refresh)
        self.playing.begun.connect(self._begun)
        self.playing.said.connect(desk.notices.say)
        desk.session.leaving.connect(lambda: None if self.playing.starting else self.leave())
        desk.playhead.changed.connect(self._moved)
        self._digits = [QShortcut(QKeySequence(f"{number}"), parent) for number in range(1, NUMBERED + 1)]
        for number, key in enumerate(self._digits, 1):
            key.setContext(Qt.ShortcutContext.WindowShortcut)
            key.activated.connect(lambda number=number: self.column.list.take(number))
            key.setEnabled(False)
        parent.installEventFilter(self)

    def handlers(self) -> dict[str, Callable[..., object]]:
        """Return the functions of the commands by name."""
        return {"play_against": self.open}

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and self.on:
            self.column.settle()
        return False

    def close(self) -> None:
        """End the game."""
        self.playing.close()

    # ------------------------------------------------------------------ coming and going

    @property
    def on(self) -> bool:
        """Whether the room is shown."""
        return not self.column.isHidden()

    @property
    def ready(self) -> tuple[Goal, ...]:
        """The ready goals."""
        if self._ready is None:
            self._ready = tuple(map(load, names(self.desk.shelf.archive)))
        return self._ready

    def open(self, ref: str = "") -> bool:
        """Show the room, with a goal of this name, or with the goals of this protocol or the current one.

        Returns:
            Whether there is such a goal or protocol.
        """
        if not self.desk.workspaces.show("run"):
            return False
        try:
            goal = next((each for each in self.ready if each.name == ref), None)
            if goal is None and ref.endswith(".toml"):
                goal = load(ref)
        except LydianError as error:
            self.desk.notices.say(str(error))
            return False
        if goal is not None:
            self.begin(goal)
            return True
        self._enter()
        self._list(ref)
        return True

    def begin(self, goal: Goal) -> None:
        """Begin a game."""
        self._enter()
        self.playing.begin(goal)

    def _enter(self) -> None:
        """Put the network above causality between the column and the strip; hide everything else."""
        stage = self.stage
        if self.on:
            return
        self._hidden = [part for part in self.usual if not part.isHidden()]
        for part in self.usual:
            part.hide()
        stage.put_back()
        self._before = stage.usual = stage.state()
        self._places, stage.places = stage.places, PLACES
        basic, causality = stage.docks["basic"], stage.docks["causality"]
        for dock in stage.docks.values():
            if not dock.isFloating():
                dock.hide()
        for dock in (basic, causality):
            dock.setFloating(False)
            stage.removeDockWidget(dock)
        stage.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, basic)
        stage.splitDockWidget(basic, causality, Qt.Orientation.Vertical)
        basic.show()
        causality.show()
        if stage.width() >= WIDE:
            relies = stage.docks["relies"]
            relies.setFloating(False)
            stage.removeDockWidget(relies)
            stage.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, relies)
            relies.show()
        self.column.show()
        self.strip.show()
        self.column.settle()
        arrangement.settle(stage)
        high = stage.height()
        stage.resizeDocks([basic, causality], [round(high * 0.5), round(high * 0.5)], Qt.Orientation.Vertical)
        if not stage.docks["relies"].isHidden():
            sides = [basic, stage.docks["relies"]]
            stage.resizeDocks(sides, [stage.width() - RELIES, RELIES], Qt.Orientation.Horizontal)

    def leave(self) -> None:
        """End the game, and put everything back; the run stays on the screen."""
        if not self.on:
            return
        self.column.hide()
        self.strip.hide()
        self.playing.end()
        for part in self._hidden:
            part.show()
        before, self._before = self._before, None
        stage = self.stage
        stage.put_back()
        stage.usual = None
        if stage.places == PLACES:
            stage.places = self._places
            if before is not None:
                stage.put(before)
        self._let_keys()

    def _begun(self) -> None:
        """Show the page of the game that has begun, or the list if it has ended."""
        goal = self.playing.goal
        self._shown = None
        if goal is None:
            if self.on:
                self._list("")
        else:
            number = next((each.order for each in self.ready if each.name == goal.name), 0)
            self.column.card.show_goal(number, len(self.ready))
            self.column.show_page(True)
            self.column.list.setFocus(Qt.FocusReason.OtherFocusReason)
        self._let_keys()

    def _let_keys(self) -> None:
        on = self.on and self.playing.on and self.column.at_game
        for key in self._digits:
            key.setEnabled(on)
        why = tr("In a game, time passes only with the events that you choose") if on else ""
        for name in ("play", "step_forward", "choose_mode"):
            self.desk.commands.hinder(name, "game", why)

    # ------------------------------------------------------------------ the list of goals

    def _list(self, ref: str) -> None:
        """Show the list of goals; those of a protocol come first if one is named."""
        ready = [self._listed(each) for each in self.ready]
        parts = [(tr("Ready goals"), ready)]
        experiment = self.desk.session.experiment
        protocol = ref or ("" if experiment is None or self.playing.on else experiment.protocol)
        if protocol:
            mine = [each for each in ready if called(each.goal.experiment.protocol, "protocols") == protocol]
            rest = [each for each in ready if each not in mine]
            made = self._made(protocol, None if ref else experiment)
            name = called(protocol, "protocols")
            heading = tr("Goals for {protocol}", protocol=name)
            own = [(f"{heading} \u2013 {each}", goals) for each, goals in made.items()]
            parts = [(heading, mine), *own, (tr("Ready goals"), rest)] if ref else [*parts, *own]
        self.column.goals.show_goals([part for part in parts if part[1]], "" if ref else self._next_open())
        self.column.show_page(False)
        self.stage.big_play.fade(at_once=True)
        self._say_total()
        self.strip.show_steps([], 0, 0, 0)
        self.strip.tell(tr("Choose a goal."), "", tr("You choose every event; the algorithm must cope with it."))
        self.column.goals.setFocus(Qt.FocusReason.OtherFocusReason)
        self._let_keys()

    def _made(self, protocol: str, experiment: object) -> dict[str, list[Listed]]:
        """Return the goals made from the properties of a protocol: what the player may do -> one for each property."""
        session = self.desk.session
        base = None if experiment is None else session.experiment
        try:
            ref = protocol if base is None else str(base.protocol_ref)
            found: dict[str, list[Listed]] = {}
            for each in generated(ref, self.desk.shelf.archive, base):
                found.setdefault(each.sentence.rstrip("."), []).append(self._listed(each))
            return found
        except LydianError as error:
            self.desk.notices.say(str(error))
            return {}

    def _listed(self, goal: Goal) -> Listed:
        protocol = called(goal.experiment.protocol, "protocols")
        where = tr("{protocol} on {network}", protocol=protocol, network=goal.experiment.network)
        words = goal.title if goal.order else f"\u201c{goal.wanted.violates}\u201d"
        return Listed(goal, goal.order, words, where, self.playing.stars.of(goal.name))

    def _next_open(self) -> str:
        """Return the first ready goal without a star."""
        return next((each.name for each in self.ready if not self.playing.stars.of(each.name)), "")

    def _say_total(self) -> None:
        stars = self.playing.stars.sum(each.name for each in self.ready)
        all_ = MOST_STARS * len(self.ready)
        self.column.total.setText(tr("{stars} of {all} stars", stars=stars, all=all_))

    # ------------------------------------------------------------------ the game

    def refresh(self) -> None:
        """Show the state of the game."""
        self.told(self.playing.goal, self.playing.won or self.playing.proved)
        playing = self.playing
        if not self.on or playing.goal is None:
            return
        shown = (playing.position, playing.hints, playing.strange, self.desk.playhead.timeline is None)
        if shown != self._shown:
            self._shown = shown
            self.column.list.show_rows([self._row(each) for each in playing.choices])
        over = playing.won or playing.position is None
        self.column.refresh("" if over else tr("There is nothing left to choose."))
        self._say_total()
        self._say_steps()
        self.stage.big_play.fade(at_once=True)
        self.marks.update()

    def _shows(self) -> NDArray[np.bool_] | None:
        """Return the processes that show that the goal has been reached."""
        timeline, position = self.desk.playhead.timeline, self.playing.position
        if not self.on or timeline is None or position is None or not position.won or self.playing.strange:
            return None
        return np.array([name in position.shows for name in timeline.processes])

    def _row(self, choice: Choice) -> Row:
        animation = self.desk.playhead.animation or generic()
        hint: int | None = None
        position = self.playing.position
        if self.playing.hints == "far" and position is not None and (choice.left is not None or position.sure):
            hint = -1 if choice.left is None else choice.left
        note = consequence(choice, self._predicate, animation.label)
        return Row(choice, title(choice, animation.label), note, int(animation.kind(choice.label)), hint)

    def _predicate(self, state: str) -> str:
        timeline = self.desk.playhead.timeline
        return state if timeline is None else read(timeline.trace.source).predicate(state)

    def _say_steps(self) -> None:
        playing, live = self.playing, self.desk.session.live
        animation = self.desk.playhead.animation or generic()
        taken = playing.taken
        at = min(len(taken), int(self.desk.playhead.t + 0.5))
        branches = 0 if self.desk.session.experiment is None else len(live.tree.experiment.branches)
        steps = [chip(each.choice, animation.label) for each in taken]
        self.strip.show_steps(steps, at, branches, len(playing.choices))
        if playing.strange:
            self.strip.tell(tr("This is not a step of the game."), "", tr("Ctrl+Z undoes it."))
        elif not taken:
            self.strip.tell(tr("Nothing has happened yet."), "", tr("Choose what happens first."))
        else:
            choice = taken[max(at, 1) - 1].choice
            first, rest = happened(choice, self._predicate, animation.label)
            slot = animation.slot(choice.after) if choice.after else -1
            self.strip.tell(first, rest, self._oldest(playing.choices, len(taken)), slot)

    def _oldest(self, choices: Sequence[Choice], steps: int) -> str:
        """Return a sentence about the message that has been in transit longest, if that is long."""
        waiting = [each for each in choices if each.kind == "deliver" and 0 < each.since <= steps - 3]
        if not waiting:
            return ""
        old = min(waiting, key=lambda each: (each.since, each.message))
        animation = self.desk.playhead.animation or generic()
        return tr("{label} from {sender} to {process} has been in transit since step {step}.",
                  label=animation.label(old.label), sender=old.sender, process=old.process, step=old.since)  # fmt: skip

    def _moved(self, what: str) -> None:
        if self.on and self.playing.on and what in ("time", "timeline"):
            self.refresh() if what == "timeline" else self._say_steps()

    # ------------------------------------------------------------------ buttons

    def _pressed(self, name: str) -> None:
        playing = self.playing
        acts: dict[str, Callable[[], object]] = {
            "advice": self.column.card.show_advice,
            "over": playing.start_over,
            "undo": self.desk.session.undo.undo,
            "back": playing.back_to_hope,
            "claim": playing.claim,
            "goals": lambda: self._list(""),
            "leave": self.leave,
            "next": self._next,
            "branches": lambda: self.stage.show_view("branches", self.stage.docks["branches"].isHidden()),
            "keep": lambda: self.desk.commands.do("save_as"),
        }
        acts[name]()

    def _next(self) -> None:
        """Begin the next ready goal."""
        goal = self.playing.goal
        later = [each for each in self.ready if goal is not None and each.order > goal.order > 0]
        if later:
            self.begin(later[0])
        else:
            self._list("")
