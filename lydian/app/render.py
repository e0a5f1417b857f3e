"""Any view of any execution at any time as a picture: PNG at any scale, SVG with its text as text."""

from __future__ import annotations

import contextlib
import math
import os
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QPointF, QRect, QRectF, QSize, QSizeF
from PySide6.QtGui import QGuiApplication, QImage, QPainter, QPen
from PySide6.QtSvg import QSvgGenerator

from lydian.app.painters.basic import BasicPainter
from lydian.app.painters.causality import CausalityPainter
from lydian.app.painters.communication import CommunicationPainter
from lydian.app.painters.ink import Ink
from lydian.app.painters.occupation import OccupationPainter
from lydian.app.painters.step import StepPainter
from lydian.app.theme import Theme
from lydian.model.errors import BadInput, did_you_mean
from lydian.trace.timeline import Timeline
from lydian.views import basic, causality, communication, occupation, step
from lydian.views.animation import Animation, animation_for
from lydian.views.frame import NOTHING, Selection

__all__ = ["FORMATS", "VIEWS", "View", "ensure_application", "paint_view", "render", "render_all"]

#: Endings of file names that can be written.
FORMATS = (".png", ".svg")
#: No picture has more pixels than this in one direction.
LARGEST = 32_000
#: Height of the line with the view's name.
BAR = 34.0


@dataclass(frozen=True)
class View:
    """A view: its name for people, the module with ``frame``, the class of its painter."""

    title: str
    module: ModuleType
    painter: type[Any]


#: The views by the name they have in files and on the command line.
VIEWS: Mapping[str, View] = {
    "basic": View("Network", basic, BasicPainter),
    "communication": View("Communication", communication, CommunicationPainter),
    "causality": View("Causality", causality, CausalityPainter),
    "step": View("Process", step, StepPainter),
    "occupation": View("Occupation", occupation, OccupationPainter),
}


def render(
    timeline: Timeline,
    animation: Animation | None,
    view: str,
    t: float | None,
    path: str | os.PathLike[str],
    *,
    size: tuple[int, int] = (1280, 800),
    theme: str | Theme = "light",
    scale: float = 1.0,
    selection: Selection = NOTHING,
    bar: bool = True,
    **options: Any,
) -> Path:
    """Write one view at time ``t`` to a PNG or SVG file.

    Args:
        animation: how the protocol wants to be drawn; its own if ``None``.
        view: one of :data:`VIEWS`.
        t: simulated time; ``None`` is the end, and so is any time after it.
        path: the file; its ending says which format.
        size: width and height in units of the screen; ``scale`` is pixels a unit (PNG only).
        bar: with the line that names the view and sums it up.
        options: handed to the view's ``frame``.

    Raises:
        BadInput: unknown view, ending, theme or size, or a file that cannot be written.
    """
    path = Path(path)
    if path.suffix.lower() not in FORMATS:
        wanted = f"'{path.suffix}'" if path.suffix else "no ending"
        raise BadInput(f"a picture ends in {' or '.join(FORMATS)}, not {wanted}", file=path)
    view = _known(view)
    size, scale = _sane(size, scale)
    ensure_application()
    look = _theme(theme)
    moment = _moment(timeline, t)
    if path.suffix.lower() == ".svg":
        data = _svg(timeline, animation, view, moment, size, look, selection, bar, options)
    else:
        data = _png(timeline, animation, view, moment, size, look, selection, bar, options, scale)
    _write(path, data)
    return path


def render_all(
    timeline: Timeline,
    animation: Animation | None,
    folder: str | os.PathLike[str],
    *,
    t: float | None = None,
    size: tuple[int, int] = (1280, 800),
    theme: str | Theme = "light",
    scale: float = 1.0,
    ending: str = ".png",
    selection: Selection = NOTHING,
) -> list[Path]:
    """Write every view at time ``t`` into ``folder``, made if it is missing: ``basic.png``, ``communication.png`` ...

    Raises:
        BadInput: as :func:`render`, and if the folder cannot be made.
    """
    folder = Path(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"the folder cannot be made: {error.strerror}", file=folder) from None
    return [
        render(timeline, animation, view, t, folder / f"{view}{ending}", size=size, theme=theme, scale=scale,
               selection=selection)
        for view in VIEWS
    ]  # fmt: skip


def paint_view(
    p: QPainter,
    rect: QRectF,
    timeline: Timeline,
    animation: Animation | None,
    view: str,
    t: float | None,
    theme: Theme,
    *,
    selection: Selection = NOTHING,
    bar: bool = True,
    **options: Any,
) -> None:
    """Paint one view into ``rect`` with a painter that is already begun (and stays so)."""
    known = VIEWS[_known(view)]
    drawn = animation_for(timeline.trace) if animation is None else animation
    frame = known.module.frame(timeline, _moment(timeline, t), selection, animation=drawn, **options)
    painter = known.painter(theme)
    p.save()
    try:
        p.setRenderHint(QPainter.RenderHint.Antialiasing)
        p.fillRect(rect, theme.color("surface.panel"))
        body = QRectF(rect)
        if bar:
            height = BAR * theme.px("small") / 12
            body.setTop(rect.top() + height)
            _bar(p, QRectF(rect.left(), rect.top(), rect.width(), height), theme, known.title, frame.title)
        p.setClipRect(body)
        painter.paint(p, body, frame)
    finally:
        p.restore()


def _bar(p: QPainter, rect: QRectF, theme: Theme, name: str, title: str) -> None:
    """The line above a view: its name and what it says in numbers."""
    ink = Ink(theme)
    p.fillRect(rect, theme.color("surface.header"))
    p.setPen(QPen(theme.color("border.subtle"), 1))
    p.drawLine(QPointF(rect.left(), rect.bottom() - 0.5), QPointF(rect.right(), rect.bottom() - 0.5))
    inner = rect.adjusted(12, 0, -12, 0)
    wide = ink.text(p, inner, name, "body", "text.primary", semibold=True)
    ink.text(p, inner.adjusted(wide + 10, 0, 0, 0), title, "small", "text.secondary")


def ensure_application() -> QGuiApplication:
    """The running Qt application, or one made for drawing; without a display it draws off the screen.

    Raises:
        BadInput: if Qt cannot start.
    """
    running = QGuiApplication.instance()
    if isinstance(running, QGuiApplication):
        return running
    if running is not None:
        raise BadInput("pictures need a QGuiApplication, and a QCoreApplication without graphics is running already")
    display = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if sys.platform.startswith("linux") and not display:
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    _kept.append(QGuiApplication([sys.argv[0] if sys.argv else "lydian"]))
    return _kept[-1]


#: An application that nobody holds is deleted at once.
_kept: list[QGuiApplication] = []


def _known(view: str) -> str:
    if view not in VIEWS:
        raise BadInput(f"there is no view '{view}'{did_you_mean(view, VIEWS)}; there is: {', '.join(VIEWS)}")
    return view


def _sane(size: tuple[int, int], scale: float) -> tuple[tuple[int, int], float]:
    width, height = (int(side) for side in size)
    if not 0 < scale <= 16:
        raise BadInput(f"the scale of a picture lies above 0 and is at most 16, not {scale:g}")
    if min(width, height) < 16 or max(width, height) * scale > LARGEST:
        raise BadInput(f"a picture has 16 to {LARGEST} pixels each way, not {width * scale:g} x {height * scale:g}")
    return (width, height), float(scale)


def _theme(theme: str | Theme) -> Theme:
    if isinstance(theme, Theme):
        return theme
    if theme not in ("light", "dark"):
        raise BadInput(f"there is no theme '{theme}'{did_you_mean(theme, ('light', 'dark'))}; there is: light, dark")
    return Theme(theme)


def _moment(timeline: Timeline, t: float | None) -> float:
    """A time of the execution; ``None`` and what lies after the end are its end."""
    if t is None:
        return timeline.end
    if t != t:
        raise BadInput("the time of a picture is a number, not NaN")
    # before 0 is the moment before whatever happens at time 0
    return min(max(float(t), math.nextafter(0.0, -1.0)), timeline.end)


def _png(
    timeline: Timeline,
    animation: Animation | None,
    view: str,
    t: float,
    size: tuple[int, int],
    theme: Theme,
    selection: Selection,
    bar: bool,
    options: Mapping[str, Any],
    scale: float,
) -> bytes:
    pixels = QSize(max(1, round(size[0] * scale)), max(1, round(size[1] * scale)))
    image = QImage(pixels, QImage.Format.Format_ARGB32_Premultiplied)
    if image.isNull():
        raise BadInput(f"there is no memory for a picture of {pixels.width()} x {pixels.height()} pixels")
    image.setDevicePixelRatio(scale)
    image.fill(theme.color("surface.panel"))
    p = QPainter(image)
    try:
        rect = QRectF(0, 0, *size)
        paint_view(p, rect, timeline, animation, view, t, theme, selection=selection, bar=bar, **options)
    finally:
        p.end()
    image.setText("Title", _caption(timeline, view, t))
    with _buffer() as buffer:
        if not image.save(buffer, "PNG"):  # type: ignore[call-overload]  # the stub wants bytes, the binding str
            raise BadInput("the picture could not be encoded as PNG")
        return bytes(buffer.data().data())


def _svg(
    timeline: Timeline,
    animation: Animation | None,
    view: str,
    t: float,
    size: tuple[int, int],
    theme: Theme,
    selection: Selection,
    bar: bool,
    options: Mapping[str, Any],
) -> bytes:
    with _buffer() as buffer:
        generator = QSvgGenerator(QSvgGenerator.SvgVersion.Svg11)  # the tiny profile knows no clipping
        generator.setOutputDevice(buffer)
        generator.setSize(QSize(*size))
        generator.setViewBox(QRect(0, 0, *size))
        generator.setResolution(96)
        generator.setTitle(_caption(timeline, view, t))
        generator.setDescription("drawn by LYDIAN")
        p = QPainter()
        if not p.begin(generator):
            raise BadInput("the picture could not be begun as SVG")
        try:
            rect = QRectF(QPointF(0, 0), QSizeF(*size))
            paint_view(p, rect, timeline, animation, view, t, theme, selection=selection, bar=bar, **options)
        finally:
            p.end()
        return bytes(buffer.data().data())


@contextlib.contextmanager
def _buffer() -> Iterator[QBuffer]:
    store = QByteArray()
    buffer = QBuffer(store)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    try:
        yield buffer
    finally:
        buffer.close()


def _caption(timeline: Timeline, view: str, t: float) -> str:
    """What a file says about itself: protocol, view and time."""
    title = timeline.trace.summary.get("protocol_title") or timeline.trace.experiment.get("protocol") or "execution"
    return f"{title}: {VIEWS[view].title} at time {max(t, 0.0):.4g}"


def _write(path: Path, data: bytes) -> None:
    """Write beside the file and put it in place at once, so that nobody ever sees half a picture."""
    place: str | None = None
    try:
        handle, place = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        # mkstemp gives a file that only its owner may read; a picture is like any other file
        mask = os.umask(0)
        os.umask(mask)
        Path(place).chmod(0o666 & ~mask)
        Path(place).replace(path)
    except OSError as error:
        if place is not None:
            Path(place).unlink(missing_ok=True)
        raise BadInput(f"the picture cannot be written: {error.strerror or error}", file=path) from None
