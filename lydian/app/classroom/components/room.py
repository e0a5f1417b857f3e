"""A system in components in the window: the form and the panel beside the views, the areas, and the commands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QFileDialog, QWidget

from lydian.app.classroom.components.delays import crossing_words
from lydian.app.classroom.components.drawing import BorderHand
from lydian.app.classroom.components.form import SplitForm
from lydian.app.classroom.components.marks import Area, Areas, Chip
from lydian.app.classroom.components.panel import SplitPanel
from lydian.app.classroom.forms import MischiefForm, Sheet, dismissed
from lydian.app.kit.layout import down
from lydian.classroom.components.record import protocol_in
from lydian.desk.runs.records import names_of
from lydian.desk.splitting import Borders, Splitting, why_not
from lydian.language import tr, trn
from lydian.model.errors import LydianError
from lydian.model.network import Network

if TYPE_CHECKING:
    from lydian.app.stage.stage import Stage
    from lydian.desk.desk import Desk

__all__ = ["ComponentsRoom"]

#: The width of the column in a narrow window and in a wide one, and the width from which a window is wide.
NARROW, WIDE, ROOMY = 306, 372, 1600
#: Commands that would begin another run of this window, or a class.
_OWN = (
    "class_host", "class_game", "class_join", "class_open", "run_live", "mode_live", "choose_mode", "take_over",
    "play_against", "view_pending", "view_player",
)  # fmt: skip


class ComponentsRoom(QObject):
    """The room of a system in components.

    Args:
        desk: the documents and runs of the window.
        stage: the views.
        parent: the window.

    Attributes:
        splitting: the run in components.
        borders: the borders that are being drawn; ``None`` if none are.
        column: the part beside the views, hidden while there is nothing to show.
        sheet: the form that is open, if any.
        before: called before a run in components begins.
    """

    def __init__(self, desk: Desk, stage: Stage, parent: QWidget) -> None:
        super().__init__(parent)
        self.desk, self.stage, self.window = desk, stage, parent
        self.splitting = splitting = Splitting(desk.session)
        splitting.playhead = desk.playhead
        splitting.changed.connect(self.refresh)
        splitting.handed.connect(self._handed)
        splitting.answered.connect(self._answered)
        splitting.ended.connect(self._ended)
        self.before: Callable[[], object] = lambda: None
        self.borders: Borders | None = None
        self.sheet: Sheet | None = None
        self.hand: BorderHand | None = None
        self.lan = False
        self.panel = SplitPanel(splitting, stage.theme)
        self.panel.pressed.connect(self._pressed)
        self.column = QWidget()
        self.column.setObjectName("classColumn")
        self._column = down((self.panel, 1), on=self.column, spacing=5)
        self.column.hide()
        self.areas = Areas(stage.canvases["basic"], self._areas, self._chips)
        desk.session.experiment_changed.connect(self._changed)
        desk.session.leaving.connect(self._leaving)
        desk.session.run_ready.connect(lambda _run, _play: self.refresh())
        parent.installEventFilter(self)
        self.refresh()

    def handlers(self) -> dict[str, Callable[..., object]]:
        """Return the functions of the commands by name."""
        return {
            "class_split": self.split, "class_split_steer": self.steer, "class_split_stop": self.splitting.stop,
            "class_split_save": self.save_as, "class_split_pause": self._pause,
        }  # fmt: skip

    def close(self) -> None:
        """End the child processes."""
        splitting = self.splitting
        for signal in (splitting.changed, splitting.handed, splitting.answered, splitting.ended):
            signal.clear()
        splitting.close()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._settle()
        return False

    # ------------------------------------------------------------------ drawing the borders

    def split(self) -> None:
        """Show the form for splitting the experiment that is on the screen."""
        experiment, session = self.desk.session.experiment, self.desk.session
        if experiment is None or not self.desk.workspaces.show("run"):
            return
        network = self.desk.shelf.known_network(experiment.network, experiment.path or session.path)
        if not isinstance(network, Network) or network.n < 2:
            self.desk.notices.say(tr("A system must have at least two processes to be split."))
            return
        self._close_sheet()
        self.borders = borders = Borders(network, 4 if network.n >= 8 else 2)
        protocol, where = names_of(experiment)
        form = SplitForm(
            self.stage.theme, borders, tr("{protocol} on {network}", protocol=protocol.capitalize(), network=where)
        )
        self.areas.lower()
        canvas = self.stage.canvases["basic"]
        self.hand = hand = BorderHand(canvas, self.areas, borders, lambda: form.chosen, self._moved)
        form.here.clicked.connect(lambda _on=False: hand.move_selected(form.chosen))
        form.list.currentRowChanged.connect(lambda _row: self.areas.update())
        borders.changed.connect(self.areas.update)
        self._open(form, self._begin)
        self.desk.notices.hinted.emit(tr(
            "Click a process to move it to the chosen component, drag it to another component, or draw a loop around "
            "several. With the keyboard, select processes and press the letter."
        ))  # fmt: skip
        self.desk.playhead.pause()
        self.stage.big_play.fade(at_once=True)
        basic = self.stage.docks["basic"]
        basic.show()
        basic.raise_()

    def _moved(self, count: int, name: str) -> None:
        words = trn("{count} process is in component {name} now.", "{count} processes are in component {name} now.",
                    count, name=name)  # fmt: skip
        self.desk.notices.say(words, False)

    def _areas(self) -> list[Area]:
        """Return the components as they are drawn on the network now."""
        form, splitting = self.sheet, self.splitting
        if self.borders is not None and isinstance(form, SplitForm):
            return [
                Area(name, members, trn("{count} process", "{count} processes", len(members)),
                     chosen=name == form.chosen)
                for name, members in self.borders.groups.items()
            ]  # fmt: skip
        if not splitting.there:
            return []
        changed = {each.component: each for each in splitting.handovers if each.old and not each.believers}
        areas = []
        for each in splitting.components:
            last, words = changed.get(each.name), each.acting
            if last is not None and splitting.on and each.acting == last.new:
                words = tr("{new} took over from {old}", new=last.new, old=last.old)
            elif splitting.on and not each.acting and each.replicas:
                words = tr("no replica acts")
            lost = splitting.on and bool(each.replicas) and not each.acting
            faint = each.name not in splitting.follows
            areas.append(Area(each.name, each.processes, words, faint, lost or (last is not None and splitting.on)))
        return areas

    def _chips(self) -> list[Chip]:
        """Return what is written at the borders of the run now."""
        if not self.splitting.there or self.borders is not None:
            return []
        return [
            Chip(each.a, each.b, crossing_words(each, self.splitting.barrier), each.cut)
            for each in self.splitting.crossings if each.cut or each.mean is not None
        ]  # fmt: skip

    # ------------------------------------------------------------------ the run

    def _pause(self) -> None:
        self.splitting.pause(not self.splitting.paused)

    def _begin(self, values: Mapping[str, Any]) -> None:
        session, borders = self.desk.session, self.borders
        if session.experiment is None or borders is None:
            return
        self.before()
        if not session.may_run():
            self._close_sheet()
            return
        barrier = values["mode"] == "barrier"
        self.lan = values["reach"] == "lan"
        try:
            experiment = session.live.recorded()
            self.splitting.start(
                experiment, session.folder, borders.groups, replicas=int(values["replicas"]), barrier=barrier,
                pace=float(values["pace"]), lan=self.lan,
            )  # fmt: skip
        except (LydianError, OSError) as error:
            if self.sheet is not None:
                self.sheet.complain(str(error))
            return
        self._close_sheet()

    def open_record(self, file: Path) -> None:
        """Repeat the run in a record, after asking if it contains a protocol that is not in the archive."""
        try:
            name, source = protocol_in(file)
        except (LydianError, OSError) as error:
            self.desk.notices.say(str(error))
            return
        if self.splitting.on:
            self.desk.notices.say(tr("A run in components is going on; stop it first."))
            return
        if source == self.desk.shelf.source(name):
            self._repeat(file)
        else:
            self.desk.notices.offer(
                tr("{file} contains a protocol of its own, {name}; repeating the run executes it.", file=file.name,
                   name=name), tr("Repeat the run"), lambda: self._repeat(file), front=True,
            )  # fmt: skip

    def _repeat(self, file: Path) -> None:
        if not self.desk.workspaces.show("run"):
            return
        self._close_sheet()
        self.before()
        self.splitting.open(file)

    def steer(self) -> None:
        """Show the form for an intervention in the component of a process or a link."""
        timeline, splitting = self.desk.playhead.timeline, self.splitting
        if not splitting.on or timeline is None:
            return
        names = [each for members in splitting.groups.values() for each in members]
        frame = self.stage.canvases["basic"].frame
        ends = [] if frame is None else [(frame.names[a], frame.names[b]) for a, b in frame.link_ends.tolist()]
        form = MischiefForm(self.stage.theme, names, ends, timeline.values)
        form.title.setText(tr("Intervene"))
        form.setAccessibleName(tr("Intervene"))
        chosen = sorted(self.desk.playhead.selection.processes)
        if chosen:
            form.form.say({"process": timeline.processes[chosen[0]]})
        form.form.say({"do": "crash"})
        form.edited()
        self._open(form, self._steer)

    def _steer(self, values: Mapping[str, Any]) -> None:
        self.splitting.steer(MischiefForm.request(values), tr("the host"))
        self._close_sheet()

    def save_as(self) -> None:
        """Ask for a file, and save the record of the run there."""
        experiment = self.desk.session.experiment
        name = "run" if experiment is None else experiment.name or "run"
        offered = str(Path(self.desk.settings.folder) / f"{name}-components.json")
        kinds = tr("Records of components (*.json)")
        chosen, _kind = QFileDialog.getSaveFileName(self.window, tr("Save the record"), offered, kinds)
        if chosen:
            path = Path(chosen)
            self.save(path if path.suffix else path.with_suffix(".json"))

    def save(self, path: Path) -> None:
        """Save the record of the run."""
        self.desk.settings.folder = str(path.parent)
        try:
            self.splitting.save(path)
        except OSError as error:
            self.desk.notices.say(f"{path}: {error.strerror or error}")

    # ------------------------------------------------------------------ what happens

    def _handed(self, sentence: str) -> None:
        self.desk.notices.say(sentence, False)

    def _answered(self, what: str, accepted: bool, reason: str) -> None:
        if not accepted and reason:
            self.desk.notices.say(reason[:1].upper() + reason[1:].rstrip(".") + ".")
        elif what == "save":
            self.desk.notices.say(tr("The record has been saved."), False)

    def _ended(self, sentence: str) -> None:
        if isinstance(self.sheet, MischiefForm):
            self._close_sheet()
        if sentence:
            self.desk.notices.say(sentence[:1].upper() + sentence[1:].rstrip(".") + ".")

    def _changed(self) -> None:
        """Respond to another experiment: its borders would be others."""
        if isinstance(self.sheet, SplitForm):
            self._close_sheet()
        self.refresh()

    def _leaving(self) -> None:
        if not self.splitting.on:
            self.splitting.leave()

    def _pressed(self, what: str) -> None:
        acts: dict[str, Callable[[], object]] = {
            "steer": self.steer, "stop": self.splitting.stop, "save": self.save_as, "back": self.splitting.show,
            "close": self.splitting.leave, "pause": self._pause,
        }  # fmt: skip
        acts[what]()

    # ------------------------------------------------------------------ showing

    def _open(self, sheet: Sheet, act: Callable[[Mapping[str, Any]], object]) -> None:
        if self.sheet is not None and not isinstance(sheet, SplitForm):
            self._close_sheet()
        self.sheet = sheet
        sheet.sent.connect(act)
        sheet.closed.connect(self._close_sheet)
        self._column.insertWidget(0, sheet, 1 if isinstance(sheet, SplitForm) else 0)
        self.refresh()
        sheet.focus()

    def _close_sheet(self) -> None:
        sheet, self.sheet, self.borders = self.sheet, None, None
        hand, self.hand = self.hand, None
        if hand is not None:
            hand.end()
            self.desk.notices.hinted.emit("")
        if sheet is not None:
            self._column.removeWidget(sheet)
            dismissed(sheet)
        self.refresh()

    def _settle(self) -> None:
        wide = self.window.width() >= ROOMY
        self.column.setFixedWidth(self.stage.theme.grown(WIDE if wide else NARROW))

    def refresh(self) -> None:
        """Show how the components are."""
        splitting = self.splitting
        drawing = isinstance(self.sheet, SplitForm)
        there = bool(splitting.groups) or splitting.on
        self.panel.setVisible(there and not drawing)
        self.column.setVisible(there or self.sheet is not None)
        if there:
            self.panel.refresh(self.lan)
        self._settle()
        self.areas.update()
        self._allow()

    def _allow(self) -> None:
        """Let each command be given only when it makes sense."""
        desk, splitting = self.desk, self.splitting
        commands, experiment = desk.commands, desk.session.experiment
        busy = tr("A run in components is going on; stop it first") if splitting.on else ""
        source = ""
        if experiment is not None and not busy:
            source = desk.shelf.source(str(experiment.protocol), experiment.path or desk.session.path)
        commands.hinder("class_split", "components", busy or why_not(experiment, source))
        live = splitting.on and not splitting.recorded
        none = "" if live else tr("No run in components is going on")
        for name in ("class_split_steer", "class_split_pause", "class_split_stop"):
            commands.hinder(name, "components", none)
        kept = live or splitting.kept is not None
        commands.hinder("class_split_save", "components", "" if kept else tr("There is no run in components to save"))
        for name in commands.names:
            if name in _OWN or name.startswith("fault_"):
                commands.hinder(name, "components", busy)
