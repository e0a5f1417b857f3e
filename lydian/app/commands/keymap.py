"""The keys of each command: those of the table, or those that the user chose, which are kept in the settings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QKeySequence

from lydian.app.commands.table import Command, commands
from lydian.desk.settings import Settings
from lydian.language import tr

__all__ = ["FIXED", "KeyMap", "native"]

#: The settings key under which the keys that differ from the table are kept.
RECORD = "keys"
#: Keys that have the same effect everywhere and cannot be assigned -> their effect.
FIXED: Mapping[str, str] = {
    "Tab": tr("goes to the next control"),
    "Shift+Tab": tr("goes to the previous control"),
    "Alt+Left": tr("selects the process to the left"),
    "Alt+Right": tr("selects the process to the right"),
    "Alt+Up": tr("selects the process above"),
    "Alt+Down": tr("selects the process below"),
}


def native(keys: str) -> str:
    """Return a key sequence as written on this platform."""
    return QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)


def _plain(keys: str) -> str:
    return QKeySequence(keys).toString(QKeySequence.SequenceFormat.PortableText)


class KeyMap(QObject):
    """The keys of all actions of a window."""

    #: Some keys have changed.
    changed = Signal()

    def __init__(self, settings: Settings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.settings = settings
        self._table = {command.name: command for command in commands()}
        self.actions: Mapping[str, QAction] = {}

    def load(self, actions: Mapping[str, QAction]) -> None:
        """Manage the keys of these actions from now on, starting with the kept keys.

        Unknown keys and commands in the settings are ignored; a key that two commands claim goes to the one that
        comes first in the table.
        """
        self.actions = actions
        taken: set[str] = set()
        kept = self.settings.record(RECORD)
        for command in self.commands():
            keys = [key for key in self._wanted(command, kept.get(command.name)) if key not in taken]
            taken.update(keys)
            self._give(command, keys)

    def commands(self) -> list[Command]:
        """Return the commands that can have keys, in the order of the table."""
        return [command for command in self._table.values() if command.name in self.actions]

    def keys(self, name: str) -> tuple[str, ...]:
        """Return the current keys of a command; the first one is shown."""
        return tuple(key.toString(QKeySequence.SequenceFormat.PortableText) for key in self.actions[name].shortcuts())

    def usual(self, name: str) -> tuple[str, ...]:
        """Return the keys of a command in the table."""
        return tuple(_plain(key) for key in self._table[name].keys)

    def conflict(self, name: str, keys: str) -> str:
        """Return a sentence that says why a command cannot have these keys, or "" if it can."""
        keys = _plain(keys)
        if keys in FIXED:
            return tr("{key} always {effect}.", key=native(keys), effect=FIXED[keys])
        owner = self.owner(keys)
        if owner and owner != name:
            return tr("{key} belongs to “{command}”.", key=native(keys), command=title(self._table[owner]))
        return ""

    def owner(self, keys: str) -> str:
        """Return the command that has these keys, or "" if there is none."""
        keys = _plain(keys)
        return next((name for name in self.actions if name in self._table and keys in self.keys(name)), "")

    def set(self, name: str, keys: Iterable[str]) -> None:
        """Assign these keys to a command, and remove them from any other command.

        Raises:
            ValueError: one of them cannot be assigned, or is not a key.
        """
        wanted = list(dict.fromkeys(_plain(key) for key in keys))
        for key in wanted:
            if not key or key in FIXED:
                raise ValueError(self.conflict(name, key) or "this is not a key")
            other = self.owner(key)
            if other and other != name:
                self._give(self._table[other], [k for k in self.keys(other) if k != key])
        self._give(self._table[name], wanted)
        self._keep()

    def reset(self, name: str) -> None:
        """Restore the keys that a command has in the table, and remove them from any other command."""
        self.set(name, self.usual(name))

    def reset_all(self) -> None:
        """Restore the keys of the table for all commands."""
        for command in self.commands():
            self._give(command, self.usual(command.name))
        self._keep()

    def _wanted(self, command: Command, said: object) -> tuple[str, ...]:
        if not isinstance(said, list) or not all(isinstance(key, str) for key in said):
            return self.usual(command.name)
        return tuple(key for key in map(_plain, said) if key and key not in FIXED)

    def _give(self, command: Command, keys: Iterable[str]) -> None:
        action = self.actions[command.name]
        action.setShortcuts([QKeySequence(key) for key in keys])
        shown = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        action.setToolTip(f"{title(command)} ({shown})" if shown else title(command))

    def _keep(self) -> None:
        names = [command.name for command in self.commands()]
        other = {name: list(self.keys(name)) for name in names if self.keys(name) != self.usual(name)}
        if other:
            self.settings.set_record(RECORD, other)
        else:
            self.settings.forget(RECORD)
        self.changed.emit()


def title(command: Command) -> str:
    """Return the name of a command as written outside menus."""
    return command.text.replace("&", "").rstrip("…")
