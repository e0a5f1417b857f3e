"""The command box: one field for everything with a name, its results, and a preview of the selected one."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QIcon, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QFrame, QLabel, QLineEdit, QToolButton, QWidget

from lydian.app.kit.announcer import Announcer
from lydian.app.kit.layout import across, down, held
from lydian.app.kit.theming import mark, set_look, set_up
from lydian.app.look.theme import Theme
from lydian.app.panels.box.entries import HEADINGS, KINDS, Entry, Sources
from lydian.app.panels.box.preview import Preview
from lydian.app.panels.box.results import Results
from lydian.language import tr, trc, trn
from lydian.model.finding import words

__all__ = ["CommandBox"]

#: The largest width and height, the margin to the window, and the width from which there is room for a preview.
WIDE, HIGH, MARGIN, ROOMY = 980, 620, 20, 720
#: The number of remembered choices.
REMEMBERED = 12
#: Milliseconds for which a result must be selected before its picture is wanted.
PAUSE = 200


class CommandBox(QWidget):
    """A shade over the window, and in its middle the box; Esc and a click beside the box close it.

    Attributes:
        sources: what can be found.
        only: the only kind to find, "" for all; Tab changes it.
    """

    #: Emitted with the thing whose picture is wanted.
    picture_wanted = Signal(object)
    #: Emitted when something has been chosen.
    chosen = Signal()
    closed = Signal()

    def __init__(self, sources: Sources, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.sources, self.theme, self.only = sources, theme, ""
        self._before: QWidget | None = None
        self.setAccessibleName(tr("Find anything"))
        self.announcer = Announcer(self)
        self.frame = QFrame(self)
        self.frame.setObjectName("commandBox")
        self.field = set_up(QLineEdit(), look="boxField", name=tr("Text to find"), empty=tr("Find anything"))
        lens = self.field.addAction(QIcon(), QLineEdit.ActionPosition.LeadingPosition)
        set_look(lens, theme, icon="find", ink="text.primary")
        self.kind = set_up(QLabel(), look="boxKind")
        self.count = set_up(QLabel(), look="hint")
        self.cross = set_up(QToolButton(), name=tr("Close"), tip=tr("Close (Esc)"), clicked=lambda: self.close())
        self.cross.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list = Results(theme)
        self.preview = Preview(theme)
        self._between = set_up(QFrame(), look="separator")
        self._between.setFixedWidth(1)
        self.hint = set_up(QLabel(), look="hint", plain=True)
        keys = across(
            _key("↑"), _key("↓"), _words(trc("key", "choose")), 10, _key("Tab"), _words(trc("key", "only one kind")),
            10, _key("Esc"), _words(trc("key", "close")), spacing=5,
        )  # fmt: skip
        self.keys = held(keys)
        foot = held(across(self.keys, ..., self.hint, margins=(16, 7, 16, 7)), "boxFoot")
        head = across((self.field, 1), self.kind, self.count, self.cross, margins=(10, 8, 12, 8), spacing=10)
        down(
            held(head, "boxHead"),
            (across((self.list, 11), self._between, (self.preview, 10), spacing=0), 1),
            foot, on=self.frame, margins=1, spacing=0,
        )  # fmt: skip
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(PAUSE)
        self._pause.timeout.connect(self._want_picture)
        self.field.installEventFilter(self)
        parent.installEventFilter(self)
        self.field.textChanged.connect(lambda _text: self.refresh())
        self.list.clicked_on.connect(self._take)
        self.list.selected.connect(self._selected)
        self.preview.run_wanted.connect(lambda: self._take(self.list.entry))
        self.preview.look_wanted.connect(lambda: self._take(self.list.entry, look=True))
        set_look(self.field, theme, font="heading")
        set_look(self.cross, theme, icon="close", ink="text.secondary")
        self.hide()

    # ------------------------------------------------------------------ opening and closing

    def open(self, text: str = "") -> None:
        """Show the box, ready for typing."""
        if not self.isVisible():
            self._before = QApplication.focusWidget()
        self.only = ""
        self.sources.begin()
        self.field.setText(text)
        self._place()
        self.show()
        self.raise_()
        self.refresh()
        self.field.setFocus(Qt.FocusReason.PopupFocusReason)

    def closeEvent(self, event: QEvent) -> None:
        super().closeEvent(event)  # type: ignore[arg-type]
        self._pause.stop()
        before, self._before = self._before, None
        if before is not None and before.isVisible():
            before.setFocus(Qt.FocusReason.PopupFocusReason)
        self.closed.emit()

    def _place(self) -> None:
        """Cover the window, with the box near its upper edge."""
        window = self.parentWidget()
        if window is None:
            return
        self.setGeometry(window.rect())
        wide = min(self.theme.stretched(WIDE), window.width() - 2 * MARGIN)
        high = min(self.theme.stretched(HIGH), window.height() - 4 * MARGIN)
        top = min(max((window.height() - high) // 3, MARGIN), 90)
        self.frame.setGeometry((window.width() - wide) // 2, top, wide, high)
        roomy = wide >= self.theme.stretched(ROOMY)
        self.preview.setVisible(roomy)
        self._between.setVisible(roomy)
        self.keys.setVisible(roomy)

    def paintEvent(self, event: QPaintEvent) -> None:
        p = QPainter(self)
        shade = self.theme.color("surface.tooltip" if not self.theme.dark else "surface.window")
        shade.setAlphaF(0.35 if not self.theme.dark else 0.65)
        p.fillRect(self.rect(), shade)
        p.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if not self.frame.geometry().contains(event.position().toPoint()):
            self.close()

    # ------------------------------------------------------------------ results

    def refresh(self) -> None:
        """List the results for the typed text, the best first."""
        text = self.field.text()
        groups, count = self.sources.groups(text, self.only)
        self.list.fill(groups)
        self.kind.setVisible(bool(self.only))
        self.kind.setText(HEADINGS.get(self.only, ""))
        bare = not text.strip() and not self.only
        nothing = not bare and not count
        if nothing:
            said = tr("No results for “{text}”", text=text.strip()) if text.strip() else tr("None")
        else:
            said = "" if bare else trn("{count:,} found", "{count:,} found", count)
        self.count.setText(said)
        mark(self.count, bad=nothing)
        self.hint.setText(self._hint(text))
        self.announcer.polite(said)

    def _hint(self, text: str) -> str:
        """Return what the words were taken for if they are misspelt, or the signs that limit the search."""
        asked, entry = words(text), self.list.entry
        meant = [each for each in (() if entry is None else entry.terms) if each not in asked]
        if text.strip() and meant and all(word not in each for each in meant for word in asked):
            return tr("Taken for “{text}”", text=" ".join(dict.fromkeys(meant[:3])))
        return tr("> commands · @ processes · # events · ? guide")

    def _selected(self, entry: Entry | None) -> None:
        self.preview.show_entry(entry)
        self._pause.start() if entry is not None and entry.thing is not None else self._pause.stop()
        if entry is not None:
            self.announcer.polite(f"{KINDS[entry.kind]}: {entry.text}")

    def _want_picture(self) -> None:
        entry = self.list.entry
        if self.isVisible() and self.preview.isVisible() and entry is not None and entry.thing is not None:
            self.picture_wanted.emit(entry.thing)

    # ------------------------------------------------------------------ keys

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handle the keys of the field that are for the list; the window's own keys wait until the box is closed."""
        if watched is self.parent():
            if event.type() == QEvent.Type.Resize and self.isVisible():
                self._place()
        elif event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        elif event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and self._key(event):
            return True
        return bool(super().eventFilter(watched, event))

    def _key(self, event: QKeyEvent) -> bool:
        key, held = event.key(), event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        control = held == Qt.KeyboardModifier.ControlModifier
        acts: dict[int, Callable[[], object]] = {
            Qt.Key.Key_Down: lambda: self.list.move_by(1), Qt.Key.Key_Up: lambda: self.list.move_by(-1),
            Qt.Key.Key_PageDown: lambda: self.list.move_by(1, screenful=True),
            Qt.Key.Key_PageUp: lambda: self.list.move_by(-1, screenful=True),
            Qt.Key.Key_Return: lambda: self._take(self.list.entry, look=control),
            Qt.Key.Key_Enter: lambda: self._take(self.list.entry, look=control),
            Qt.Key.Key_Tab: lambda: self._other_kind(1), Qt.Key.Key_Backtab: lambda: self._other_kind(-1),
            Qt.Key.Key_Escape: self.close,
        }  # fmt: skip
        if key == Qt.Key.Key_K and control:
            self.close()
        elif key == Qt.Key.Key_Backspace and self.only and not self.field.text():
            self._limit("")
        elif key in acts:
            acts[key]()
        else:
            return False
        return True

    def _other_kind(self, step: int) -> None:
        """Limit the results to the next kind that has some, and after the last show all again."""
        found = {each.kind for each in self.sources.found(self.field.text().strip())[0]}
        kinds = ["", *(kind for kind in HEADINGS if kind in found or kind == self.only)]
        self._limit(kinds[(kinds.index(self.only) + step) % len(kinds)])

    def _limit(self, kind: str) -> None:
        self.only = kind
        self.refresh()

    def _take(self, entry: Entry | None, *, look: bool = False) -> None:
        """Carry out a result, and remember it."""
        if entry is None or entry.why:
            return
        self.close()
        if entry.thing is not None or entry.kind == "command":
            which = entry.kind, entry.key
            recent = self.sources.recent
            recent[:] = [which, *(each for each in recent if each != which)][:REMEMBERED]
            self.chosen.emit()
        (entry.look if look and entry.look is not None else entry.do)()

    @property
    def texts(self) -> list[str]:
        """The texts of the results, from the top."""
        return [each.text for each in self.list.entries]

    def set_theme(self, theme: Theme) -> None:
        self._place()


def _key(text: str) -> QLabel:
    return set_up(QLabel(text), look="keyCap")


def _words(text: str) -> QLabel:
    return set_up(QLabel(text), look="hint")
