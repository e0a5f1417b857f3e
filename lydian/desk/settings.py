"""What the program remembers from one start to the next: theme, layout, views, last folder, bounds of a run."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from lydian.desk.kept.folder import KeptFolder, Lock
from lydian.model.limits import usual_memory

__all__ = ["LEAST_MEMORY", "MOST_MEMORY", "Settings"]

#: Million bytes that a run may be given.
LEAST_MEMORY, MOST_MEMORY = 250, 1_000_000


class Values(Protocol):
    """Where the values are kept: words under keys."""

    def value(self, key: str, default: object = None, /) -> object: ...

    def setValue(self, key: str, value: object, /) -> object: ...

    def remove(self, key: str, /) -> object: ...


class Settings:
    """The remembered values; every one has a default, and a damaged one counts as its default.

    Attributes:
        file: where they are; further files of the program are beside it.
        kept: the unsaved work of the window that these settings belong to.

    Args:
        values: what is in the file.
        lock: takes the lock of the folder of a window.
        still: whether things should move less than usual, as the desktop wishes.
    """

    def __init__(self, file: Path, values: Values, lock: Lock, still: Callable[[], bool] = bool) -> None:
        self.file, self._values, self._still = file, values, still
        self.kept = KeptFolder(file.parent, lock)

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
        return str(self._values.value("motion", "false" if self._still() else "true")).lower() != "false"

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

    def record(self, key: str) -> dict[str, Any]:
        """A table of words and numbers; empty if there is none that can be read."""
        try:
            found = json.loads(str(self._values.value(key, "{}")))
        except (ValueError, RecursionError):
            return {}
        return found if isinstance(found, dict) else {}

    def set_record(self, key: str, record: dict[str, Any]) -> None:
        self._values.setValue(key, json.dumps(record, separators=(",", ":")))

    def sync(self) -> bool:
        """Write now; false if the file cannot be written."""
        return True

    def forget(self, key: str) -> None:
        self._values.remove(key)


def _key(protocol: str) -> str:
    """The name of a protocol, or its path, as one word of a settings file."""
    return protocol.replace("/", "|").replace("\\", "|")
