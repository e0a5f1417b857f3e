"""A command of the window, as listed in the tables of commands."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Command", "command"]


@dataclass(frozen=True)
class Command:
    """A command that the user can give.

    Attributes:
        name: the name of the command in the program.
        text: the label of its menu entry, with the accelerator.
        menu: the menu that contains it; a submenu is written ``"&View/&Theme"``.
        keys: key sequences; the first one is shown.
        help: one sentence for the status bar and the sheet of keys.
        icon: the name of its icon, if any.
        checkable: whether it can be switched on and off.
        group: commands of the same group exclude each other.
        gap: whether a separator precedes it.
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
