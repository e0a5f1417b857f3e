"""The application installed from a wheel, without the repository: tokens, icons and experiments are included."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.test_packaging import ROOT

pytestmark = pytest.mark.slow

OPEN = """
import sys
from pathlib import Path
from PySide6.QtCore import QTimer
import lydian
from lydian.app.look.icons import icon_names, resources
from lydian.app.main import application, make_window

made = application([])
window = make_window()
window.resize(1280, 720)
window.show()


def look():
    if window.session.shown is None:
        return
    timer.stop()
    window.playhead.seek(5.0)
    window.looks.arrange("study")
    window.grab()
    for name in ("communication", "step", "occupation"):
        window.stage.show_view(name, True)
    for canvas in window.stage.canvases.values():
        canvas.repaint()
        assert canvas.trouble is None, canvas.trouble
    inside = Path(lydian.__file__).parent
    assert inside in resources().parents and "play" in icon_names()
    assert inside in window.session.path.parents
    print(len(window.session.shown.trace), window.playhead.t, flush=True)
    window.close()
    made.quit()


timer = QTimer()
timer.timeout.connect(look)
timer.start(50)
made.exec()
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel, unpack it as pip does, and return its folder."""
    folder = tmp_path_factory.mktemp("wheel")
    done = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    zipfile.ZipFile(next(folder.glob("*.whl"))).extractall(folder / "site")
    return folder / "site"


def python(site: Path, env: dict[str, str], folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    # -P keeps the current folder off the import path
    return subprocess.run(
        [sys.executable, "-P", *words], env={**env, "PYTHONPATH": str(site), "QT_QPA_PLATFORM": "offscreen"},
        cwd=folder, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip


def test_the_installed_package_renders_a_picture(site: Path, python_env: dict[str, str], tmp_path: Path) -> None:
    done = python(site, python_env, tmp_path, "-m", "lydian", "render", "two-wings", "--at", "5", "-o", "x.png")
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "x.png").read_bytes().startswith(b"\x89PNG")


def test_the_installed_window_opens_runs_and_draws(site: Path, python_env: dict[str, str], tmp_path: Path) -> None:
    done = python(site, python_env, tmp_path, "-c", OPEN)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["105", "5.0"], done.stderr
