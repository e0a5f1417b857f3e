"""The guide inside the window: its pages with pictures, and examples that run where they are read."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QShowEvent, QTextCursor, QTextDocument
from PySide6.QtWidgets import QFrame, QLabel, QLineEdit, QToolButton, QWidget

from lydian.app.kit.layout import across, down, held
from lydian.app.kit.theming import set_look, set_up
from lydian.app.look.theme import Theme
from lydian.app.panels.help.helppage import Page
from lydian.app.panels.help.helpsearch import Results, SearchField
from lydian.desk.guide.glossary import GLOSSARY
from lydian.desk.guide.pages import SEARCH, Place, guide
from lydian.desk.guide.search import Found
from lydian.language import tr, trc
from lydian.model.finding import words

__all__ = ["FindField", "HelpColumn", "HelpPanel"]


class HelpPanel(QWidget):
    """A page with its buttons: back, forward, contents; a field to search the guide, and one for words in the page."""

    #: The title of the page.
    titled = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("helpPanel")
        self.page = Page(theme)
        self.back, self.onward, self.contents, self.finding = (
            self._button(what, act)
            for what, act in (
                (trc("page of the guide", "Back"), self.page.back),
                (trc("page of the guide", "Forward"), self.page.onward),
                (trc("guide", "Contents"), lambda: self.open(Place("index"))),
                (tr("Find on this page (Ctrl+F)"), self._toggle_find),
            )
        )
        self.finding.setCheckable(True)
        self.search, self.results = SearchField(theme), Results(theme)
        self.results.hide()
        self.field = FindField()
        self.field.setPlaceholderText(tr("Find on this page"))
        self.field.setAccessibleName(tr("Find on this page"))
        self.field.setClearButtonEnabled(True)
        self.nothing = QLabel(tr("Not on this page"))
        self.nothing.setObjectName("problem")
        self.nothing.hide()
        self.find_bar = held(across((self.field, 1), self.nothing, margins=(8, 0, 8, 6), spacing=4))
        self.find_bar.hide()
        down(
            across(
                self.back, self.onward, self.contents, (self.search, 1), self.finding, margins=(8, 6, 8, 6), spacing=4
            ),
            self.find_bar, (self.results, 1), (self.page, 1), on=self, spacing=0,
        )  # fmt: skip
        self.setFocusProxy(self.page)
        for button, name in (
            (self.back, "arrow-left"), (self.onward, "arrow-right"), (self.contents, "book"),
            (self.finding, "find-page"),
        ):  # fmt: skip
            set_look(button, theme, icon=name, ink="text.secondary")
        self.page.moved.connect(self._moved)
        self.field.textChanged.connect(lambda _text: self.look(again=True))
        self.field.wanted.connect(lambda backwards: self.look(backwards=backwards))
        self.search.textChanged.connect(lambda _text: self._search())
        self.search.moved.connect(self._move)
        self.search.chosen.connect(self._choose)
        self.search.closed.connect(self._close_search)
        self.results.opened.connect(self._open_found)
        self.results.glossary_wanted.connect(lambda: self.open(Place(GLOSSARY)))
        self._moved()

    def sizeHint(self) -> QSize:
        return QSize(420, 520)

    def showEvent(self, event: QShowEvent) -> None:
        """Show the contents if there is no page yet."""
        super().showEvent(event)
        if self.page.file is None:
            self.open(Place("index"))

    def open(self, place: Place) -> None:
        """Show a page of the guide, at a section, or the field that searches the guide."""
        if place == SEARCH:
            self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
            self.search.selectAll()
        else:
            self.page.go(guide() / f"{place.page}.md", place.section, place.word)

    # ------------------------------------------------------------------ the whole guide

    def _search(self) -> None:
        """Show the results for the text of the field, or the page if it contains no word."""
        text = self.search.text()
        if words(text):
            self.results.show_for(text)
        self._show_results(bool(words(text)))

    def _show_results(self, on: bool) -> None:
        self.results.setVisible(on)
        self.page.setVisible(not on)
        self.find_bar.setVisible(not on and self.finding.isChecked())
        layout = self.layout()
        if layout is not None:
            layout.activate()  # the page has its size before it scrolls

    def _move(self, step: int, screenful: bool) -> None:
        if self.results.isVisible():
            self.results.move_by(step, screenful)
        else:
            self._search()

    def _choose(self) -> None:
        if self.results.isVisible():
            self.results.choose()
        else:
            self._search()

    def _open_found(self, found: Found) -> None:
        """Show a section with the words found highlighted; the field keeps its text for another look."""
        place = found.section.place
        self._show_results(False)
        self.page.go_found(guide() / f"{place.page}.md", place.section, self.results.asked)
        self.page.setFocus(Qt.FocusReason.OtherFocusReason)

    def _close_search(self) -> None:
        """Return to the page as it was, without highlighted words."""
        self.search.clear()
        self.page.highlight(())
        self.page.setFocus(Qt.FocusReason.OtherFocusReason)

    # ------------------------------------------------------------------ this page

    def _toggle_find(self) -> None:
        on = self.finding.isChecked()
        self._show_results(False)
        if on:
            self.field.setFocus(Qt.FocusReason.OtherFocusReason)
            self.field.selectAll()
        else:
            self.field.clear()
            self.page.setFocus(Qt.FocusReason.OtherFocusReason)

    def event(self, event: QEvent) -> bool:
        """Keep Ctrl+F for this page, and Esc for the field that finds words in it."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._own(event):
            event.accept()
            return True
        return bool(super().event(event))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._own(event):
            self.finding.setChecked(event.key() == Qt.Key.Key_F)
            self._toggle_find()
        else:
            super().keyPressEvent(event)

    def _own(self, event: QKeyEvent) -> bool:
        return event.matches(QKeySequence.StandardKey.Find) or (
            event.key() == Qt.Key.Key_Escape and self.field.hasFocus()
        )

    def look(self, *, backwards: bool = False, again: bool = False) -> None:
        """Go to the next occurrence of the words in the field, continuing at the top after the last."""
        words = self.field.text()
        page, cursor = self.page, self.page.textCursor()
        if again:
            cursor.setPosition(cursor.selectionStart())
            page.setTextCursor(cursor)
        flags = QTextDocument.FindFlag.FindBackward if backwards else QTextDocument.FindFlag(0)
        found = not words or page.find(words, flags)
        if not found:
            end = QTextCursor.MoveOperation.End if backwards else QTextCursor.MoveOperation.Start
            page.moveCursor(end)
            found = page.find(words, flags)
        self.nothing.setVisible(not found)

    def _moved(self) -> None:
        for button, can in zip((self.back, self.onward), self.page.can, strict=True):
            button.setEnabled(can)
        first = self.page.document().begin().text()
        self.titled.emit(first.partition(":")[0])
        self.nothing.hide()
        self._show_results(False)

    def _button(self, what: str, act: Callable[[], object]) -> QToolButton:
        button = set_up(QToolButton(), name=what, tip=what, clicked=lambda _checked=False: act())
        button.setFixedSize(28, 28)
        return button


class HelpColumn(QFrame):
    """The guide as a column of a workspace without docks, with a bar to close it."""

    closed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("dockBody")
        self.setAccessibleName(tr("Help"))
        self.panel = HelpPanel(theme)
        self.title, self.cross = QLabel(tr("Help")), QToolButton()
        self.title.setObjectName("dockName")
        self.cross.setToolTip(tr("Close the help (Esc)"))
        self.cross.setAccessibleName(tr("Close the help"))
        self.cross.setFixedSize(24, 24)
        self.cross.clicked.connect(self.leave)
        down(
            across((self.title, 1), self.cross, margins=(12, 5, 6, 2)),
            (self.panel, 1), on=self, margins=1, spacing=0,
        )  # fmt: skip
        self.setFocusProxy(self.panel)
        self.panel.titled.connect(self._titled)
        set_look(self.cross, theme, icon="close", ink="text.secondary")

    def leave(self) -> None:
        """Close the column."""
        self.hide()
        self.closed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.leave()
        else:
            super().keyPressEvent(event)

    def _titled(self, page: str) -> None:
        self.title.setText(tr("Help: {page}", page=page) if page else tr("Help"))


class FindField(QLineEdit):
    """A field in which Return goes to the next occurrence and Shift+Return to the previous one."""

    #: The next occurrence is wanted, or the previous one (true).
    wanted = Signal(bool)

    def event(self, event: QEvent) -> bool:
        """Keep Return for the field, even if the window has a command with this key."""
        asked = isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride
        if asked and isinstance(event, QKeyEvent) and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.accept()
            return True
        return bool(super().event(event))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.wanted.emit(bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
        else:
            super().keyPressEvent(event)
