"""Views as files: PNG and SVG."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

from lydian.app.look.theme import Theme
from lydian.app.pictures.render import paint_view, render, render_all
from lydian.model.errors import BadInput
from lydian.pieces.animation import Animation
from lydian.trace.timeline import Timeline
from lydian.views import registry
from lydian.views.registry import names, usual
from lydian.views.selection import Selection
from tests.views.book import echo

pytestmark = pytest.mark.usefixtures("qapp")

LOOK = Animation(
    states={"sleeping": 0, "waiting": 2, "acked": 3, "initiating": 1, "finished": 1},
    messages={"Broadcast": 0, "Ack": 1},
)
SIZE = (640, 420)


@cache
def timeline() -> Timeline:
    return Timeline(echo())


def pixels(path: Path) -> np.ndarray:
    image = QImage(str(path)).convertToFormat(QImage.Format.Format_RGB888)
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
    return rows[:, : image.width() * 3].reshape(image.height(), image.width(), 3).copy()


def colours(picture: np.ndarray) -> set[tuple[int, int, int]]:
    packed = np.unique(picture.astype(np.int64) @ [65536, 256, 1])
    return {(int(c) >> 16, int(c) >> 8 & 255, int(c) & 255) for c in packed}


@pytest.mark.parametrize("theme", ["light", "dark", "contrast"])
@pytest.mark.parametrize("view", names())
def test_every_view_renders_at_start_middle_and_end(view: str, theme: str, tmp_path: Path) -> None:
    pictures = []
    for t in (0.0, timeline().end / 2, None):
        path = render(timeline(), LOOK, view, t, tmp_path / f"{t}.png", size=SIZE, theme=theme)
        picture = pixels(path)
        assert picture.shape == (420, 640, 3)
        found = colours(picture)
        look = Theme(theme)
        assert look.color("surface.header").getRgb()[:3] in found
        assert len(found) > 30, "something is drawn"
        pictures.append(picture)
    first, middle, last = pictures
    assert (first != middle).any()
    assert (middle != last).any()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("view", names())
def test_svg_is_xml_and_keeps_text_as_text(view: str, theme: str, tmp_path: Path) -> None:
    path = render(timeline(), LOOK, view, 5.0, tmp_path / "view.svg", size=SIZE, theme=theme)
    root = ElementTree.parse(path).getroot()
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert root.get("viewBox") == "0 0 640 420"
    texts = {"".join(node.itertext()).strip() for node in root.iter("{http://www.w3.org/2000/svg}text")}
    assert registry.view(view).title in texts
    assert any(name in texts for name in ("5", "11")), texts
    if view == "communication":
        assert {"Broadcast", "Ack", "still to come", "bits"} <= texts
        assert any(text.startswith("sent so far: ") for text in texts)
        assert any(text.startswith("mean ") for text in texts)
    if view == "step":
        assert {"Variable", "Value", "parent", "pending", "Last received"} <= texts
        assert any(text.startswith("receives Broadcast from ") for text in texts)


def test_scale_adds_pixels_to_the_same_picture(tmp_path: Path) -> None:
    one = render(timeline(), LOOK, "communication", 5.0, tmp_path / "one.png", size=SIZE)
    two = render(timeline(), LOOK, "communication", 5.0, tmp_path / "two.png", size=SIZE, scale=2)
    assert pixels(two).shape == (840, 1280, 3)
    small = pixels(two).reshape(420, 2, 640, 2, 3).mean(axis=(1, 3))
    assert np.abs(small - pixels(one)).mean() < 6


def test_a_time_after_the_end_means_the_end(tmp_path: Path) -> None:
    end = render(timeline(), LOOK, "step", None, tmp_path / "end.png", size=SIZE).read_bytes()
    for t in (1e9, math.inf, timeline().end):
        assert render(timeline(), LOOK, "step", t, tmp_path / "late.png", size=SIZE).read_bytes() == end
    before = render(timeline(), LOOK, "step", -5.0, tmp_path / "before.png", size=SIZE).read_bytes()
    assert before == render(timeline(), LOOK, "step", 0.0, tmp_path / "zero.png", size=SIZE).read_bytes()


def test_rendering_twice_gives_the_same_bytes(tmp_path: Path) -> None:
    for ending in ("png", "svg"):
        files = [render(timeline(), LOOK, "causality", 4.0, tmp_path / f"{i}.{ending}", size=SIZE) for i in (1, 2)]
        assert files[0].read_bytes() == files[1].read_bytes()


def test_selection_and_options_reach_the_view(tmp_path: Path) -> None:
    plain = render(timeline(), LOOK, "communication", 5.0, tmp_path / "a.png", size=SIZE)
    chosen = Selection(processes=frozenset({5}))
    marked = render(timeline(), LOOK, "communication", 5.0, tmp_path / "b.png", size=SIZE, selection=chosen)
    bits = render(timeline(), LOOK, "communication", 5.0, tmp_path / "c.svg", size=SIZE, what="bits")
    assert (pixels(plain) != pixels(marked)).any()
    assert "bits sent so far" in bits.read_text(encoding="utf-8")


def test_without_the_bar_the_view_fills_the_picture(tmp_path: Path) -> None:
    path = render(timeline(), LOOK, "communication", 5.0, tmp_path / "a.svg", size=SIZE, bar=False)
    assert "Communication</text>" not in path.read_text(encoding="utf-8")


def test_all_views_are_rendered_into_a_new_folder(tmp_path: Path) -> None:
    folder = tmp_path / "pictures" / "of echo"
    paths = render_all(timeline(), LOOK, folder, size=(320, 240))
    assert [path.name for path in paths] == [f"{view}.png" for view in usual()]
    assert sorted(path.name for path in folder.iterdir()) == sorted(f"{view}.png" for view in usual())


@pytest.mark.parametrize(
    ("view", "name", "options", "sentence"),
    [
        ("comunication", "a.png", {}, "unknown view 'comunication' (did you mean 'communication'?)"),
        ("basic", "a.jpeg", {}, "the name of a picture must end in .png, .svg or .pdf; found '.jpeg'"),
        ("basic", "a", {}, "the name of a picture must end in .png, .svg or .pdf; found no extension"),
        ("basic", "a.png", {"theme": "lihgt"}, "unknown theme 'lihgt' (did you mean 'light'?)"),
        ("basic", "a.png", {"size": (0, 100)}, "a picture must have 16 to 32000 pixels each way, not 0 x 100"),
        ("basic", "a.png", {"size": (40_000, 100)}, "a picture must have 16 to 32000 pixels"),
        ("basic", "a.png", {"scale": 0}, "the scale of a picture must be above 0"),
        ("basic", "a.png", {"scale": math.nan}, "the scale of a picture must be above 0"),
        ("basic", "missing/a.png", {}, "the picture cannot be written: No such file or directory"),
        ("communication", "a.png", {"what": "snet"}, "unknown what 'snet' (did you mean 'sent'?)"),
    ],
)
def test_bad_input_is_refused(view: str, name: str, options: dict[str, object], sentence: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput) as caught:
        render(timeline(), LOOK, view, 1.0, tmp_path / name, **options)
    assert sentence in str(caught.value)
    assert not list(tmp_path.iterdir()), "nothing is left behind"


def test_a_time_that_is_not_a_number_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="not NaN"):
        render(timeline(), LOOK, "basic", math.nan, tmp_path / "a.png")


def test_a_failure_keeps_the_old_picture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(b"old")

    def full(self: Path, target: Path) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(BadInput, match="No space left on device"):
        render(timeline(), LOOK, "step", 1.0, path, size=SIZE)
    assert path.read_bytes() == b"old"
    assert [file.name for file in tmp_path.iterdir()] == ["a.png"]


def test_a_folder_that_cannot_be_created_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(BadInput, match="the folder cannot be created"):
        render_all(timeline(), LOOK, tmp_path / "file" / "pictures")


def test_an_error_while_painting_ends_the_painter(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def broken(*anything: object) -> None:
        raise RuntimeError("no")

    monkeypatch.setattr(registry.view("step").painter_class(), "paint", broken)
    for ending in ("png", "svg"):
        with pytest.raises(RuntimeError, match="no"):
            render(timeline(), LOOK, "step", 1.0, tmp_path / f"a.{ending}", size=SIZE)
    monkeypatch.undo()
    assert render(timeline(), LOOK, "step", 1.0, tmp_path / "a.png", size=SIZE).exists()


def test_painting_does_not_change_the_painter() -> None:
    image = QImage(200, 150, QImage.Format.Format_ARGB32_Premultiplied)
    p = QPainter(image)
    try:
        for view in names():
            paint_view(p, QRectF(0, 0, 200, 150), timeline(), LOOK, view, 3.0, Theme("dark"))
            assert p.worldTransform().isIdentity()
            assert not p.hasClipping()
    finally:
        p.end()


@pytest.mark.slow
def test_rendering_needs_no_display_and_no_application(tmp_path: Path) -> None:
    code = (
        "import sys\n"
        "from tests.views.book import echo\n"
        "from lydian.trace.timeline import Timeline\n"
        "from lydian.app.pictures.render import render\n"
        "print(render(Timeline(echo()), None, 'communication', 5.0, sys.argv[1], size=(320, 240)))\n"
    )
    hidden = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    environment = {name: value for name, value in os.environ.items() if name not in hidden}
    root = Path(__file__).parents[2]
    environment["PYTHONPATH"] = str(root)
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "a.png")],
        env=environment, cwd=root, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert pixels(tmp_path / "a.png").shape == (240, 320, 3)
