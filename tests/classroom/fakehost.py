"""A class without a child process: a conversation whose frames a test sends, with a real run in them."""

from __future__ import annotations

from functools import cache
from typing import Any

from lydian.classroom import frames
from lydian.desk.hosting import Attending
from lydian.desk.signal import Signal
from lydian.engine import wire
from lydian.engine.simulator import Simulator
from lydian.model.archive.archive import archive
from lydian.model.experiment.experiment import Experiment
from lydian.trace.events import Trace

__all__ = ["QR", "FakeHost", "experiment", "person"]

#: A picture in place of a real code.
QR = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 3 3"><path d="M0 0h1v1h-1zM2 0h1v1h-1zM0 2h1v1h-1z" '
    'fill="#000"/></svg>'
)


@cache
def experiment() -> Experiment:
    """Return the experiment of the class."""
    return archive().experiment("lamport-mutex-users")


@cache
def _trace() -> Trace:
    simulator = Simulator(experiment())
    simulator.run()
    return simulator.trace


def person(number: int, name: str, process: str | None = None, status: str = "", **more: Any) -> dict[str, Any]:
    """Return somebody in the class as the host describes them."""
    usual = "watching" if process is None else "choosing"
    role = "observer" if process is None else "player"
    return {"person": number, "name": name, "role": role, "process": process, "status": status or usual,
            "hand": False, "back": None, **more}  # fmt: skip


class FakeHost:
    """What stands in place of a conversation with a host.

    Attributes:
        told: the frames that the window has sent.
        count: the number of events that have been shown.
    """

    def __init__(self, part: Attending) -> None:
        self.heard, self.gone = Signal(), Signal()
        self.alive = False
        self.told: list[wire.Frame] = []
        self.count = 0
        self.closed = False
        part.conversation = self  # type: ignore[assignment]
        self.heard.connect(part._heard)
        self.gone.connect(part._gone)

    # the conversation

    def start(self, request: wire.Frame, child: object = None) -> None:
        self.alive = True
        self.told.append(request)

    def tell(self, frame: wire.Frame) -> None:
        self.told.append(frame)

    def drop(self) -> None:
        self.alive = False

    def close(self) -> None:
        self.alive, self.closed = False, True

    # the host

    def end(self, why: str = "") -> None:
        """End the child process."""
        self.alive = False
        self.gone.emit(why)

    @property
    def last(self) -> wire.Frame:
        """The last frame that the window has sent."""
        return self.told[-1]

    def leads(self) -> list[tuple[str, dict[str, Any]]]:
        """Return the decisions of the host so far."""
        return [(each.do, each.what) for each in self.told if isinstance(each, frames.Lead)]

    def answer(self, accepted: bool = True, reason: str = "") -> None:
        """Answer the last request."""
        self.heard.emit(wire.Answered(getattr(self.last, "id", 0), accepted, reason, 0))

    def welcome(self, role: str = "host", process: str | None = None, acts: Any = (), **more: Any) -> None:
        """Say who the window is."""
        network = experiment().resolve().network
        index = network.index
        links = sorted({tuple(sorted((index[u], index[v]))) for u in network.processes for v in network.neighbours(u)})
        inner = {"code": "ring-4127", "address": "http://192.168.4.20:8642/", "qr": QR} if role == "host" else {}
        about = {"title": "Mutual exclusion", "about": "", "game": "", "acts": [list(each) for each in acts]}
        looks = {"states": {}, "messages": {"Request": {"head": "triangle", "words": "Request"}}}
        names = list(network.processes)
        told = {**about, "processes": names, "links": [list(each) for each in links],
                "places": [[0.5, 0.5] for _ in names], "looks": looks, **inner, **more}  # fmt: skip
        self.heard.emit(frames.Welcome(1, "secret", "the host", role, process, **told))

    def room(self, phase: str = "door", round_: int = 0, **more: Any) -> None:
        """Say how the class stands."""
        usual = {"mode": "sealed", "paused": False, "left": None, "of": None, "chosen": 0, "choosing": 0, "people": 0,
                 "watching": 0, "free": 6}  # fmt: skip
        self.heard.emit(frames.RoomNow(phase, round_, **{**usual, **more}))

    def people(self, *people: dict[str, Any], log: tuple[str, ...] = (), hidden: bool = False) -> None:
        """Say who is here."""
        self.heard.emit(frames.People(list(people), list(log), hidden))

    def begun(self, drawn: str = "") -> None:
        """Begin the run, which is drawn by an animation of this name."""
        trace = _trace()
        self.count = 0
        self.heard.emit(wire.Begun(dict(trace.network), "", dict(trace.versions), {
            **{name: value for name, value in trace.summary.items()
               if name not in ("stopped", "checks", "decided", "rest")}, "drawn": drawn,
        }))  # fmt: skip

    def grow(self, count: int, round_: int = 1) -> None:
        """Send further events."""
        trace = _trace()
        rows = trace.rows[self.count : self.count + count]
        time = float(rows["time"][-1]) if len(rows) else 0.0
        self.heard.emit(wire.Round(
            round_, self.count, len(rows), time, rows=wire.packed(rows), labels=list(trace.labels),
            states=list(trace.states), processes=list(trace.processes), steps=round_, waiting=True,
        ))  # fmt: skip
        self.count += len(rows)

    def undo(self, first: int) -> None:
        """Take back the events from ``first`` on."""
        self.count = first
        self.heard.emit(frames.Dropped(first, 1))

    def seat(self, offers: list[dict[str, Any]], process: str = "5", round_: int = 1, **more: Any) -> None:
        """Show a player their process."""
        usual = {"title": f"You are process {process}", "text": "Your state is released", "look": {"slot": 0},
                 "values": [["time", "0"]], "heading": "What do you take?"}  # fmt: skip
        self.heard.emit(frames.Seat(process, round_, offers=offers, **{**usual, **more}))
