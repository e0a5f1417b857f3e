"""A run as a movie: an MP4 that every browser plays, or an animated GIF that repeats.

A frame is a picture of the views at one moment, so a movie is a series of
:func:`lydian.app.pictures.render.paint_views` at evenly spaced times. :func:`filming` makes one frame in each step; its
caller may show the progress, or stop.
"""

from __future__ import annotations

import contextlib
import math
import os
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, QSizeF
from PySide6.QtGui import QImage, QPainter

from lydian.app.look.theme import Theme
from lydian.app.pictures.picturefile import beside, ending_of
from lydian.app.pictures.reel import Gif, Mp4
from lydian.app.pictures.render import caption, ensure_application, paint_shots, shots_of, theme_of
from lydian.app.pictures.shot import Shot, fading, flown, followed
from lydian.language import tr
from lydian.model.errors import BadInput
from lydian.model.extras import extra
from lydian.pieces.animation import Animation
from lydian.sound.flown import soundtrack_of_flight
from lydian.sound.recording import soundtrack
from lydian.sound.score import TAIL
from lydian.sound.space import Listener
from lydian.trace.timeline import Timeline
from lydian.views import registry
from lydian.views.selection import NOTHING, Selection
from lydian.views.world.flights import Flight

__all__ = ["FORMATS", "LARGEST", "MAX_SECONDS", "film", "filming", "moments"]

Pixels = NDArray[np.uint8]
#: Ending of the file name -> the default and the largest number of frames per second.
FORMATS: Mapping[str, tuple[int, int]] = {".mp4": (30, 120), ".gif": (12, 50)}
#: The largest width and height of a movie in pixels: browsers and projectors play it without a graphics card.
LARGEST = 4096
#: The longest movie without an explicit larger limit, in seconds.
MAX_SECONDS = 600.0
#: The number of frames from which the colours of a GIF are chosen.
SAMPLES = 12


def film(
    timeline: Timeline,
    animation: Animation | None,
    view: str | Iterable[str],
    path: str | os.PathLike[str],
    *,
    progress: Callable[[float], bool] | None = None,
    **words: Any,
) -> Path | None:
    """Write a run as a movie and return its path; return ``None``, without a file, if it was stopped.

    Args:
        progress: called with the share that is done (0 to 1); the movie is stopped if it returns ``False``.
        words: as for :func:`filming`.

    Raises:
        BadInput: as :func:`filming`.
    """
    with contextlib.closing(filming(timeline, animation, view, path, **words)) as steps:
        for share in steps:
            if progress is not None and not progress(share):
                return None
    return Path(path)


def filming(
    timeline: Timeline,
    animation: Animation | None,
    view: str | Iterable[str] | Sequence[Shot],
    path: str | os.PathLike[str],
    *,
    speed: float = 1.0,
    fps: int | None = None,
    size: tuple[int, int] = (1280, 800),
    scale: float = 1.0,
    theme: str | Theme = "light",
    letters: float | None = None,
    start: float | None = None,
    end: float | None = None,
    max_seconds: float = MAX_SECONDS,
    selection: Selection = NOTHING,
    bar: bool = True,
    options: Mapping[str, Mapping[str, Any]] | None = None,
    sound: bool = False,
    listener: Listener | None = None,
    flight: Flight | None = None,
) -> Generator[float, None, None]:
    """Return the steps of writing a movie: each ``next`` paints one frame and yields the share that is done, finally 1.

    The file is in its place when the steps are used up. Closing the generator earlier leaves no file.

    Args:
        animation: how to draw the protocol; its own animation if ``None``.
        view: one of the names in :mod:`lydian.views.registry`, several separated by commas (in tiles), or ``"all"``; or
            shots, each with options and a camera of its own.
        path: the file; its ending determines the format.
        speed: units of simulated time in a second of the movie.
        fps: frames per second, by default 30 for MP4 and 12 for GIF.
        size: in units of the screen; ``scale`` is pixels per unit. An MP4 has an even number of pixels each way.
        start: simulated time of the first frame, by default 0; ``end`` that of the last, by default the run's.
        letters: size of the text and of the elements with text, relative to that of the theme; 0.8 to 2.5.
        max_seconds: a longer movie is refused.
        options: view -> the options for its ``frame``.
        sound: whether an MP4 contains the sound of the run, which rings out after the last frame.
        listener: who hears it; someone in front of the network by default.
        flight: a guided flight, which gives the times and the length of the movie and the camera of the view World.

    Raises:
        BadInput: before the first step: sound in a GIF, unknown view, ending or theme, a size, time, speed or number of
            frames that is not allowed, a movie that would be too long; later: the file cannot be written.
    """
    path = Path(path)
    ending = ending_of(path, tuple(FORMATS), "movie")
    if path.is_dir():
        raise BadInput(tr("this is a folder; choose a file name for the movie"), file=path)
    if sound and ending != ".mp4":
        raise BadInput(tr("a GIF has no sound; choose a file name that ends in .mp4"), file=path)
    usual, most = FORMATS[ending]
    fps = usual if fps is None else fps
    if not 1 <= fps <= most or fps != int(fps):
        raise BadInput(
            tr(
                "a movie in {ending} must have 1 to {most} frames per second (a whole number), not {rate:g}",
                ending=ending,
                most=most,
                rate=fps,
            ),
            file=path,
        )
    pixels = _pixels(size, scale, ending)
    shots = _shots(view, options, speed)
    look = theme_of(theme)
    if letters is not None:
        if not 0.8 <= letters <= 2.5:
            raise BadInput(
                tr("the size of letters must be 0.8 to 2.5 times the default, not {size:g} times", size=letters)
            )
        look = look.but(scale=letters)
    if flight is None:
        times = moments(timeline.end, start=start, end=end, speed=speed, fps=int(fps), max_seconds=max_seconds)
    else:  # a flight is played by its own seconds
        times = moments(flight.length, fps=int(fps), max_seconds=max_seconds)
    _needed()
    ensure_application()
    painters: dict[int, Any] = {}

    def paint(t: float) -> Pixels:
        image = QImage(*pixels, QImage.Format.Format_RGB32)
        if image.isNull():
            raise BadInput(
                tr("not enough memory for a picture of {width} x {height} pixels", width=pixels[0], height=pixels[1])
            )
        image.setDevicePixelRatio(scale)
        image.fill(look.color("surface.panel"))
        p = QPainter(image)
        try:
            rect, now, chosen = QRectF(QPointF(0, 0), QSizeF(*size)), shots, selection
            if flight is not None:
                now, t, chosen = flown(shots, flight, t, timeline, selection)
            now = [followed(shot, timeline, t) for shot in now]
            paint_shots(p, rect, timeline, animation, now, t, look, selection=chosen, bar=bar, painters=painters)
        finally:
            p.end()
        return np.frombuffer(image.constBits(), np.uint8).reshape(pixels[1], pixels[0], 4).copy()

    title = caption(timeline, [shot.view for shot in shots])
    if ending != ".mp4":
        return _steps(path, paint, times, lambda part: Gif(part, pixels, int(fps), title))
    heard = None
    if sound and flight is not None:
        heard = soundtrack_of_flight(timeline, flight, animation)
    elif sound:
        low, high = float(times[0]), float(times[-1])
        seconds = len(times) / fps + (TAIL if high >= timeline.end else 0.0)
        heard = soundtrack(
            timeline, seconds, animation=animation, listener=listener, start=low, end=high, speed=speed
        )  # fmt: skip
    return _steps(path, paint, times, lambda part: Mp4(part, pixels, int(fps), title, heard))


def _shots(
    view: str | Iterable[str] | Sequence[Shot], options: Mapping[str, Mapping[str, Any]] | None, speed: float
) -> list[Shot]:
    """Return the shots to paint in every frame; changes of state fade as they do on the screen."""
    asked: list[Any] = [view] if isinstance(view, str) else list(view)
    if asked and all(isinstance(one, Shot) for one in asked):
        shots = asked
    else:
        shots = list(shots_of(registry.views_of(view), options))  # type: ignore[arg-type]
    if not 0 < speed < math.inf:
        return shots  # an unknown view is refused later
    return [replace(s, options={**fading(registry.view(s.view), speed), **s.options}) for s in shots]


def moments(
    last: float,
    *,
    start: float | None = None,
    end: float | None = None,
    speed: float = 1.0,
    fps: int = 30,
    max_seconds: float = MAX_SECONDS,
) -> NDArray[np.float64]:
    """Return the simulated time of each frame: evenly spaced from ``start``, with the last one exactly at ``end``.

    Args:
        last: the end of the run; it is the default of ``end`` and its upper limit.

    Raises:
        BadInput: the times are out of order or not numbers, or the movie would take more than ``max_seconds``.
    """
    if not 0 < speed < math.inf:
        raise BadInput(
            tr("the speed of a movie must be a positive number of time units per second, not {speed:g}", speed=speed)
        )
    if not 0 < max_seconds < math.inf:
        raise BadInput(
            tr(
                "the longest duration of a movie must be a positive number of seconds, not {seconds:g}",
                seconds=max_seconds,
            )
        )
    first, final = (0.0 if start is None else float(start)), (last if end is None else float(end))
    if math.isnan(first) or math.isnan(final):
        raise BadInput(tr("the times of a movie must be numbers, not NaN"))
    first, final = max(first, 0.0), min(final, last)
    if first > last:
        raise BadInput(tr("the run ends at {end:.6g}, so a movie cannot start at {start:.6g}", end=last, start=first))
    if first > final:
        raise BadInput(
            tr("a movie from {start:.6g} to {end:.6g} would run backwards; swap the two times", start=first, end=final)
        )
    seconds = (final - first) / speed
    if seconds > max_seconds:
        least = float(f"{(final - first) / max_seconds:.2g}") * 1.1
        raise BadInput(
            tr(
                "the movie would take {seconds:.5g} seconds, but at most {most:g} are allowed; "
                "choose a higher speed, such as {speed:.2g}, or allow more seconds",
                seconds=seconds,
                most=max_seconds,
                speed=least,
            )
        )
    # A tiny rounding error must not add a frame.
    count = math.ceil(seconds * fps - 1e-9)
    times = first + np.arange(count + 1) * (speed / fps)
    times[-1] = final
    return np.minimum(times, final)


def _pixels(size: tuple[int, int], scale: float, ending: str) -> tuple[int, int]:
    if not 0 < scale <= 16:
        raise BadInput(tr("the scale of a movie must be above 0 and at most 16, not {scale:g}", scale=scale))
    width, height = (round(side * scale) for side in size)
    if min(width, height) < 16 or max(width, height) > LARGEST:
        raise BadInput(
            tr(
                "a movie must have 16 to {most} pixels each way, not {width} x {height}",
                most=LARGEST,
                width=width,
                height=height,
            )
        )
    if ending == ".mp4" and (width % 2 or height % 2):
        even = f"{width + width % 2} x {height + height % 2}"
        raise BadInput(
            tr(
                "an MP4 must have an even number of pixels each way: {even}, not {width} x {height}",
                even=even,
                width=width,
                height=height,
            )
        )
    return width, height


def _needed() -> None:
    try:
        with extra("movies", tr("a movie needs PyAV")):
            import av  # noqa: F401
    except ImportError as error:
        raise BadInput(
            tr("movies need PyAV ({reason}); run lydian doctor to see how to install it", reason=error)
        ) from None


def _steps(
    path: Path, paint: Callable[[float], Pixels], times: NDArray[np.float64], open_reel: Callable[[Path], Mp4 | Gif]
) -> Generator[float, None, None]:
    with (
        beside(path, "movie") as part,
        contextlib.closing(open_reel(part)) as reel,
        ThreadPoolExecutor(1, thread_name_prefix="lydian-movie") as encoder,
    ):
        wanted = SAMPLES if reel.palette else 0
        chosen = np.unique(np.linspace(0, len(times) - 1, wanted).round().astype(np.int64))
        steps = len(times) + len(chosen)
        for done, index in enumerate(chosen, 1):
            reel.sample(paint(times[index]))
            yield done / steps
        under_way: Future[None] | None = None
        for number, t in enumerate(times):
            frame = paint(t)
            if under_way is not None:
                under_way.result()  # One frame is encoded while the next is painted.
            under_way = encoder.submit(reel.add, frame, number)
            if number == len(times) - 1:
                under_way.result()
            yield (len(chosen) + number + 1) / steps
        reel.finish()
