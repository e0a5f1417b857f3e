"""One command of the window as the tables of commands know it."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Command", "command"]


@dataclass(frozen=True)
class Command:
    """One thing the user can do.

    Attributes:
        name: what the program calls it.
        text: what the menu says, with its letter.
        menu: the menu it stands in, ``"&View/&Theme"`` for one inside another.
        keys: key sequences, the first is the one shown.
        help: one sentence for the status bar and the sheet of keys.
        icon: name of its icon, if any.
        checkable: whether it is on or off.
        group: commands of one group exclude each other.
        gap: a line stands above it.
    """

    name: str
    text: str
    menu: str
    keys: tuple[str, ...]
    help: str
    icon: str = ""
    checkable: bool = False
    group: str = ""
    gap: bool = False


def command(name: str, text: str, menu: str, keys: str, help: str, icon: str = "", **more: bool | str) -> Command:
    return Command(name, text, menu, tuple(keys.split()), help, icon, **more)  # type: ignore[arg-type]
