"""The preview of a result in the command box: a picture, what it is, what to watch for, and what Enter does."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPainterPath, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QGridLayout, QLabel, QPushButton, QScrollArea, QSizePolicy, QWidget

from lydian.app.kit.layout import across, down, held
from lydian.app.kit.theming import set_look, set_up
from lydian.app.look.theme import Theme
from lydian.app.panels.box.entries import KINDS, Entry
from lydian.language import tr, trc

__all__ = ["Preview"]

#: What Enter does with a result of a kind.
ENTER = {
    "protocol": tr("Run it"), "experiment": tr("Run it"), "lesson": tr("Begin"), "network": tr("Run on it"),
    "assignment": tr("Solve it"), "goal": tr("Play it"), "sweep": trc("result", "Open"), "process": tr("Select it"),
    "event": tr("Go to it"), "variable": tr("Show its process"), "command": tr("Do it"), "page": tr("Read it"),
}  # fmt: skip
#: What Ctrl+Enter does.
LOOK = {"protocol": tr("In the archive"), "experiment": tr("Open only"), "network": tr("Draw on it")}


class _Picture(QWidget):
    """A picture in a frame, as wide as there is room."""

    #: Height by width.
    SHAPE = 0.38

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.theme = theme
        self.picture: QPixmap | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_picture(self, picture: QPixmap | None) -> None:
        """Show a picture, or an empty frame until there is one."""
        self.picture = picture
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(400, round(max(self.width(), 300) * self.SHAPE))

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return round(width * self.SHAPE)

    def paintEvent(self, event: QPaintEvent) -> None:
        p = QPainter(self)
        try:
            p.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
            box, radius = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), self.theme.size("radius.card")
            rim = QPainterPath()
            rim.addRoundedRect(box, radius, radius)
            p.fillPath(rim, self.theme.color("surface.canvas"))
            if self.picture is not None and not self.picture.isNull():
                size = self.picture.deviceIndependentSize()
                scale = min(box.width() / size.width(), box.height() / size.height())
                place = QRectF(0, 0, size.width() * scale, size.height() * scale)
                place.moveCenter(box.center())
                p.setClipPath(rim)
                p.drawPixmap(place, self.picture, QRectF(self.picture.rect()))
                p.setClipping(False)
            p.setPen(QPen(self.theme.color("border.subtle"), 1))
            p.drawPath(rim)
        finally:
            p.end()


class Preview(QWidget):
    """The right half of the box."""

    #: Emitted by the buttons: to run the result, and to open it only.
    run_wanted = Signal()
    look_wanted = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.theme = theme
        self.setAccessibleName(tr("Preview"))
        self.picture = _Picture(theme)
        self.title = set_up(QLabel(), wraps=True, plain=True)
        self.about = set_up(QLabel(), wraps=True, plain=True)
        self._facts = QGridLayout()
        self._facts.setContentsMargins(0, 0, 0, 0)
        self._facts.setHorizontalSpacing(16)
        self._facts.setVerticalSpacing(6)
        self._facts.setColumnStretch(1, 1)
        self.run = set_up(
            QPushButton(ENTER["experiment"]), look="primary", clicked=lambda _checked=False: self.run_wanted.emit()
        )
        self.look = set_up(QPushButton(LOOK["experiment"]), clicked=lambda _checked=False: self.look_wanted.emit())
        for button in (self.run, self.look):
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # its key is Enter or Ctrl+Enter
        words = QWidget()
        down(self.picture, 4, self.title, self.about, 2, self._facts, ..., on=words, margins=(16, 12, 16, 8), spacing=8)
        words.setObjectName("boxPreview")
        self._words = QScrollArea()
        self._words.setWidgetResizable(True)
        self._words.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._words.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._words.setWidget(words)
        self._buttons = held(across(self.run, self.look, ..., margins=(16, 8, 16, 12), spacing=8))
        down((self._words, 1), self._buttons, on=self)
        set_look(self.title, theme, font="title semibold")
        set_look(self.about, theme, font="body")
        self.show_entry(None)

    def show_entry(self, entry: Entry | None) -> None:
        """Show a result; only things of the archive have a picture."""
        self.picture.show_picture(None)
        self.picture.setVisible(entry is not None and entry.kind in ("protocol", "experiment", "network"))
        self.title.setText("" if entry is None else entry.text)
        self.about.setText("" if entry is None else entry.about)
        self.about.setVisible(entry is not None and bool(entry.about))
        while (item := self._facts.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.deleteLater()
                widget.hide()
        facts = [] if entry is None else [*entry.facts]
        if entry is not None and entry.kind in ("process", "event", "variable"):
            heading = {"process": tr("State"), "event": tr("Event"), "variable": tr("Value")}[entry.kind]
            facts.append((heading, entry.remark.removeprefix("= ")))
        if entry is not None and entry.why:
            facts.append((tr("Not now"), entry.remark))
        for row, (heading, text) in enumerate(facts):
            name = set_look(set_up(QLabel(heading), look="hint", plain=True), self.theme, font="body")
            said = set_look(set_up(QLabel(text), wraps=True, plain=True), self.theme, font="body")
            self._facts.addWidget(name, row, 0, Qt.AlignmentFlag.AlignTop)
            self._facts.addWidget(said, row, 1, Qt.AlignmentFlag.AlignTop)
        self._buttons.setVisible(entry is not None)
        if entry is not None:
            self.setAccessibleDescription(f"{KINDS[entry.kind]}: {entry.text}. {entry.about}")
            self.run.setText(tr("{action}   Enter", action=ENTER[entry.kind]))
            self.run.setEnabled(not entry.why)
            self.look.setVisible(entry.look is not None)
            self.look.setText(tr("{action}   Ctrl+Enter", action=LOOK.get(entry.kind, "")))
        self._words.verticalScrollBar().setValue(0)
