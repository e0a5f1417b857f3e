"""A bar at the top for one sentence; it is never a dialog, and disappears when it is closed or outdated."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton, QSizePolicy, QToolButton, QWidget

from lydian.app.kit.announcer import Announcer
from lydian.app.kit.follow import follow
from lydian.app.kit.layout import across
from lydian.app.kit.theming import mark, set_look, set_up
from lydian.app.look.theme import Theme
from lydian.desk.notices import Notices
from lydian.language import tr, trc

__all__ = ["Notice"]


class Notice(QWidget):
    """A bar with a sign, the sentence, up to two buttons, and a cross."""

    def __init__(self, notices: Notices, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._notices = notices
        self.theme = theme
        self.setObjectName("notice")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(trc("notice", "Message"))
        self.announcer = Announcer(self)
        self._sign = QLabel()
        self.label = set_up(QLabel(), look="noticeText", name=trc("notice", "Message"), wraps=True)
        self.label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.label.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.button = set_up(QPushButton(), name=trc("notice", "Action"), clicked=lambda _on=False: notices.accept())
        self.refusal = QPushButton(tr("Discard"))
        self.refusal.setAccessibleName(tr("Discard"))
        self.refusal.clicked.connect(lambda _on=False: notices.refuse())
        self.look = QPushButton(trc("command", "Show"))
        self.look.setAccessibleName(trc("command", "Show"))
        self.look.clicked.connect(lambda _on=False: notices.look())
        self._close = set_up(
            QToolButton(), name=tr("Close the notice"), tip=tr("Close"), clicked=lambda _on=False: notices.close()
        )
        row = across(
            self._sign, self.label, self.look, self.button, self.refusal, self._close,
            on=self, margins=(12, 6, 8, 6), spacing=8,
        )  # fmt: skip
        row.setStretchFactor(self.label, 1)
        set_look(self._sign, theme, icon="info", ink="accent.base", icon_size=18)
        set_look(self._close, theme, icon="close", ink="text.secondary")
        self.hide()
        follow(self, notices.changed, self._changed)

    @property
    def text(self) -> str:
        """The sentence, or "" if the bar is closed."""
        return self._notices.text

    def _changed(self) -> None:
        shown = self._notices.shown
        sentence = self._notices.text
        problem = shown is None or shown.problem
        self.refusal.setVisible(shown is not None and shown.refuse is not None)
        self.look.setVisible(shown is not None and shown.look is not None)
        self.label.setText(sentence)
        self.setAccessibleDescription(sentence)
        self.button.setText("" if shown is None else shown.button)
        self.button.setVisible(bool(self.button.text()))
        mark(self, problem=problem)
        name, ink = ("warning", "check.warn") if problem else ("info", "accent.base")
        set_look(self._sign, self.theme, icon=name, ink=ink, icon_size=18)
        self.setVisible(bool(sentence))
        if problem:
            self.announcer.assertive(sentence)
        else:
            self.announcer.polite(sentence)
