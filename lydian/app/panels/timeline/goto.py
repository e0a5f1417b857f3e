"""The field in the transport bar that asks for one thing: a place to go to, or the name of a bookmark."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QApplication, QCompleter, QLabel, QLineEdit, QSizePolicy, QWidget

from lydian.app.kit.completions import CompletionList
from lydian.app.kit.layout import across
from lydian.app.kit.theming import mark, set_look
from lydian.app.look.theme import Theme
from lydian.desk.playhead import Playhead
from lydian.language import tr
from lydian.model.errors import BadInput
from lydian.views.playback.until import moment, why_never
from lydian.views.words.asked import read

__all__ = ["Ask", "Field", "place_of"]


def place_of(text: str, head: Playhead) -> tuple[float, str]:
    """Return the time that a text means (a time, ``#57``, the name of a bookmark, a condition), and what is there.

    A condition means the next time at which it is met, or else the first time of all.

    Raises:
        BadInput: there is no such place in the run.
    """
    text = text.strip()
    timeline = head.timeline
    if timeline is None or not timeline.length:
        raise BadInput(tr("There is no run yet"))
    small = text.casefold()
    named = [mark for mark in head.marks if mark.name.casefold() == small]
    # faults of a process are also found by the name of the process alone
    starts = (small, tr("process {process}", process=small).casefold())
    named = named or [mark for mark in head.marks if small and mark.name.casefold().startswith(starts)]
    if named:
        return named[0].time, named[0].name
    try:
        wanted = read(text)
    except BadInput:
        if text[:1].isdigit() or text[:1] in "#-.":
            raise
        raise BadInput(tr('There is no bookmark named "{text}"; type 3.5, #57, or "5 is waiting"', text=text)) from None
    if wanted.what == "time":
        time = float(wanted.value)
        if time > timeline.end:
            raise BadInput(tr("The run ends at {time:.4g}", time=timeline.end))
        return time, str(wanted)
    why = why_never(wanted, timeline, head.animation)
    if why is not None:
        raise BadInput(why.rstrip("."))
    found = moment(wanted, timeline, head.t, 1, head.animation)
    found = found or moment(wanted, timeline, head.start, 1, head.animation)
    if found is None:
        raise BadInput(tr("This condition is never met: {condition}", condition=wanted))
    return found[0], str(wanted)


class Field(QLineEdit):
    """A field that keeps Enter and, if ``keeps_esc``, Esc to itself, although they are also keys of the window."""

    keeps_esc = True

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
            if enter or (self.keeps_esc and event.key() == Qt.Key.Key_Escape):
                event.accept()
                return True
        return super().event(event)


class Ask(QWidget):
    """A prompt and a field, with a hint or an error beside it.

    Enter submits the text and closes the field, unless the text is refused with a reason; Esc closes it.
    """

    #: The field was opened (true) or closed.
    opened = Signal(bool)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("ask")
        self.prompt, self.field, self.note = QLabel(), Field(), QLabel()
        self.note.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._accept: Callable[[str], object] = str
        self._hint = ""
        self._before: QWidget | None = None
        self.field.setAccessibleName(tr("Place to go to"))
        across(self.prompt, self.field, (self.note, 1), on=self, margins=(4, 0, 4, 0), spacing=8)
        self.field.returnPressed.connect(self._enter)
        self.field.textEdited.connect(lambda _text: self._say(""))
        self.field.installEventFilter(self)
        for part in (self.prompt, self.field, self.note):
            set_look(part, theme, font="body")
        self.set_theme(theme)
        self.hide()

    def set_theme(self, theme: Theme) -> None:
        self.field.setFixedWidth(self.field.fontMetrics().averageCharWidth() * 24)
        self._say("")

    @property
    def problem(self) -> str:
        """The problem with the text in the field, or "" if no problem is known."""
        return self.note.toolTip() if self.note.objectName() == "problem" and not self.isHidden() else ""

    def open(
        self,
        prompt: str,
        accept: Callable[[str], object],
        *,
        text: str = "",
        hint: str = "",
        offers: Sequence[str] = (),
    ) -> None:
        """Ask for something.

        Args:
            prompt: the prompt before the field.
            accept: takes the text; if it raises a :class:`BadInput`, this is shown and the field stays.
            text: the initial text of the field.
            hint: what may be typed.
            offers: the suggestions while typing.
        """
        if self.isHidden():
            self._before = QApplication.focusWidget()
        self._accept, self._hint = accept, hint
        self.prompt.setText(prompt)
        self.field.setAccessibleName(prompt)
        self.field.setAccessibleDescription(hint)
        completer = QCompleter(list(offers), self.field) if offers else None
        if completer is not None:
            completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
            completer.setFilterMode(Qt.MatchFlag.MatchContains)
            completer.setPopup(CompletionList(self.field))
        self.field.setCompleter(completer)  # type: ignore[arg-type]
        self.field.setText(text)
        self.field.selectAll()
        self.show()
        self._say("")
        self.opened.emit(True)
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def close_field(self) -> None:
        """Close the field; the focus returns to the previous widget."""
        if self.isHidden():
            return
        back, offers = self._before, self.field.completer()
        if offers is not None:  # a list that is still open would move the focus when it closes
            popup = offers.popup()
            if popup is not None:
                popup.hide()
            self.field.setCompleter(None)  # type: ignore[arg-type]
        self.hide()
        self._before = None
        self.opened.emit(False)
        if back is not None and back.isVisible():
            back.setFocus(Qt.FocusReason.OtherFocusReason)

    def _enter(self) -> None:
        try:
            self._accept(self.field.text())
        except BadInput as error:
            sentence = str(error)
            self._say(sentence[:1].upper() + sentence[1:].rstrip(".") + ".", True)
            return
        self.close_field()

    def _say(self, sentence: str, problem: bool = False) -> None:
        mark(self.note, "problem" if problem else "hint")
        text = sentence or self._hint
        self.note.setToolTip(text)
        self.note.setAccessibleName(text)
        room = max(self.note.width(), 40)
        self.note.setText(self.note.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, room))

    def resizeEvent(self, event: object) -> None:
        text = self.note.toolTip()
        self.note.setText(self.note.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, self.note.width()))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep Esc for the field, and close the field when it loses the focus."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and event.key() == Qt.Key.Key_Escape:
            self.close_field()
            return True
        left = isinstance(event, QFocusEvent) and event.lostFocus()
        if left and event.reason() == Qt.FocusReason.MouseFocusReason:  # type: ignore[attr-defined]
            self._before = None
            self.close_field()
        return super().eventFilter(watched, event)
