"""The card that says how to join: the code as a picture and in letters, and the address."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QLabel, QWidget

from lydian.app.classroom.cards import Card, button, caption
from lydian.app.kit.form import choice
from lydian.app.kit.layout import across, down
from lydian.app.kit.theming import mark, set_look, set_up
from lydian.app.look.theme import Theme
from lydian.desk.hosting import Hosting
from lydian.language import tr

__all__ = ["JoinCard", "Picture"]


class Picture(QWidget):
    """The picture of an address, always dark on white, with a quiet margin."""

    def __init__(self, side: int, margin: float = 1.0) -> None:
        super().__init__()
        self._drawn: QSvgRenderer | None = None
        self._svg = ""
        self._margin = margin
        self.setFixedSize(QSize(side, side))
        self.setAccessibleName(tr("The address as a QR code"))

    def show_svg(self, svg: str) -> None:
        """Show another picture; "" for none."""
        if svg != self._svg:
            self._svg = svg
            self._drawn = QSvgRenderer(QByteArray(svg.encode())) if svg else None
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        p = QPainter(self)
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        p.setPen(Qt.PenStyle.NoPen)
        p.setBrush(QColor(Qt.GlobalColor.white))
        p.drawRoundedRect(QRectF(self.rect()), 8, 8)
        if self._drawn is not None and self._drawn.isValid():
            p.setRenderHint(QPainter.RenderHint.Antialiasing, False)
            m = self._margin
            self._drawn.render(p, QRectF(self.rect()).adjusted(m, m, -m, -m))
        p.end()


class JoinCard(Card):
    """How to join.

    Args:
        show_large: called to show it on the projector.
    """

    def __init__(self, hosting: Hosting, theme: Theme, show_large: object) -> None:
        super().__init__(theme, "people", tr("Join"))
        self.hosting, self._low = hosting, False
        self.picture = Picture(112)
        self.code = set_up(QLabel(), look="classCode", name=tr("Code"), plain=True)
        self.code.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.address = set_up(QLabel(), look="classAddress", name=tr("Address"), plain=True)
        self.address.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.reach = set_up(QLabel(), look="dockNote", wraps=True, plain=True)
        words = [set_up(QLabel(each), look="dockNote", plain=True) for each in (tr("Code"), tr("or type"))]
        beside = down(..., words[0], self.code, 4, words[1], self.address, ..., spacing=1)
        self.add(across(self.picture, (beside, 1), spacing=12))
        self.add(self.reach)
        self.large = button(
            theme, tr("Enlarge"), "projector", lambda _on=False: show_large(),  # type: ignore[operator]
            tip=tr("Show the code on the projector, in a window of its own"),
        )  # fmt: skip
        self.hide_names = button(
            theme, tr("Hide names"), "eye-off", lambda _on=False: hosting.lead("hide", on=not hosting.hidden),
            tip=tr("Show seats instead of names"),
        )  # fmt: skip
        self.add(across((self.large, 1), (self.hide_names, 1), spacing=8))
        self.closing = choice(
            (tr("when all are in"), ("sealed", 0)), (tr("after {seconds} s at most", seconds=30), ("sealed", 30)),
            (tr("after {seconds} s at most", seconds=45), ("sealed", 45)),
            (tr("after {seconds} s at most", seconds=90), ("sealed", 90)),
            (tr("after {seconds} s at most", seconds=120), ("sealed", 120)),
            (tr("at once: each in turn"), ("turns", 0)), short=8,
        )  # fmt: skip
        self.closing.setAccessibleName(tr("Rounds close"))
        self.closing.activated.connect(lambda _at: self._close())
        self.add(across(set_up(QLabel(tr("Rounds close")), look="dockNote", plain=True), (self.closing, 1), spacing=8))
        self.door = self.tool("door", tr("Close the door"), lambda _on=False: self._turn())

    def _turn(self) -> None:
        room = self.hosting.room
        self.hosting.lead("door", open=room is not None and not room.door)

    def fold(self, low: bool) -> None:
        """Leave out the picture and the remark if there is little room; the projector shows them."""
        self._low = low
        self.picture.setVisible(not low)
        self.reach.setVisible(not low and bool(self.reach.text()))

    def _close(self) -> None:
        mode, seconds = self.closing.currentData()
        if mode == "turns":
            self.hosting.lead("mode", mode=mode)
        else:
            self.hosting.lead("mode", mode=mode, seconds=float(seconds))

    def refresh(self) -> None:
        """Show the state of the class."""
        hosting, room = self.hosting, self.hosting.room
        welcome = hosting.welcome
        open_ = room is None or room.door
        self.note.setText(tr("the door is open") if open_ else tr("the door is closed"))
        tip = tr("Close the door: nobody else can join") if open_ else tr("Open the door: others can join")
        self.door.setToolTip(tip)
        self.door.setAccessibleName(tip)
        self.code.setText("" if welcome is None else welcome.code)
        mark(self.code, long=len(self.code.text()) > 9)
        self.address.setText("" if welcome is None else welcome.address.removeprefix("http://").rstrip("/"))
        self.picture.show_svg("" if welcome is None else welcome.qr)
        if room is not None and not self.closing.view().isVisible():
            wanted = ("turns", 0) if room.mode == "turns" else ("sealed", round(room.of)) if room.of else None
            at = next((k for k in range(self.closing.count()) if self.closing.itemData(k) == wanted), -1)
            if at >= 0:
                self.closing.setCurrentIndex(at)
        if welcome is None:
            words = tr("Starting…")
        else:
            words = "" if hosting.lan else tr("Only this computer can join; the class is not on the local network.")
        self.reach.setText(words)
        self.code.setToolTip(words)
        self.fold(self._low)
        caption(self.hide_names, tr("Show names") if hosting.hidden else tr("Hide names"))
        set_look(self.hide_names, self.theme, icon="eye" if hosting.hidden else "eye-off")
