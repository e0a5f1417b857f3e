"""A view is declared in one place: the command line, the window and lessons can use the one that this file adds."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QGuiApplication, QImage, QPainter
from pytestqt.qtbot import QtBot

from lydian.app.commands.keymap import KeyMap
from lydian.app.commands.table import commands
from lydian.app.look.theme import Theme
from lydian.app.main import settle_clipboard
from lydian.app.panels.help.guidetext import place_of
from lydian.app.pictures.movieoptions import MovieWish
from lydian.app.stage.stage import kinds
from lydian.app.work.settings import Settings
from lydian.cli import entry, main
from lydian.model.lesson.lesson import parse, problems
from lydian.model.viewnames import PLACES
from lydian.pieces.animation import Animation
from lydian.trace.timeline import Timeline
from lydian.views import registry
from lydian.views.future import TO_COME
from lydian.views.registry import View
from lydian.views.selection import NOTHING, Hit, Selection
from tests.app.conftest import one_window, rest

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", "propagateSizeHints")

LESSON = """# Who hears how much

A lesson on one view.

## Look

Every bar is a process.

```experiment
name = "two-wings"
view = "fairness"
```
"""

# ---------------------------------------------------------------------- the whole of a new view


@dataclass(frozen=True)
class Bars:
    """The number of events of each process."""

    title: str
    counts: tuple[int, ...]


def frame(
    timeline: Timeline,
    t: float,
    _selection: Selection = NOTHING,
    *,
    animation: Animation | None = None,
    future: bool = True,
) -> Bars:
    """Return the bars at time ``t``; at the end of the run unless ``future`` is hidden."""
    events = timeline.process[: timeline.length if future else int(timeline.count(t))]
    counts = tuple(int((events == each).sum()) for each in range(timeline.n))
    return Bars(f"{max(counts)} at most", counts)


class BarsPainter:
    """A painter that draws a bar for each process."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme

    def paint(self, p: QPainter, rect: QRectF, frame: Bars, _camera: object = None) -> None:
        wide, most = rect.width() / len(frame.counts), max(frame.counts)
        for number, count in enumerate(frame.counts):
            high = rect.height() * count / most
            bar = QRectF(rect.left() + number * wide, rect.bottom() - high, wide - 2, high)
            p.fillRect(bar, Qt.GlobalColor.magenta)

    def hit(self, _position: QPointF, _rect: QRectF, _frame: Bars, _camera: object = None) -> Hit | None:
        return None


FAIRNESS = View(
    name="fairness",
    entry="F&airness",
    icon="eye",
    frame=frame,
    painter=f"{__name__}.BarsPainter",
    mouse="still",
    about="One bar a process: how many events it has had.",
    empty="Run to see who is kept busy",
    shows="who is kept busy",
    keys="Ctrl+Alt+Y",
    choices=(TO_COME,),
    beside="occupation",
    how="below",
    layouts=("study",),
)

# ---------------------------------------------------------------------- available everywhere


@pytest.fixture
def fairness() -> Iterator[View]:
    """Register another view for one test."""
    registry.register(FAIRNESS)
    yield FAIRNESS
    registry.unregister("fairness")
    assert "fairness" not in PLACES


def magenta(path: Path) -> bool:
    """Return whether the bars are in a picture."""
    image = QImage(str(path))
    low = image.height() - 4
    return any(image.pixelColor(x, low) == Qt.GlobalColor.magenta for x in range(image.width()))


def test_ours_are_declared_under_their_names() -> None:
    assert [view.name for view in registry.views()] == list(registry.names())
    assert registry.usual() == ("basic", "communication", "causality", "step", "occupation")
    for view in registry.views():
        assert sys.modules[PLACES[view.name]].frame is view.frame
        assert callable(view.painter_class().paint)
        assert {choice.name for choice in view.choices} <= view.options()


def test_names_are_available_without_loading_a_view(python_env: dict[str, str], tmp_path: Path) -> None:
    code = "import sys; from lydian.views import registry; registry.names(); print('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], env=python_env, cwd=tmp_path, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("False\n", "")


def test_a_name_is_used_once(fairness: View) -> None:
    with pytest.raises(ValueError, match="a view named 'fairness' already exists"):
        registry.register(fairness)


def test_lists_are_built_on_demand(fairness: View, tmp_path: Path) -> None:
    table = {command.name: command for command in commands()}
    assert (table["view_fairness"].text, table["view_fairness"].help) == ("F&airness", "Show or hide who is kept busy")
    assert table["new_view_fairness"].help == "Open another view of who is kept busy"
    assert KeyMap(Settings(tmp_path)).usual("view_fairness") == ("Ctrl+Alt+Y",)
    assert place_of("fairness-2").section == "fairness"
    assert MovieWish.of({"views": ["fairness"]}).views == ("fairness",)
    assert kinds()[-2:] == ("fairness", "trace")


def test_a_lesson_can_name_a_view(fairness: View) -> None:
    (step,) = parse(LESSON).steps
    assert step.setting is not None and step.setting.views == ("fairness",)
    (wrong,) = problems(LESSON.replace('"fairness"', '"fairnes"'))
    assert wrong.why.endswith("unknown view 'fairnes' (did you mean 'fairness'?)")


def test_a_lesson_cannot_name_an_unregistered_view() -> None:
    (wrong,) = problems(LESSON)
    assert "unknown view 'fairness'; choose from basic, communication, " in wrong.why


def test_the_command_line_renders_a_view(
    fairness: View, qapp: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LYDIAN_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    assert main(["render", "two-wings", "--view", "fairness", "-o", "bars.png"]) == 0
    assert magenta(tmp_path / "bars.png")
    assert main(["render", "two-wings", "--view", "basic,fairness", "-o", "both.svg"]) == 0
    text = (tmp_path / "both.svg").read_text(encoding="utf-8")
    assert "Fairness" in text and "at most" in text
    entry._parser.cache_clear()  # views are added before the command line is read, not between two commands
    assert main(["render", "--help"]) == 0
    entry._parser.cache_clear()
    assert "world, fairness;" in " ".join(capsys.readouterr().out.split())


def test_the_window_opens_copies_and_duplicates_a_view(
    fairness: View, qapp: object, qtbot: QtBot, tmp_path: Path
) -> None:
    with one_window(tmp_path / "home") as window:
        rest(window, qtbot)
        stage = window.stage
        assert stage.docks["fairness"].isHidden()
        window.actions_by_name["view_fairness"].trigger()
        canvas = stage.canvases["fairness"]
        qtbot.waitUntil(lambda: canvas.isVisible() and canvas.current)
        assert canvas.trouble is None
        assert (stage.docks["fairness"].windowTitle(), canvas.accessibleName()) == ("Fairness", "Fairness view")
        assert canvas.accessibleDescription().endswith("at most. One bar a process: how many events it has had.")
        assert [box.text() for box in window.exports.films.form.boxes.values()][-1] == "Fairness"
        stage.options.copy_picture(canvas)
        file = tmp_path / "copied.png"
        assert QGuiApplication.clipboard().image().save(str(file)) and magenta(file)
        settle_clipboard()
        window.actions_by_name["new_view_fairness"].trigger()
        assert stage.copies.names == ["fairness-2"] and stage.copies.canvases["fairness-2"].spec is fairness
        stage.show_view("fairness", False)
        lesson = tmp_path / "lesson.md"
        lesson.write_text(LESSON, encoding="utf-8")
        assert window.lessons.open(lesson)
        qtbot.waitUntil(lambda: not stage.docks["fairness"].isHidden())
        window.resize(1920, 1000)
        window.looks.arrange("study")
        above, dock = stage.docks["occupation"], stage.docks["fairness"]
        qtbot.waitUntil(lambda: dock.isVisible() and dock.x() == above.x() and dock.y() > above.y())
