"""The card of the goal: its title, the stars, the budget, and the box with the hint."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QLabel, QMenu, QToolButton, QWidget

from lydian.app.kit.layout import across, down
from lydian.app.kit.theming import mark, set_look, set_up, stretched
from lydian.app.look.theme import Theme
from lydian.app.play.hintbox import HintBox
from lydian.app.play.marks import MOST_PIPS, Pips, StarRow
from lydian.desk.playing.playing import Playing
from lydian.desk.playing.stars import HINTS
from lydian.desk.playing.verdict import verdict
from lydian.language import tr, trn
from lydian.model.goal.goal import MOST_STARS

__all__ = ["GoalCard"]

#: A window that is lower than this has little room for the card.
LOW = 800


class GoalCard(QFrame):
    """The card of the goal of a game."""

    #: Emitted with the name of what was chosen in the menu or pressed in the box.
    pressed = Signal(str)

    def __init__(self, playing: Playing, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.playing, self.theme = playing, theme
        self.setObjectName("playCard")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(tr("Goal"))
        self.number = set_up(QLabel(), look="playNumber", plain=True)
        self.stars = StarRow(theme)
        self.more = set_up(QToolButton(), name=tr("More about this goal"), tip=tr("More about this goal"))
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self)
        for name, words in (
            ("advice", tr("Show the advice")), ("over", tr("Start over")), ("goals", tr("Choose another goal")),
            ("leave", tr("Leave the game")),
        ):  # fmt: skip
            menu.addAction(words).triggered.connect(lambda _on=False, name=name: self.pressed.emit(name))
        self.more.setMenu(menu)
        self.title = set_up(QLabel(), look="playTitle", wraps=True, plain=True)
        self.sentence = set_up(QLabel(), look="playSentence", wraps=True, plain=True)
        self.pips = Pips(theme)
        self.used = set_up(QLabel(), look="playUsed", plain=True)
        self.needed = set_up(QLabel(), look="playNeeded", plain=True)
        self.faults = set_up(QLabel(), look="playSentence", wraps=True, plain=True)
        self.advice = set_up(QLabel(), look="playAdvice", wraps=True, plain=True)
        self.box = HintBox(theme)
        self.box.pressed.connect(self.pressed)
        down(
            across(self.number, self.stars, ..., self.more, spacing=9), 2, self.title, self.sentence, 4, self.pips,
            across((self.used, 1), self.needed), self.faults, self.advice, 3, self.box,
            on=self, margins=(15, 9, 13, 12), spacing=5,
        )  # fmt: skip
        set_look(self.title, theme, font="heading semibold")
        set_look(self.more, theme, icon="more", ink="text.secondary", square=stretched(26))

    def show_goal(self, number: int, of: int) -> None:
        """Show the goal of the game, which is ``number`` of ``of`` ready ones; 0 if it is none of them."""
        goal = self.playing.goal
        if goal is None:
            return
        self.number.setText(tr("Goal {number} of {all}", number=number, all=of) if number else tr("Goal"))
        self.title.setText(goal.title)
        self.sentence.setText(goal.sentence)
        self.advice.setText(goal.hint)
        self.advice.hide()

    def show_advice(self) -> None:
        """Show the advice of the goal."""
        self.advice.setVisible(bool(self.advice.text()))

    def refresh(self) -> None:
        """Show the state of the game."""
        playing, goal = self.playing, self.playing.goal
        if goal is None:
            return
        budget, position = goal.budget, playing.position
        best = playing.earned or MOST_STARS - HINTS.index(playing.used)
        about = trn("{count} star", "{count} stars", best)
        self.stars.show_stars(best, tr("{stars} for this game", stars=about))
        used = len(playing.taken)
        exact = position is not None and position.sure and playing.hints == "far" and not playing.won
        needed = (position.left or 0) if exact and position is not None else 0
        steps = budget.steps or 0
        self.pips.setVisible(0 < steps <= MOST_PIPS)
        if steps:
            self.pips.show_steps(used, needed, steps)
            self.used.setText(trn("{used} of {count} step used", "{used} of {count} steps used", steps, used=used))
        else:
            self.used.setText(trn("{count} step so far", "{count} steps so far", used))
        self.needed.setText(trn("{count} more would do", "{count} more would do", needed) if needed else "")
        self.faults.setText(" ".join(self._faults()))
        self.faults.setVisible(bool(self.faults.text()))
        self.box.say(verdict(playing))
        mark(self, won=playing.won or playing.claimed)
        self.fit()

    def fit(self) -> None:
        """Give each text the height that it needs; in a low window the sentence gives way once the game has begun."""
        inner = self.width() - 15 - 13
        low = self.window().height() < self.theme.grown(LOW)
        self.sentence.setVisible(not (low and self.playing.taken))
        self.title.setToolTip(self.sentence.text() if self.sentence.isHidden() else "")
        for label in (self.title, self.sentence, self.faults):
            label.setMinimumHeight(0 if label.isHidden() else max(0, label.heightForWidth(inner)))
        self.box.fit(inner)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.fit()

    def _faults(self) -> Sequence[str]:
        """Return the sentences about the faults that are left."""
        goal, position = self.playing.goal, self.playing.position
        assert goal is not None
        budget = goal.budget
        found = []
        if budget.crashes:
            left = budget.crashes - (0 if position is None else position.crashes)
            found.append(trn("{count} crash left.", "{count} crashes left.", left))
        if budget.losses:
            left = budget.losses - (0 if position is None else position.losses)
            found.append(trn("{count} message may get lost.", "{count} messages may get lost.", left))
        if budget.traitors:
            names = ", ".join(budget.traitors)
            found.append(trn("Traitor: {names}.", "Traitors: {names}.", len(budget.traitors), names=names))
        return found
