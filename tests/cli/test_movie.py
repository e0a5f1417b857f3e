"""Movies and pages of several views from the command line."""

from __future__ import annotations

import re
import wave

import av
import numpy as np
import pytest

from lydian.views.registry import names

QUICK = ("--speed", "20", "--size", "320x200")


@pytest.fixture
def run(lydian):
    """Create a trace of the example."""
    assert lydian("run", "two-wings", "--trace", "run.parquet").code == 0
    return "run.parquet"


def opened(path):
    with av.open(str(path)) as file:
        video = file.streams.video[0]
        frames = sum(1 for _ in file.decode(video))
        return video.codec_context.name, video.codec_context.width, video.codec_context.height, frames, file.duration


def test_a_run_becomes_an_mp4(lydian, here, qapp):
    said = lydian("render", "two-wings", "--view", "basic", "-o", "run.mp4", *QUICK)
    assert said == (0, "run.mp4\n", "")
    name, width, height, frames, duration = opened("run.mp4")
    assert (name, width, height) == ("h264", 320, 200)
    assert frames == 26  # 16.54 units at 20 per second, 30 frames each, and the end
    assert duration / 1e6 == pytest.approx(26 / 30, abs=0.001)


def test_part_of_a_trace_becomes_a_gif_of_two_views(lydian, here, run, qapp):
    words = ("--view", "basic,causality", "--from", "2", "--to", "50%", "--fps", "10", "--speed", "5")
    said = lydian("render", run, *words, "--size", "400x160", "--theme", "dark", "--scale", "2", "-o", "run.gif")
    assert said == (0, "run.gif\n", "")
    name, width, height, frames, _ = opened("run.gif")
    assert (name, width, height) == ("gif", 800, 320)
    assert frames == 14  # from 2 to 8.27


def test_all_views_on_one_page(lydian, here, run, qapp):
    for name in ("all.png", "all.svg", "all.pdf"):
        assert lydian("render", run, "--view", "all", "--at", "8", "-o", name) == (0, f"{name}\n", "")
    text = (here / "all.svg").read_text(encoding="utf-8")
    assert all(title in text for title in ("Network", "Communication", "Causality", "Process", "Occupation"))
    assert "t = 8.00" in text


def test_the_help_names_every_view(lydian):
    assert ", ".join(names()) in " ".join(lydian("render", "--help").out.split())


def test_a_pdf_is_one_page_of_the_requested_size(lydian, here, run, qapp):
    assert lydian("render", run, "--view", "step", "--size", "800x400", "-o", "step.pdf").code == 0
    data = (here / "step.pdf").read_bytes()
    assert data.startswith(b"%PDF-")
    assert re.findall(rb"/Count (\d+)", data) == [b"1"]
    box = re.search(rb"/MediaBox \[([^\]]+)\]", data)
    assert [float(number) for number in box[1].split()] == [0, 0, 600, 300]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["-o", "x.avi"], "x.avi, -o: the name of a picture must end in .png, .svg or .pdf, that of a movie in .mp4"),
        (["-o", "x.mp4", "--at", "8"], "--at: x.mp4 is a movie, which shows more than one time; use --from and --to"),
        (["-o", "x.png", "--speed", "2"], "--speed: x.png is a picture of one time; the name of a movie must end in"),
        (["-o", "x.pdf", "--from", "2"], "--from: x.pdf is a picture of one time"),
        (["-o", "x.wav", "--at", "8"], "--at: x.wav is the sound of a run, which shows more than one time"),
        (["-o", "x.wav", "--fps", "30"], "--fps: x.wav is a sound without pictures; the name of a movie must end in"),
        (["-o", "x.wav", "--sound"], "--sound: x.wav is a sound without pictures"),
        (["-o", "x.wav", "--listen", "42"], "--listen: unknown process '42'"),
        (["-o", "x.wav", "--speed", "0.001"], "but at most 600 are allowed; choose a higher speed, such as"),
        (["-o", "x.mp4", "--listen", "3"], "--listen: x.mp4 has no sound; add --sound"),
        (["-o", "x.png", "--sound"], "--sound: x.png is a picture of one time"),
        (["-o", "x.gif", "--sound"], "--sound: x.gif is a GIF, which has no sound"),
        (["-o", "x.gif", "--view", "basic,casuality"], "'casuality' for --view (did you mean 'causality'?)"),
        (["-o", "x.gif", "--view", ""], "unknown '' for --view"),
        (["-o", "x.gif", "--speed", "fast"], "--speed: must be a positive number of time units per second, not 'fast'"),
        (["-o", "x.gif", "--speed", "0"], "the speed of a movie must be a positive number"),
        (["-o", "x.gif", "--fps", "2.5"], "--fps: must be a whole number from 1"),
        (["-o", "x.gif", "--fps", "99"], "x.gif: a movie in .gif must have 1 to 50 frames per second"),
        (["-o", "x.mp4", "--size", "321x200"], "322 x 200, not 321 x 200"),
        (["-o", "x.mp4", "--size", "big"], "--size: must be width x height"),
        (["-o", "x.mp4", "--from", "soon"], "--from: must be a time or a share such as 40%, not 'soon'"),
        (["-o", "x.mp4", "--from", "9", "--to", "5"], "a movie from 9 to 5 would run backwards"),
        (["-o", "x.mp4", "--from", "99"], "the run ends at 16.54"),
        (["-o", "x.mp4", "--max-seconds", "2"], "would take 16.543 seconds, but at most 2 are allowed"),
        (["-o", "none/x.mp4"], "none/x.mp4, -o: its folder does not exist; create it first"),
    ],
)
def test_bad_input_is_one_sentence(lydian, here, run, qapp, words, sentence):
    before = sorted(path.name for path in here.iterdir())
    said = lydian("render", run, *words)
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("lydian: ")
    assert sentence in said.err
    assert len(said.err.splitlines()) == 1
    assert sorted(path.name for path in here.iterdir()) == before


def test_an_interrupted_movie_leaves_no_file(lydian, here, run, qapp, monkeypatch):
    import lydian.cli.commands.render as command

    def interrupted(share):
        if share > 0.5:
            raise KeyboardInterrupt
        return True

    monkeypatch.setattr(command, "_progress", lambda path: interrupted)
    said = lydian("render", run, "-o", "x.mp4", *QUICK)
    assert said.code == 130
    assert [path.name for path in here.iterdir()] == [run]


def test_progress_is_shown_only_on_a_terminal(lydian, here, run, qapp, monkeypatch):
    import sys

    monkeypatch.setattr(type(sys.stderr), "isatty", lambda stream: True, raising=False)
    said = lydian("render", run, "-o", "x.gif", *QUICK)
    assert said.out == "x.gif\n"
    told = said.err.split("\r")
    assert told[1].startswith("x.gif: ") and told[1].endswith(" %")
    assert told[-1] == "", "the line is empty in the end"


def sound_of(path):
    with wave.open(str(path), "rb") as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (2, 2, 44_100)
        return np.frombuffer(file.readframes(file.getnframes()), "<i2").reshape(-1, 2)


def test_a_run_becomes_a_sound(lydian, here, run):
    assert lydian("render", run, "--speed", "8", "-o", "run.wav") == (0, "run.wav\n", "")
    signal = sound_of(here / "run.wav")
    assert len(signal) / 44_100 == pytest.approx(16.54 / 8 + 3, abs=0.01)
    assert 3_000 < abs(signal).max() < 32_767


def test_the_sound_may_be_heard_from_a_process(lydian, here, run):
    words = ("--from", "0", "--to", "4", "--seconds", "1")
    assert lydian("render", run, *words, "--listen", "0", "-o", "at0.wav").code == 0
    assert lydian("render", run, *words, "--listen", "11", "-o", "at11.wav").code == 0
    near, far = sound_of(here / "at0.wav"), sound_of(here / "at11.wav")
    assert len(near) == len(far) == 44_100
    begins = slice(0, 20_000)  # process 0, at the left edge, starts
    assert abs(near[begins]).max() > 2 * abs(far[begins]).max()


def test_a_movie_with_sound(lydian, here, run, qapp):
    assert lydian("render", run, "--view", "basic", "--sound", "-o", "run.mp4", *QUICK).code == 0
    with av.open(str(here / "run.mp4")) as file:
        assert [stream.type for stream in file.streams] == ["video", "audio"]


FLIGHT = """
protocol = "echo"
network = "two-wings"
seed = 291
[[flight]]
time = 0.0
seconds = 0.5
say = "Everything."
[[flight]]
time = 4.0
at = "process 9"
seconds = 0.3
"""


def test_a_guided_flight_becomes_a_movie_with_sound(lydian, here, qapp):
    (here / "flown.toml").write_text(FLIGHT)
    said = lydian("render", "flown.toml", "--flight", "--sound", "--fps", "10", "--size", "320x200", "-o", "flight.mp4")
    assert said == (0, "flight.mp4\n", "")
    with av.open("flight.mp4") as file:
        assert sum(1 for _ in file.decode(file.streams.video[0])) == 9  # 0.8 seconds and the end
        assert len(file.streams.audio) == 1
    pictures = []
    for at in ("0", "0.4", "100%"):
        assert lydian("render", "flown.toml", "--flight", "--at", at, "--size", "320x200", "-o", "shot.png").code == 0
        pictures.append((here / "shot.png").read_bytes())
    assert len(set(pictures)) == 3


def test_a_picture_for_two_eyes(lydian, here, qapp):
    words = ("render", "two-wings", "--view", "world", "--at", "8", "--size", "640x240", "-o")
    assert lydian(*words, "one.png").code == lydian(*words, "two.png", "--stereo").code == 0
    assert (here / "one.png").read_bytes() != (here / "two.png").read_bytes()
    said = lydian("render", "two-wings", "--view", "basic", "--stereo", "-o", "x.png")
    assert said.code == 2 and "--stereo: applies to the view world only" in said.err


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("two-wings", "--flight", "-o", "x.wav"), "--flight: x.wav is a sound without pictures"),
        (("flown.toml", "--flight", "--view", "basic", "-o", "x.png"), "add --view world"),
        (("flown.toml", "--flight", "--speed", "2", "-o", "x.mp4"), "--speed: a guided flight has times of its own"),
        (("flown.toml", "--flight", "--at", "2", "-o", "x.png"), "--at: the flight takes 0.8 seconds"),
        (("lost.toml", "--flight", "-o", "x.png"), "flight[1].at: unknown process '99'"),
        (("echo-crash", "--flight", "-o", "x.png"), "--flight: this experiment has no guided flight"),
    ],
)
def test_a_flight_that_is_not_possible_is_refused(lydian, here, words, why):
    (here / "flown.toml").write_text(FLIGHT)
    (here / "lost.toml").write_text(FLIGHT.replace("process 9", "process 99"))
    said = lydian("render", *words)
    assert said.code == 2 and why in said.err and not list(here.glob("x.*"))
