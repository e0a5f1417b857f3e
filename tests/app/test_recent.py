"""File > Open recent: kept between starts, with missing files greyed out."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QMenu

from lydian.app.window import recent
from lydian.app.window.recent import Recent
from lydian.app.work.settings import Settings
from lydian.model.archive.archive import archive
from tests.app.conftest import Open

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", "propagateSizeHints")


def entries(menu: QMenu) -> list[tuple[str, bool]]:
    return [(action.text(), action.isEnabled()) for action in menu.actions() if not action.isSeparator()]


def test_the_latest_file_is_first_and_a_missing_one_is_grey(
    qapp: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recent, "MOST", 3)
    settings, menu, opened = Settings(tmp_path / "settings.ini"), QMenu(), []
    files = Recent(menu, settings, tmp_path / "ours", opened.append)
    assert entries(menu) == [("No recent files", False)]
    for name in ("a.toml", "b & c.json", "d.parquet", "ours/e.toml", "a.toml", "f.py"):
        files.remember(tmp_path / name)
    (tmp_path / "a.toml").touch()
    settings.sync()
    again = Recent(menu, Settings(tmp_path / "settings.ini"), tmp_path / "ours", opened.append)
    assert entries(menu) == [
        ("&1  f.py (missing)", False),
        ("&2  a.toml", True),
        ("&3  d.parquet (missing)", False),
        ("&Clear list", True),
    ]
    menu.actions()[1].trigger()
    assert opened == [tmp_path / "a.toml"]
    menu.actions()[-1].trigger()
    assert again.files() == []


def test_opened_and_saved_files_are_listed(open_window: Open, tmp_path: Path) -> None:
    window = open_window()
    assert window.recent.files() == []  # the example is not a file of the user
    assert window.documents.save_to(tmp_path / "mine.toml")
    assert not window.documents.open(tmp_path / "nowhere.toml")
    assert window.documents.open(archive().find("experiments", "echo-complete"))
    assert window.recent.files() == [tmp_path / "mine.toml"]
