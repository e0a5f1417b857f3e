"""A run in components without child processes: a system in this process, whose frames a test sends to the window."""

from __future__ import annotations

from typing import Any

from lydian.classroom.components import window
from lydian.classroom.components.frames import Handover
from lydian.classroom.components.inside import Lab
from lydian.classroom.components.merge import merged
from lydian.classroom.components.serve import Shown
from lydian.classroom.components.system import System
from lydian.desk.signal import Signal
from lydian.desk.splitting import Splitting
from lydian.engine import wire
from lydian.model.experiment.experiment import from_dict

__all__ = ["FakeComponents"]


class FakeComponents:
    """What stands in place of a conversation with the process that hosts a system in components.

    Attributes:
        told: the frames that the window has sent.
        lab: the system, once it has been requested.
    """

    def __init__(self, splitting: Splitting) -> None:
        self.heard, self.gone = Signal(), Signal()
        self.alive = self.closed = False
        self.told: list[wire.Frame] = []
        self.lab: Lab | None = None
        splitting.conversation = self  # type: ignore[assignment]
        self.heard.connect(splitting._heard)
        self.gone.connect(splitting._gone)

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

    # the process

    def open(self) -> Lab:
        """Start the system that the window has requested, with two replicas of each component."""
        request = self.told[-1]
        assert isinstance(request, window.Split)
        system = System.of(from_dict(request.experiment), request.groups, barrier=request.barrier, pace=request.pace)
        names = {name: tuple(f"{name.lower()}-{number}" for number in (1, 2)) for name in system.names}
        self.lab = lab = Lab(system, names)
        self._shown = Shown(system, self.heard.emit)
        lab.hub.watching.append(lambda frame: self.heard.emit(frame) if isinstance(frame, Handover) else None)
        ways = [[a, b, len(links), system.mean_delay(links)] for (a, b), links in system.crossings.items()]
        self.heard.emit(
            window.Open("ws://127.0.0.1:1/components", "secret", dict(request.groups), crossings=ways, inside=1.0)
        )
        return lab

    def stand(
        self, held: tuple[Any, ...] = (), problem: str = "", paused: bool = False, cut: tuple[Any, ...] = ()
    ) -> None:
        """Say how the components are."""
        assert self.lab is not None
        parts = []
        for name, seat in self.lab.hub.seats.items():
            replicas = [
                {"name": each, "status": "away" if each not in seat.replicas else
                 "acts" if each == seat.acting else "ready", "here": each not in self.lab.dead, "distance": 0.1}
                for each in (f"{name.lower()}-1", f"{name.lower()}-2")
            ]  # fmt: skip
            parts.append({
                "name": name, "acting": seat.acting if seat.acting in seat.replicas else "", "events": seat.events,
                "shown": seat.events - any(each[0] == name for each in held), "time": seat.time, "replicas": replicas,
                "problem": problem if name == "A" else "", "delay": 20.0 if name == "A" else 4.0,
            })  # fmt: skip
        names = list(self.lab.system.names)
        self.heard.emit(window.Standing(parts, [list(each) for each in held], names, True, paused, list(cut)))

    def show(self, *follows: str) -> None:
        """Send the events of the system so far, or of some of its components."""
        assert self.lab is not None
        logs = self.lab.hub.logs
        trace = merged(self.lab.system, {name: log for name, log in logs.items() if name in (follows or logs)})
        self._shown.tell(trace, float(trace.rows["time"][-1]) if len(trace) else 0.0)

    def restart(self) -> None:
        """Begin the run again, because the window now follows other components."""
        self._shown.restart()

    def answer(self, accepted: bool = True, reason: str = "") -> None:
        """Answer the last decision."""
        last = self.told[-1]
        assert isinstance(last, window.Do)
        self.heard.emit(wire.Answered(last.id, accepted, reason, 0))

    def done(self) -> list[tuple[str, dict[str, Any]]]:
        """Return what the window has decided."""
        return [(each.do, each.what) for each in self.told if isinstance(each, window.Do)]

    def end(self, why: str = "", outcome: str = "quiescent", checks: tuple[Any, ...] = ()) -> None:
        """End the process; without a reason, the run is over."""
        if not why:
            self.heard.emit(window.Ended(outcome, list(checks), True))
            self.heard.emit(wire.Bye(outcome))
        self.alive = False
        self.gone.emit(why)
