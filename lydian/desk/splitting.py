"""A system in components in the window: the borders between them, and the run of all components.

A child process hosts the system (:mod:`lydian.classroom.components.serve`); the frames of
:mod:`lydian.classroom.components.window` pass between it and this window. The run is shown like a live run, which grows
on the screen.
"""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Any

from lydian.classroom.components import window
from lydian.classroom.components.frames import Handover
from lydian.classroom.components.system import MOST_COMPONENTS, hindrance, lettered, split
from lydian.classroom.frames import Dropped
from lydian.desk.conversation import Conversation
from lydian.desk.signal import Signal
from lydian.engine import wire
from lydian.engine.liverows import LiveRows
from lydian.language import tr
from lydian.model.experiment.experiment import Experiment, from_dict
from lydian.model.network import Network

if TYPE_CHECKING:
    from lydian.desk.playhead import Playhead
    from lydian.desk.runs.run import Run
    from lydian.desk.runs.session import Session

__all__ = ["SERVE", "Borders", "Component", "Crossing", "Replica", "Splitting", "handover_words", "why_not"]

#: The program that hosts a system in components.
SERVE = ("-m", "lydian.classroom.components.serve")
#: Milliseconds from the first new event until it is shown, with all others that arrive meanwhile.
SOON = 30


def why_not(experiment: Experiment | None, source: str) -> str:
    """Return the reason why an experiment cannot be split into components; "" if nothing is known against it.

    Args:
        source: the text of its protocol, which is parsed and never run.
    """
    if experiment is None:
        return tr("Open an experiment first: its system will be split")
    name, rules, needs = _declared(source)
    title = name or str(experiment.protocol_ref)
    return hindrance(experiment, title, rules, "rounds" in needs, "detector" in needs)


@lru_cache(maxsize=8)
def _declared(source: str) -> tuple[str, bool, frozenset[str]]:
    """Return the name of a protocol, whether it has guarded actions, and what it needs, from its text."""
    from lydian.model.source.outline import outline

    if not source.strip():
        return "", False, frozenset()
    found = outline(source)
    return found.name, bool(found.rules), frozenset(each.name for each in found.needs)


# ---------------------------------------------------------------------- borders


class Borders:
    """The borders between the components of a network while they are drawn; each change can be undone.

    Attributes:
        network: the network.
        groups: component -> its processes, in the order of the network; a component may be empty meanwhile.
        changed: emitted when the borders have changed.
    """

    def __init__(self, network: Network, count: int = 2) -> None:
        self.changed = Signal()
        self.network = network
        self._done: list[dict[str, tuple[str, ...]]] = []
        self._undone: list[dict[str, tuple[str, ...]]] = []
        self.groups = self._cut(min(count, self.most))

    @property
    def most(self) -> int:
        """The largest number of components."""
        return min(self.network.n, MOST_COMPONENTS)

    @property
    def home(self) -> dict[str, str]:
        """Process -> its component."""
        return {process: name for name, members in self.groups.items() for process in members}

    @property
    def problem(self) -> str:
        """Why the system cannot be split in this way; "" if it can."""
        empty = [name for name, members in self.groups.items() if not members]
        return tr("Component {name} contains no process.", name=empty[0]) if empty else ""

    @property
    def between(self) -> int:
        """The number of links between components."""
        home = self.home
        return sum(home[link.a] != home[link.b] for link in self.network.links)

    def _cut(self, count: int) -> dict[str, tuple[str, ...]]:
        return {name: tuple(members) for name, members in lettered(split(self.network, count)).items()}

    def cut(self, count: int) -> None:
        """Split the network anew into so many components, with few links between them."""
        self._put(self._cut(max(1, min(count, self.most))))

    def add(self) -> str:
        """Add an empty component, and return its name; "" if there are enough."""
        if len(self.groups) >= self.most:
            return ""
        names = list(lettered([()] * (len(self.groups) + 1)))
        name = next(each for each in names if each not in self.groups)
        self._put({**self.groups, name: ()})
        return name

    def move(self, processes: Iterable[str], name: str) -> int:
        """Move processes to a component; return how many of them were in another one."""
        home = self.home
        moved = {each for each in processes if each in home and home[each] != name}
        if moved and name in self.groups:
            self._put({
                each: tuple(p for p in self.network.processes if (p in moved if each == name else False)
                            or (home[p] == each and p not in moved))
                for each in self.groups
            })  # fmt: skip
        return len(moved)

    @property
    def can_undo(self) -> bool:
        """Whether a change can be undone."""
        return bool(self._done)

    @property
    def can_redo(self) -> bool:
        """Whether a change that was undone can be made again."""
        return bool(self._undone)

    def undo(self) -> None:
        """Undo the last change."""
        if self._done:
            self._undone.append(self.groups)
            self.groups = self._done.pop()
            self.changed.emit()

    def redo(self) -> None:
        """Make the last change again that was undone."""
        if self._undone:
            self._done.append(self.groups)
            self.groups = self._undone.pop()
            self.changed.emit()

    def _put(self, groups: dict[str, tuple[str, ...]]) -> None:
        if groups != self.groups:
            self._done.append(self.groups)
            self._undone.clear()
            self.groups = groups
            self.changed.emit()


# ---------------------------------------------------------------------- the run


@dataclass(frozen=True)
class Replica:
    """A replica of a component.

    Attributes:
        name: its name.
        status: ``acts``, ``ready``, ``silent`` or ``away``.
        here: whether it is a process on this computer that runs.
        distance: the distance of its name from that of the component.
    """

    name: str
    status: str
    here: bool = False
    distance: float = 0.0


@dataclass(frozen=True)
class Component:
    """How a component is.

    Attributes:
        name: its letter.
        processes: its processes.
        acting: the replica that acts; "" for none.
        events, shown: the numbers of its events, and of those that are on the screen.
        time: its simulated time.
        replicas: its replicas, the nearest name first.
        problem: why it cannot go on; "" if it can.
        delay: the milliseconds of its connection with the meeting point, there and back; ``None`` if unknown.
        waits: what its first event that is held back waits for, such as ``D 36 waits for B 33``; "" for none.
    """

    name: str
    processes: tuple[str, ...]
    acting: str = ""
    events: int = 0
    shown: int = 0
    time: float = 0.0
    replicas: tuple[Replica, ...] = ()
    problem: str = ""
    waits: str = ""
    delay: float | None = None


@dataclass(frozen=True)
class Crossing:
    """The border between two components that links connect.

    Attributes:
        a, b: the components.
        links: the number of links.
        mean: the mean delay of these links in simulated time; ``None`` if there is none.
        connection: the milliseconds that a message takes from one component to the other; ``None`` if unknown.
        cut: whether all links are down.
    """

    a: str
    b: str
    links: int
    mean: float | None
    connection: float | None = None
    cut: bool = False


def handover_words(frame: Handover) -> str:
    """Say who acts for a component now, or that two replicas believed to."""
    if frame.believers:
        return tr("Component {name}: {reason}.", name=frame.component, reason=frame.reason)
    if not frame.old:
        return tr("Component {name}: {new} acts.", name=frame.component, new=frame.new)
    if frame.silent:
        return tr(
            "Component {name}: {new} takes over from {old} after {seconds:.1f} s of silence, at event {number}.",
            name=frame.component, new=frame.new, old=frame.old, seconds=frame.silent, number=frame.number + 1,
        )  # fmt: skip
    return tr(
        "Component {name}: {new} takes over from {old}, at event {number}.",
        name=frame.component, new=frame.new, old=frame.old, number=frame.number + 1,
    )  # fmt: skip


class Splitting:
    """The run of a system in components that this window hosts, or a recorded one.

    Attributes:
        groups: component -> its processes; empty while there is no such run.
        components: how they are.
        handovers: who acted, in the order in which it happened.
        url, secret: what another computer needs to join; "" for a recorded run.
        follows: the components whose events are shown.
        exact: whether the run is the same as in one simulator.
        begun: whether enough replicas are here.
        over: how the run ended; "" while it goes on.
        paused: whether simulated time stands still.
        barrier: whether the components act in rounds that begin together.
        inside: the mean delay of the links inside components; ``None`` if there is none.
        judged: whether the properties could be judged at the end.
        recorded: whether the run was read from a record.
        kept: the record of a run that is over; ``None`` if there is none.
        changed: emitted when the state of the components has changed.
        handed: emitted with a sentence when a component has changed hands.
        answered: emitted with the answer to a decision: what was decided, whether it was carried out, and why not.
        ended: emitted when the run is over for this window, with a sentence, which is empty if nothing went wrong.
    """

    def __init__(self, session: Session, entry: Sequence[str] = SERVE) -> None:
        self.changed, self.handed, self.answered, self.ended = Signal(), Signal(), Signal(), Signal()
        self.session = session
        self.conversation = Conversation(session.loop, entry, gentle=True, decode=window.told, until_closed=True)
        self.conversation.heard.connect(self._heard)
        self.conversation.gone.connect(self._gone)
        self.playhead: Playhead | None = None
        self._soon = session.loop.timer(self._show)
        self._numbers = itertools.count(1)
        self._folder: Path | None = None
        self._forget()

    def _forget(self) -> None:
        self.groups: dict[str, tuple[str, ...]] = {}
        self.components: tuple[Component, ...] = ()
        self.handovers: list[Handover] = []
        self.follows: tuple[str, ...] = ()
        self.url = self.secret = self.over = self.error = ""
        self.exact = self.begun = self.judged = self.recorded = self.stopping = False
        self.paused = self.barrier = False
        self.inside: float | None = None
        self._borders: list[tuple[str, str, int, float | None]] = []
        self._cut: set[frozenset[str]] = set()
        self.kept: Path | None = None
        self._checks: list[Any] = []
        self._asked: dict[int, str] = {}
        self._rows: LiveRows | None = None
        self._run: Run | None = None  # the part that was shown last
        self._anew = True
        self._soon.stop()

    @property
    def on(self) -> bool:
        """Whether such a run goes on."""
        return self.conversation.alive

    @property
    def there(self) -> bool:
        """Whether the run on the screen is that of the components."""
        return bool(self.groups) and self._run is not None and self.session.shown is self._run

    @property
    def elsewhere(self) -> bool:
        """Whether another run is on the screen while this one goes on or is still listed in the panel."""
        return bool(self.groups) and self._run is not None and self.session.shown is not self._run

    def show(self) -> None:
        """Show the run of the components again."""
        self._anew, self._run = True, None
        self._show()
        if not self.on:
            self._finish()

    def leave(self) -> None:
        """Forget a run that is over; it stays listed as a run of this window."""
        if not self.on:
            self._forget()
            self.changed.emit()

    def close(self) -> None:
        """End the child process and the timer, and delete the record that was not saved; emit no further signal."""
        self._soon.stop()
        self.conversation.close()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None

    # ------------------------------------------------------------------ beginning

    def start(
        self, experiment: Experiment, folder: Path | None, groups: Mapping[str, Sequence[str]], *, replicas: int = 1,
        barrier: bool = False, pace: float = 5.0, lan: bool = False, port: int = 0,
    ) -> None:  # fmt: skip
        """Run an experiment in components, in place of the run on the screen."""
        if self._folder is None:
            self._folder = Path(mkdtemp(prefix="lydian-components-"))
        file = self._folder / "record.json"
        file.unlink(missing_ok=True)
        request = window.Split(
            experiment.to_dict(), None if folder is None else str(folder),
            groups={name: list(members) for name, members in groups.items()}, barrier=barrier, pace=pace,
            replicas=replicas, lan=lan, port=port, file=str(file),
        )  # fmt: skip
        self.session.settle()
        self.session.live.leave()
        self._begin(request, experiment)
        self.barrier = barrier
        self.groups = {name: tuple(members) for name, members in groups.items()}
        self.components = tuple(Component(name, members) for name, members in self.groups.items())
        self.follows = tuple(self.groups)
        self.changed.emit()

    def open(self, file: Path) -> None:
        """Repeat the run in a record; this executes the protocol in it."""
        self._begin(window.Repeat(str(file)), None)
        self.recorded = True
        self.changed.emit()

    def _begin(self, request: wire.Frame, experiment: Experiment | None) -> None:
        self.conversation.drop()
        self._forget()
        self._rows = LiveRows({} if experiment is None else experiment.to_dict())
        self.conversation.start(request)

    # ------------------------------------------------------------------ decisions

    def stop(self) -> None:
        """End the run here; what happened is kept."""
        self.stopping = True
        self.conversation.tell(wire.Stop())
        self.changed.emit()

    def do(self, do: str, **what: Any) -> None:
        """Decide something; :attr:`answered` announces whether it was possible."""
        number = next(self._numbers)
        self._asked[number] = do
        self.conversation.tell(window.Do(number, do, what))

    def steer(self, what: Mapping[str, Any], author: str) -> None:
        """Intervene at a process or at a link, in the component that simulates it."""
        ends = [str(each) for each in what.get("link", ())] or [str(what["process"])]
        home = {process: name for name, members in self.groups.items() for process in members}
        for name in dict.fromkeys(home[each] for each in ends if each in home):
            self.do("steer", component=name, what=dict(what), author=author)

    def pause(self, on: bool) -> None:
        """Stop simulated time for all components, or let it go on."""
        self.do("pause", on=on)

    def cut(self, a: str, b: str, author: str, *, restore: bool = False) -> None:
        """Cut all links between two components, or restore them."""
        self.do("restore" if restore else "cut", components=[a, b], author=author)

    @property
    def crossings(self) -> tuple[Crossing, ...]:
        """The borders between the components, as they are now."""
        return tuple(
            Crossing(a, b, links, mean, self.connection(a, b), frozenset((a, b)) in self._cut)
            for a, b, links, mean in self._borders
        )

    def connection(self, a: str, b: str) -> float | None:
        """Return the milliseconds that a message takes from one component to another; ``None`` if unknown."""
        ways = [each.delay for each in self.components if each.name in (a, b)]
        return None if len(ways) != 2 or None in ways else sum(way / 2 for way in ways if way is not None)

    def follow(self, names: Iterable[str]) -> None:
        """Show the events of these components only; of all if there are none."""
        chosen = set(names)
        self.follows = tuple(name for name in self.groups if name in chosen) or tuple(self.groups)
        self.do("follow", components=list(self.follows))
        self.changed.emit()

    def save(self, file: Path) -> None:
        """Write the record of the run; a run that goes on writes what has happened so far.

        Raises:
            OSError: the file cannot be written.
        """
        if self.on:
            self.do("save", file=str(file))
        elif self.kept is not None:
            shutil.copyfile(self.kept, file)
            self.answered.emit("save", True, "")

    # ------------------------------------------------------------------ what the process says

    def _heard(self, frame: wire.Frame) -> None:
        if isinstance(frame, wire.Begun | wire.Round | Dropped):
            self._grow(frame)
        elif isinstance(frame, window.Open):
            self._opened(frame)
        elif isinstance(frame, window.Standing):
            self._stand(frame)
        elif isinstance(frame, Handover):
            self.handovers.append(frame)
            if frame.old and not self.recorded:
                self.handed.emit(handover_words(frame))
            self.changed.emit()
        elif isinstance(frame, window.Ended):
            self.over, self.judged, self._checks = frame.outcome, frame.judged, frame.checks
            self.error = frame.error
            self._wait()
            self.changed.emit()
        elif isinstance(frame, wire.Answered):
            self.answered.emit(self._asked.pop(frame.id, ""), frame.accepted, frame.reason)
        elif isinstance(frame, wire.Error):
            self.error = frame.text

    def _opened(self, frame: window.Open) -> None:
        self.url, self.secret, self.exact, self.inside = frame.url, frame.secret, frame.exact, frame.inside
        self._borders = [
            (str(a), str(b), int(links), None if mean is None else float(mean)) for a, b, links, mean in frame.crossings
        ]
        self.groups = {str(name): tuple(map(str, members)) for name, members in frame.groups.items()}
        self.follows = tuple(self.groups)
        if frame.experiment:
            experiment = from_dict(frame.experiment)
            self.session.begin_elsewhere(experiment)
            self._rows = LiveRows(experiment.to_dict())
        self.changed.emit()

    def _stand(self, frame: window.Standing) -> None:
        waits = {
            str(name): tr(
                "{name} {number} waits for {other} {until}", name=name, number=number, other=other, until=until
            )
            for name, number, other, until in frame.held
        }
        self.begun, self.paused = frame.begun, frame.paused
        self._cut = {frozenset(map(str, each)) for each in frame.cut}
        self.components = tuple(
            Component(
                str(each["name"]), self.groups.get(str(each["name"]), ()), str(each["acting"]), int(each["events"]),
                int(each["shown"]), float(each["time"]),
                tuple(Replica(r["name"], r["status"], r["here"], r["distance"]) for r in each["replicas"]),
                str(each["problem"]), waits.get(str(each["name"]), ""), each.get("delay"),
            ) for each in frame.parts
        )  # fmt: skip
        self.changed.emit()

    def _gone(self, why: str) -> None:
        """List the run of a system that is over."""
        said = why if not self.over else ""
        if not said and self.error:
            said = self.error
        self._soon.stop()
        self._show()
        self._finish()
        file = None if self._folder is None else self._folder / "record.json"
        self.kept = file if file is not None and file.is_file() and not self.recorded else None
        if not self.over:
            self._run, self.groups, self.components = None, {}, ()
        self.ended.emit(said)
        self.changed.emit()

    # ------------------------------------------------------------------ the run on the screen

    def _grow(self, frame: wire.Frame) -> None:
        rows = self._rows
        if rows is None:
            return
        if isinstance(frame, wire.Begun):
            experiment = rows.experiment
            self._rows = rows = LiveRows(experiment)
            rows.begun = frame
            self._anew = True
        elif isinstance(frame, wire.Round):
            rows.take(frame)
        elif isinstance(frame, Dropped):
            rows.cut(frame.first)
        self._wait()

    def _wait(self) -> None:
        if not self._soon.active:
            self._soon.start(SOON)

    def _show(self) -> None:
        """Show the events that have arrived, unless the user looks at another run."""
        rows, session, head = self._rows, self.session, self.playhead
        if rows is None or rows.begun is None or not rows.processes:
            return
        if self._run is not None and session.shown is not self._run:
            return
        front = head is None or self._anew or head.at_end or head.moving
        timeline = rows.timeline()
        before = 0.0 if head is None else head.t
        session.live_grown(timeline, self._checks, self._anew)
        first, self._anew, self._run = self._anew, False, session.shown
        if head is not None:
            head.unending = True
            if front and (first or head.end > before):
                head.seek(head.end)

    def _finish(self) -> None:
        """List the run as a run of this window."""
        rows, session, head = self._rows, self.session, self.playhead
        if self._run is None or rows is None or session.shown is not self._run:
            return
        told = {"stopped": self.over or "cancelled", "checks": self._checks, "error": self.error or None}
        trace = rows.trace({**told, "decided": {}, "rest": {}})
        session.live_over(rows.timeline(trace), told, False)
        self._run = session.shown
        if head is not None:
            head.unending = False
