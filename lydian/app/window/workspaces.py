"""The workspaces of the window as tabs: the run that is watched, the network that is drawn, the protocol, the sweep.

What is drawn is the network of the experiment.  Going back to the run, or running, takes the drawing over; nothing has
to be saved in between.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QLabel, QStackedWidget, QTabBar, QWidget

from lydian.app.look.theme import Theme
from lydian.app.window.archivecommands import ArchiveCommands
from lydian.app.window.drawcommands import DrawCommands
from lydian.app.window.protocolcommands import ProtocolCommands
from lydian.app.window.sweepcommands import SweepCommands
from lydian.app.work.background import Background
from lydian.desk import keptdrawing

if TYPE_CHECKING:
    from lydian.app.batch.workspace import SweepWorkspace
    from lydian.app.editor.workspace import EditorWorkspace
    from lydian.app.protocol.workspace import ProtocolWorkspace
    from lydian.app.window.mainwindow import MainWindow

__all__ = ["NAMES", "Workspaces"]

#: Workspaces and the words on their tabs, from left to right.
NAMES = {"run": "Run", "network": "Network", "protocol": "Protocol", "sweep": "Sweep", "archive": "Archive"}
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
_ALSO = ("export_", "help_", "draw_", "arrange_", "align_", "spread_")
#: Why the others cannot be used there.
_NOT_HERE = "Not in this workspace: Ctrl+Alt+1 goes back to the run"


class Workspaces(QObject):
    """Which workspace is in front.

    The editor is made when it is first wanted, so that the window opens as quickly as without it.
    """

    #: Another workspace is in front.
    changed = Signal(str)

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self.window = window
        self.stack = QStackedWidget()
        self.stack.setObjectName("workspaces")
        self.tabs = QTabBar()
        self.tabs.setObjectName("workspaceTabs")
        self.tabs.setAccessibleName("Workspaces")
        self.tabs.setExpanding(False)
        self.tabs.setDrawBase(False)
        self.tabs.setUsesScrollButtons(False)
        self.tabs.setElideMode(Qt.TextElideMode.ElideNone)
        self.tabs.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        for word in NAMES.values():
            self.tabs.addTab(word)
        self.tabs.setTabToolTip(0, "Watch the run (Ctrl+Tab)")
        self.tabs.setTabToolTip(1, "Draw the network and set its timing (Ctrl+Tab)")
        self.tabs.setTabToolTip(2, "Write a protocol of your own (Ctrl+Tab)")
        self.tabs.setTabToolTip(3, "Run the experiment with many values (Ctrl+Tab)")
        self.tabs.setTabToolTip(4, "All protocols, to look at, to open and to copy (Ctrl+Tab)")
        window.menuBar().setCornerWidget(self.tabs, Qt.Corner.TopRightCorner)
        self.tabs.currentChanged.connect(lambda index: self.show(tuple(NAMES)[index]))
        self.editor: EditorWorkspace | None = None
        self.current = "run"
        self.commands = DrawCommands(self)
        self.protocols = ProtocolCommands(self)
        self.sweeps = SweepCommands(self)
        self.archive = ArchiveCommands(self)
        self.background = Background(self)
        self.background.done.connect(self._offer)
        self.hint = QLabel()
        self.hint.setObjectName("hint")
        self.hint.setAccessibleName("What the tool does")
        self.hint.hide()
        self._widen()

    def _widen(self) -> None:
        """The corner of a menu bar is as wide as it was first; the chosen tab is bold and needs more."""
        wide = sum(self.tabs.fontMetrics().horizontalAdvance(word) for word in NAMES.values())
        self.tabs.setMinimumWidth(round(1.15 * wide) + 44 * len(NAMES))

    def hold(self, run: QWidget) -> None:
        """Take in what shows the run."""
        self.stack.insertWidget(0, run)
        self.protocols.begin()
        self.sweeps.begin()
        self.protocols.refresh()
        self.commands.show_tips()
        self.commands.refresh()

    def handlers(self) -> dict[str, Callable[..., object]]:
        """Name of the command -> what it does."""
        return {
            "workspace_run": lambda: self.show("run"),
            "workspace_network": lambda: self.show("network"),
            "workspace_next": self.next,
            "undo": lambda: self.either(
                self.window.session.undo.undo,
                lambda e: e.board.document.undo(),
                lambda p: p.document.text.undo(),
                lambda s: s.document.undo.undo(),
            ),
            "redo": lambda: self.either(
                self.window.session.undo.redo,
                lambda e: e.board.document.redo(),
                lambda p: p.document.text.redo(),
                lambda s: s.document.undo.redo(),
            ),
            "open": lambda: self.either(
                self.window.documents.choose,
                lambda e: e.files.choose(),
                lambda p: p.files.choose(),
                lambda s: s.files.choose(),
            ),
            "save": lambda: self.either(
                self.window.documents.save, lambda e: e.files.save(), lambda p: p.files.save(), lambda s: s.files.save()
            ),
            "save_as": lambda: self.either(
                self.window.documents.save_as,
                lambda e: e.files.save_as(),
                lambda p: p.files.save_as(),
                lambda s: s.files.save_as(),
            ),
            "run": self.run,
            "network_new": lambda: self.drawn(lambda editor: editor.new()),
            "network_open": lambda: self.drawn(lambda editor: editor.files.choose()),
            "network_import": lambda: self.drawn(lambda editor: editor.files.choose(add=True)),
            "network_save": lambda: self.drawn(lambda editor: editor.files.save()),
            "network_export": lambda: self.drawn(lambda editor: editor.files.export()),
            **self.commands.handlers(),
            **self.protocols.handlers(),
            **self.sweeps.handlers(),
            **self.archive.handlers(),
        }

    def either(
        self,
        run: Callable[[], object],
        drawing: Callable[[EditorWorkspace], object],
        writing: Callable[[ProtocolWorkspace], object],
        sweeping: Callable[[SweepWorkspace], object] | None = None,
    ) -> None:
        """One thing if the run is in front, another if the drawing is, a third if the protocol is, or the sweep."""
        if self.current == "network" and self.editor is not None:
            drawing(self.editor)
        elif self.current == "protocol" and self.protocols.workspace is not None:
            writing(self.protocols.workspace)
        elif self.current == "sweep" and self.sweeps.workspace is not None:
            (run if sweeping is None else partial(sweeping, self.sweeps.workspace))()
        else:
            run()

    def drawn(self, what: Callable[[EditorWorkspace], object]) -> None:
        """Something that is done to the drawing, which comes to the front for it."""
        if self.show("network") and self.editor is not None:
            what(self.editor)

    def say_undo(self) -> None:
        """Name what undo and redo would do in front."""
        undo = self.window.session.undo
        texts = [(undo.undo_text, undo.can_undo), (undo.redo_text, undo.can_redo)]
        if self.current == "network" and self.editor is not None:
            document = self.editor.board.document
            texts = [(text, bool(text)) for text in (document.undo_text, document.redo_text)]
        elif self.current == "protocol" and self.protocols.workspace is not None:
            written = self.protocols.workspace.document.text
            texts = [("typing", written.isUndoAvailable()), ("typing", written.isRedoAvailable())]
        elif self.current == "sweep" and self.sweeps.workspace is not None:
            steps = self.sweeps.workspace.document.undo
            texts = [(steps.undo_text, steps.can_undo), (steps.redo_text, steps.can_redo)]
        elif self.current == "archive":
            texts = [("", False), ("", False)]
        for name, word, (text, able) in zip(("undo", "redo"), ("&Undo", "&Redo"), texts, strict=True):
            action = self.window.actions_by_name[name]
            action.setText(f"{word}: {text}" if text and able else word)
            action.hinder("nothing", "" if able else f"There is nothing to {name} here")

    def say_title(self) -> None:
        """Name what is in front, with a star if it differs from its file."""
        window = self.window
        if self.current == "network" and self.editor is not None:
            document = self.editor.board.document
            window.setWindowTitle(f"{document.network.name} — Network — LYDIAN[*]")
            window.setWindowModified(document.modified)
        elif self.current == "protocol" and self.protocols.workspace is not None:
            text = self.protocols.workspace.document
            window.setWindowTitle(f"{text.name} — Protocol — LYDIAN[*]")
            window.setWindowModified(text.modified)
        elif self.current == "sweep" and self.sweeps.workspace is not None:
            sweep = self.sweeps.workspace.document
            window.setWindowTitle(f"{self.sweeps.workspace.title} — Sweep — LYDIAN[*]")
            window.setWindowModified(sweep.modified)
        elif self.current == "archive":
            window.setWindowTitle("Archive — LYDIAN[*]")
            window.setWindowModified(False)
        else:
            window.setWindowTitle(f"{window.run_title()}[*]")
            window.setWindowModified(window.session.modified)

    def _say_hint(self) -> None:
        if self.editor is not None:
            self.hint.setText(self.editor.hint)

    def _experiment_changed(self) -> None:
        """Another experiment, or another network of it, comes onto the board that is in front."""
        if self.current == "network" and self.editor is not None:
            self.editor.sync()
            self.say_title()

    # ------------------------------------------------------------------ a drawing that was not finished

    def offer_kept(self) -> None:
        """Offer the drawing and the text that were kept when the program ended before they were run or saved."""
        self.protocols.offer_kept()
        self.sweeps.offer_rest()
        files = self.window.settings.kept.left(keptdrawing.FILE)
        if files:
            self.background.start(lambda _report: [(file, keptdrawing.read(file)) for file in files])

    def _offer(self, found: list[tuple[Path, keptdrawing.Kept | None]]) -> None:
        for file, kept in found:
            if kept is not None:
                self.window.notice.offer(
                    f"An unfinished drawing of {kept.network.name} was kept.",
                    "Go on drawing",
                    partial(self.go_on, kept, file),
                    partial(self.window.settings.kept.forget, file),
                )

    def go_on(self, kept: keptdrawing.Kept, file: Path) -> None:
        """Bring a drawing to the front as it was left; from then on it is kept as what is drawn there."""
        self.drawn(lambda editor: editor.go_on(kept.network, kept.path, file))

    def next(self) -> None:
        """To the next workspace."""
        names = tuple(NAMES)
        self.show(names[(names.index(self.current) + 1) % len(names)])

    def look_at(self, protocol: Path) -> None:
        """Show the text of a protocol; nothing of it runs."""
        w = self.protocols.made()
        if self.show("protocol"):
            w.files.open(protocol)

    def show(self, name: str) -> bool:
        """Bring a workspace to the front; false if the drawing cannot be run and stays in front."""
        if name == self.current:
            return True
        if self.current == "network" and self.editor is not None and not self.editor.commit():
            self.tabs.setCurrentIndex(tuple(NAMES).index("network"))
            return False
        self.archive.came_from(self.current)
        self.current = name
        network = name == "network"
        if name == "protocol":
            self.window.playhead.pause()
            writing = self.protocols.made()
            writing.sync()
            self.stack.setCurrentWidget(writing)
            writing.code.setFocus(Qt.FocusReason.OtherFocusReason)
        elif name == "sweep":
            self.window.playhead.pause()
            sweeping = self.sweeps.made()
            self.stack.setCurrentWidget(sweeping)
            sweeping.sync()
            sweeping.form.vary.setFocus(Qt.FocusReason.OtherFocusReason)
        elif name == "archive":
            self.window.playhead.pause()
            choosing = self.archive.made()
            self.stack.setCurrentWidget(choosing)
            choosing.sync()
            choosing.to_cards()
        elif network:
            self.window.playhead.pause()
            editor = self.drawing()
            editor.sync()
            self.stack.setCurrentWidget(editor)
            editor.canvas.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.stack.setCurrentIndex(0)
            self.window.stage.canvases["basic"].setFocus(Qt.FocusReason.OtherFocusReason)
        self.tabs.setCurrentIndex(tuple(NAMES).index(name))
        self.window.toolbar.set_workspace(name)
        if not self.hint.parent():
            self.window.status.addPermanentWidget(self.hint)
        self.hint.setVisible(network)
        self.protocols.show_strip(name == "protocol")
        self.window.status.selected.setVisible(name == "run")
        self._allow()
        self.say_undo()
        self.say_title()
        self.commands.refresh()
        self.changed.emit(name)
        return True

    def drawing(self) -> EditorWorkspace:
        """The editor of the network; made at the first call."""
        if self.editor is None:
            from lydian.app.editor.workspace import EditorWorkspace

            window = self.window
            self.editor = EditorWorkspace(window.session, window.shelf, window.settings, window.theme)
            self.stack.addWidget(self.editor)
            self.editor.said.connect(self.say)
            self.editor.working.connect(self._working)
            self.editor.run_wanted.connect(self.run)
            board = self.editor.board
            for tell in (self.say_undo, self.say_title, self.commands.refresh, window.let_go_of_undone):
                board.changed.connect(tell)
            board.chosen_changed.connect(self.commands.refresh)
            board.tool_changed.connect(self._say_hint)
            window.session.experiment_changed.connect(self._experiment_changed)
            window.session.run_ready.connect(lambda _run, _play: self._experiment_changed())
            self._say_hint()
            window.status.cancelled.connect(self.editor.files.background.cancel)
        return self.editor

    def run(self) -> None:
        """Run what is drawn or written, and watch it."""
        if self.current == "protocol" and self.protocols.workspace is not None:
            self.protocols.workspace.run()
        elif self.current == "sweep" and self.sweeps.workspace is not None:
            self.sweeps.workspace.start()
        elif self.current == "archive" and self.archive.workspace is not None:
            self.archive.workspace.open()
        elif self.show("run"):
            self.window.session.run(play=True)

    def _allow(self) -> None:
        """Grey the commands of the run while it cannot be seen: their keys are for what is in front."""
        why = "" if self.current == "run" else _NOT_HERE
        for name, action in self.window.actions_by_name.items():
            if name not in EVERYWHERE and not name.startswith(_ALSO):
                action.hinder("workspace", why)

    @property
    def panes(self) -> list[QWidget]:
        """The parts of the drawing or of the protocol that F6 goes through."""
        if self.current == "protocol" and self.protocols.workspace is not None:
            return self.protocols.workspace.panes
        if self.current == "sweep" and self.sweeps.workspace is not None:
            return self.sweeps.workspace.panes
        if self.current == "archive" and self.archive.workspace is not None:
            return self.archive.workspace.panes
        return [] if self.editor is None or self.current != "network" else self.editor.panes

    def set_theme(self, theme: Theme) -> None:
        self._widen()
        if self.protocols.workspace is not None:
            self.protocols.workspace.set_theme(theme)
        self.protocols.others.set_theme(theme)
        self.sweeps.set_theme(theme)
        self.archive.set_theme(theme)
        if self.editor is not None:
            self.editor.set_theme(theme)

    def close(self) -> None:
        """Keep what is drawn for the next start, and leave nothing behind."""
        self.background.close()
        self.protocols.close()
        self.sweeps.close()
        self.archive.close()
        if self.editor is not None:
            self.editor.close_all()

    def say(self, sentence: str, problem: bool, button: str, act: object) -> None:
        """Say something, with a button if there is something to do."""
        if button and callable(act):
            self.window.notice.say(sentence, problem=problem, button=button, act=act)
        else:
            self.window.say(sentence, problem)

    def _working(self, words: str, share: float) -> None:
        if self.editor is not None:
            self.window.status.work(words, share, "Stop reading; the drawing stays")
