"""A game against an algorithm: a goal, the live run in which the player chooses every event, and what is known of it.

The game has no run of its own. The steps are the interventions of the live run, so undo, redo and the tree of runs work
as for any live run; the position of the game is found from them. A child process that has searched all schedules
answers for each position.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lydian.desk.conversation import Conversation
from lydian.desk.live.live import Acted, Moment
from lydian.desk.playing.stars import HINTS, Stars
from lydian.desk.playing.words import title
from lydian.desk.signal import Signal
from lydian.engine import wire
from lydian.engine.adversary.position import Choice, Known, Position
from lydian.language import tr
from lydian.model.errors import LydianError
from lydian.model.experiment.branches import ROOT
from lydian.model.experiment.experiment import from_dict
from lydian.model.goal.goal import Goal
from lydian.model.interventions import Intervention

if TYPE_CHECKING:
    from lydian.desk.runs.session import Session

__all__ = ["ENTRY", "Playing", "Taken"]

#: The program that searches and answers.
ENTRY = ("-m", "lydian.engine.adversary.serve")


@dataclass(frozen=True)
class Taken:
    """A step that was taken: the position before it, and the choice."""

    before: Position
    choice: Choice


class Playing:
    """The game that is being played, if any.

    Attributes:
        goal: the goal; ``None`` if no game is played.
        position: the position; ``None`` until it is known.
        taken: the steps that led to it.
        known: what the search has found; ``None`` until it is over.
        searched: the number of configurations found so far.
        hints: the level of hints that is shown, one of :data:`~lydian.desk.playing.stars.HINTS`.
        used: the highest level that was shown in this game.
        claimed: whether the player has said that the goal is impossible.
        stars: the stars of the user.
        earned: the stars of this game; 0 while it continues.
        starting: whether the run of the game is about to replace the current experiment.
        strange: whether the live run contains a step that does not belong to the game.
        changed: emitted when any of these has changed.
        begun: emitted when a game begins or ends.
        said: emitted with a sentence and whether it reports a problem.
    """

    def __init__(self, session: Session, stars: Stars) -> None:
        self.changed, self.begun, self.said = Signal(), Signal(), Signal()
        self.session, self.stars = session, stars
        self.conversation = Conversation(session.loop, ENTRY)
        self.conversation.heard.connect(self._heard)
        self.conversation.gone.connect(self._gone)
        session.live.changed.connect(self.follow)
        session.live.acted.connect(self._acted)
        session.leaving.connect(self._leaving)
        self.goal: Goal | None = None
        self.starting = False
        self._forget()

    def _forget(self) -> None:
        self.position: Position | None = None
        self.known: Known | None = None
        self.searched = 0
        self.hints = self.used = HINTS[0]
        self.claimed = self.strange = False
        self.earned = 0
        self.taken: tuple[Taken, ...] = ()
        self._positions: dict[tuple[int, ...], Position] = {}
        self._asked: tuple[int, ...] | None = None
        self._then: tuple[Sequence[Mapping[str, Any]], str, float] | None = None
        self._steps = 0
        self._mending = self._busy = False

    # ------------------------------------------------------------------ beginning and ending

    @property
    def on(self) -> bool:
        """Whether a game is played."""
        return self.goal is not None

    def begin(self, goal: Goal) -> None:
        """Begin a game; it replaces the current experiment by the run of the game."""
        trust = self.session.trust
        strange = [] if trust is None else trust.strange(goal.experiment)
        if strange:
            words = tr("{file} may not run yet: open it, accept its code, and play again.", file=strange[0])
            self.said.emit(words, True)
            return
        self.conversation.drop()
        self._forget()
        self.goal = goal
        folder = None if goal.file is None else str(goal.file.parent)
        self.conversation.start(wire.Play(dict(goal.record), goal.name, folder))
        self.begun.emit()
        self.changed.emit()

    def end(self) -> None:
        """End the game; its run stays on the screen."""
        if self.goal is None:
            return
        self.conversation.drop()
        self._forget()
        self.goal = None
        self.begun.emit()
        self.changed.emit()

    def close(self) -> None:
        """End the child process; emit no further signal."""
        self.conversation.close()

    def _leaving(self) -> None:
        """End the game, as another experiment is about to replace its run."""
        if not self.starting:
            self.end()

    # ------------------------------------------------------------------ playing

    @property
    def choices(self) -> Sequence[Choice]:
        """The choices in the position, unless it is not known yet."""
        return () if self.position is None or self.strange else self.position.choices

    @property
    def left(self) -> int | None:
        """The number of steps that are left in the budget; ``None`` if it has no bound."""
        if self.goal is None or self.goal.budget.steps is None:
            return None
        return self.goal.budget.steps - len(self.taken)

    @property
    def won(self) -> bool:
        """Whether the goal has been reached."""
        return self.position is not None and self.position.won

    @property
    def proved(self) -> bool:
        """Whether it is known that the goal cannot be reached within the budget."""
        known = self.known
        return known is not None and known.least is None and (known.within or known.complete)

    @property
    def lost(self) -> bool:
        """Whether it is known that no way leads from here to the goal."""
        position = self.position
        return position is not None and position.sure and position.left is None and not position.won

    def choose(self, choice: Choice) -> None:
        """Take a step."""
        if self.position is None or choice not in self.position.choices or self._busy:
            return
        self._busy = True
        number = float(len(self.taken) + 1)
        does = [dict(each) for each in choice.does]
        if len(does) > 1:  # a message is changed and then arrives: two interventions in one message need two rounds
            self._then = (does[1:], title(choice), number)
            self.session.live.act(does[0], title(choice), at=number - 0.5)
        else:
            self.session.live.act(does, title(choice), at=number)

    def _acted(self, acted: Acted) -> None:
        then, self._then = self._then, None
        self._busy = then is not None and acted.accepted
        if self.on and then is not None and acted.accepted:
            self.session.live.act(then[0], then[1], at=then[2])
        elif self.on and not acted.accepted and acted.reason:
            self.said.emit(acted.reason, True)

    def go_back(self, steps: int) -> None:
        """Return to the position after the first ``steps`` steps."""
        live = self.session.live
        done = tuple(each for each in live.done if each.time <= steps)
        live.rewind(Moment(live.branch if steps else ROOT, done, float(steps)))

    @property
    def hopeful(self) -> int | None:
        """The number of steps after which there was last a way to the goal; ``None`` if there never was."""
        for number in range(len(self.taken), -1, -1):
            position = self._positions.get(tuple(each.choice.id for each in self.taken[:number]))
            if position is not None and position.sure and position.left is not None:
                return number
        return None

    def back_to_hope(self) -> None:
        """Return to the last position with a way to the goal, which is a hint."""
        number = self.hopeful
        if number is not None:
            self._use(HINTS[1])
            self.go_back(number)

    def start_over(self) -> None:
        """Return to the beginning; the hints that were used no longer count."""
        self.used, self.earned, self.claimed = self.hints, 0, False
        self.go_back(0)
        self.changed.emit()

    def show_hints(self, level: str) -> None:
        """Show hints up to a level."""
        self.hints = level
        self._use(level)
        self.changed.emit()

    def _use(self, level: str) -> None:
        if not self.earned and HINTS.index(level) > HINTS.index(self.used):
            self.used = level

    def claim(self) -> None:
        """Say that the goal is impossible; if it is not, the player learns that there is a way."""
        if self.goal is None:
            return
        if self.known is None:
            self.said.emit(tr("The search is not over yet, so it is unknown whether there is a way."), False)
        elif self.proved:
            self.claimed = True
            self._earn()
        elif self.known.least is not None:
            self._use(HINTS[2])
            self.said.emit(tr("There is a way, so you can earn only one star in this game."), False)
        else:
            words = tr("The search gave up before it had tried all schedules, so there may still be a way.")
            self.said.emit(words, False)
        self.changed.emit()

    def _earn(self) -> None:
        if self.goal is not None and not self.earned:
            self.earned = self.stars.earn(self.goal.name, self.used)

    # ------------------------------------------------------------------ following the live run

    def follow(self) -> None:
        """Find the position of the game from the interventions of the live run."""
        live = self.session.live
        if self.goal is None or not self._positions or not live.on:
            return
        steps, open_ = _steps(live.done)
        if open_:
            if not self._busy and not self._mending:
                self._mending = True
                self.session.loop.soon(lambda: self._mend(len(steps)))
            return
        self._steps = len(steps)
        path: tuple[int, ...] = ()
        taken: list[Taken] = []
        for step in steps:
            position = self._positions.get(path)
            if position is None:
                self._ask(path)
                return
            choice = next((each for each in position.choices if _same(each.does, step)), None)
            if choice is None:
                self._stray(True)
                return
            taken.append(Taken(position, choice))
            path = (*path, choice.id)
        if path not in self._positions:
            self._ask(path)
            return
        position = self._positions[path]
        if position is not self.position or self.strange:
            self.position, self.taken, self.strange = position, tuple(taken), False
            if position.won:
                self._earn()
            self.changed.emit()
        if self.known is not None and not position.sure:
            self._ask(path)

    def _mend(self, steps: int) -> None:
        """Undo or redo the second half of a lie, if undo or redo has left it half done."""
        self._mending = False
        undo = self.session.undo
        if steps < self._steps:
            undo.undo()
        else:
            undo.redo()

    def _stray(self, on: bool) -> None:
        if self.strange != on:
            self.strange = on
            self.changed.emit()

    def _ask(self, path: tuple[int, ...]) -> None:
        if self._asked != path:
            self._asked = path
            self.conversation.tell(wire.Look(list(path)))

    # ------------------------------------------------------------------ the child

    def _heard(self, said: wire.Frame) -> None:
        if isinstance(said, wire.Progress):
            self.searched = int(said.done.get("configurations", 0))
            self.changed.emit()
        elif isinstance(said, wire.Error) and said.exit_code is not None:
            self._gone(said.text)
        elif isinstance(said, wire.Partial):
            if "ready" in said.found:
                self._ready(said.found["ready"])
            elif "known" in said.found:
                self.known = Known(**said.found["known"])
                self.searched = self.known.configurations
                self._asked = None
                self._positions = {path: each for path, each in self._positions.items() if each.sure or not path}
                self._ask(() if self.position is None else tuple(self.position.path))
                self.changed.emit()
            elif "position" in said.found:
                found = Position.from_dict(said.found["position"])
                self._positions[tuple(found.path)] = found
                if self._asked == tuple(found.path):
                    self._asked = None
                self.follow()

    def _ready(self, record: Mapping[str, Any]) -> None:
        """Show the run before the first step, live."""
        assert self.goal is not None
        try:
            experiment = from_dict(dict(record)).with_(path=self.goal.file)
        except LydianError as error:
            self._gone(str(error))
            return
        self.starting = True
        try:
            self.session.start(experiment, None)
            self.session.live.rewind(Moment(ROOT, experiment.interventions, 0.0))
        finally:
            self.starting = False

    def _gone(self, why: str) -> None:
        if self.goal is not None and why:
            self.said.emit(why, True)
        self.end()


def _steps(done: Sequence[Intervention]) -> tuple[list[list[Intervention]], bool]:
    """Return the steps of a game, each with its interventions, and whether the last one is half done."""
    steps: list[list[Intervention]] = []
    half: list[Intervention] = []
    for each in done:
        if each.time == 0.0 and each.do == "take_over":
            continue
        half.append(each)
        if each.do != "edit":
            steps.append(half)
            half = []
    return steps, bool(half)


def _same(does: Sequence[Mapping[str, Any]], step: Sequence[Intervention]) -> bool:
    """Return whether a choice consists of these interventions."""
    return [_key(each) for each in does] == [_key(each.to_dict()) for each in step]


def _key(what: Mapping[str, Any]) -> str:
    parts = {name: what.get(name) for name in ("do", "process", "message", "label", "fields") if what.get(name)}
    if what.get("message") == 0:
        parts["message"] = 0
    return json.dumps(parts, sort_keys=True, default=str)
