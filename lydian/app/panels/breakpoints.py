"""The bar above the time line for a condition: play until it is met, jump to it, or stop there every time."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QComboBox, QFrame, QGridLayout, QLabel, QPushButton, QWidget

from lydian.app.kit.layout import across
from lydian.app.kit.theming import mark, set_look
from lydian.app.look.theme import Theme
from lydian.app.panels.timeline.goto import Field
from lydian.desk.playhead import Playhead
from lydian.language import tr, trc
from lydian.model.errors import BadInput
from lydian.trace.events import KINDS
from lydian.views.playback.until import VERB_WORDS, Breakpoint, moment, violations, why_never
from lydian.views.words import predicate

__all__ = ["WHATS", "ConditionBar"]

#: The kinds of condition, and their names in the bar.
WHATS = {
    "time": tr("a time"),
    "event": tr("an event number"),
    "message": tr("a message"),
    "state": tr("a process's state"),
    "predicate": tr("an expression"),
    "violation": tr("a violated property"),
}
ANY = tr("any process")
_EXAMPLES = {
    "time": tr("such as 7.5"),
    "event": tr("such as 57"),
    "predicate": tr('such as missing == 0 or state == "waiting"'),
}


class ConditionBar(QFrame):
    """A bar with fields for one condition, and buttons to play, jump and stop."""

    #: Play until the condition is met; -1 plays backwards.
    run_wanted = Signal(object, int)
    #: Jump to the next moment at which the condition is met, or to the previous one (-1).
    jump_wanted = Signal(object, int)
    #: Add a breakpoint for the condition.
    break_wanted = Signal(object)
    #: The bar was opened (true) or closed, or its fields changed.
    opened = Signal(bool)
    settled = Signal()

    def __init__(self, playhead: Playhead, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.playhead = playhead
        self.setObjectName("conditionBar")
        self.setAccessibleName(tr("Run until, or break when"))
        self.title = QLabel(tr("Run until"))
        self.what, self.text, self.note = QComboBox(), Field(), QLabel()
        self.text.keeps_esc = False  # Esc closes the bar, or stops running until a condition
        self.text.setAccessibleName(tr("Kind of condition"))
        self.process, self.peer, self.state = QComboBox(), QComboBox(), QComboBox()
        self.kind, self.label, self.promise = QComboBox(), QComboBox(), QComboBox()
        self.way = QLabel(trc("message", "from"))
        for name, title in WHATS.items():
            self.what.addItem(title, name)
        for kind, (verb, _way) in VERB_WORDS.items():
            self.kind.addItem(verb, kind)
        for combo, name in (
            (self.what, tr("What to wait for")), (self.process, tr("Process")), (self.peer, tr("Other process")),
            (self.state, tr("State")), (self.kind, tr("Event of the message")), (self.label, tr("Message")),
            (self.promise, tr("Property")),
        ):  # fmt: skip
            combo.setAccessibleName(name)
            combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.becomes = QLabel(trc("state of a process", "becomes"))
        self.run, self.jump = QPushButton(tr("Play until")), QPushButton(tr("Jump"))
        self.back, self.keep = QPushButton(trc("to an earlier moment", "Back")), QPushButton(tr("Breakpoint"))
        self.close_button = QPushButton(tr("Close"))
        self.run.setToolTip(tr("Play until the condition is met (Enter)"))
        self.jump.setToolTip(tr("Jump to the next moment at which the condition is met"))
        self.back.setToolTip(tr("Jump to the previous moment at which the condition was met"))
        self.keep.setToolTip(tr("Stop whenever the condition is met"))
        self.close_button.setToolTip(tr("Close this bar (Esc)"))
        self.fields, self.buttons = QWidget(), QWidget()
        across(
            self.title, self.what, self.process, self.kind, self.label, self.way, self.peer, self.becomes, self.state,
            self.promise, self.text, ..., on=self.fields, spacing=6,
        )  # fmt: skip
        across((self.note, 1), self.run, self.jump, self.back, self.keep, self.close_button, on=self.buttons, spacing=6)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(14, 5, 14, 5)
        self._grid.setVerticalSpacing(4)
        self._grid.addWidget(self.fields, 0, 0)
        self._grid.addWidget(self.buttons, 1, 0)
        self._breaking = False
        self.what.currentIndexChanged.connect(self._arrange)
        self.kind.currentIndexChanged.connect(self._arrange)
        self.text.returnPressed.connect(self.take)
        self.text.textEdited.connect(lambda _text: self.say(""))
        for combo in (self.what, self.process, self.peer, self.state, self.kind, self.label, self.promise):
            combo.activated.connect(lambda _row: self.say(""))
        self.run.clicked.connect(lambda: self._go(self.run_wanted, 1))
        self.jump.clicked.connect(lambda: self._go(self.jump_wanted, 1))
        self.back.clicked.connect(lambda: self._go(self.jump_wanted, -1))
        self.keep.clicked.connect(self._keep)
        self.close_button.clicked.connect(self.leave)
        set_look(self.title, theme, font="body semibold")
        set_look(self.text, theme, min_width=lambda theme: theme.px("body") * 14)
        self.say("")
        self.hide()

    def sizeHint(self) -> QSize:
        return self._grid.sizeHint()

    def settle(self, width: int) -> None:
        """Lay out fields and buttons on one line if there is room for them and a message, else on two."""
        need = self.fields.sizeHint().width() + self.buttons.sizeHint().width() + self.theme.px("body") * 26
        row, column = (0, 1) if need < width else (1, 0)
        if self._grid.itemAtPosition(row, column) is None:
            self._grid.removeWidget(self.buttons)
            self._grid.addWidget(self.buttons, row, column)
            self._grid.setColumnStretch(1, column)
        self._grid.activate()

    # ------------------------------------------------------------------ opening

    def open(self, breaking: bool = False, start: Breakpoint | None = None) -> None:
        """Open the bar for one of its two purposes, filled with ``start`` if that is given."""
        self._breaking = breaking
        self.title.setText(tr("Break when") if breaking else tr("Run until"))
        self._fill()
        if start is not None:
            self._show(start)
        self._arrange()
        self.say("")
        self.show()
        self.opened.emit(True)
        target = self.text if self.text.isVisibleTo(self) else self.what
        target.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.text.selectAll()

    def leave(self) -> None:
        """Close the bar."""
        if not self.isHidden():
            self.hide()
            self.opened.emit(False)

    def _fill(self) -> None:
        """Fill the fields with the choices of the current run, keeping the current choices if they still exist."""
        timeline, animation = self.playhead.timeline, self.playhead.animation
        processes = () if timeline is None else timeline.processes
        for combo in (self.process, self.peer):
            _offer(combo, [(ANY, None), *((name, name) for name in processes)])
        states = () if timeline is None else timeline.states
        _offer(self.state, [(name if animation is None else animation.word(name), name) for name in states])
        labels = () if timeline is None else timeline.labels
        _offer(self.label, [(tr("any message"), ""), *((name, name) for name in labels)])
        broken = [] if timeline is None else [name for _seq, name in violations(timeline)]
        _offer(self.promise, [(tr("any property"), ""), *((name, name) for name in broken)])

    def _show(self, start: Breakpoint) -> None:
        self.what.setCurrentIndex(max(self.what.findData(start.what), 0))
        if start.what in ("time", "event", "predicate"):
            self.text.setText(f"{start.value:.6g}" if isinstance(start.value, float) else str(start.value))
        for combo, value in (
            (self.process, start.process), (self.peer, start.peer), (self.kind, start.kind),
            (self.state, start.value), (self.label, start.value), (self.promise, start.value),
        ):  # fmt: skip
            row = _row_of(combo, value)
            if row >= 0:
                combo.setCurrentIndex(row)

    def _arrange(self) -> None:
        what = str(self.what.currentData())
        message = what == "message"
        self.process.setVisible(what in ("message", "state", "predicate"))
        for widget in (self.kind, self.label, self.way, self.peer):
            widget.setVisible(message)
        for widget in (self.becomes, self.state):
            widget.setVisible(what == "state")
        self.promise.setVisible(what == "violation")
        self.text.setVisible(what in _EXAMPLES)
        self.text.setPlaceholderText(_EXAMPLES.get(what, ""))
        self.text.setAccessibleName(f"{WHATS[what]}, {_EXAMPLES.get(what, '')}".strip(", "))
        self.way.setText(VERB_WORDS[str(self.kind.currentData())][1])
        self.settled.emit()

    # ------------------------------------------------------------------ the condition

    def condition(self) -> Breakpoint:
        """Return the condition in the fields.

        Raises:
            BadInput: the fields contain no valid condition.
        """
        what = str(self.what.currentData())
        process, text = self.process.currentData(), self.text.text().strip()
        if what == "time":
            try:
                return Breakpoint("time", float(text.replace(",", ".")))
            except ValueError:
                raise BadInput(tr('the time is "{text}"; it must be a number such as 7.5', text=text)) from None
        if what == "event":
            if not text.removeprefix("#").isdecimal():
                raise BadInput(tr('the event number is "{text}"; it must be a whole number of at least 0', text=text))
            return Breakpoint("event", int(text.removeprefix("#")))
        if what == "message":
            kind = str(self.kind.currentData())
            assert kind in KINDS
            return Breakpoint("message", self.label.currentData(), process, kind, peer=self.peer.currentData())
        if what == "state":
            return Breakpoint("state", self.state.currentData() or "", process)
        if what == "violation":
            return Breakpoint("violation", self.promise.currentData() or "")
        predicate.names_in(text, self.playhead.timeline)
        return Breakpoint("predicate", text, process)

    def say(self, sentence: str, problem: bool = False) -> None:
        """Show a message beside the buttons."""
        mark(self.note, "problem" if problem else "explained")
        self.note.setText(sentence)
        self.note.setToolTip(sentence)
        self.note.setMinimumWidth(1)
        self.note.setAccessibleName(sentence or tr("No message"))

    def missing(self, wanted: Breakpoint, direction: int = 1) -> str:
        """Return why a condition is never met in the given direction, or "" if it is."""
        head = self.playhead
        timeline = head.timeline
        if timeline is None or not timeline.length:
            return tr("There is no run yet.")
        if moment(replace(wanted, on=True), timeline, head.t, direction, head.animation) is not None:
            return ""
        why = why_never(wanted, timeline, head.animation)
        if why is not None:
            return why
        other = moment(replace(wanted, on=True), timeline, head.t, -direction, head.animation)
        if other is None and direction > 0:
            return tr("Never after this moment: {condition}.", condition=wanted)
        if other is None:
            return tr("Never before this moment: {condition}.", condition=wanted)
        if direction > 0:
            words = tr("Never after this moment: {condition}; last met earlier, at {time:.4g}.")
        else:
            words = tr("Never before this moment: {condition}; first met later, at {time:.4g}.")
        return words.format(condition=wanted, time=other[0])

    def take(self) -> None:
        """Use the condition for the purpose of the bar, as Enter does."""
        if self._breaking:
            self._keep()
        else:
            self._go(self.run_wanted, 1)

    def _go(self, signal: object, direction: int) -> None:
        wanted = self._asked()
        if wanted is not None:
            signal.emit(wanted, direction)  # type: ignore[attr-defined]

    def _keep(self) -> None:
        wanted = self._asked()
        if wanted is not None:
            self.break_wanted.emit(wanted)

    def _asked(self) -> Breakpoint | None:
        try:
            return self.condition()
        except BadInput as error:
            self.say(str(error)[:1].upper() + str(error)[1:].rstrip(".") + ".", True)
            return None


def _offer(combo: QComboBox, offers: list[tuple[str, str | None]]) -> None:
    chosen = combo.currentData() if combo.count() else None
    combo.blockSignals(True)
    combo.clear()
    for title, value in offers:
        combo.addItem(title, value)
    combo.setCurrentIndex(max(_row_of(combo, chosen), 0) if combo.count() else -1)
    combo.blockSignals(False)


def _row_of(combo: QComboBox, value: object) -> int:
    return next((row for row in range(combo.count()) if combo.itemData(row) == value), -1)
