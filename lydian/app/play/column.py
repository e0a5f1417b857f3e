"""The column on the left of a game: the goal and the choices, or the list of goals."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QLabel,
    QPushButton,
    QStackedLayout,
    QToolButton,
    QWidget,
)

from lydian.app.kit.layout import across, down, held
from lydian.app.kit.theming import mark, set_look, set_up, stretched
from lydian.app.look.theme import Theme
from lydian.app.play.choicelist import ChoiceList
from lydian.app.play.goalcard import GoalCard
from lydian.app.play.goallist import GoalList
from lydian.desk.playing.playing import Playing
from lydian.desk.playing.stars import HINTS
from lydian.language import tr, trc

__all__ = ["PlayColumn"]

#: The width of the column, in a narrow window and in a wide one.
NARROW, WIDE = 318, 378


class PlayColumn(QWidget):
    """The column, with a head that is the same for both pages."""

    #: Emitted with the name of what was pressed: ``goals``, ``leave``, ``claim``, or what the card emits.
    pressed = Signal(str)
    #: Emitted with the level of hints that was chosen.
    hinted = Signal(str)

    def __init__(self, playing: Playing, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.playing, self.theme = playing, theme
        self.setObjectName("playColumn")
        self.setAccessibleName(tr("Play against it"))
        self.total = set_up(QPushButton(), look="playTotal", name=tr("Show all goals"), tip=tr("Show all goals"),
                            clicked=lambda _on=False: self.pressed.emit("goals"))  # fmt: skip
        self.leave = set_up(QToolButton(), name=tr("Leave the game"), tip=tr("Leave the game"),
                            clicked=lambda _on=False: self.pressed.emit("leave"))  # fmt: skip
        self.name = set_up(QLabel(tr("Play against it")), look="dockName", plain=True)
        sign = set_look(QLabel(), theme, icon="bolt", ink="accent.base", icon_size=16)
        head = held(across(sign, self.name, ..., self.total, self.leave, margins=(12, 5, 8, 5), spacing=7), "playHead")
        head.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.card = GoalCard(playing, theme)
        self.card.pressed.connect(self.pressed)
        self.list = ChoiceList(theme)
        self.list.chosen.connect(playing.choose)
        self.goals = GoalList(theme)
        self.body = QStackedLayout()
        down(head, (self.body, 1), on=self, spacing=5)
        self.body.addWidget(self._framed(self.goals))
        self.body.addWidget(self._game())
        set_look(self.leave, theme, icon="close", ink="text.secondary", square=stretched(26))
        set_look(self.total, theme, icon="star", ink="chain.longest" if theme.dark else "check.warn")
        self.set_theme(theme)

    def _framed(self, content: QWidget) -> QWidget:
        frame = held(down(content, margins=1), "playCard")
        frame.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        return frame

    def _game(self) -> QWidget:
        """Return the page with the card of the goal above the choices."""
        sign = set_look(QLabel(), self.theme, icon="hand", ink="text.secondary", icon_size=16)
        words = set_up(QLabel(tr("What happens next?")), look="dockName", plain=True)
        self.claim = set_up(
            QPushButton(tr("Impossible")), look="playClaim", tip=tr("Say that this goal cannot be reached"),
            clicked=lambda _on=False: self.pressed.emit("claim"),
        )  # fmt: skip
        heading = held(across(sign, words, ..., self.claim, margins=(12, 5, 10, 5), spacing=8), "playHeading")
        heading.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.empty = set_up(QLabel(), look="playEmpty", wraps=True, plain=True)
        self.levels = QButtonGroup(self)
        names = {"none": trc("hints", "None"), "possible": trc("hints", "Possible?"), "far": trc("hints", "How far")}
        tips = {
            "none": tr("No hints: three stars"),
            "possible": tr("Say whether the goal can still be reached: two stars"),
            "far": tr("Say how far away the goal is, also for each choice: one star"),
        }
        buttons = []
        for number, level in enumerate(HINTS):
            button = set_up(QToolButton(), tip=tips[level], checkable=True, about=tips[level])
            button.setText(names[level])
            self.levels.addButton(button, number)
            buttons.append(button)
        self.levels.idClicked.connect(lambda number: self.hinted.emit(HINTS[number]))
        segment = held(across(*buttons), "segment")
        segment.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        label = set_up(QLabel(tr("Hints")), look="playSentence", plain=True)
        foot = held(across(label, segment, ..., margins=(12, 8, 10, 9), spacing=8), "playFoot")
        foot.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        below = held(down(heading, self.empty, (self.list, 1), foot, margins=1), "playCard")
        below.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.segment, self.foot = segment, foot
        return held(down(self.card, (below, 1), spacing=5))

    def show_page(self, game: bool) -> None:
        """Show the game, or the list of goals."""
        self.body.setCurrentIndex(1 if game else 0)

    @property
    def at_game(self) -> bool:
        """Whether the game is shown rather than the list of goals."""
        return self.body.currentIndex() == 1

    def refresh(self, empty: str) -> None:
        """Show the state of the game; ``empty`` is said if there is nothing to choose."""
        playing = self.playing
        self.card.refresh()
        button = self.levels.button(HINTS.index(playing.hints))
        button.setChecked(True)
        over = bool(playing.earned)
        self.claim.setVisible(not over)
        there = self.list.count() > 0
        self.empty.setText("" if there else empty)
        self.empty.setVisible(not there)
        mark(self.segment, over=over)

    def set_theme(self, theme: Theme) -> None:
        wide = self.window().width() >= 1500
        self.setFixedWidth(theme.grown(WIDE if wide else NARROW))
        for button in self.levels.buttons():
            button.setFixedHeight(theme.grown(28))

    def settle(self) -> None:
        """Fit the width to that of the window."""
        self.set_theme(self.theme)
