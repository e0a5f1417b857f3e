"""Draws the pictures of the guide and the README anew: ``make pictures``.

The windows are real ones on Qt's offscreen platform, running the archive's own experiments, so the pictures show
what a user sees.  Look at them before committing them.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

os.environ["QT_QPA_PLATFORM"] = "offscreen"
os.environ["LYDIAN_HOME"] = tempfile.mkdtemp(prefix="lydian-pictures-")
ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from PySide6.QtCore import QEventLoop, QTimer  # noqa: E402 - the platform is chosen first

from lydian.app.main import application, make_window  # noqa: E402
from lydian.app.pictures.render import render  # noqa: E402
from lydian.app.window.mainwindow import MainWindow  # noqa: E402
from lydian.engine.simulator import Simulator  # noqa: E402
from lydian.model.archive import archive  # noqa: E402
from lydian.trace.timeline import Timeline  # noqa: E402
from lydian.views.frame import Selection  # noqa: E402

FOLDER = ROOT / "resources" / "guide" / "pictures"
#: File, experiment, width, height, theme, layout, time (None: before the first event), selected process.
PICTURES = (
    ("main-light", "two-wings", 1920, 1080, "light", "study", 7.2, "7"),
    ("main-dark", "two-wings", 1920, 1080, "dark", "study", 7.2, "7"),
    ("first-start", "two-wings", 1280, 720, "light", "watch", None, None),
    ("crash", "echo-crash", 1280, 720, "dark", "watch", 9.0, None),
)


def wait(milliseconds: int) -> None:
    """Let the window work for a while."""
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


def draw(
    name: str, experiment: str, size: tuple[int, int], theme: str, layout: str, t: float | None, who: str | None
) -> None:
    """One window, brought to its moment, into a file."""
    window: MainWindow = make_window(experiment)
    window.resize(*size)
    window.show()
    window.looks.choose(theme)
    loop = QEventLoop()
    window.session.run_ready.connect(loop.quit)
    QTimer.singleShot(20_000, loop.quit)
    loop.exec()
    window.looks.arrange(layout)
    wait(300)
    if t is not None:
        window.playhead.seek(t)
        if who is not None and window.playhead.timeline is not None:
            number = window.playhead.timeline.processes.index(who)
            window.playhead.select(Selection(processes=frozenset({number})))
    wait(500)
    path = FOLDER / f"{name}.png"
    window.grab().save(str(path))
    window.close()
    wait(100)
    print(path.relative_to(ROOT))


def main() -> int:
    application(["lydian"])
    FOLDER.mkdir(parents=True, exist_ok=True)
    wanted = set(sys.argv[1:])
    for name, experiment, width, height, theme, layout, t, who in PICTURES:
        if not wanted or name in wanted:
            draw(name, experiment, (width, height), theme, layout, t, who)
    if not wanted or "all-views" in wanted:
        trace = Simulator(archive().experiment("two-wings")).run().trace
        print(render(Timeline(trace), None, "all", 8.0, FOLDER / "all-views.png", size=(1600, 1000)).relative_to(ROOT))
    return 0


if __name__ == "__main__":
    sys.exit(main())
