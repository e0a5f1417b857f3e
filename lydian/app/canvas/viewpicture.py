"""A view as a widget that draws itself at the play head's moment, and only when its contents have changed.

If a view fails, an error message replaces it.
"""

from __future__ import annotations

import traceback
import weakref
from typing import Any

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QHideEvent, QImage, QPainter, QPaintEvent, QPen, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from lydian.app.access.still import in_steps
from lydian.app.canvas.cameras import NetworkCamera, SpaceCamera, TimeCamera
from lydian.app.look.theme import Theme
from lydian.app.look.vision import seen
from lydian.desk.playhead import Playhead
from lydian.language import tr
from lydian.pieces.changing import STATE_FADE
from lydian.trace.timeline import Timeline
from lydian.views.registry import View
from lydian.views.selection import Hit

__all__ = ["ViewPicture"]

#: In a window along time with more events than this, events have no Lamport times; with more messages than this, the
#: messages are drawn as a density.
NUMBERED, DRAWN = 400, 1500
#: The number of pixels beside the plot of a view along time, approximately.
BESIDE = 80


class ViewPicture(QWidget):
    """A view as a widget.

    Args:
        spec: the view.
        playhead: the moment and the selection that it shows and changes.
        theme: its look.
        time_camera: the stretch of time that all views along time share.
    """

    #: The one-line summary in numbers has changed.
    titled = Signal(str)

    def __init__(
        self, spec: View, playhead: Playhead, theme: Theme, time_camera: TimeCamera, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.spec, self.playhead, self.theme = spec, playhead, theme
        self.camera: Any = {"map": NetworkCamera(), "time": time_camera, "space": SpaceCamera()}.get(spec.mouse)
        self.options: dict[str, Any] = {}
        self.passing: dict[str, Any] = {}  # options that replace those for the moment, as during a guided flight
        self.frame: Any = None
        self.trouble: str | None = None
        self.painted = 0
        self._painter: Any = None
        self._accepted: frozenset[str] | None = None
        self._shown: object = None
        self._drawn: object = None
        self._of: weakref.ref[Timeline] | None = None  # the run to which the frame belongs
        self._title = ""
        self.setObjectName(f"canvas-{spec.name}")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setAccessibleName(tr("{view} view", view=spec.title))
        self.setAccessibleDescription(spec.about)
        if isinstance(self.camera, TimeCamera):
            self.camera.listen(self._camera_moved)

    def sizeHint(self) -> QSize:
        return QSize(480, 320)

    def minimumSizeHint(self) -> QSize:
        return QSize(160, 100)

    # ------------------------------------------------------------------ showing

    def _tell_room(self) -> None:
        """Tell the camera along time how wide the plot is, which decides how many events it shows."""
        if isinstance(self.camera, TimeCamera):
            self.camera.set_room(self.objectName(), max(self.width() - BESIDE, 0) if self.isVisible() else 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._tell_room()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._tell_room()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._tell_room()

    def set_theme(self, theme: Theme) -> None:
        """Draw with other colours."""
        self._painter = None
        self._drawn = None

    def set_option(self, name: str, value: Any) -> None:
        """Set an option of the view's frame."""
        self.options[name] = value
        self.refresh()

    def retry(self) -> None:
        """Forget that the view has failed, because its contents have changed."""
        self.trouble = None
        self.frame = None
        self._drawn = None

    @property
    def current(self) -> bool:
        """Whether the view shows this moment of this run."""
        return self._of is not None and self._of() is self.playhead.timeline and self._key() == self._drawn

    def refresh(self) -> None:
        """Redraw if the contents of this view have changed and it is visible."""
        if self.isVisible() and self._key() != self._drawn:
            self.update()

    def _camera_moved(self) -> None:
        """Treat the arrangement of rows as an option, so that pictures and movies have it too."""
        for name in ("order", "hidden"):
            self.options.pop(name, None)
        self.options.update(self.camera.options)
        if not self.playhead.moving:  # otherwise, the next frame shows it
            self.refresh()

    @property
    def compared(self) -> int | None:
        """The event that is compared with the selected one, if there is one."""
        pair = getattr(self.camera, "pair", None)
        event = self.playhead.selection.event
        return int(pair[1]) if pair is not None and event is not None and pair[0] == event else None

    def _key(self) -> object:
        head = self.playhead
        drawn = isinstance(self.camera, NetworkCamera | SpaceCamera)
        camera = (self.camera.key, self.camera.folded) if drawn else None
        window: object = None
        if isinstance(self.camera, TimeCamera):
            of = self.camera
            window = (of.window, of.margin, of.rows, of.lifted, self.compared)
        return (
            id(head.timeline), id(head.animation), head.t, head.playing, head.selection, self._hover(), camera, window,
            tuple(sorted((self.options | self.passing).items(), key=str)), self.width(), self.height(),
            self.devicePixelRatioF(),
        )  # fmt: skip

    def _hover(self) -> Hit | None:
        return self.playhead.hover

    def compute(self) -> Any:
        """Return the view's frame at this moment, raising any error of the view."""
        if self._accepted is None:
            self._accepted = self.spec.options()
        head = self.playhead
        options: dict[str, Any] = self.options | self.passing
        options["animation"] = head.animation
        options["hover"] = head.hover
        options["fade"] = 0.0 if self.theme.still else head.fade_of(STATE_FADE)
        if isinstance(self.camera, TimeCamera):
            options["window"] = self.camera.window
            options["other"] = self.compared
            options |= {"limit": DRAWN, "numbers": NUMBERED}
        options = {name: value for name, value in options.items() if name in self._accepted}
        return self.spec.frame(head.timeline, head.t, head.selection, **options)

    def paintEvent(self, event: QPaintEvent) -> None:
        other = self._through() if self.theme.eye else None
        painter = QPainter(self if other is None else other)
        try:
            self._paint(painter)
        except Exception as error:  # noqa: BLE001  whatever a view does, the window lives
            self._failed(error)
            self._say(painter, self.trouble or "")
        finally:
            painter.end()
        if other is not None:
            self._show_through(other)

    def _through(self) -> QImage:
        """Return a picture to draw on in place of the screen, with the same number of pixels."""
        ratio = self.devicePixelRatioF()
        image = QImage(self.size() * ratio, QImage.Format.Format_RGB32)
        image.setDevicePixelRatio(ratio)
        return image

    def _show_through(self, drawn: QImage) -> None:
        """Show the drawing as seen with a colour vision deficiency."""
        painter = QPainter(self)
        try:
            painter.drawImage(0, 0, seen(drawn, self.theme.eye))
        finally:
            painter.end()

    def _paint(self, painter: QPainter) -> None:
        self.painted += 1
        rect = QRectF(self.rect())
        if self.playhead.timeline is None:
            self._say(painter, self.spec.empty)
            return
        if self.trouble is not None:
            self._say(painter, self.trouble)
            return
        if self._painter is None:
            self._painter = self.spec.painter_class()(self.theme)
        if self.frame is None or not self.current:  # otherwise, another window covered only a part of the picture
            self.frame = in_steps(self.compute()) if self.theme.still else self.compute()
        self._drawn, self._of = self._key(), weakref.ref(self.playhead.timeline)
        painter.save()
        try:
            self._painter.paint(painter, rect, self.frame, self.camera)
        finally:
            painter.restore()
        if self.hasFocus() and self.property("keyboard"):
            painter.setPen(QPen(self.theme.color("accent.ring"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(rect.adjusted(1, 1, -1, -1))
        title = str(getattr(self.frame, "title", ""))
        if title != self._title:
            self._title = title
            self.titled.emit(title)
            self.setAccessibleDescription(f"{title}. {self.spec.about}")

    def _failed(self, error: Exception) -> None:
        where = traceback.extract_tb(error.__traceback__)[-1]
        what = f"{type(error).__name__}: {error}".rstrip(": ")
        file = where.filename.replace("\\", "/").rsplit("/", 1)[-1]
        self.trouble = tr(
            "This view cannot be drawn ({error}; {file}, line {line}). The other views still work.",
            error=what,
            file=file,
            line=where.lineno,
        )
        self.setAccessibleDescription(self.trouble)

    def _say(self, painter: QPainter, sentence: str) -> None:
        """Show a sentence in place of the view."""
        rect = QRectF(self.rect())
        painter.setOpacity(1.0)
        painter.resetTransform()
        painter.setClipping(False)
        painter.fillRect(rect, self.theme.color("surface.canvas"))
        painter.setPen(QColor(self.theme.color("text.hint")))
        painter.setFont(self.theme.font("body"))
        inside = rect.adjusted(24, 16, -24, -16)
        painter.drawText(inside, int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap), sentence)
