"""Exports of pictures, movies and traces from the real window; long ones run in the background."""

from __future__ import annotations

import threading
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path

import av
import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication, QImage
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from lydian.app.pictures.movieoptions import MovieWish
from lydian.app.window import exports
from lydian.app.window.mainwindow import MainWindow
from lydian.app.work.documents import PICTURES
from lydian.formats.traces import export

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", "propagateSizeHints")
Open = Callable[..., MainWindow]
SVG = "{http://www.w3.org/2000/svg}"


def answer(monkeypatch: pytest.MonkeyPatch, path: Path, kind: str = "") -> list[str]:
    """Set the answer of the file chooser, and record its arguments."""
    asked: list[str] = []

    def choose(_parent: object, _title: str, _offered: str, kinds: str) -> tuple[str, str]:
        asked.append(kinds)
        return str(path), kind

    monkeypatch.setattr(QFileDialog, "getSaveFileName", choose)
    return asked


def texts(data: bytes) -> set[str]:
    return {"".join(node.itertext()).strip() for node in ElementTree.fromstring(data).iter(f"{SVG}text")}


# ---------------------------------------------------------------------- pictures


def test_a_view_is_saved_at_every_scale(open_window: Open, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    window = open_window()
    canvas = window.stage.canvases["basic"]
    window.playhead.seek(5.0)
    wide, high = canvas.width(), canvas.height() + 34
    for number, (kind, (ending, scale)) in enumerate(PICTURES.items()):
        asked = answer(monkeypatch, tmp_path / f"view{number}", kind)
        window.actions_by_name["picture"].trigger()
        path = tmp_path / f"view{number}{ending}"
        assert kind in asked[0] and path.is_file()
        if ending == ".png":
            image = QImage(str(path))
            assert (image.width(), image.height()) == (round(wide * scale), round(high * scale))
            assert image.dotsPerMeterX() == round(scale * 96 / 0.0254)
    answer(monkeypatch, tmp_path / "again")
    asked = answer(monkeypatch, tmp_path / "again")
    window.actions_by_name["picture"].trigger()
    assert asked[0].startswith(list(PICTURES)[-1]), "the kind that was chosen last comes first"
    assert (tmp_path / "again.pdf").read_bytes().startswith(b"%PDF-")


@pytest.mark.slow
def test_all_views_can_share_one_picture(open_window: Open, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    window = open_window(size=(1600, 900), layout="study")
    window.playhead.seek(6.0)
    window.stage.copies.open("causality")
    for ending in ("svg", "pdf", "png"):
        answer(monkeypatch, tmp_path / f"all.{ending}")
        window.actions_by_name["pictures"].trigger()
    said = texts((tmp_path / "all.svg").read_bytes())
    assert {"Network", "Communication", "Causality", "Occupation", "Process"} <= said
    root = ElementTree.parse(tmp_path / "all.svg").getroot()
    named = ["".join(node.itertext()).strip() for node in root.iter(f"{SVG}text")]
    assert named.count("Causality") == 2, "a further view of a kind is in it, too"
    data = (tmp_path / "all.pdf").read_bytes()
    assert data.count(b"/Type /Page\n") + data.count(b"/Type /Page ") == 1
    image = QImage(str(tmp_path / "all.png"))
    assert image.width() == 2 * window.stage.width()


def test_a_picture_shows_the_visible_part(open_window: Open) -> None:
    """After zooming in on a process, the picture shows the same part as the widget."""
    window = open_window()
    window.playhead.seek(4.0)
    canvas = window.stage.canvases["basic"]
    canvas.grab()
    canvas.zoom(3.0)
    canvas.zoom(1.2)
    seen = canvas.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    data = window.stage.options.picture(canvas, ".png", 1.0)
    made = QImage.fromData(data).convertToFormat(QImage.Format.Format_RGB32).copy(0, 34, seen.width(), seen.height())
    apart = np.abs(pixels(made).astype(int) - pixels(seen).astype(int)).mean()
    canvas.fit()
    whole = QImage.fromData(window.stage.options.picture(canvas, ".png", 1.0)).convertToFormat(made.format())
    other = np.abs(pixels(whole.copy(0, 34, seen.width(), seen.height())).astype(int) - pixels(seen).astype(int)).mean()
    assert apart < 2 and other > 4 * max(apart, 0.5)


def pixels(image: QImage) -> np.ndarray:
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
    return rows[:, : image.width() * 4].copy()


def test_a_view_can_be_copied(open_window: Open) -> None:
    window = open_window()
    canvas = window.stage.canvases["basic"]
    canvas.setFocus()
    window.actions_by_name["copy_picture"].trigger()
    image = QGuiApplication.clipboard().image()
    assert (image.width(), image.height()) == (2 * canvas.width(), 2 * (canvas.height() + 34))
    window.actions_by_name["copy_svg"].trigger()
    mime = QGuiApplication.clipboard().mimeData()
    data = bytes(mime.data("image/svg+xml").data())
    assert "Network" in texts(data) and {"0", "11"} <= texts(data)
    assert mime.text() == data.decode("utf-8") and "SVG" in window.status.label.text()


# ---------------------------------------------------------------------- movies


def test_a_movie_can_be_set_up_made_and_shown(
    qtbot: QtBot, open_window: Open, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    window = open_window()
    window.actions_by_name["export_movie"].trigger()
    form = window.exports.films.form
    assert form.isVisible() and "Network" in form.views.itemText(0)
    form.views.setCurrentIndex(form.views.findData("causality"))
    form.span.setCurrentIndex(form.span.findData("part"))
    form.start.setFocus()
    form.start.clear()
    qtbot.keyClicks(form.start, "2")
    qtbot.keyClicks(form.end, "6")
    form.pace.setCurrentIndex(form.pace.findData("seconds"))
    form.amount.clear()
    qtbot.keyClicks(form.amount, "1.5")
    form.size_.setCurrentIndex(form.size_.count() - 1)
    for field, text in ((form.width_, "321"), (form.height_, "200")):
        field.clear()
        qtbot.keyClicks(field, text)
    assert "even number" in form.problem.text() and not form.go.isEnabled()
    qtbot.keyClick(form.width_, Qt.Key.Key_Backspace)
    qtbot.keyClicks(form.width_, "0")
    form.fps.setCurrentIndex(form.fps.findData(10))
    assert form.summary.text().startswith("1.5 s, about ") and "16 frames of 320 x 200" in form.summary.text()
    answer(monkeypatch, tmp_path / "run", "Movies (*.mp4)")
    qtbot.mouseClick(form.go, Qt.MouseButton.LeftButton)
    assert window.exports.filming and not form.go.isEnabled() and window.status.cancel.isVisible()
    window.playhead.seek(3.0)  # the window still responds
    qtbot.waitUntil(lambda: not window.exports.filming, timeout=30_000)
    with av.open(str(tmp_path / "run.mp4")) as file:
        video = file.streams.video[0]
        assert (video.frames, video.width, video.height) == (16, 320, 200)
        assert file.metadata["title"] == "Echo: Causality"
    opened: list[QUrl] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url) or True)
    assert window.notice.button.text() == "Show file"
    qtbot.mouseClick(window.notice.button, Qt.MouseButton.LeftButton)
    assert opened[0].toLocalFile() == str(tmp_path)
    kept = MovieWish.of(window.settings.record("movie"))
    assert (kept.views, kept.span, kept.start, kept.end) == (("causality",), "part", 2.0, 6.0)
    assert (kept.pace, kept.seconds, kept.size, kept.fps) == ("seconds", 1.5, (320, 200), 10)


def test_a_movie_uses_the_options_and_rows_of_the_views(open_window: Open) -> None:
    window = open_window(size=(1600, 900), layout="study")
    camera = window.camera
    camera.hide([3], 12)
    window.stage.canvases["communication"].set_option("what", "bits")
    films = window.exports.films
    shots = {shot.view: shot for shot in films.shots(MovieWish(views=("causality", "communication")))}
    assert shots["communication"].options["what"] == "bits"
    assert 3 in shots["causality"].options["hidden"] and shots["causality"].options["window"] == camera.whole
    camera.show(2.0, 5.0)
    (shot,) = films.shots(MovieWish(views=("causality",)))
    assert shot.follow and shot.options["window"] == camera.window


def test_several_views_can_be_chosen_and_a_gif_too_fast_is_refused(qtbot: QtBot, open_window: Open) -> None:
    window = open_window()
    window.actions_by_name["export_movie"].trigger()
    form = window.exports.films.form
    form.views.setCurrentIndex(form.views.findData("several"))
    assert form.several.isVisible()
    for box in form.boxes.values():
        box.setChecked(False)
    assert "at least one view" in form.problem.text()
    box = form.boxes["occupation"]
    qtbot.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(8, box.height() // 2))
    assert "Occupation" in form.summary.text() and form.wish().views == ("occupation",)
    form.kind.setCurrentIndex(form.kind.findData(".gif"))
    form.fps.setCurrentIndex(form.fps.findData(60))
    assert "at most 50 frames" in form.problem.text()


def test_damaged_export_settings_are_ignored() -> None:
    odd = {"views": ["nothing"], "size": [5, "x"], "fps": 1000, "letters": 9, "kind": ".avi", "speed": -1, "theme": 3}
    assert MovieWish.of(odd) == MovieWish()
    wish = MovieWish(views=("basic",), speed=4.0, size=(320, 200), kind=".gif", letters=1.5)
    assert MovieWish.of(wish.record()) == wish


# ---------------------------------------------------------------------- long exports


@pytest.mark.parametrize("kind", ["csv", "html"])
def test_a_long_export_runs_in_the_background(
    qtbot: QtBot, open_window: Open, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, kind: str
) -> None:
    window = open_window()
    assert window.session.shown is not None
    monkeypatch.setattr(exports, "SHORT", 10)
    answer(monkeypatch, tmp_path / "run")
    window.actions_by_name[f"export_{kind}"].trigger()
    assert window.exports.busy and window.status.cancel.isVisible()
    window.actions_by_name["export_json"].trigger()
    assert "still being written" in window.notice.text
    qtbot.waitUntil(lambda: not window.exports.busy, timeout=30_000)
    assert window.notice.button.text() == "Show file" and not window.status.cancel.isVisible()
    if kind == "csv":
        export(window.session.shown.trace, tmp_path / "wanted", "csv")
        assert (tmp_path / "run.csv").read_bytes() == (tmp_path / "wanted").read_bytes()
    else:
        assert (tmp_path / "run.html").read_text(encoding="utf-8").rstrip().endswith("</html>")


def test_a_cancelled_export_leaves_no_file(
    qtbot: QtBot, open_window: Open, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    window = open_window()
    folder = tmp_path / "out"
    folder.mkdir()
    monkeypatch.setattr(exports, "SHORT", 10)
    answer(monkeypatch, folder / "run")
    cancelled = threading.Event()
    monkeypatch.setattr("lydian.views.page.page.page", lambda *_words: "x" * cancelled.wait(20))
    window.actions_by_name["export_html"].trigger()
    qtbot.mouseClick(window.status.cancel, Qt.MouseButton.LeftButton)
    assert not window.exports.busy and "the unfinished file" in window.status.label.text()
    cancelled.set()
    window.exports.background.close()
    assert not list(folder.iterdir())


def test_a_failed_export_is_reported_in_one_sentence(
    qtbot: QtBot, open_window: Open, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    window = open_window()
    monkeypatch.setattr(exports, "SHORT", 10)
    answer(monkeypatch, tmp_path / "missing" / "run")
    window.actions_by_name["export_csv"].trigger()
    qtbot.waitUntil(lambda: not window.exports.busy, timeout=30_000)
    assert "cannot be written: no such file or directory" in window.notice.text
