"""The places in which somebody works, one of which is in front: the run, the drawing, the text, the sweep."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol

from lydian.desk.signal import Signal

__all__ = ["Steps", "Workspace", "Workspaces"]


#: Commands that can be used while something else than the run is in front; all others are greyed there.
_EVERYWHERE = """
new open save save_as undo redo quit run palette help whats_this keys change_keys bounds about
projector next_pane previous_pane
theme_system theme_light theme_dark theme_contrast text_larger text_smaller text_usual
workspace_run workspace_network workspace_protocol workspace_next
network_new network_open network_import network_save network_export
protocol_new protocol_open protocol_save protocol_save_as protocol_rename protocol_watch_file protocol_compare
protocol_problem protocol_open_cell protocol_three protocol_failure protocol_keep protocol_check stop run_live
protocol_others protocol_explore
workspace_sweep sweep_begin sweep_vary sweep_new sweep_open sweep_save sweep_save_as sweep_start sweep_stop sweep_resume
sweep_results sweep_report
workspace_archive archive_search
lessons lesson lesson_next lesson_back lesson_copy lesson_write
begin_watch begin_break begin_vary begin_write import_log save_trace pictures
motion see_all see_protanopia see_deuteranopia see_tritanopia see_grey
"""
EVERYWHERE = frozenset(_EVERYWHERE.split())
ALSO = ("export_", "help_", "draw_", "arrange_", "align_", "spread_")
#: Why the others cannot be used there.
NOT_HERE = "Not in this workspace: Ctrl+Alt+1 goes back to the run"


class Steps(Protocol):
    """The history of what is worked on: :class:`lydian.desk.undo.Undo` or one that an editor brings."""

    @property
    def undo_text(self) -> str:
        """What :meth:`undo` would undo; empty if there is nothing."""

    @property
    def redo_text(self) -> str:
        """What :meth:`redo` would do again; empty if there is nothing."""

    def undo(self) -> object:
        """Undo a step."""

    def redo(self) -> object:
        """Do a step again."""


class Workspace:
    """One of the places.

    Attributes:
        name: what the program calls it.
        word: what its tab says.
        about: what its tab says at length.
        title: what the window is called while it is in front.
        modified: whether what is worked on differs from its file.
        steps: what can be undone there; ``None`` if nothing ever can.
    """

    name = word = about = ""

    @property
    def title(self) -> str:
        return self.word

    @property
    def modified(self) -> bool:
        return False

    @property
    def steps(self) -> Steps | None:
        return None

    def acts(self) -> dict[str, Callable[[], object]]:
        """What ``new``, ``open``, ``save``, ``save_as`` and ``run`` do here; the usual for those left out."""
        return {}

    def why_not(self, command: str) -> str:
        """Why a command has no place here; empty if it has."""
        return "" if command in EVERYWHERE or command.startswith(ALSO) else NOT_HERE

    def come(self) -> None:
        """It comes to the front."""

    def leave(self) -> bool:
        """Something else comes to the front; false if that cannot be."""
        return True


class Workspaces:
    """All of them; the first is in front at first.

    Attributes:
        current: the name of the one in front.
        changed: tells the name of the one that has come to the front.
        stayed: tells that the one in front could not be left.
    """

    def __init__(self) -> None:
        self.changed, self.stayed = Signal(), Signal()
        self._all: dict[str, Workspace] = {}
        self.current = ""

    def __iter__(self) -> Iterator[Workspace]:
        return iter(self._all.values())

    @property
    def names(self) -> tuple[str, ...]:
        """All names in order."""
        return tuple(self._all)

    @property
    def here(self) -> Workspace:
        """The one in front."""
        return self._all[self.current]

    def add(self, place: Workspace) -> None:
        """Have one more."""
        self._all[place.name] = place
        self.current = self.current or place.name

    def show(self, name: str) -> bool:
        """Bring one to the front; false if the one that is there cannot be left."""
        if name == self.current:
            return True
        if not self.here.leave():
            self.stayed.emit()
            return False
        self.current = name
        self.here.come()
        self.changed.emit(name)
        return True

    def next(self) -> None:
        """Bring the next one to the front."""
        names = self.names
        self.show(names[(names.index(self.current) + 1) % len(names)])
