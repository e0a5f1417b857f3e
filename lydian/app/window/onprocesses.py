"""View > Show on processes: a variable under each process, in place of the values of the animation."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu

from lydian.desk.playhead import Playhead
from lydian.desk.settings import Settings
from lydian.language import tr
from lydian.pieces.animation import Animation
from lydian.trace.timeline import Timeline

__all__ = ["OnProcesses"]


class OnProcesses:
    """The submenu and the variable shown, which is remembered for each protocol.

    Args:
        head: the play head, whose animation is changed for all views.
        menu: the submenu, which is filled when it opens.
        looked: called when another variable is shown.
    """

    def __init__(self, head: Playhead, settings: Settings, menu: QMenu, looked: Callable[[], object]) -> None:
        self._head, self._settings, self._looked = head, settings, looked
        self._declared: Animation | None = None
        self._group: QActionGroup | None = None
        self.menu = menu
        menu.aboutToShow.connect(self.fill)

    def drawn(self, animation: Animation, timeline: Timeline) -> Animation:
        """Return the animation of a run, with the variable that was chosen for its protocol."""
        self._declared = animation
        name = self._settings.shown_on_processes(_protocol(timeline))
        return animation.showing(name) if name in variables_of(timeline) else animation

    def choose(self, name: str) -> None:
        """Show a variable under each process; "" restores the values of the animation."""
        timeline = self._head.timeline
        if timeline is None or self._declared is None:
            return
        self._settings.show_on_processes(_protocol(timeline), name)
        self._head.animation = self.drawn(self._declared, timeline)
        self._looked()

    def fill(self) -> None:
        """Fill the submenu for the current run."""
        self.menu.clear()
        timeline = self._head.timeline
        names = () if timeline is None else variables_of(timeline)
        chosen = "" if timeline is None else self._settings.shown_on_processes(_protocol(timeline))
        group = self._group = QActionGroup(self.menu)
        declared = self.menu.addAction(tr("As the &animation declares"))
        self._entry(declared, group, "", chosen not in names)
        self.menu.addSeparator()
        for name in names:
            self._entry(self.menu.addAction(name), group, name, chosen == name)
        if not names:
            self.menu.addAction(
                tr("This run records no variables") if timeline is not None else tr("There is no run yet")
            )
            self.menu.actions()[-1].setEnabled(False)

    def _entry(self, action: QAction, group: QActionGroup, name: str, checked: bool) -> None:
        action.setCheckable(True)
        action.setChecked(checked)
        group.addAction(action)
        action.triggered.connect(lambda _on: self.choose(name))


def variables_of(timeline: Timeline) -> tuple[str, ...]:
    """Return the variables that a run records, in the order of the protocol's file."""
    return tuple(timeline.trace.summary.get("initial") or ())


def _protocol(timeline: Timeline) -> str:
    return str(timeline.trace.experiment.get("protocol", ""))
