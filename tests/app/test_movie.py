"""Runs as movies: the frames read back are compared with pictures of the same moments."""

from __future__ import annotations

import math
import sys
from functools import cache
from pathlib import Path

import av
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import QImage, QImageReader

from lydian.app.pictures import reel
from lydian.app.pictures.movie import film, filming, moments
from lydian.app.pictures.render import render
from lydian.model.errors import BadInput
from lydian.pieces.animation import Animation
from lydian.pieces.changing import STATE_FADE
from lydian.sound.recording import soundtrack
from lydian.sound.score import TAIL
from lydian.sound.voices import RATE
from lydian.trace.timeline import Timeline
from lydian.views.registry import view
from lydian.views.selection import Selection
from tests.views.book import echo

pytestmark = pytest.mark.usefixtures("qapp")

LOOK = Animation(
    states={"sleeping": 0, "waiting": 2, "acked": 3, "initiating": 1, "finished": 1},
    messages={"Broadcast": 0, "Ack": 1},
)
SIZE = (320, 200)


@cache
def timeline() -> Timeline:
    return Timeline(echo())


def rgb(image: QImage) -> np.ndarray:
    image = image.convertToFormat(QImage.Format.Format_RGB888)
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
    return rows[:, : image.width() * 3].reshape(image.height(), image.width(), 3).astype(int)


def picture(t: float | None, folder: Path, view: str = "basic", **words: object) -> np.ndarray:
    return rgb(QImage(str(render(timeline(), LOOK, view, t, folder / "still.png", **{"size": SIZE, **words}))))


def frames_of(path: Path) -> list[np.ndarray]:
    with av.open(str(path)) as file:
        return [frame.to_ndarray(format="rgb24").astype(int) for frame in file.decode(video=0)]


def read_gif(path: Path) -> tuple[list[np.ndarray], list[int], int]:
    """Read a GIF with Qt: its frames, their durations in milliseconds, and the loop count (-1: for ever)."""
    reader = QImageReader(str(path))
    found, delays = [], []
    while not (image := reader.read()).isNull():
        found.append(rgb(image))
        delays.append(reader.nextImageDelay())
    return found, delays, reader.loopCount()


def apart(a: np.ndarray, b: np.ndarray) -> float:
    """Return the mean difference of two pictures, in levels of 256."""
    return float(np.abs(a - b).mean())


def blurred(picture: np.ndarray) -> np.ndarray:
    """Return means over 4 x 4 pixels: movies store colour more coarsely than brightness, as thin lines show."""
    height, width, _ = picture.shape
    return picture.reshape(height // 4, 4, width // 4, 4, 3).mean(axis=(1, 3))


# ---------------------------------------------------------------------- the moments of the frames


@given(
    last=st.floats(0, 1e4), share=st.floats(0, 1), speed=st.floats(0.01, 1e4), fps=st.integers(1, 60),
)  # fmt: skip
def test_frames_are_evenly_spaced_and_end_at_the_end(last: float, share: float, speed: float, fps: int) -> None:
    start = share * last
    if (last - start) / speed * fps > 1e5:
        return
    times = moments(last, start=start, speed=speed, fps=fps, max_seconds=1e9)
    assert (times[0], times[-1]) == (start, last) or (len(times) == 1 and times[0] == last)
    steps = np.diff(times)
    assert (steps >= 0).all()
    assert (steps <= speed / fps * (1 + 1e-6) + 1e-9 * last).all()
    assert np.allclose(steps[:-1], speed / fps)
    assert abs(len(times) - 1 - (last - start) / speed * fps) <= 1 + 1e-6


def test_moments_of_a_short_interval() -> None:
    assert moments(16.5, start=2, end=3, speed=1, fps=4).tolist() == [2, 2.25, 2.5, 2.75, 3]
    assert moments(16.5, start=2, end=3, speed=0.8, fps=2).tolist() == pytest.approx([2, 2.4, 2.8, 3])
    assert moments(16.5, start=16, end=1e9, speed=1, fps=2).tolist() == [16, 16.5]
    assert moments(0.0).tolist() == [0.0]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ({"speed": 0}, "the speed of a movie must be a positive number of time units per second, not 0"),
        ({"speed": math.inf}, "the speed of a movie must be a positive number"),
        ({"speed": math.nan}, "the speed of a movie must be a positive number"),
        ({"max_seconds": 0}, "the longest duration of a movie must be a positive number of seconds, not 0"),
        ({"start": math.nan}, "the times of a movie must be numbers, not NaN"),
        ({"start": 17}, "the run ends at 16.5, so a movie cannot start at 17"),
        ({"start": 5, "end": 4}, "a movie from 5 to 4 would run backwards"),
        ({"max_seconds": 10}, "the movie would take 16.5 seconds, but at most 10 are allowed; choose a higher speed"),
    ],
)
def test_invalid_moments_are_refused(words: dict[str, float], sentence: str) -> None:
    with pytest.raises(BadInput) as caught:
        moments(16.5, **words)
    assert sentence in str(caught.value)


def test_the_suggested_speed_is_sufficient() -> None:
    with pytest.raises(BadInput) as caught:
        moments(12345.0, max_seconds=7)
    told = float(str(caught.value).split("a higher speed, such as ")[1].split(",")[0])
    assert len(moments(12345.0, max_seconds=7, speed=told)) > 100


# ---------------------------------------------------------------------- the contents of the file


def test_mp4_has_the_right_frames_length_and_codec(tmp_path: Path) -> None:
    path = film(timeline(), LOOK, "basic", tmp_path / "run.mp4", speed=8, size=SIZE, start=1.0, end=7.0)
    assert path == tmp_path / "run.mp4"
    assert [file.name for file in tmp_path.iterdir()] == ["run.mp4"]
    with av.open(str(path)) as file:
        (video,) = file.streams.video
        context = video.codec_context
        assert (context.name, context.pix_fmt, context.width, context.height) == ("h264", "yuv420p", *SIZE)
        assert (video.average_rate, video.frames) == (30, 24)  # 6 units at 8 per second: 22.5 frames and the last
        assert float(video.duration * video.time_base) == pytest.approx(24 / 30)
        assert file.metadata["title"] == "Echo: Network"
        assert sum(1 for _ in file.decode(video)) == 24
    data = path.read_bytes()
    assert data.index(b"moov") < data.index(b"mdat"), "the index is at the front"


@pytest.mark.parametrize("view", ["basic", "causality", "step"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_mp4_frames_match_pictures(view: str, theme: str, tmp_path: Path) -> None:
    path = film(timeline(), LOOK, view, tmp_path / "run.mp4", speed=10, fps=5, size=SIZE, theme=theme)
    assert path is not None
    found = frames_of(path)
    for number, t in ((0, 0.0), (3, 6.0), (-1, None)):
        right = picture(t, tmp_path, view, theme=theme, **({"fade": STATE_FADE * 10} if view == "basic" else {}))
        assert apart(found[number], right) < 4
        assert apart(blurred(found[number]), blurred(right)) < 2.5
    first, last = picture(0.0, tmp_path, view, theme=theme), picture(None, tmp_path, view, theme=theme)
    assert apart(blurred(found[0]), blurred(first)) < apart(blurred(found[0]), blurred(last)) / 3
    assert apart(blurred(found[-1]), blurred(last)) < apart(blurred(found[-1]), blurred(first)) / 3


def test_gif_has_the_right_frames_and_length_and_loops(tmp_path: Path) -> None:
    path = film(timeline(), LOOK, "basic", tmp_path / "run.gif", speed=8, size=SIZE, start=1.0, end=7.0)
    assert path is not None
    found, delays, again = read_gif(path)
    assert len(found) == len(delays) == 10  # 0.75 seconds at 12 frames per second, and then the last
    assert again == -1
    assert sum(delays[:-1]) == pytest.approx(750, abs=10)
    assert set(delays[:-1]) <= {80, 90}
    assert delays[-1] == 1500, "the last frame stays a while"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_gif_frames_match_pictures(theme: str, tmp_path: Path) -> None:
    path = film(timeline(), LOOK, "basic", tmp_path / "run.gif", speed=10, fps=5, size=SIZE, theme=theme)
    assert path is not None
    found, _, _ = read_gif(path)
    for number, t in ((0, 0.0), (3, 6.0), (-1, None)):
        difference = np.abs(found[number] - picture(t, tmp_path, theme=theme, fade=STATE_FADE * 10))
        assert difference.mean() < 1
        assert difference.max() < 64


def test_gif_does_not_flicker(tmp_path: Path) -> None:
    """All frames share one palette, so an unchanged pixel keeps its colour."""
    path = film(timeline(), LOOK, "basic", tmp_path / "run.gif", speed=4, fps=4, start=4, end=8, size=SIZE)
    assert path is not None
    found, _, _ = read_gif(path)
    stills = [picture(4.0 + number, tmp_path, fade=STATE_FADE * 4) for number in range(5)]
    assert len(np.unique(np.concatenate([frame.reshape(-1, 3) for frame in found]), axis=0)) <= 256
    for number in range(4):
        still = (stills[number] == stills[number + 1]).all(axis=2)
        assert still.mean() > 0.8
        assert (found[number][still] == found[number + 1][still]).all()


def test_a_movie_of_one_moment_has_one_frame(tmp_path: Path) -> None:
    for ending in (".mp4", ".gif"):
        path = film(timeline(), LOOK, "basic", tmp_path / f"run{ending}", start=5, end=5, size=SIZE)
        assert path is not None
        (only,) = frames_of(path)
        assert apart(blurred(only), blurred(picture(5.0, tmp_path))) < 2.5


def test_scale_selection_and_options_reach_the_pictures(tmp_path: Path) -> None:
    chosen, words = Selection(processes=frozenset({5})), {"start": 5.0, "end": 5.0}
    path = film(
        timeline(), LOOK, "communication", tmp_path / "run.gif", size=SIZE, scale=2, selection=chosen, bar=False,
        options={"communication": {"what": "received"}}, **words,
    )  # fmt: skip
    assert path is not None
    wanted = {"size": SIZE, "scale": 2, "selection": chosen, "bar": False, "what": "received"}
    right = picture(5.0, tmp_path, "communication", **wanted)
    assert right.shape == (400, 640, 3)
    assert apart(frames_of(path)[0], right) < 1
    assert apart(frames_of(path)[0], picture(5.0, tmp_path, "communication", **{**wanted, "what": "bits"})) > 1


def test_without_x264_another_codec_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    others = dict(list(reel.CODECS.items())[1:])
    words = {"start": 4.0, "end": 6.0, "speed": 10.0, "size": SIZE}
    for codec, name in (("libvpx-vp9", "vp9"), ("mpeg4", "mpeg4")):
        monkeypatch.setattr(reel, "CODECS", dict(others))
        path = film(timeline(), LOOK, "basic", tmp_path / "run.mp4", **words)
        with av.open(str(path)) as file:
            assert file.streams.video[0].codec_context.codec.canonical_name == name
        assert path is not None
        found = frames_of(path)
        assert len(found) == 7
        assert apart(blurred(found[-1]), blurred(picture(6.0, tmp_path))) < 3
        del others[codec]
    monkeypatch.setattr(reel, "CODECS", others)
    with pytest.raises(BadInput, match=r"no encoder for MP4 .*; choose \.gif"):
        film(timeline(), LOOK, "basic", tmp_path / "other.mp4", **words)
    assert not list(tmp_path.glob("*other*"))


# ---------------------------------------------------------------------- progress, stopping, failing


@pytest.mark.parametrize("ending", [".mp4", ".gif"])
def test_progress_grows_to_one(ending: str, tmp_path: Path) -> None:
    shares: list[float] = []
    path = film(
        timeline(), LOOK, "basic", tmp_path / f"run{ending}", speed=20, size=SIZE,
        progress=lambda share: shares.append(share) or True,
    )  # fmt: skip
    assert path is not None and path.exists()
    assert len(shares) > 10
    assert shares == sorted(set(shares))
    assert shares[-1] == 1


@pytest.mark.parametrize("ending", [".mp4", ".gif"])
@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_stopping_keeps_the_old_file_and_leaves_no_other(ending: str, share: float, tmp_path: Path) -> None:
    path = tmp_path / f"run{ending}"
    path.write_bytes(b"old")
    words = {"speed": 20, "size": SIZE}
    assert film(timeline(), LOOK, "basic", path, progress=lambda done: done < share, **words) is None
    assert path.read_bytes() == b"old"
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_a_movie_can_be_made_step_by_step(tmp_path: Path) -> None:
    steps = filming(timeline(), LOOK, "basic", tmp_path / "run.mp4", speed=20, size=SIZE)
    assert list(tmp_path.iterdir()) == [], "nothing is begun before the first step"
    next(steps)
    assert len(list(tmp_path.iterdir())) == 1
    steps.close()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("ending", [".mp4", ".gif"])
def test_an_error_in_a_painter_leaves_no_file(ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*anything: object) -> None:
        raise RuntimeError("no")

    monkeypatch.setattr(view("step").painter_class(), "paint", broken)
    with pytest.raises(RuntimeError, match="no"):
        film(timeline(), LOOK, "step", tmp_path / f"run{ending}", size=SIZE)
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_keeps_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "run.gif"
    path.write_bytes(b"old")

    def full(self: Path, target: Path) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(BadInput, match=r"run\.gif: the movie cannot be written: No space left on device"):
        film(timeline(), LOOK, "basic", path, speed=40, size=SIZE)
    assert path.read_bytes() == b"old"
    assert [file.name for file in tmp_path.iterdir()] == ["run.gif"]


def test_a_missing_pyav_is_explained_in_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "av", None)
    with pytest.raises(BadInput, match=r"a movie needs PyAV \(av is not installed\); pip install \"lydian\[movies\]\""):
        film(timeline(), LOOK, "basic", tmp_path / "run.mp4")


@pytest.mark.parametrize(
    ("name", "words", "sentence"),
    [
        ("run.avi", {}, "run.avi: the name of a movie must end in .mp4 or .gif; found '.avi'"),
        ("run", {}, "the name of a movie must end in .mp4 or .gif; found no extension"),
        ("run.mp4", {"size": (321, 200)}, "an even number of pixels each way: 322 x 200, not 321 x 200"),
        ("run.mp4", {"size": (8, 200)}, "a movie must have 16 to 4096 pixels each way, not 8 x 200"),
        ("run.gif", {"size": (5000, 200)}, "a movie must have 16 to 4096 pixels each way, not 5000 x 200"),
        ("run.gif", {"scale": 0}, "the scale of a movie must be above 0"),
        ("run.mp4", {"fps": 0}, "a movie in .mp4 must have 1 to 120 frames per second (a whole number), not 0"),
        ("run.gif", {"fps": 60}, "a movie in .gif must have 1 to 50 frames per second (a whole number), not 60"),
        ("run.gif", {"fps": 12.5}, "(a whole number), not 12.5"),
        ("run.gif", {"theme": "drak"}, "unknown theme 'drak' (did you mean 'dark'?)"),
        ("run.gif", {"speed": -1}, "the speed of a movie must be a positive number"),
        ("run.gif", {"speed": 1e-9}, "seconds, but at most 600 are allowed"),
        ("folder.gif", {}, "this is a folder; choose a file name for the movie"),
    ],
)
def test_bad_input_is_refused_before_the_first_step(
    name: str, words: dict[str, object], sentence: str, tmp_path: Path
) -> None:
    (tmp_path / "folder.gif").mkdir()
    with pytest.raises(BadInput) as caught:
        filming(timeline(), LOOK, "basic", tmp_path / name, **words)
    assert sentence in str(caught.value)
    assert [file.name for file in tmp_path.iterdir()] == ["folder.gif"]


def test_unknown_views_and_folders_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"unknown view 'basik' \(did you mean 'basic'\?\)"):
        filming(timeline(), LOOK, "causality,basik", tmp_path / "run.gif")
    with pytest.raises(BadInput, match="the movie cannot be written: No such file or directory"):
        film(timeline(), LOOK, "basic", tmp_path / "missing" / "run.gif")


# ---------------------------------------------------------------------- sound


def heard_in(path: Path) -> np.ndarray:
    """Return the sound of a movie, (samples, 2)."""
    with av.open(str(path)) as file:
        parts = [frame.to_ndarray() for frame in file.decode(audio=0)]
    return np.concatenate(parts, axis=1).T


def test_a_movie_has_the_sound_of_its_run(tmp_path: Path) -> None:
    path = tmp_path / "run.mp4"
    film(timeline(), LOOK, "basic", path, speed=8, fps=10, size=SIZE, sound=True)
    with av.open(str(path)) as file:
        track, video = file.streams.audio[0], file.streams.video[0]
        assert (track.codec_context.name, track.codec_context.sample_rate, track.channels) == ("aac", RATE, 2)
        assert float(video.duration * video.time_base) == pytest.approx(
            len(moments(timeline().end, speed=8, fps=10)) / 10
        )
    seconds = len(moments(timeline().end, speed=8, fps=10)) / 10 + TAIL
    sound = heard_in(path)
    assert len(sound) / RATE == pytest.approx(seconds, abs=0.05)
    wanted = soundtrack(timeline(), seconds, animation=LOOK, speed=8)
    for start in (0.2, 1.0, 1.6):  # compressed sound is alike, not equal
        part = slice(round(start * RATE), round((start + 0.4) * RATE))
        assert float(np.corrcoef(sound[part, 0], wanted[part, 0])[0, 1]) > 0.9


def test_part_of_a_movie_has_the_sound_of_that_part(tmp_path: Path) -> None:
    path = tmp_path / "part.mp4"
    film(timeline(), LOOK, "basic", path, speed=4, fps=10, size=SIZE, start=2, end=6, sound=True)
    assert len(heard_in(path)) / RATE == pytest.approx(1.1, abs=0.05)


def test_a_movie_without_sound_has_no_track_for_it(tmp_path: Path) -> None:
    film(timeline(), LOOK, "basic", tmp_path / "run.mp4", speed=40, size=SIZE)
    with av.open(str(tmp_path / "run.mp4")) as file:
        assert not file.streams.audio


def test_a_gif_has_no_sound(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="a GIF has no sound"):
        film(timeline(), LOOK, "basic", tmp_path / "run.gif", sound=True)
