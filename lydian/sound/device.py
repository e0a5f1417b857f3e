"""The sound device of the computer, by the library miniaudio; without a device nothing is heard and nothing fails."""

from __future__ import annotations

from collections.abc import Callable, Generator

from lydian.language import tr
from lydian.model.errors import BadInput
from lydian.model.extras import extra
from lydian.sound.voices import RATE, Samples

__all__ = ["Read", "open_device"]

#: A function that returns the next samples, (count, 2); the device calls it in a thread of its own.
Read = Callable[[int], Samples]
#: The length of the device's buffer in milliseconds.
BUFFER = 40


def open_device(read: Read) -> Callable[[], None] | None:
    """Play what ``read`` returns from now on; return a function that ends this, or ``None`` if there is no device.

    Raises:
        BadInput: the library is missing or cannot be loaded.
    """
    try:
        with extra("sound", tr("sound needs miniaudio")):
            import miniaudio
    except (ImportError, OSError) as error:
        raise BadInput(tr("sound needs miniaudio, which cannot be loaded ({reason})", reason=error)) from None
    try:
        device = miniaudio.PlaybackDevice(
            output_format=miniaudio.SampleFormat.FLOAT32, nchannels=2, sample_rate=RATE, buffersize_msec=BUFFER,
            app_name="LYDIAN",
        )  # fmt: skip
    except miniaudio.MiniaudioError:
        return None
    blocks = _blocks(read)
    next(blocks)
    try:
        device.start(blocks)
    except miniaudio.MiniaudioError:
        device.close()
        return None
    return device.close  # type: ignore[no-any-return]


def _blocks(read: Read) -> Generator[bytes, int, None]:
    """Yield the bytes of as many samples as the device asks for."""
    count = yield b""
    while True:
        count = yield read(count).tobytes()
