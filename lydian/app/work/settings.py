"""What the program remembers from one start to the next: geometry, theme, layout, views, last folder.

It is an ini file in the user's folder (``$LYDIAN_HOME``, else the platform's place for settings), so that tests
and two users never meet.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from PySide6.QtCore import QByteArray, QSettings, QStandardPaths

from lydian.app.work.locks import take
from lydian.app.work.system import less_motion
from lydian.desk.keptfolder import KeptFolder
from lydian.model.limits import usual_memory

__all__ = ["LEAST_MEMORY", "MOST_MEMORY", "Settings", "settings_file"]

#: Million bytes that a run may be given.
LEAST_MEMORY, MOST_MEMORY = 250, 1_000_000


def settings_file() -> Path:
    """Where the settings stand."""
    home = os.environ.get("LYDIAN_HOME")
    if home:
        return Path(home) / "settings.ini"
    place = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.GenericConfigLocation)
    return Path(place or Path.home()) / "lydian" / "settings.ini"


class Settings:
    """The remembered values; every one has a default, and a damaged one counts as its default.

    Attributes:
        kept: the unsaved work of the window that these settings belong to.
    """

    def __init__(self, file: Path | None = None) -> None:
        self.file = settings_file() if file is None else file
        self._values = QSettings(str(self.file), QSettings.Format.IniFormat)
        self._values.setFallbacksEnabled(False)
        self.kept = KeptFolder(self.file.parent, take)

    def _word(self, key: str, allowed: tuple[str, ...], default: str) -> str:
        value = str(self._values.value(key, default))
        return value if value in allowed else default

    def shown_on_processes(self, protocol: str) -> str:
        """The variable that is shown under each process of a protocol; "" for what its animation declares."""
        return str(self._values.value(f"on processes/{_key(protocol)}", ""))

    def show_on_processes(self, protocol: str, variable: str) -> None:
        self._values.setValue(f"on processes/{_key(protocol)}", variable)

    @property
    def theme(self) -> str:
        """``system``, ``light``, ``dark`` or ``contrast``."""
        return self._word("theme", ("system", "light", "dark", "contrast"), "system")

    @theme.setter
    def theme(self, name: str) -> None:
        self._values.setValue("theme", name)

    @property
    def layout(self) -> str:
        """``watch``, ``study``, ``debug``, or nothing yet."""
        return self._word("layout", ("watch", "study", "debug", ""), "")

    @layout.setter
    def layout(self, name: str) -> None:
        self._values.setValue("layout", name)

    @property
    def motion(self) -> bool:
        """Whether steps glide; without, they jump.  As the desktop wishes, until one has chosen."""
        return str(self._values.value("motion", "false" if less_motion() else "true")).lower() != "false"

    @motion.setter
    def motion(self, on: bool) -> None:
        self._values.setValue("motion", "true" if on else "false")

    @property
    def text_scale(self) -> float:
        """Size of text against the usual one, 0.8 to 2.5."""
        try:
            scale = float(str(self._values.value("text_scale", "1")))
        except ValueError:
            return 1.0
        return scale if 0.8 <= scale <= 2.5 else 1.0

    @text_scale.setter
    def text_scale(self, scale: float) -> None:
        self._values.setValue("text_scale", repr(float(scale)))

    @property
    def moment(self) -> float:
        """The moment of the run at which the program was left."""
        try:
            return float(str(self._values.value("moment", "0")))
        except ValueError:
            return 0.0

    @moment.setter
    def moment(self, t: float) -> None:
        self._values.setValue("moment", repr(float(t)))

    @property
    def seconds(self) -> float:
        """How long an action of a protocol may take, in seconds of the clock on the wall, 0.1 to 3,600."""
        try:
            seconds = float(str(self._values.value("seconds", "2")))
        except ValueError:
            return 2.0
        return seconds if 0.1 <= seconds <= 3600 else 2.0

    @seconds.setter
    def seconds(self, seconds: float) -> None:
        self._values.setValue("seconds", repr(float(seconds)))

    @property
    def memory(self) -> int:
        """How many million bytes a simulator may take, from :data:`LEAST_MEMORY` on; 0 for half of the machine's."""
        try:
            memory = int(str(self._values.value("memory", "0")))
        except ValueError:
            return 0
        return memory if LEAST_MEMORY <= memory <= MOST_MEMORY else 0

    @memory.setter
    def memory(self, memory: int) -> None:
        self._values.setValue("memory", str(int(memory)))

    @property
    def bounds(self) -> dict[str, Any]:
        """``seconds`` and ``memory`` in bytes, as a request for a run wants them."""
        return {"seconds": self.seconds, "memory": self.memory * 1_000_000 or usual_memory()}

    @property
    def folder(self) -> str:
        """Where a file was opened or saved last; the user's home at first."""
        folder = str(self._values.value("folder", ""))
        return folder if folder and Path(folder).is_dir() else str(Path.home())

    @folder.setter
    def folder(self, folder: str) -> None:
        self._values.setValue("folder", folder)

    def bytes(self, key: str) -> QByteArray | None:
        """A geometry or an arrangement of docks, as Qt saved it."""
        value = self._values.value(key)
        return value if isinstance(value, QByteArray) and not value.isEmpty() else None

    def set_bytes(self, key: str, value: QByteArray) -> None:
        self._values.setValue(key, value)

    def record(self, key: str) -> dict[str, Any]:
        """A table of words and numbers; empty if there is none that can be read."""
        try:
            found = json.loads(str(self._values.value(key, "{}")))
        except (ValueError, RecursionError):
            return {}
        return found if isinstance(found, dict) else {}

    def set_record(self, key: str, record: dict[str, Any]) -> None:
        self._values.setValue(key, json.dumps(record, separators=(",", ":")))

    def forget(self, key: str) -> None:
        self._values.remove(key)

    def sync(self) -> bool:
        """Write now; false if the file cannot be written."""
        self._values.sync()
        return self._values.status() == QSettings.Status.NoError


def _key(protocol: str) -> str:
    """The name of a protocol, or its path, as one word of a settings file."""
    return protocol.replace("/", "|").replace("\\", "|")
