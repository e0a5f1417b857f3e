"""After a run that broke a promise: a button below the checks that asks whether runs with other seeds break too."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QPushButton, QVBoxLayout

from lydian.app.look.icons import icon
from lydian.app.look.theme import Theme
from lydian.app.work.session import Run

if TYPE_CHECKING:
    from lydian.app.protocol.otherruns import OtherRuns
    from lydian.app.window.protocolcommands import ProtocolCommands

__all__ = ["OtherCommands"]

WORDS = "Did other runs break too?"


class OtherCommands(QObject):
    """The question, where it is asked, and where the answer stands: below the checks, or below the code.

    Attributes:
        foot: what stands below the checks; ``None`` until a run broke something or somebody asked.
        button: the question in it.
        strip: the answer in it, ``None`` until somebody asked.
    """

    def __init__(self, commands: ProtocolCommands) -> None:
        super().__init__(commands)
        self.commands, self.window = commands, commands.window
        self.foot: QFrame | None = None
        self.button: QPushButton
        self.strip: OtherRuns | None = None
        self._broken = False  # the run that is shown broke something

    def begin(self) -> None:
        """The rest of the window is there: listen to runs."""
        session = self.window.session
        session.run_ready.connect(self._ready)
        session.experiment_changed.connect(self._changed)

    def ask(self) -> None:
        """Run the experiment at hand with other seeds, and show how many of them break."""
        window = self.window
        if self.commands.workspaces.current == "protocol" and self.commands.workspace is not None:
            self.commands.workspace.further.others()
            return
        experiment = window.session.experiment
        if experiment is None:
            window.say("This is a recorded run without its experiment: it cannot be run with other seeds.", False)
            return
        if not self.commands.workspaces.show("run"):
            return
        path = experiment.path if experiment.path is not None else window.session.path
        strip = self._strip()
        window.stage.show_view("checks", True)
        strip.ask(experiment.with_(path=path))
        self._show()

    def _ready(self, run: Run | None, _play: bool) -> None:
        """A run is over: the question stands below the checks if it broke one of them, or failed."""
        self._broken = False
        if run is not None and run.experiment is not None:
            checks = run.result.get("checks") or ()
            self._broken = run.problem is not None or any(check.get("holds") is False for check in checks)
        self._show()

    def _changed(self) -> None:
        """Another experiment: what was asked about the one before goes, unless only the seed is another."""
        from lydian.app.protocol.otherruns import same_but_seed

        if self.strip is not None and not same_but_seed(self.strip.asked, self.window.session.experiment):
            self.strip.leave()

    def _show(self) -> None:
        shown = self.strip is not None and not self.strip.isHidden()
        if self._broken or shown:
            self._foot().show()
            self.button.setVisible(not shown)
        elif self.foot is not None:
            self.foot.hide()

    def _foot(self) -> QFrame:
        if self.foot is None:
            self.foot = QFrame()
            self.button = QPushButton(WORDS)
            self.button.setObjectName("offer")
            self.button.setAccessibleName(WORDS)
            keys = self.window.actions_by_name["protocol_others"].shortcut().toString()
            self.button.setToolTip(f"Run the same experiment with twenty other seeds ({keys})")
            self.button.clicked.connect(lambda _on=False: self.ask())
            column = QVBoxLayout(self.foot)
            column.setContentsMargins(0, 2, 0, 2)
            row = QHBoxLayout()
            row.setContentsMargins(8, 2, 8, 4)
            row.addWidget(self.button)
            column.addLayout(row)
            body = self.window.stage.docks["checks"].widget().layout()
            assert isinstance(body, QBoxLayout)
            body.addWidget(self.foot)
            self.set_theme(self.window.theme)
        return self.foot

    def _strip(self) -> OtherRuns:
        if self.strip is None:
            from lydian.app.protocol.otherruns import OtherRuns

            self.strip = OtherRuns(self.window.theme)
            self.strip.wanted.connect(lambda attempt: self.commands.watch(attempt.experiment))
            self.strip.closed.connect(self._show)
            column = self._foot().layout()
            assert column is not None
            column.addWidget(self.strip)
        return self.strip

    def set_theme(self, theme: Theme) -> None:
        """Another look."""
        if self.foot is not None:
            self.button.setIcon(icon("dice", theme))
        if self.strip is not None:
            self.strip.set_theme(theme)

    def close(self) -> None:
        """Leave no simulator."""
        if self.strip is not None:
            self.strip.close_all()
