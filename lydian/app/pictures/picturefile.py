"""A picture as a file: encoded as PNG, SVG or PDF, and written so that a half-written file is never visible."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMarginsF, QRect, QSize, QSizeF
from PySide6.QtGui import QColor, QImage, QPageSize, QPainter, QPdfWriter
from PySide6.QtSvg import QSvgGenerator

from lydian.language import tr
from lydian.model.errors import BadInput

__all__ = ["beside", "ending_of", "pdf", "png", "svg"]

#: Kind of file -> the sentence that says why it cannot be written.
_UNWRITTEN = {
    "movie": tr("the movie cannot be written: {reason}"),
    "picture": tr("the picture cannot be written: {reason}"),
    "plot": tr("the plot cannot be written: {reason}"),
    "report": tr("the report cannot be written: {reason}"),
}
#: Kind of file -> the sentence that refuses its name.
_MISNAMED = {
    "movie": tr("the name of a movie must end in {endings} or {last}; found {ending}"),
    "picture": tr("the name of a picture must end in {endings} or {last}; found {ending}"),
    "plot": tr("the name of a plot must end in {endings} or {last}; found {ending}"),
    "report": tr("the name of a report must end in {endings} or {last}; found {ending}"),
}

#: The dots per inch of a PDF, fine enough to place letters exactly; a unit of the screen is 1/96 inch.
DOTS = 1200


def ending_of(path: Path, endings: Sequence[str], kind: str) -> str:
    """Return the ending of a file's name, in small letters.

    Args:
        endings: the possible ones, at least two.
        kind: ``movie``, ``picture``, ``plot`` or ``report``.

    Raises:
        BadInput: it is none of these.
    """
    ending = path.suffix.lower()
    if ending not in endings:
        *others, last = endings
        found = f"'{path.suffix}'" if path.suffix else tr("no extension")
        raise BadInput(_MISNAMED[kind].format(endings=", ".join(others), last=last, ending=found), file=path)
    return ending


def png(
    paint: Callable[[QPainter], None], size: tuple[int, int], title: str, *, scale: float, background: QColor
) -> bytes:
    """Return a PNG of ``size`` units with ``scale`` pixels each."""
    pixels = QSize(max(1, round(size[0] * scale)), max(1, round(size[1] * scale)))
    image = QImage(pixels, QImage.Format.Format_ARGB32_Premultiplied)
    if image.isNull():
        raise BadInput(
            tr(
                "not enough memory for a picture of {width} x {height} pixels",
                width=pixels.width(),
                height=pixels.height(),
            )
        )
    image.setDevicePixelRatio(scale)
    image.fill(background)
    p = QPainter(image)
    try:
        paint(p)
    finally:
        p.end()
    image.setText("Title", title)
    dots = round(scale * 96 / 0.0254)  # so that it is as large on paper as on the screen
    image.setDotsPerMeterX(dots)
    image.setDotsPerMeterY(dots)
    with _buffer() as buffer:
        if not image.save(buffer, "PNG"):  # type: ignore[call-overload]  # the stub wants bytes, the binding str
            raise BadInput(tr("the picture could not be encoded as PNG"))
        return bytes(buffer.data().data())


def svg(paint: Callable[[QPainter], None], size: tuple[int, int], title: str) -> bytes:
    """Return a drawing in vectors, with its text as text."""
    with _buffer() as buffer:
        generator = QSvgGenerator(QSvgGenerator.SvgVersion.Svg11)  # The tiny profile has no clipping.
        generator.setOutputDevice(buffer)
        generator.setSize(QSize(*size))
        generator.setViewBox(QRect(0, 0, *size))
        generator.setResolution(96)
        generator.setTitle(title)
        generator.setDescription("drawn by LYDIAN")
        p = QPainter()
        if not p.begin(generator):
            raise BadInput(tr("the SVG file could not be written"))
        try:
            paint(p)
        finally:
            p.end()
        return bytes(buffer.data().data())


def pdf(paint: Callable[[QPainter], None], size: tuple[int, int], title: str) -> bytes:
    """Return one page in vectors, as large as the picture."""
    with _buffer() as buffer:
        writer = QPdfWriter(buffer)
        page = QSizeF(size[0] * 0.75, size[1] * 0.75)  # points: 72 per inch, where units are 96 per inch
        writer.setPageSize(QPageSize(page, QPageSize.Unit.Point, title, QPageSize.SizeMatchPolicy.ExactMatch))
        writer.setPageMargins(QMarginsF(0, 0, 0, 0))
        writer.setResolution(DOTS)
        writer.setTitle(title)
        writer.setCreator("LYDIAN")
        p = QPainter()
        if not p.begin(writer):
            raise BadInput(tr("the PDF file could not be written"))
        try:
            p.scale(DOTS / 96, DOTS / 96)
            paint(p)
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


@contextlib.contextmanager
def beside(path: Path, what: str) -> Iterator[Path]:
    """Yield a temporary file beside ``path``, and move it into place at the end; after an error no file is left.

    Raises:
        BadInput: the file, which contains a ``what`` of :data:`_UNWRITTEN` such as "picture", cannot be written.
    """
    part: Path | None = None
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
        os.close(handle)
        part = Path(name)
        yield part
        # mkstemp creates a file that only its owner may read; a picture has the usual permissions.
        mask = os.umask(0)
        os.umask(mask)
        part.chmod(0o666 & ~mask)
        part.replace(path)
    except OSError as error:
        raise BadInput(_UNWRITTEN[what].format(reason=error.strerror or error), file=path) from None
    finally:
        if part is not None:
            part.unlink(missing_ok=True)
