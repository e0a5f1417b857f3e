"""The options of a movie, and estimates of its duration and of the size of its file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from lydian.app.pictures.movie import FORMATS
from lydian.language import tr
from lydian.model.errors import BadInput
from lydian.views.registry import names

__all__ = ["SIZES", "MovieWish"]

#: The sizes that are offered, in pixels.
SIZES: Mapping[str, tuple[int, int]] = {
    tr("1280 x 720 (slides, web)"): (1280, 720),
    tr("1920 x 1080 (projector)"): (1920, 1080),
    tr("1080 x 1080 (square)"): (1080, 1080),
}
#: Bytes per pixel of a still picture, and per pixel that changes from frame to frame, in the files of this program;
#: measured on runs of ECHO in all views, both themes and three sizes.
_STILL: Mapping[str, float] = {".mp4": 0.05, ".gif": 0.055}
_MOVING: Mapping[str, float] = {".mp4": 0.0014, ".gif": 0.011}
#: Bytes per second of sound.
_SOUND = 20_000


@dataclass(frozen=True)
class MovieWish:
    """The options of a movie.

    Attributes:
        views: names of views; if empty, the views that are shown in the window.
        span: ``whole`` run, the ``loop``, a ``part`` from ``start`` to ``end``, or the guided ``flight``.
        pace: ``now`` as it plays in the window, ``speed`` (``speed`` units of time a second) or ``seconds`` for all.
        fps: frames per second, 0 for the default of the kind.
        size: in pixels.
        theme: ``now``, ``light`` or ``dark``.
        letters: size of letters, 0.8 to 2.5; 0 as in the window.
        kind: ``.mp4`` or ``.gif``.
        sound: whether an MP4 contains the sound of the run.
    """

    views: tuple[str, ...] = ()
    span: str = "whole"
    start: float = 0.0
    end: float = 0.0
    pace: str = "now"
    speed: float = 1.0
    seconds: float = 30.0
    fps: int = 0
    size: tuple[int, int] = (1280, 720)
    theme: str = "now"
    letters: float = 0.0
    kind: str = ".mp4"
    sound: bool = False

    def times(self, last: float, loop: tuple[float, float] | None) -> tuple[float, float]:
        """Return the simulated times of the first and the last frame for a run that ends at ``last``."""
        low, high = {"loop": loop or (0.0, last), "part": (self.start, self.end)}.get(self.span, (0.0, last))
        return max(low, 0.0), min(high, last)

    def units(self, last: float, loop: tuple[float, float] | None, now: float) -> float:
        """Return the units of simulated time in a second; ``now`` is the speed of the window.

        Raises:
            BadInput: the duration is not positive.
        """
        if self.pace != "seconds":
            return now if self.pace == "now" else self.speed
        if not self.seconds > 0:
            raise BadInput(
                tr("the duration of a movie must be more than 0 seconds, not {seconds:g}", seconds=self.seconds)
            )
        low, high = self.times(last, loop)
        return (high - low) / self.seconds if high > low else 1.0

    def frames_a_second(self) -> int:
        """The number of frames per second."""
        return self.fps or FORMATS[self.kind][0]

    def bytes(self, seconds: float, views: int) -> float:
        """Estimate the size of the file: a still picture every two seconds, and the moving parts."""
        pixels = self.size[0] * self.size[1]
        frames = seconds * self.frames_a_second() + 1
        whole = 1 + (seconds / 2 if self.kind == ".mp4" else 0)
        still = _STILL[self.kind] * (0.7 + 0.3 * views)
        heard = _SOUND * seconds if self.sound and self.kind == ".mp4" else 0.0
        return pixels * (still * whole + _MOVING[self.kind] * (0.6 + 0.4 * views) * frames) + heard

    def record(self) -> dict[str, Any]:
        """Return the options as JSON values."""
        return asdict(self)

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> MovieWish:
        """Return the options from a result of :meth:`record`; values that are not allowed become the defaults."""
        wish = cls()
        good: dict[str, Any] = {}
        for each in fields(cls):
            given, usual = record.get(each.name), getattr(wish, each.name)
            if isinstance(usual, tuple) and isinstance(given, list):
                given = tuple(given)
            allowed = _ALLOWED.get(each.name)
            if isinstance(usual, float) and isinstance(given, int) and not isinstance(given, bool):
                given = float(given)
            if type(given) is type(usual) and (allowed is None or allowed(given)):
                good[each.name] = given
        return cls(**good)


_ALLOWED: dict[str, Any] = {
    "views": lambda value: all(view in names() for view in value),
    "span": lambda value: value in ("whole", "part"),  # A loop belongs to one run, so it is not kept.
    "pace": lambda value: value in ("now", "speed", "seconds"),
    "speed": lambda value: 0 < value < 1e9,
    "seconds": lambda value: 0 < value < 1e6,
    "fps": lambda value: 0 <= value <= 120,
    "size": lambda value: len(value) == 2 and all(isinstance(side, int) and 16 <= side <= 4096 for side in value),
    "theme": lambda value: value in ("now", "light", "dark"),
    "letters": lambda value: value == 0 or 0.8 <= value <= 2.5,
    "kind": lambda value: value in FORMATS,
}
