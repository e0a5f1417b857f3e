"""The settings that persist between starts: theme, layout, views, last folder, limits of a run."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from lydian.desk.kept.folder import KeptFolder, Lock
from lydian.model.limits import usual_memory

__all__ = ["LEAST_MEMORY", "MOST_MEMORY", "Settings"]

#: The least and the most memory that a run may be allowed, in millions of bytes.
LEAST_MEMORY, MOST_MEMORY = 250, 1_000_000


class Values(Protocol):
    """The store of the values: strings by key."""

    def value(self, key: str, default: object = None, /) -> object: ...

    def setValue(self, key: str, value: object, /) -> object: ...

    def remove(self, key: str, /) -> object: ...


class Settings:
    """The settings; each has a default, which replaces a value that is damaged.

    Attributes:
        file: the settings file; other files of the program are in the same folder.
        kept: the unsaved work of the window that these settings belong to.

    Args:
        values: the contents of the file.
        lock: locks the folder of a window.
        still: whether the desktop asks for reduced motion.
    """

    def __init__(self, file: Path, values: Values, lock: Lock, still: Callable[[], bool] = bool) -> None:
        self.file, self._values, self._still = file, values, still
        self.kept = KeptFolder(file.parent, lock)

    def _word(self, key: str, allowed: tuple[str, ...], default: str) -> str:
        value = str(self._values.value(key, default))
        return value if value in allowed else default

    def _number(self, key: str, least: float, most: float, default: float) -> float:
        try:
            value = float(str(self._values.value(key, default)))
        except ValueError:
            return default
        return value if least <= value <= most else default

    def shown_on_processes(self, protocol: str) -> str:
        """Return the variable shown under each process of a protocol; return "" if its animation decides."""
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
    def language(self) -> str:
        """The code of the window's language, such as ``de``; empty for the desktop's. It is used at the next start."""
        return str(self._values.value("language", ""))

    @language.setter
    def language(self, code: str) -> None:
        self._values.setValue("language", code)

    @property
    def layout(self) -> str:
        """``watch``, ``study`` or ``debug``; empty if none has been chosen yet."""
        return self._word("layout", ("watch", "study", "debug", ""), "")

    @layout.setter
    def layout(self, name: str) -> None:
        self._values.setValue("layout", name)

    @property
    def motion(self) -> bool:
        """Whether steps glide rather than jump; until the user chooses, the desktop's setting is used."""
        return str(self._values.value("motion", "false" if self._still() else "true")).lower() != "false"

    @motion.setter
    def motion(self, on: bool) -> None:
        self._values.setValue("motion", "true" if on else "false")

    @property
    def text_scale(self) -> float:
        """The size of text relative to the default, 0.8 to 2.5."""
        return self._number("text_scale", 0.8, 2.5, 1.0)

    @text_scale.setter
    def text_scale(self, scale: float) -> None:
        self._values.setValue("text_scale", repr(float(scale)))

    @property
    def sound(self) -> bool:
        """Whether runs are heard; off until the user switches it on."""
        return str(self._values.value("sound", "false")).lower() == "true"

    @sound.setter
    def sound(self, on: bool) -> None:
        self._values.setValue("sound", "true" if on else "false")

    @property
    def volume(self) -> float:
        """The volume of sound, 0 to 1."""
        return self._number("volume", 0.0, 1.0, 0.6)

    @volume.setter
    def volume(self, volume: float) -> None:
        self._values.setValue("volume", repr(float(volume)))

    @property
    def moment(self) -> float:
        """The moment of the run that was shown when the program was closed."""
        try:
            return float(str(self._values.value("moment", "0")))
        except ValueError:
            return 0.0

    @moment.setter
    def moment(self, t: float) -> None:
        self._values.setValue("moment", repr(float(t)))

    @property
    def seconds(self) -> float:
        """The longest time that an action of a protocol may take, in seconds of real time, 0.1 to 3,600."""
        return self._number("seconds", 0.1, 3600.0, 2.0)

    @seconds.setter
    def seconds(self, seconds: float) -> None:
        self._values.setValue("seconds", repr(float(seconds)))

    @property
    def memory(self) -> int:
        """The memory that a simulator may use, in MB (10^6), at least :data:`LEAST_MEMORY`; 0 for the default."""
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
        """The limits ``seconds`` and ``memory`` (in bytes), as arguments of a request for a run."""
        return {"seconds": self.seconds, "memory": self.memory * 1_000_000 or usual_memory()}

    @property
    def folder(self) -> str:
        """The folder in which a file was last opened or saved; at first, the user's home folder."""
        folder = str(self._values.value("folder", ""))
        return folder if folder and Path(folder).is_dir() else str(Path.home())

    @folder.setter
    def folder(self, folder: str) -> None:
        self._values.setValue("folder", folder)

    def record(self, key: str) -> dict[str, Any]:
        """Return a table of strings and numbers; return an empty one if it cannot be read."""
        try:
            found = json.loads(str(self._values.value(key, "{}")))
        except (ValueError, RecursionError):
            return {}
        return found if isinstance(found, dict) else {}

    def set_record(self, key: str, record: dict[str, Any]) -> None:
        self._values.setValue(key, json.dumps(record, separators=(",", ":")))

    def sync(self) -> bool:
        """Write the settings now; return False if the file cannot be written."""
        return True

    def forget(self, key: str) -> None:
        self._values.remove(key)


def _key(protocol: str) -> str:
    """Return the name or path of a protocol as a key for a settings file."""
    return protocol.replace("/", "|").replace("\\", "|")
