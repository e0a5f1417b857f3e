"""A class on one run: the one that this window hosts, or one elsewhere in which it takes part.

A child process has the sockets (:mod:`lydian.classroom.serve`, :mod:`lydian.classroom.join`); the frames of
:mod:`lydian.classroom.frames` pass between it and this window. The run of the class is shown like a live run, which
grows on the screen.
"""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lydian.classroom import classfile, frames
from lydian.classroom.games import GAMES
from lydian.classroom.naming import code_for
from lydian.desk.conversation import Conversation
from lydian.desk.signal import Signal
from lydian.engine import wire
from lydian.engine.liverows import LiveRows
from lydian.language import tr
from lydian.model.archive.shelves import called, user_folder
from lydian.model.errors import LydianError
from lydian.model.experiment.experiment import Experiment

if TYPE_CHECKING:
    from lydian.desk.kept.folder import KeptFolder
    from lydian.desk.playhead import Playhead
    from lydian.desk.runs.run import Run
    from lydian.desk.runs.session import Session

__all__ = [
    "ENDING", "JOIN", "SERVE", "Attending", "Hosting", "Interrupted", "Joining", "Person", "forget", "interrupted",
    "remember",
]  # fmt: skip

#: The programs that host a class, and that take part in one.
SERVE, JOIN = ("-m", "lydian.classroom.serve"), ("-m", "lydian.classroom.join")
#: The ending of the file in which a class is saved.
ENDING = ".class"
#: Milliseconds from the first new event until it is shown, with all others that arrive meanwhile.
SOON = 30
#: The seconds in which the play head moves on to the end of a round.
GLIDE = 0.9
#: The file in the folder of a window that records the class that goes on.
_FILE = "class.json"


@dataclass(frozen=True)
class Person:
    """Somebody in a class, as the host sees them.

    Attributes:
        number: the number of the person in the class.
        name: what the person is called at present.
        process: the process that the person plays; ``None`` for none.
        status: ``choosing``, ``chosen``, ``waiting``, ``watching`` or ``away``.
        hand: whether the person's hand is raised.
        due: when the program takes over, in seconds of :func:`time.monotonic`; ``None`` if the person is here.
        player: whether the person would like to play.
    """

    number: int
    name: str
    process: str | None = None
    status: str = "watching"
    hand: bool = False
    due: float | None = None
    player: bool = False


def _person(told: Mapping[str, Any], now: float) -> Person:
    back = told.get("back")
    due = now + float(back) if isinstance(back, int | float) else None
    process = told.get("process")
    return Person(
        int(told["person"]), str(told["name"]), None if process is None else str(process),
        str(told.get("status", "watching")), bool(told.get("hand")), due, told.get("role") == "player",
    )  # fmt: skip


class Attending:
    """A class that this window hosts or takes part in.

    Attributes:
        welcome: who this window is in the class, and how things are drawn; ``None`` before the first answer.
        room: the present state of the class; ``None`` before it is known.
        question: the last question; ``None`` if there was none.
        histogram: the answers to it; ``None`` if they are not known.
        ending: whether the user has asked for the end.
        error: the last sentence that the class's process has sent.
        due: when the round closes by itself, in seconds of :func:`time.monotonic`; ``None`` without a limit.
        glide: the seconds in which the play head moves to the end of a round; 0 to jump.
        changed: emitted when the state of the class, the question or the answers have changed.
        people: emitted when the people or the log have changed.
        figures: the people in the world, as in :class:`lydian.classroom.frames.Figures`.
        met: emitted when they have moved.
        answered: emitted with the answer to a request: what was asked, whether it was accepted, and why not.
        ended: emitted when the class is over for this window, with a sentence, which is empty if the user ended it.
    """

    entry: tuple[str, ...] = ()

    def __init__(self, session: Session, entry: Sequence[str] | None = None) -> None:
        self.changed, self.people, self.answered, self.ended = Signal(), Signal(), Signal(), Signal()
        self.met = Signal()
        self.session = session
        self.conversation = Conversation(
            session.loop, self.entry if entry is None else entry, gentle=True, decode=frames.told, until_closed=True
        )
        self.conversation.heard.connect(self._heard)
        self.conversation.gone.connect(self._gone)
        self.playhead: Playhead | None = None
        self.glide = GLIDE
        self._soon = session.loop.timer(self._show)
        self._numbers = itertools.count(1)
        self._forget()

    def _forget(self) -> None:
        self.welcome: frames.Welcome | None = None
        self.room: frames.RoomNow | None = None
        self.figures: tuple[dict[str, Any], ...] = ()
        self.question: frames.Question | None = None
        self.histogram: frames.Histogram | None = None
        self.ending, self.error = False, ""
        self.due: float | None = None
        self._asked: dict[int, str] = {}
        self._rows: LiveRows | None = None
        self._run: Run | None = None  # the part of the class's run that was shown last
        self._experiment: Experiment | None = None
        self._anew = True  # whether the run on the screen is another one
        self._late = False  # whether the class's run is not on the screen because the user looks at another one
        self._soon.stop()

    @property
    def on(self) -> bool:
        """Whether there is a class."""
        return self.conversation.alive

    @property
    def elsewhere(self) -> bool:
        """Whether another run than that of the class is on the screen."""
        return self._late

    @property
    def seen(self) -> bool:
        """Whether the run of the class may be seen."""
        return self._rows is not None and self._rows.begun is not None

    def close(self) -> None:
        """End the child process and the timer; emit no further signal."""
        self._soon.stop()
        self.conversation.close()

    def _begin(self, request: wire.Frame, experiment: Experiment | None) -> None:
        self.conversation.drop()
        self._forget()
        self._experiment = experiment
        self.conversation.start(request)
        self.changed.emit()
        self.people.emit()

    def _send(self, words: str, frame: Callable[[int], wire.Frame]) -> int:
        """Send a request whose answer will be announced as the one to ``words``."""
        number = next(self._numbers)
        self._asked[number] = words
        self.conversation.tell(frame(number))
        return number

    def stand(self, frame: frames.Stand) -> None:
        """Tell the class where this window is in the world."""
        self.conversation.tell(frame)

    # ------------------------------------------------------------------ what the class says

    def _heard(self, frame: wire.Frame) -> None:
        if isinstance(frame, wire.Begun | wire.Round | frames.Dropped):
            self._grow(frame)
        elif isinstance(frame, frames.RoomNow):
            self.room = frame
            self.due = None if frame.left is None or frame.paused else time.monotonic() + frame.left
            if self._run is not None and frame.checks != self._run.result.get("checks"):
                self._wait()
            self.changed.emit()
        elif isinstance(frame, frames.Figures):
            self.figures = tuple(frame.people)
            self.met.emit()
        elif isinstance(frame, frames.Welcome):
            self.welcome = frame
            self.changed.emit()
        elif isinstance(frame, frames.Question):
            self.question, self.histogram = frame, None
            self.changed.emit()
        elif isinstance(frame, frames.Histogram):
            if self.question is None or frame.number == self.question.number:
                self.histogram = frame
                self.changed.emit()
        elif isinstance(frame, wire.Answered):
            self.answered.emit(self._asked.pop(frame.id, ""), frame.accepted, frame.reason)
        elif isinstance(frame, wire.Error):
            self.error = frame.text
            if frame.exit_code is None:
                self.answered.emit("", False, frame.text)
        elif isinstance(frame, wire.Bye):
            self.error = "" if self.ending else frame.reason

    def _gone(self, why: str) -> None:
        """Keep the run of a class that is over."""
        said = "" if self.ending else self.error or why or self._farewell()
        self._soon.stop()
        self._finish()
        self._forget()
        if self.playhead is not None:
            self.playhead.unending = False
        self.ended.emit(said)
        self.changed.emit()
        self.people.emit()

    def _farewell(self) -> str:
        return tr("The class has ended.")

    # ------------------------------------------------------------------ the run

    def _grow(self, frame: wire.Frame) -> None:
        if isinstance(frame, wire.Begun):
            told = {} if self._experiment is None else self._experiment.to_dict()
            drawn = frame.summary.get("drawn")
            if isinstance(drawn, str) and drawn:  # an act may have begun another run than the one of this window
                told = {**told, "animation": drawn}
            self._rows = LiveRows(told)
            self._rows.begun = frame
            self._anew = True
        elif self._rows is None:
            return
        elif isinstance(frame, wire.Round):
            self._rows.take(frame)
        elif isinstance(frame, frames.Dropped):
            self._rows.cut(frame.first)
            self._anew = True
        self._wait()

    def _wait(self) -> None:
        if not self._soon.active:
            self._soon.start(SOON)

    def show(self) -> None:
        """Show the run of the class again."""
        self._late, self._anew, self._run = False, True, None
        self._show()

    def _show(self) -> None:
        """Show the events that have arrived, unless the user looks at another run."""
        rows, session, head = self._rows, self.session, self.playhead
        if rows is None or rows.begun is None or not rows.processes:
            return
        if self._run is not None and session.shown is not self._run:
            if not self._late:
                self._late = True
                self.changed.emit()
            return
        front = head is None or self._anew or head.at_end or head.moving
        checks = [] if self.room is None else self.room.checks
        timeline = rows.timeline()
        before = 0.0 if head is None else head.t
        session.live_grown(timeline, checks, self._anew)
        first, self._anew, self._run = self._anew, False, session.shown
        if head is None:
            return
        head.unending = True
        if not front or (head.end <= head.t and not first):
            return
        sealed = self.room is None or self.room.mode == "sealed"
        if first and before <= head.end:
            head.seek(head.end)
        else:
            head.glide(head.end, self.glide if sealed and not first else 0.0)

    def _finish(self) -> None:
        """List the run of a class that is over as a run of this window."""
        rows, session = self._rows, self.session
        if self._run is None or rows is None or session.shown is not self._run:
            return
        checks = [] if self.room is None else list(self.room.checks)
        trace = rows.trace({"stopped": "cancelled", "checks": checks, "error": None, "decided": {}, "rest": {}})
        session.live_over(rows.timeline(trace), {"stopped": "cancelled", "checks": checks}, False)


@dataclass(frozen=True)
class Interrupted:
    """A class that was going on when the program ended.

    Attributes:
        code: its code.
        file: where it is saved.
        round: the round after which it is saved.
        lan, port: how it listened.
    """

    code: str
    file: Path
    round: int
    lan: bool
    port: int


class Hosting(Attending):
    """The class that this window hosts.

    Attributes:
        everybody: the people in the class, players before others.
        log: what has happened, one sentence each.
        hidden: whether names are hidden.
        file: the file to which the class is saved after each round; ``None`` for none.
        lan: whether it listens on the local network.
        last: the class that has ended last, if it is saved.
    """

    entry = SERVE
    last: Interrupted | None = None

    def _forget(self) -> None:
        super()._forget()
        self.everybody: tuple[Person, ...] = ()
        self.log: tuple[str, ...] = ()
        self.hidden = False
        self.file: Path | None = None
        self.lan = False

    @property
    def code(self) -> str:
        """The code of the class; empty before it is known."""
        return "" if self.welcome is None else self.welcome.code

    def host(self, experiment: Experiment, folder: Path | None, *, lan: bool = False, port: int = 0) -> None:
        """Host the current experiment."""
        code = code_for(called(experiment.protocol, "protocols"))
        file = _file(code)
        request = frames.Host(
            experiment.to_dict(), None if folder is None else str(folder), code=code, lan=lan, port=port,
            file="" if file is None else str(file),
        )  # fmt: skip
        self.session.settle()
        self.session.live.leave()
        self._start(request, experiment, file)

    def play(self, game: str, players: int, *, lan: bool = False, port: int = 0) -> None:
        """Host a game for a number of players; it replaces the current experiment.

        Raises:
            LydianError: its experiment cannot be read.
        """
        from lydian.model.archive.archive import archive

        experiment = GAMES[game].adapted(archive().experiment(GAMES[game].experiment), players)
        code = code_for(game)
        file = _file(code)
        self.session.begin_elsewhere(experiment)
        request = frames.Host(
            experiment.to_dict(), None if experiment.path is None else str(experiment.path.absolute().parent), game,
            code, lan, port, "" if file is None else str(file),
        )  # fmt: skip
        self._start(request, experiment, file)

    def resume(self, file: Path, *, lan: bool = False, port: int = 0) -> None:
        """Go on with a class that was saved.

        Raises:
            LydianError: the file contains no class.
            OSError: the file cannot be read.
        """
        from lydian.model.errors import BadInput
        from lydian.model.experiment.experiment import from_dict

        try:
            data = classfile.read(file)
            experiment = from_dict(data["experiment"])
            folder = data["folder"]
        except (ValueError, KeyError, TypeError) as error:
            if isinstance(error, LydianError):
                raise
            raise BadInput(tr("contains no class that can be resumed"), file=file) from None
        self.session.begin_elsewhere(experiment if not folder else experiment.beside(folder))
        self._start(frames.Host(file=str(file), resume=True, lan=lan, port=port), experiment, file)

    def _start(self, request: frames.Host, experiment: Experiment, file: Path | None) -> None:
        self._begin(request, experiment)
        self.file, self.lan = file, request.lan

    def lead(self, do: str, **what: Any) -> None:
        """Decide something; :attr:`answered` announces whether it was possible."""
        self._send(do, lambda number: frames.Lead(number, do, what))

    def end(self) -> None:
        """End the class for all."""
        self.ending = True
        self.lead("end")

    @property
    def players(self) -> dict[str, Person]:
        """The people who play a process, by its name."""
        return {each.process: each for each in self.everybody if each.process is not None}

    @property
    def watching(self) -> tuple[Person, ...]:
        """The people without a process."""
        return tuple(each for each in self.everybody if each.process is None)

    def _heard(self, frame: wire.Frame) -> None:
        if isinstance(frame, frames.People):
            now = time.monotonic()
            self.everybody = tuple(_person(each, now) for each in frame.people)
            self.log, self.hidden = tuple(map(str, frame.log)), frame.hidden
            self.people.emit()
        else:
            super()._heard(frame)

    def _farewell(self) -> str:
        if self.file is not None and self.file.is_file():
            return tr("The class has stopped; it is saved in {file}.", file=self.file.name)
        return tr("The class has stopped.")

    @property
    def now(self) -> Interrupted | None:
        """The class that goes on, as far as it is saved."""
        if self.file is None or self.welcome is None:
            return None
        port = self.welcome.address.partition("?")[0].rstrip("/").rpartition(":")[2]
        round_ = 0 if self.room is None else self.room.round - (self.room.phase in ("open", "moving"))
        return Interrupted(self.code, self.file, max(0, round_), self.lan, int(port) if port.isdigit() else 0)

    def _gone(self, why: str) -> None:
        self.last = self.now if self.file is not None and self.file.is_file() else None
        if why and not self.ending and self.file is not None and self.file.is_file():
            round_ = 0 if self.last is None else self.last.round
            why = tr(
                "The class has stopped unexpectedly: {reason} It is saved up to round {round}.",
                reason=why.rstrip(".") + ".", round=round_,
            )  # fmt: skip
        super()._gone(why)


class Joining(Attending):
    """The class elsewhere in which this window takes part.

    Attributes:
        seat: the process that this window plays, and what can be chosen; ``None`` for none.
        stories: what the rounds so far did to the process, the latest last.
        hand: whether the hand is raised.
        url: the address of the class.
    """

    entry = JOIN

    def _forget(self) -> None:
        super()._forget()
        self.seat: frames.Seat | None = None
        self.stories: tuple[frames.Story, ...] = ()
        self.hand = False
        self.url = ""

    def join(self, url: str, code: str, name: str, wish: str = "seat") -> None:
        """Take part in a class; the run of the class replaces the current experiment when it arrives."""
        self._begin(frames.Connect(url.strip(), code.strip().lower(), name.strip(), wish), None)
        self.url = url.strip()

    def leave(self) -> None:
        """Leave the class."""
        self.ending = True
        self.conversation.drop()
        self._gone("")

    def choose(self, offer: str, value: int | str | None = None) -> None:
        """Choose an offer for this round; an empty one takes the choice back."""
        if self.room is not None:
            round_ = self.room.round if self.seat is None else self.seat.round
            self._send("choose", lambda number: frames.Choose(number, round_, offer, value))

    def reply(self, value: int | float | str) -> None:
        """Answer the question."""
        if self.question is not None:
            self.conversation.tell(frames.Reply(self.question.number, value))

    def raise_hand(self, up: bool) -> None:
        """Raise the hand, or lower it."""
        self.hand = up
        self.conversation.tell(frames.Hand(up))
        self.changed.emit()

    def _heard(self, frame: wire.Frame) -> None:
        if isinstance(frame, frames.Seat):
            self.seat = frame
            self.changed.emit()
        elif isinstance(frame, frames.Story):
            self.stories = (*(each for each in self.stories if each.round != frame.round), frame)
            self.changed.emit()
        elif isinstance(frame, frames.Welcome):
            if frame.process is None:
                self.seat = None
            super()._heard(frame)
        elif isinstance(frame, wire.Begun) and self.session.shown is not self._run:
            self._leave_own()
            super()._heard(frame)
        elif isinstance(frame, wire.Begun):
            if self._run is None:
                self._leave_own()
            super()._heard(frame)
        else:
            super()._heard(frame)

    def _leave_own(self) -> None:
        """Replace the experiment of this window by the run of the class."""
        self._run = None
        self.session.begin_elsewhere(None)


# ---------------------------------------------------------------------- classes that were interrupted


def remember(kept: KeptFolder, now: Interrupted | None) -> None:
    """Record the class that goes on in this window."""
    if now is not None:
        told = {"code": now.code, "file": str(now.file), "round": now.round, "lan": now.lan, "port": now.port}
        with suppress(OSError):
            kept.place(_FILE).write_text(json.dumps(told), encoding="utf-8")


def forget(kept: KeptFolder, all_windows: bool = False) -> None:
    """Forget the class of this window, as it has ended, or those that closed windows have left."""
    for file in kept.left(_FILE) if all_windows else [kept.place(_FILE)]:
        kept.forget(file)


def interrupted(kept: KeptFolder) -> Interrupted | None:
    """Return the class that was going on when a window was closed; ``None`` if there is none, or its file has gone."""
    for file in kept.left(_FILE):
        try:
            told = json.loads(file.read_text(encoding="utf-8"))
            found = Interrupted(
                str(told["code"]), Path(told["file"]), int(told["round"]), bool(told["lan"]), int(told["port"])
            )
        except (OSError, ValueError, KeyError, TypeError):
            continue
        if found.file.is_file():
            return found
    return None


def _file(code: str) -> Path | None:
    """Return the file for a new class in the user's folder; ``None`` if there is no such folder."""
    home = user_folder()
    if home is None:
        return None
    try:
        (home / "classes").mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return home / "classes" / f"{code}{ENDING}"
