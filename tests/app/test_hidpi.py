"""High-resolution screens: pictures of the real window at several scales, each in its own child process.

Run as a program, this file opens the window once and prints its findings as JSON.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.some import some

#: A fractional scale; the others are similar.
SCALES = some(("1.5", "1", "1.25", "2", "3"), 1)
VIEWS = ("basic", "communication", "causality", "step", "occupation", "knowledge", "world")
ROOT = Path(__file__).resolve().parents[2]


# ---------------------------------------------------------------------- in the child


def pixels(image: Any) -> NDArray[np.uint8]:
    """Return an image as an array (height, width, 3)."""
    from PySide6.QtGui import QImage

    image = image.convertToFormat(QImage.Format.Format_RGB32)
    raw = np.frombuffer(image.constBits(), dtype=np.uint8)
    return raw.reshape(image.height(), image.bytesPerLine() // 4, 4)[:, : image.width(), 2::-1].copy()


def kept_ratios(thing: Any, seen: set[int] | None = None) -> set[float]:
    """Return the pixel ratios of all pictures that a painter caches."""
    from PySide6.QtGui import QImage, QPixmap

    from lydian.app.look.fragments import Atlas

    seen = set() if seen is None else seen
    if id(thing) in seen:
        return set()
    seen.add(id(thing))
    if isinstance(thing, Atlas):
        return {float(thing.ratio)}
    if isinstance(thing, QPixmap | QImage):
        return {float(thing.devicePixelRatio())} if not thing.isNull() else set()
    parts: list[Any] = []
    if isinstance(thing, dict):
        parts = list(thing.values())
    elif isinstance(thing, list | tuple | set):
        parts = list(thing)
    elif type(thing).__module__.startswith("lydian.app.painters"):
        parts = [value for name, value in vars(thing).items() if name != "theme"] if hasattr(thing, "__dict__") else []
    return set().union(*(kept_ratios(part, seen) for part in parts)) if parts else set()


def enlarged(picture: NDArray[np.uint8], times: int) -> float:
    """Return the share of ``times`` x ``times`` blocks on edges that have one colour, as after enlarging."""
    tall, wide = (side // times * times for side in picture.shape[:2])
    gray = picture[:tall, :wide].astype(int).sum(axis=2)
    blocks = gray.reshape(tall // times, times, wide // times, times)
    flat = blocks.max(axis=(1, 3)) - blocks.min(axis=(1, 3)) < 12
    middle = blocks[:, 0, :, 0]
    edge = np.zeros_like(flat)
    edge[:, 1:] |= abs(np.diff(middle, axis=1)) > 60
    edge[1:, :] |= abs(np.diff(middle, axis=0)) > 60
    return float((flat & edge).sum() / max(1, edge.sum()))


def child(pictures: str) -> None:
    """Open the window, examine it, click on processes, and print the findings."""
    from PySide6.QtCore import Qt
    from PySide6.QtTest import QTest

    from lydian.app.main import application, make_window

    app = application(["lydian"])
    window = make_window()
    window.resize(1280, 720)
    window.show()
    while window.session.shown is None:
        app.processEvents()
    window.stage.big_play.hide()
    window.looks.arrange("study")
    window.playhead.seek(7.0)
    found: dict[str, Any] = {"ratio": window.devicePixelRatioF(), "views": {}}
    network = window.stage.canvases["basic"]
    network.repaint()
    picked = []
    for process in range(12):
        place = network.process_rect(process)
        assert place is not None
        QTest.mouseClick(network, Qt.MouseButton.LeftButton, pos=place.center().toPoint())
        picked.append(sorted(window.playhead.selection.processes))
    found["picked"] = picked
    for name in VIEWS:
        window.stage.show_view(name, True)
        app.processEvents()
        canvas = window.stage.canvases[name]
        canvas.repaint()
        image = canvas.grab().toImage()
        picture = pixels(image)
        found["views"][name] = {
            "trouble": canvas.trouble,
            "size": [canvas.width(), canvas.height()],
            "pixels": [image.width(), image.height()],
            "colours": len(np.unique(picture.astype(np.uint32) @ np.array((65536, 256, 1), dtype=np.uint32))),
            "kept": sorted(kept_ratios(canvas._painter)),
            "enlarged": enlarged(picture, max(1, round(found["ratio"]))),
        }
    if pictures:
        window.grab().save(str(Path(pictures) / f"window-{found['ratio']:g}.png"))
    print(json.dumps(found))
    window.close()


# ---------------------------------------------------------------------- the tests


@pytest.fixture(scope="module", params=SCALES)
def found(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Return a scale and the findings of the child process at that scale."""
    scale = request.param
    settings = {"QT_SCALE_FACTOR": scale, "LYDIAN_HOME": str(tmp_path_factory.mktemp("home")), "PYTHONPATH": str(ROOT),
                "QT_QPA_PLATFORM": "offscreen", "QT_SCALE_FACTOR_ROUNDING_POLICY": "PassThrough"}  # fmt: skip
    ran = subprocess.run(
        [sys.executable, __file__], env={**os.environ, **settings}, capture_output=True, text=True, timeout=120,
        check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr[-2000:]
    return {"scale": float(scale), **json.loads(ran.stdout.splitlines()[-1])}


@pytest.mark.slow
def test_every_view_uses_all_pixels_of_the_screen(found: dict[str, Any]) -> None:
    assert found["ratio"] == found["scale"]
    for name in VIEWS:
        view = found["views"][name]
        assert view["trouble"] is None
        assert view["pixels"] == pytest.approx([side * found["scale"] for side in view["size"]], abs=1.01)
        assert view["colours"] > 20, name


def test_a_click_on_the_centre_of_a_process_selects_it(found: dict[str, Any]) -> None:
    assert found["picked"] == [[process] for process in range(12)]


def test_cached_pictures_use_the_pixels_of_the_screen(found: dict[str, Any]) -> None:
    kept = [view["kept"] for view in found["views"].values()]
    assert {ratio for ratios in kept for ratio in ratios} == {found["scale"]}


@pytest.mark.parametrize("found", some(("1.5", "2", "3"), 1), indirect=True)
def test_no_view_is_an_enlarged_picture(found: dict[str, Any]) -> None:
    for name, view in found["views"].items():
        assert view["enlarged"] < 0.9, name


def test_an_enlarged_picture_is_detected() -> None:
    small = np.random.default_rng(1).integers(0, 256, (40, 60, 3), dtype=np.uint8)
    assert enlarged(np.kron(small, np.ones((2, 2, 1), dtype=np.uint8)), 2) == 1.0
    assert enlarged(np.random.default_rng(1).integers(0, 256, (80, 120, 3), dtype=np.uint8), 2) < 0.1


@pytest.mark.parametrize("name", VIEWS)
def test_moving_to_another_screen_redraws_at_its_resolution(qapp: object, name: str) -> None:
    from lydian.app.canvas.cameras import NetworkCamera, TimeCamera
    from lydian.app.look.theme import Theme
    from lydian.trace.timeline import Timeline
    from lydian.views.registry import view
    from lydian.views.selection import Selection
    from tests.views.book import echo

    spec = view(name)
    timeline = Timeline(echo())
    camera: Any = {"map": NetworkCamera(), "time": TimeCamera()}.get(spec.mouse)
    if isinstance(camera, TimeCamera):
        camera.load(timeline)
    frame = spec.frame(timeline, 6.0, Selection(processes=frozenset({4})))
    used = spec.painter_class()(Theme())

    def drawn(painter: Any, ratio: float) -> NDArray[np.uint8]:
        from PySide6.QtCore import QRectF
        from PySide6.QtGui import QImage, QPainter

        image = QImage(int(600 * ratio), int(400 * ratio), QImage.Format.Format_RGB32)
        image.setDevicePixelRatio(ratio)
        image.fill(0)
        p = QPainter(image)
        try:
            painter.paint(p, QRectF(0, 0, 600, 400), frame, camera)
        finally:
            p.end()
        return pixels(image)

    for ratio in (1.0, 2.0, 1.5, 1.0):
        fresh = drawn(spec.painter_class()(Theme()), ratio)
        again = drawn(used, ratio).astype(int)
        assert abs(again - fresh).max() <= 4, ratio  # the first glyphs drawn may differ by a shade


if __name__ == "__main__":
    child(sys.argv[1] if len(sys.argv) > 1 else "")
