"""A command of the window, as listed in the tables of commands."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["EVERYWHERE", "WHERE", "Command", "command", "workspaces_of"]

#: The names of all workspaces.
EVERYWHERE = "run network protocol sweep archive assignment"
#: A menu or submenu -> the workspaces in which it makes sense; a submenu that is not listed is where its menu is.
WHERE = {
    "&File": EVERYWHERE,
    "&File/Start &with": "run",
    "&File/E&xport": "run",
    "&Edit": EVERYWHERE,
    "&View": "run",
    "&View/The&me": EVERYWHERE,
    "&View/Language": EVERYWHERE,
    "&View/Te&xt size": EVERYWHERE,
    "&View/Colou&r vision": EVERYWHERE,
    "&View/&Go to": EVERYWHERE,
    "&Network": "network",
    "&Protocol": "protocol",
    "&Sweep": "sweep",
    "Assi&gnment": "assignment",
    "&Run": "run",
    "P&layback": "run",
    "F&aults": "run",
    "&Class": "run",
    "&Help": EVERYWHERE,
}


def workspaces_of(menu: str) -> frozenset[str]:
    """Return the workspaces in which a menu or submenu makes sense."""
    while menu not in WHERE:
        menu = menu.rpartition("/")[0]
    return frozenset(WHERE[menu].split())


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
        where: the names of the workspaces, separated by spaces, in whose menus it is and in which its keys have an
            effect; empty for those of its menu (:data:`WHERE`).
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
    where: str = ""

    @property
    def workspaces(self) -> frozenset[str]:
        """The workspaces in whose menus it is."""
        return frozenset(self.where.split()) or workspaces_of(self.menu)


def command(name: str, text: str, menu: str, keys: str, help: str, icon: str = "", **more: bool | str) -> Command:
    return Command(name, text, menu, tuple(keys.split()), help, icon, **more)  # type: ignore[arg-type]
