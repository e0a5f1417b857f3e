"""The settings that the program keeps for the next start: geometry, theme, layout, views, last folder.

They are in an ini file in the user's folder (``$LYDIAN_HOME``, else the platform's place for settings), so that tests
and different users do not affect each other.
"""

from __future__ import annotations

import os
from pathlib import Path

from PySide6.QtCore import QByteArray, QLocale, QSettings, QStandardPaths

from lydian.app.work.locks import take
from lydian.app.work.system import less_motion
from lydian.desk import settings
from lydian.language import choose

__all__ = ["Settings", "settings_file", "wanted_language"]


def settings_file() -> Path:
    """Return the file of the settings."""
    home = os.environ.get("LYDIAN_HOME")
    if home:
        return Path(home) / "settings.ini"
    place = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.GenericConfigLocation)
    return Path(place or Path.home()) / "lydian" / "settings.ini"


def wanted_language() -> str:
    """Return the language for the window: ``$LYDIAN_LANGUAGE``, else the user's choice, else the desktop's, if there is
    a translation into it.
    """
    chosen = QSettings(str(settings_file()), QSettings.Format.IniFormat).value("language", "")
    return choose(os.environ.get("LYDIAN_LANGUAGE", ""), str(chosen), QLocale.system().uiLanguages())


class Settings(settings.Settings):
    """The settings in an ini file, including values that only Qt can read: the geometry of the window and its docks."""

    _values: QSettings

    def __init__(self, file: Path | None = None) -> None:
        file = settings_file() if file is None else file
        values = QSettings(str(file), QSettings.Format.IniFormat)
        values.setFallbacksEnabled(False)
        super().__init__(file, values, take, lambda: less_motion())

    def bytes(self, key: str) -> QByteArray | None:
        """Return a geometry or an arrangement of docks, as saved by Qt."""
        value = self._values.value(key)
        return value if isinstance(value, QByteArray) and not value.isEmpty() else None

    def set_bytes(self, key: str, value: QByteArray) -> None:
        self._values.setValue(key, value)

    def sync(self) -> bool:
        """Write the settings now; return False if the file cannot be written."""
        self._values.sync()
        return self._values.status() == QSettings.Status.NoError
