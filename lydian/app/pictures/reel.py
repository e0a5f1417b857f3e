"""Frames encoded as a movie file, with PyAV: H.264 in MP4, or an animated GIF with one palette for all its frames."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lydian.language import tr
from lydian.model.errors import BadInput
from lydian.sound.voices import RATE, Samples

if TYPE_CHECKING:
    from av import VideoFrame

__all__ = ["CODECS", "Gif", "Mp4"]

Pixels = NDArray[np.uint8]
#: Encoders for MP4, the best first, with their options for sharp letters and flat colours. Browsers play the first two;
#: a build of the library without them can still write what players on the desktop show.
CODECS: dict[str, dict[str, str]] = {
    "libx264": {"crf": "18", "preset": "medium", "tune": "animation", "profile": "high"},
    "libvpx-vp9": {"crf": "24", "b": "0", "deadline": "good", "cpu-used": "4", "row-mt": "1"},
    "mpeg4": {"qmin": "2", "qmax": "4"},
}
#: The samples of one packet of AAC.
_PACKET = 1_024
#: The time for which the last frame of a GIF stays before the GIF repeats, in hundredths of a second.
REST = 150


class Mp4:
    """An MP4 file being written.

    Args:
        path: the file to write, whatever its ending.
        size: width and height in pixels, both even.
        fps: frames per second.
        title: the title in the file's metadata.
        sound: the sound, (samples, 2), as from :func:`lydian.sound.recording.soundtrack`; ``None`` for a silent movie.
    """

    #: Whether colours are chosen from samples before the first frame.
    palette = False

    def __init__(self, path: Path, size: tuple[int, int], fps: int, title: str, sound: Samples | None = None) -> None:
        import av

        codec = next((name for name in CODECS if name in av.codecs_available), None)
        if codec is None:
            codecs = ", ".join(CODECS)
            raise BadInput(tr("this build of PyAV has no encoder for MP4 ({codecs}); choose .gif", codecs=codecs))
        # With the index at the front, a browser starts to play before it has the whole file.
        self._file = av.open(str(path), "w", format="mp4", options={"movflags": "+faststart"})
        self._file.metadata.update({"title": title, "comment": "drawn by LYDIAN"})
        stream: Any = self._file.add_stream(codec, rate=fps, options=dict(CODECS[codec]))
        stream.width, stream.height = size
        stream.pix_fmt = "yuv420p"
        self._beat = Fraction(1, fps)  # The stream's own time base changes once its header is written.
        context = stream.codec_context
        context.gop_size = 2 * fps  # A player's slider finds a whole picture every two seconds.
        context.colorspace, context.color_range = 1, 1  # BT.709, 16 to 235, as screens expect
        context.color_primaries, context.color_trc = 1, 1
        self._stream, self._fps = stream, fps
        self._sound, self._heard = sound, 0  # the samples that have been written
        self._track: Any = None
        if sound is not None:
            self._track = self._file.add_stream("aac", rate=RATE, layout="stereo")
            self._track.bit_rate = 160_000

    def sample(self, pixels: Pixels) -> None:
        """Do nothing: no colours need to be chosen."""

    def _hear(self, upto: int) -> None:
        """Write the sound up to a sample, so that a player finds it beside the frames of the same time."""
        import av

        assert self._sound is not None
        while self._heard < min(upto, len(self._sound)):
            part = self._sound[self._heard : self._heard + _PACKET]
            frame = av.AudioFrame.from_ndarray(np.ascontiguousarray(part.T), format="fltp", layout="stereo")
            frame.sample_rate, frame.pts, frame.time_base = RATE, self._heard, Fraction(1, RATE)
            self._heard += len(part)
            self._file.mux(self._track.encode(frame))

    def add(self, pixels: Pixels, number: int) -> None:
        """Add frame ``number``, as rows of blue, green, red and an unused byte."""
        frame = _frame(pixels).reformat(format="yuv420p", dst_colorspace="ITU709", dst_color_range="MPEG")
        frame.pts, frame.time_base = number, self._beat
        self._file.mux(self._stream.encode(frame))
        if self._sound is not None:
            self._hear(round((number + 1) / self._fps * RATE))

    def finish(self) -> None:
        """Write the frames that are still buffered, and the end of the sound."""
        if self._sound is not None:
            self._hear(len(self._sound))
            self._file.mux(self._track.encode(None))
        self._file.mux(self._stream.encode(None))
        self._file.close()

    def close(self) -> None:
        """Close the file, finished or not."""
        self._file.close()


class Gif:
    """An animated GIF being written; arguments as for :class:`Mp4`.

    All frames share one palette and none is dithered, so that still parts do not flicker.
    """

    palette = True

    def __init__(self, path: Path, size: tuple[int, int], fps: int, title: str) -> None:
        import av

        self._size, self._fps, self._mapper = size, fps, None
        self._chooser = _Chooser(size)
        self._file = av.open(str(path), "w", format="gif", options={"loop": "0", "final_delay": str(REST)})
        stream: Any = self._file.add_stream("gif", rate=100)
        stream.width, stream.height = size
        stream.pix_fmt = "pal8"
        self._stream = stream

    _mapper: _Mapper | None

    def sample(self, pixels: Pixels) -> None:
        """Add a sample, a frame like those to come."""
        self._chooser.add(pixels)

    def add(self, pixels: Pixels, number: int) -> None:
        """Add frame ``number``, after all samples."""
        if self._mapper is None:
            self._mapper = _Mapper(self._size, self._chooser.palette())
        frame = self._mapper.mapped(pixels, number)
        # A GIF counts in hundredths of a second; rounding each frame's time keeps the whole in step.
        frame.pts, frame.time_base = round(number * 100 / self._fps), Fraction(1, 100)
        self._file.mux(self._stream.encode(frame))

    def finish(self) -> None:
        """Write the frames that are still buffered."""
        self._file.mux(self._stream.encode(None))
        self._file.close()

    def close(self) -> None:
        """Close the file, finished or not."""
        self._file.close()


class _Chooser:
    """The choice of the palette that suits all samples best."""

    def __init__(self, size: tuple[int, int]) -> None:
        self._graph, self._sources, self._count = *_graph([size], "palettegen", "stats_mode=full"), 0

    def add(self, pixels: Pixels) -> None:
        frame = _frame(pixels)
        frame.pts, frame.time_base = self._count, Fraction(1, 100)
        self._count += 1
        self._sources[0].push(frame)

    def palette(self) -> VideoFrame:
        self._sources[0].push(None)
        return _frame(self._graph.vpull().to_ndarray(format="bgra"))


class _Mapper:
    """The conversion of each pixel to the nearest colour of a palette."""

    def __init__(self, size: tuple[int, int], palette: VideoFrame) -> None:
        self._graph, self._sources = _graph([size, (palette.width, palette.height)], "paletteuse", "dither=none")
        palette.pts, palette.time_base = 0, Fraction(1, 100)
        self._sources[1].push(palette)
        self._sources[1].push(None)

    def mapped(self, pixels: Pixels, number: int) -> VideoFrame:
        frame = _frame(pixels)
        frame.pts, frame.time_base = number, Fraction(1, 100)
        self._sources[0].push(frame)
        return self._graph.vpull()


def _graph(sizes: list[tuple[int, int]], name: str, options: str) -> tuple[Any, list[Any]]:
    """Return a graph with a filter and its inputs: the graph to pull from and the sources to push to."""
    import av.filter

    graph = av.filter.Graph()
    sources = [
        graph.add_buffer(width=width, height=height, format=av.VideoFormat("bgra"), time_base=Fraction(1, 100))
        for width, height in sizes
    ]
    middle, sink = graph.add(name, options), graph.add("buffersink")
    for number, source in enumerate(sources):
        source.link_to(middle, 0, number)
    middle.link_to(sink)
    graph.configure()
    return graph, sources


def _frame(pixels: Pixels) -> VideoFrame:
    import av

    return av.VideoFrame.from_ndarray(pixels, format="bgra")
