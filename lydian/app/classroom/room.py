"""A class in the window: the columns beside the views, the bar above them, the projector, and the commands."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QByteArray, QEvent, QObject, Qt
from PySide6.QtWidgets import QFileDialog, QLabel, QMessageBox, QWidget

from lydian.app.classroom.cards import Card
from lydian.app.classroom.company import Company
from lydian.app.classroom.forms import AskForm, HostForm, JoinForm, MischiefForm, Sheet, dismissed
from lydian.app.classroom.joincard import JoinCard
from lydian.app.classroom.marks import SeatMarks
from lydian.app.classroom.people import PeopleCard
from lydian.app.classroom.projector import REST, SPEAKS, Projector
from lydian.app.classroom.roundbar import RoundBar
from lydian.app.classroom.seat import SeatPanel
from lydian.app.classroom.side import Side
from lydian.app.kit.layout import down
from lydian.app.kit.theming import set_up
from lydian.app.kit.toast import Toast
from lydian.app.look.theme import HOLLOW
from lydian.app.panels import arrangement
from lydian.classroom.games import GAMES
from lydian.desk import hosting as classes
from lydian.desk.hosting import ENDING, GLIDE, Attending, Hosting, Interrupted, Joining, Person
from lydian.desk.runs.records import names_of
from lydian.language import tr, trc, trn
from lydian.model.errors import LydianError
from lydian.pieces.animation import generic

if TYPE_CHECKING:
    from lydian.app.stage.stage import Stage
    from lydian.desk.desk import Desk

__all__ = ["ClassRoom"]

#: The combination of docks during a class, which no layout has.
PLACES = "class"
#: The width of the column on the left, in a narrow window and in a wide one.
NARROW, WIDE = 282, 306
#: The window's width from which the column on the right is shown, and from which both columns are wide.
BOTH, ROOMY = 1150, 1600
#: The window's height below which the cards show less.
LOW = 820
_JOINED = "joined"
#: Commands that would begin another run of this window.
_OWN = ("run_live", "mode_live", "choose_mode", "take_over", "play_against", "view_pending", "view_player")


class ClassRoom(QObject):
    """The room of a class.

    Args:
        desk: the documents and runs of the window.
        stage: the views.
        parent: the window.

    Attributes:
        hosting, joining: the class that this window hosts, and the one in which it takes part.
        left, bar, right: the parts beside and above the views, hidden while there is no class.
        cover: what is shown in place of the views, :attr:`views`, to a participant who may not see the run.
        usual: the parts of the window that are hidden meanwhile.
        sheet: the form that is open, if any.
        projector: the window for the projector, if it is open.
        question: the question what becomes of a class when the window is closed, while it is shown.
        before: called before a class begins.
    """

    def __init__(self, desk: Desk, stage: Stage, parent: QWidget) -> None:
        super().__init__(parent)
        self.desk, self.stage, self.window = desk, stage, parent
        self.hosting, self.joining = Hosting(desk.session), Joining(desk.session)
        for part in (self.hosting, self.joining):
            part.playhead = desk.playhead
            part.changed.connect(self.refresh)
            part.ended.connect(self._ended)
            part.answered.connect(self._answered)
            part.met.connect(self._met)
        self.hosting.people.connect(self.refresh_people)
        self.company = Company(stage.canvases["world"], lambda: self.part, desk.session.loop)
        theme = stage.theme
        self.sheet: Sheet | None = None
        self.projector: Projector | None = None
        self.question: QMessageBox | None = None
        self.before: Callable[[], object] = lambda: None
        self.usual: tuple[QWidget, ...] = ()
        self.views: tuple[QWidget, ...] = (stage,)
        self.join_card = JoinCard(self.hosting, theme, self.show_projector)
        self.people = PeopleCard(self.hosting, theme)
        self.people.slots = self.slot
        self.people.removed.connect(self._removed)
        self.seat = SeatPanel(self.joining, theme)
        self.left = QWidget()
        self.left.setObjectName("classColumn")
        self._column = down(self.join_card, (self.people, 1), (self.seat, 1), on=self.left, spacing=5)
        self.bar = RoundBar(theme)
        self.bar.pressed.connect(self._pressed)
        self.bar.clock.ticked.connect(self.people.list.viewport().update)
        self.right = Side(theme, desk.playhead)
        self.right.ask_wanted.connect(self.ask)
        words = tr("It appears here when the host shows it to all.")
        self.cover = Card(
            theme, "eye", tr("The run of the class"), set_up(QLabel(words), look="dockNote", wraps=True, plain=True)
        )
        self.cover.inside.addStretch(1)
        self.toast = Toast(theme, self.people, about=tr("Last decision"), tip=tr("Let the person come back"))
        self.toast.pressed.connect(self._readmit)
        self._gone: Person | None = None
        self._kept: Interrupted | None = None
        self.marks = SeatMarks(
            stage.canvases["basic"], self.hosting, lambda: self.hosting.on and not self.hosting.elsewhere
        )  # fmt: skip
        self._state: QByteArray | None = None
        self._places = ""
        self._hidden: list[QWidget] = []
        self._doing = False
        self._said = ""
        self._closing = False  # whether the user has decided that the window closes
        for each in (self.left, self.bar, self.right, self.cover):
            each.hide()
        desk.screen.judged.connect(self._judged)
        desk.playhead.changed.connect(self._moved)
        parent.installEventFilter(self)
        self.refresh()

    def handlers(self) -> dict[str, Callable[..., object]]:
        """Return the functions of the commands by name."""
        lead = self.hosting.lead
        return {
            "class_host": self.host,
            "class_game": self.host_game,
            "class_join": self.join,
            "class_show": lambda: self.part.show() if self.part is not None else None,
            "class_projector": self.show_projector,
            "class_next": self.next,
            "class_pause": self.pause,
            "class_undo": self.undo,
            "class_ask": self.ask,
            "class_mischief": self.mischief,
            "class_names": lambda on: lead("hide", on=on),
            "class_door": lambda on: lead("door", open=on),
            "class_whole": lambda on: lead("show", on=on),
            "class_turns": lambda on: lead("mode", mode="turns" if on else "sealed"),
            "class_save": self.save_as,
            "class_open": self.open_file,
            "class_leave": self.joining.leave,
            "class_end": self.end,
        }

    def instead(self, usual: Callable[[], object]) -> Callable[[], object]:
        """Return a function for Space: pause for all while a round is open, else do the usual."""

        def act() -> None:
            room = self.hosting.room
            if self.hosting.on and room is not None and room.phase == "open" and not self.hosting.elsewhere:
                self.pause()
            else:
                usual()

        return act

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and self.on:
            self._settle()
        return False

    def may_close(self) -> bool:
        """Return whether the window may close; while a class that it hosts goes on, first ask what becomes of it.

        The question is put once: closing the window again while it is shown keeps the class for the next start.
        """
        hosting = self.hosting
        if not hosting.on or hosting.room is None or self.question is not None or self._closing:
            return True
        people = trn("{count} person", "{count} people", hosting.room.people)
        box = self.question = QMessageBox(self.window)
        box.setObjectName("classQuestion")
        box.setIcon(QMessageBox.Icon.Question)
        box.setWindowTitle(tr("A class is going on"))
        box.setText(tr("The class {code} is going on, with {people}.", code=hosting.code, people=people))
        box.setInformativeText(tr(
            "If you keep it, the next start offers to resume it with the same code and address, and phones reconnect "
            "by themselves."
        ))  # fmt: skip
        for words, role, act in (
            (tr("&Keep it for later"), QMessageBox.ButtonRole.AcceptRole, self._keep_and_close),
            (tr("&End the class"), QMessageBox.ButtonRole.DestructiveRole, self._end_and_close),
            (tr("&Go on"), QMessageBox.ButtonRole.RejectRole, None),
        ):
            made = box.addButton(words, role)
            if act is None:
                box.setEscapeButton(made)
            else:
                made.clicked.connect(act)
            if role == QMessageBox.ButtonRole.AcceptRole:
                box.setDefaultButton(made)
        box.finished.connect(self._answered_question)
        box.open()
        return False

    def _answered_question(self, _result: int) -> None:
        box, self.question = self.question, None
        if box is not None:
            box.deleteLater()

    def _keep_and_close(self) -> None:
        self._closing = True
        self.window.close()

    def _end_and_close(self) -> None:
        self._closing = True
        self.end()

    def close(self) -> None:
        """End the child processes; a class that goes on is saved, and offered at the next start."""
        if self.projector is not None:
            self.projector.close()
        self.bar.clock.stop()
        self.toast.put_away()
        self.company.close()
        for part in (self.hosting, self.joining):
            part.changed.clear()
            part.people.clear()
            part.ended.clear()
            part.answered.clear()
            part.met.clear()
            part.close()

    # ------------------------------------------------------------------ what is there

    @property
    def part(self) -> Attending | None:
        """The class that goes on; ``None`` for none."""
        return self.hosting if self.hosting.on else self.joining if self.joining.on else None

    @property
    def on(self) -> bool:
        """Whether the room is shown."""
        return not self.left.isHidden()

    def slot(self, process: str) -> int:
        """Return the look of a process's state at the end of the run so far."""
        timeline, animation = self.desk.playhead.timeline, self.desk.playhead.animation or generic()
        part = self.part
        if timeline is None or part is None or part.elsewhere or process not in timeline.processes:
            return HOLLOW
        table = {} if part.room is None else part.room.stage
        if table.get("kind") == "baskets":
            return SPEAKS if timeline.processes.index(process) in table["speaking"] else REST
        codes = timeline.states_at(timeline.length)
        code = int(codes[timeline.processes.index(process)])
        return animation.slot(timeline.states[code]) if 0 <= code < len(timeline.states) else HOLLOW

    # ------------------------------------------------------------------ beginning

    def host(self) -> None:
        """Show the form for hosting the run that is on the screen."""
        experiment = self.desk.session.experiment
        if experiment is None:
            self.desk.notices.say(tr("Open an experiment first: the class plays its run."))
            return
        protocol, network = names_of(experiment)
        what = tr("{protocol} on {network}", protocol=protocol.capitalize(), network=network)
        self._open(HostForm(self.stage.theme, [], what), self._host)

    def host_game(self) -> None:
        """Show the games, to host one."""
        games = [(name, game.title, game.about) for name, game in GAMES.items() if name]
        if not games:
            self.desk.notices.say(tr("No class games are installed."))
            return
        self._open(HostForm(self.stage.theme, games, ""), self._host)

    def join(self) -> None:
        """Show the form for joining a class."""
        self._open(JoinForm(self.stage.theme, self.desk.settings.record(_JOINED)), self._join)

    def _host(self, values: Mapping[str, Any]) -> None:
        sheet = self.sheet
        game = sheet.game if isinstance(sheet, HostForm) else ""
        lan, port = values["reach"] == "lan", int(values["port"])
        session = self.desk.session
        try:
            self.before()
            if game:
                self._begin(lambda: self.hosting.play(game, int(values["players"]), lan=lan, port=port))
            elif session.experiment is not None:
                if not session.may_run():
                    self._close_sheet()
                    return
                experiment = session.live.recorded()
                self._begin(lambda: self.hosting.host(experiment, session.folder, lan=lan, port=port))
        except (LydianError, OSError) as error:
            if self.sheet is not None:
                self.sheet.complain(str(error))

    def _join(self, values: Mapping[str, Any]) -> None:
        self.desk.settings.set_record(_JOINED, {"url": values["url"].strip(), "name": values["name"].strip()})
        self.before()
        self._begin(lambda: self.joining.join(values["url"], values["code"], values["name"], values["wish"]))

    def _begin(self, begin: Callable[[], object]) -> None:
        begin()
        self._close_sheet()
        self._enter()
        self.refresh()
        self.refresh_people()

    def resume(self, file: Path, *, lan: bool = False, port: int = 0) -> None:
        """Go on with a saved class."""
        if not self.desk.workspaces.show("run"):
            return
        try:
            self.before()
            self._begin(lambda: self.hosting.resume(file, lan=lan, port=port))
        except (LydianError, OSError) as error:
            self.desk.notices.say(str(error))

    def offer_rest(self) -> None:
        """Offer to go on with the class that was interrupted when the program ended."""
        found = classes.interrupted(self.desk.settings.kept)
        if found is None:
            return
        words = trn(
            "The class {code} was interrupted after {count} round; it is saved.",
            "The class {code} was interrupted after {count} rounds; it is saved.", found.round, code=found.code,
        )  # fmt: skip

        def forget() -> None:
            classes.forget(self.desk.settings.kept, all_windows=True)

        def go_on() -> None:
            forget()
            self._go_on(found)

        self.desk.notices.offer(words, tr("Resume"), go_on, forget)

    def _go_on(self, found: Interrupted) -> None:
        self.resume(found.file, lan=found.lan, port=found.port)

    # ------------------------------------------------------------------ coming and going

    def _enter(self) -> None:
        """Show the columns and the bar, and the network between them."""
        if self._doing:
            return
        self._doing = True
        stage = self.stage
        self._hidden = [part for part in self.usual if not part.isHidden()]
        for part in self.usual:
            part.hide()
        stage.put_back()
        self._state = stage.usual = stage.state()
        self._places, stage.places = stage.places, PLACES
        for name, dock in stage.docks.items():
            if name != "basic" and not dock.isFloating():
                dock.hide()
        basic = stage.docks["basic"]
        basic.setFloating(False)
        basic.show()
        arrangement.settle(stage)
        self.desk.playhead.pause()
        stage.big_play.fade(at_once=True)

    def _leave(self) -> None:
        """Put everything back; the run of the class stays on the screen."""
        if not self._doing:
            return
        self._doing = False
        if self.projector is not None:
            self.projector.close()
        self.bar.clock.stop()
        for part in self._hidden:
            part.show()
        self._uncover(True)
        state, self._state = self._state, None
        stage = self.stage
        stage.put_back()
        stage.usual = None
        if stage.places == PLACES:
            stage.places = self._places
            if state is not None:
                stage.put(state)

    def _settle(self) -> None:
        """Fit the columns to the window."""
        width = self.window.width()
        self.left.setFixedWidth(self.stage.theme.grown(WIDE if width >= ROOMY else NARROW))
        if not self.hosting.on and self.joining.on and self.sheet is None:
            self.seat.settle(width)
            self.left.setFixedWidth(self.seat.width())
        self.right.settle(width, self.window.height() < LOW)
        self.right.setVisible(self._doing and self.part is not None and width >= BOTH and self._has_right())
        low = self.window.height() < LOW
        self.join_card.fold(low)
        self.people.fold(low)

    def _uncover(self, seen: bool) -> None:
        """Show the views, or the cover in their place."""
        if self.cover.isHidden() != seen:
            self.cover.setVisible(not seen)
            for each in self.views:
                each.setVisible(seen)

    def _has_right(self) -> bool:
        part = self.part
        if part is self.hosting:
            return True
        room = None if part is None else part.room
        return part is not None and (part.question is not None or (room is not None and bool(room.figure)))

    def _open(self, sheet: Sheet, act: Callable[[Mapping[str, Any]], object]) -> None:
        """Show a form in the column on the left."""
        if not self.desk.workspaces.show("run"):
            sheet.deleteLater()
            return
        self._close_sheet()
        self.sheet = sheet
        sheet.sent.connect(act)
        sheet.closed.connect(self._close_sheet)
        self._column.insertWidget(0, sheet)
        self.refresh()
        sheet.focus()

    def _close_sheet(self) -> None:
        sheet, self.sheet = self.sheet, None
        if sheet is not None:
            self._column.removeWidget(sheet)
            dismissed(sheet)
            self.refresh()

    # ------------------------------------------------------------------ showing

    def refresh(self) -> None:
        """Show the state of the class."""
        part, sheet = self.part, self.sheet
        hosts, room = self.hosting.on, None if part is None else part.room
        self.left.setVisible(part is not None or sheet is not None)
        self.bar.setVisible(part is not None)
        form = isinstance(sheet, HostForm | JoinForm)
        small = self.window.height() < LOW
        self.join_card.setVisible(hosts and not form and not (sheet is not None and small))
        self.people.setVisible(hosts and not form)
        self.seat.setVisible(part is self.joining and not form)
        if sheet is not None and part is None:
            self._column.setAlignment(sheet, Qt.AlignmentFlag.AlignTop)
        if part is not None:
            self._uncover(part is self.hosting or part.seen)
            self._glide()
            self.bar.refresh(part)
            self.right.refresh(part)
            self.join_card.refresh()
            if part is self.joining:
                self.seat.refresh()
            self.stage.big_play.fade(at_once=True)
            self._say()
        self._settle()
        self.company.refresh()
        self.marks.update()
        if self.projector is not None:
            self.projector.refresh()
        self._allow(part, room is not None)
        if hosts and self.hosting.now != self._kept:
            self._kept = self.hosting.now
            classes.remember(self.desk.settings.kept, self._kept)

    def _met(self) -> None:
        self.company.refresh()

    def refresh_people(self) -> None:
        """Show who is here."""
        if self.hosting.on:
            self.people.refresh()
            self.join_card.refresh()
        self.marks.update()
        if self.projector is not None:
            self.projector.refresh()
        self.desk.commands.check("class_names", self.hosting.hidden)

    def _say(self) -> None:
        """Say in the status line where the class is, and that it is saved."""
        part = self.part
        room, welcome = (None, None) if part is None else (part.room, part.welcome)
        if room is None or welcome is None or part is None or part.elsewhere:
            return
        people = trn("{count} person", "{count} people", room.people)
        if part is self.joining:
            words = tr("In the class at {address}, {people}", address=self.joining.url, people=people)
        else:
            where = welcome.address.partition("?")[0].removeprefix("http://").rstrip("/")
            if self.hosting.lan:
                words = tr("On the local network at {address}, {people}", address=where, people=people)
            else:
                words = tr("On this computer at {address}, {people}", address=where, people=people)
            if room.round and self.hosting.file is not None:
                words += "; " + tr("saved after each round")
        if words != self._said:
            self._said = words
            self.desk.notices.told.emit(words)

    def _glide(self) -> None:
        still = self.stage.theme.still or not self.desk.settings.motion
        self.hosting.glide = self.joining.glide = 0.0 if still else GLIDE

    def _judged(self, checks: Sequence[Mapping[str, Any]]) -> None:
        if self.part is not None:
            self.right.judge(checks)

    def _moved(self, what: str) -> None:
        if self.part is None:
            return
        if what == "timeline":
            self.refresh_people()
        if what in ("timeline", "time"):
            self.right.list.refresh()

    def _allow(self, part: Attending | None, known: bool) -> None:
        """Let each command be given only when it makes sense."""
        commands, hosts, room = self.desk.commands, self.hosting.on, self.hosting.room
        phase = "" if room is None or not hosts else room.phase
        busy = tr("A class is going on; end or leave it first") if part is not None else ""
        none = "" if hosts and room is not None else tr("Host a class first")
        for name in ("class_host", "class_game", "class_join", "class_open", "class_split"):
            commands.hinder(name, "class", busy)
        for name in ("class_projector", "class_ask", "class_names", "class_door", "class_whole", "class_save",
                     "class_end", "class_turns"):  # fmt: skip
            commands.hinder(name, "class", none)
        commands.hinder("class_next", "class", none or ("" if phase in ("door", "open", "between") else tr(
            "The moves are being made, or the run has ended")))  # fmt: skip
        commands.hinder("class_pause", "class", none or ("" if phase == "open" else tr("No round is open")))
        done = room is not None and (room.round > 1 or (room.round == 1 and phase != "open"))
        commands.hinder("class_undo", "class", none or ("" if done else tr("There is no round to undo")))
        sealed = room is not None and phase == "open" and room.chosen > 0
        commands.hinder("class_mischief", "class", none or (tr("Close the round first") if sealed else ""))
        commands.hinder("class_leave", "class", "" if self.joining.on else tr("You do not take part in a class"))
        own = tr("In a class, use Class > Mischief, or end the class first") if part is not None else ""
        for name in commands.names:
            if name in _OWN or name.startswith("fault_"):
                commands.hinder(name, "class", own)
        away = part is not None and part.elsewhere
        there = tr("The run of a class is on the screen, or there is none")
        commands.hinder("class_show", "class", "" if away else there)
        commands.call("class_next", tr("Close the rou&nd") if phase == "open" else tr("&Next round"))
        paused = room is not None and room.paused
        commands.call("class_pause", tr("Go on for &all") if paused else tr("Pause for &all"))
        if room is not None:
            commands.check("class_door", room.door)
            commands.check("class_whole", room.shown)
            commands.check("class_turns", room.mode == "turns")
        commands.check("class_names", self.hosting.hidden)

    # ------------------------------------------------------------------ leading

    def _pressed(self, what: str) -> None:
        acts: dict[str, Callable[[], object]] = {
            "more": lambda: self.hosting.lead("more", seconds=30.0), "pause": self.pause, "undo": self.undo,
            "main": self.next, "hand": lambda: self.joining.raise_hand(not self.joining.hand),
            "leave": self.joining.leave, "show": lambda: self.part.show() if self.part is not None else None,
        }  # fmt: skip
        acts[what]()

    def next(self) -> None:
        """Close the round that is open, or open the next one."""
        room = self.hosting.room
        if room is not None and room.phase != "moving":
            self.hosting.lead("close" if room.phase == "open" else "next" if room.round else "begin")

    def pause(self) -> None:
        """Pause for all, or go on."""
        room = self.hosting.room
        if room is not None:
            self.hosting.lead("resume" if room.paused else "pause")

    def undo(self) -> None:
        """Undo the last round that was closed; a round that is open is put back first."""
        room = self.hosting.room
        if room is None:
            return
        if room.phase == "open":
            self.hosting.lead("undo")
        if room.phase != "open" or room.round > 1:
            self.hosting.lead("undo")

    def ask(self) -> None:
        """Show the form for a question."""
        self._open(AskForm(self.stage.theme), self._ask)

    def _ask(self, values: Mapping[str, Any]) -> None:
        self.hosting.lead("ask", **AskForm.request(values))
        self._close_sheet()

    def mischief(self) -> None:
        """Show the form for an intervention."""
        welcome = self.hosting.welcome
        if welcome is None:
            return
        names = [str(each) for each in welcome.processes]
        links = [(names[int(u)], names[int(v)]) for u, v in welcome.links]
        self._open(MischiefForm(self.stage.theme, names, links, self._variables), self._do_mischief)

    def _do_mischief(self, values: Mapping[str, Any]) -> None:
        self.hosting.lead("mischief", what=MischiefForm.request(values))
        self._close_sheet()

    def _variables(self, process: str) -> dict[str, Any]:
        """Return the variables of a process at the end of the run so far."""
        timeline = self.desk.playhead.timeline
        return {} if timeline is None else timeline.values(process)

    def _removed(self, person: Person) -> None:
        self._gone = person
        self.toast.say(tr("{name} was removed from the class.", name=person.name))

    def _readmit(self) -> None:
        person, self._gone = self._gone, None
        self.toast.put_away()
        if person is not None:
            self.hosting.lead("admit", person=person.number)

    def _answered(self, what: str, accepted: bool, reason: str) -> None:
        """Report a decision or a choice that was refused."""
        if not accepted and reason:
            sentence = reason[:1].upper() + reason[1:].rstrip(".") + "."
            self.desk.notices.say(sentence)
        elif what == "save":
            self.desk.notices.say(tr("The class has been saved."), False)

    def end(self) -> None:
        """End the class for all; the notice offers to go on with it."""
        self.hosting.end()

    def _ended(self, sentence: str) -> None:
        """Put everything back as the class is over."""
        saved, self.hosting.last = self.hosting.last, None
        if self._kept is not None:
            self._kept = None
            classes.forget(self.desk.settings.kept)
        self._close_sheet()
        self._leave()
        self.refresh()
        if self._closing:
            self.window.close()
            return
        if not sentence:
            if saved is not None:
                words = tr("The class has ended. It is saved in {file}.", file=saved.file.name)
                self.desk.notices.show(words, problem=False, button=tr("Resume"), act=lambda: self._go_on(saved))
        elif saved is not None:
            self.desk.notices.show(sentence, button=tr("Resume"), act=lambda: self._go_on(saved))
        else:
            self.desk.notices.say(sentence[:1].upper() + sentence[1:])

    # ------------------------------------------------------------------ the projector, files

    def show_projector(self) -> None:
        """Show the class in a window for the projector, or bring that window to the front."""
        if not self.hosting.on:
            return
        if self.projector is None:
            self.projector = Projector(self.hosting, self.slot, self.window)
            self.projector.gone.connect(self._projected)
        self.projector.show()
        self.projector.raise_()
        self.projector.activateWindow()

    def _projected(self) -> None:
        projector, self.projector = self.projector, None
        if projector is not None:
            projector.deleteLater()

    def save_as(self) -> None:
        """Ask for a file, and save what the class has done as an experiment that replays it."""
        offered = str(Path(self.desk.settings.folder) / f"{self.hosting.code or 'class'}.toml")
        kinds = tr("Experiments (*.toml)")
        name, _kind = QFileDialog.getSaveFileName(self.window, tr("Save the class"), offered, kinds)
        if name:
            path = Path(name)
            self.desk.settings.folder = str(path.parent)
            self.hosting.lead("save", file=str(path if path.suffix else path.with_suffix(".toml")))

    def open_file(self) -> None:
        """Ask for the file of a class, and go on with it."""
        from lydian.model.archive.shelves import user_folder

        home = user_folder()
        folder = self.desk.settings.folder if home is None or not (home / "classes").is_dir() else str(home / "classes")
        kinds = tr("Classes (*{ending})", ending=ENDING)
        name, _kind = QFileDialog.getOpenFileName(self.window, trc("command", "Open a class"), folder, kinds)
        if name:
            self.resume(Path(name), lan=True)
