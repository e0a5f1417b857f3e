"""The workspaces, one of which is in front: the run, the network, the protocol, the sweep."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol

from lydian.desk.signal import Signal
from lydian.language import tr

__all__ = ["Steps", "Workspace", "Workspaces"]


#: Commands that are available in workspaces other than the run; all others are greyed out there.
_EVERYWHERE = """
new open save save_as undo redo quit run palette help whats_this keys change_keys bounds about double_click
projector next_pane previous_pane
theme_system theme_light theme_dark theme_contrast text_larger text_smaller text_usual
workspace_run workspace_network workspace_protocol workspace_next
network_new network_open network_import network_save network_export
protocol_new protocol_open protocol_save protocol_save_as protocol_rename protocol_watch_file protocol_compare
protocol_problem protocol_open_cell protocol_three protocol_failure protocol_keep protocol_check stop run_live
protocol_others protocol_explore
workspace_sweep sweep_begin sweep_vary sweep_new sweep_open sweep_save sweep_save_as sweep_start sweep_stop sweep_resume
sweep_results sweep_report
workspace_archive archive_search play_against
workspace_assignment assignment_open assignment_check assignment_hand_in assignment_compare assignment_start_over
assignment_trial assignment_grade
lessons lesson lesson_next lesson_back lesson_copy lesson_write
begin_watch begin_break begin_vary begin_write import_log save_trace pictures
motion see_all see_protanopia see_deuteranopia see_tritanopia see_grey
"""
EVERYWHERE = frozenset(_EVERYWHERE.split())
ALSO = ("export_", "help_", "language_", "draw_", "arrange_", "align_", "spread_")
#: The reason given for the commands that are unavailable there.
NOT_HERE = tr("Not available in this workspace; press Ctrl+Alt+1 to return to the run")


class Steps(Protocol):
    """A history of edits: :class:`lydian.desk.undo.Undo`, or the history of an editor."""

    @property
    def undo_text(self) -> str:
        """The description of the step that :meth:`undo` would undo; empty if there is none."""

    @property
    def redo_text(self) -> str:
        """The description of the step that :meth:`redo` would redo; empty if there is none."""

    def undo(self) -> object:
        """Undo a step."""

    def redo(self) -> object:
        """Redo a step."""


class Workspace:
    """A workspace.

    Attributes:
        name: its identifier in the program.
        word: the label of its tab.
        about: the tooltip of its tab.
        title: the window's title while the workspace is in front.
        modified: whether the document differs from its file.
        steps: the history of edits; ``None`` if the workspace has none.
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

    @property
    def used(self) -> bool:
        """Whether it can be brought to the front as it is."""
        return True

    def acts(self) -> dict[str, Callable[[], object]]:
        """Return what ``new``, ``open``, ``save``, ``save_as`` and ``run`` do here; the others act as usual."""
        return {}

    def why_not(self, command: str) -> str:
        """Return the reason why a command is unavailable here; return an empty string if it is available."""
        return "" if command in EVERYWHERE or command.startswith(ALSO) else NOT_HERE

    def come(self) -> None:
        """Prepare to be brought to the front."""

    def leave(self) -> bool:
        """Prepare to be left for another workspace; return False to refuse."""
        return True


class Workspaces:
    """All workspaces; initially the first one is in front.

    Attributes:
        current: the name of the workspace in front.
        changed: emitted with the name of the workspace that has been brought to the front.
        stayed: emitted when the workspace in front cannot be left.
    """

    def __init__(self) -> None:
        self.changed, self.stayed = Signal(), Signal()
        self._all: dict[str, Workspace] = {}
        self.current = ""

    def __iter__(self) -> Iterator[Workspace]:
        return iter(self._all.values())

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all workspaces, in order."""
        return tuple(self._all)

    @property
    def here(self) -> Workspace:
        """The workspace in front."""
        return self._all[self.current]

    def add(self, place: Workspace) -> None:
        """Add a workspace."""
        self._all[place.name] = place
        self.current = self.current or place.name

    def show(self, name: str) -> bool:
        """Bring a workspace to the front; return False if the current one cannot be left."""
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
        """Bring the next workspace that is in use to the front."""
        names = tuple(name for name, each in self._all.items() if each.used or name == self.current)
        self.show(names[(names.index(self.current) + 1) % len(names)])
