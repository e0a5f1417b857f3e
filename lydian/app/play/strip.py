"""The strip below the views: what happened in the last step, and all steps so far."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QScrollArea, QToolButton, QWidget

from lydian.app.kit.layout import across, down, held
from lydian.app.kit.theming import mark, set_look, set_up, stretched
from lydian.app.look.shapes import state_icon
from lydian.app.look.theme import Theme
from lydian.language import tr, trn

__all__ = ["PlayStrip"]


class PlayStrip(QFrame):
    """The sentence about the last step, a button for each step, and the buttons for the branches."""

    #: Emitted with the number of steps after which to look at the run.
    looked = Signal(int)
    #: Emitted with the name of a button: ``over``, ``undo``, ``branches`` or ``keep``.
    pressed = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self._slot = -1
        self._told: tuple[str, str, str] = ("", "", "")
        self.setObjectName("bottom")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(tr("Steps of the game"))
        self.shape = QLabel()
        self.sentence = set_up(QLabel(), look="narrationText")
        self.sentence.setTextFormat(Qt.TextFormat.RichText)
        self.keys = set_up(QLabel(), look="hint", plain=True)
        top = held(across(self.shape, (self.sentence, 1), self.keys, margins=(16, 0, 14, 0), spacing=12), "narration")
        top.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.over = self._tool("to-start", tr("Start over"), "over")
        self.back = self._tool("undo", tr("Undo the last step (Ctrl+Z)"), "undo")
        self.row = QHBoxLayout()
        self.row.setContentsMargins(0, 0, 0, 0)
        self.row.setSpacing(6)
        inner = held(self.row, "playSteps")
        self.area = QScrollArea()
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.area.setWidget(inner)
        bar = self.area.horizontalScrollBar()
        bar.rangeChanged.connect(lambda _least, most: bar.setValue(most))
        self.count = set_up(QLabel(), look="hint", plain=True)
        tip = tr("Show or hide the tree of all your attempts")
        self.branches = self._button("branch", tr("Branches"), tip, "branches")
        tip = tr("Save this run with all branches as an experiment")
        self.keep = self._button("pin", tr("Keep"), tip, "keep")
        down(
            top, across(self.over, self.back, 4, (self.area, 1), self.count, self.branches, self.keep,
                        margins=(12, 7, 12, 8), spacing=7),
            on=self, margins=1, spacing=0,
        )  # fmt: skip
        self.top = top
        set_look(self.sentence, theme, font="title")
        self.set_theme(theme)

    def _tool(self, sign: str, words: str, name: str) -> QToolButton:
        made = set_up(QToolButton(), name=words, tip=words, clicked=lambda _on=False: self.pressed.emit(name))
        return set_look(made, self.theme, icon=sign, square=stretched(32), icon_size=stretched(18))

    def _button(self, sign: str, words: str, tip: str, name: str) -> QPushButton:
        made = set_up(QPushButton(words), look="playAction", tip=tip, clicked=lambda _on=False: self.pressed.emit(name))
        return set_look(made, self.theme, icon=sign)

    def show_steps(self, steps: Sequence[str], at: int, branches: int, choices: int) -> None:
        """Show the steps.

        Args:
            steps: each step in a few words.
            at: the number of steps after which the run is shown.
            branches: the number of branches of the run.
            choices: the number of choices in the position.
        """
        while (item := self.row.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.deleteLater()
        for number, words in enumerate(steps, 1):
            chip = set_up(
                QPushButton(f"{number}  {words}"), look="playStep", tip=tr("Look at the run after this step"),
                clicked=lambda _on=False, number=number: self.looked.emit(number),
            )  # fmt: skip
            mark(chip, now=number == at)
            self.row.addWidget(chip)
        self.row.addStretch(1)
        self.over.setEnabled(bool(steps))
        self.back.setEnabled(bool(steps))
        self.count.setText(trn("{count} branch", "{count} branches", branches) if branches > 1 else "")
        keys = trn("key {count} chooses", "keys 1 to {count} choose", min(choices, 9)) if choices else ""
        self.keys.setText(tr("{keys}, Ctrl+Z undoes", keys=keys) if keys and steps else keys)

    def tell(self, first: str, rest: str, more: str = "", slot: int = -1) -> None:
        """Show what happened: the emphasised part of a sentence and the rest, and the state of the process."""
        self._told, self._slot = (first, rest, more), slot
        text = f"<b>{escape(first)}</b>{escape(rest)} {escape(more)}"
        self.sentence.setText(text.strip())
        self.set_theme(self.theme)

    def set_theme(self, theme: Theme) -> None:
        size = theme.stretched(24)
        self.shape.setVisible(self._slot >= 0)
        if self._slot >= 0:
            self.shape.setPixmap(state_icon(theme, self._slot, size))
        self.top.setFixedHeight(theme.grown(42))
        self.area.setFixedHeight(theme.grown(34))
