"""The process that hosts a system in components for a window: ``python -m lydian.classroom.components.serve``.

It reads a request and then the window's decisions from standard input, one frame on each line, and sends to standard
output the events of all components as one run that grows (:mod:`lydian.classroom.components.window`).

The window shows an event when every event that could precede it is here: its causes in the components that it follows
(:class:`~lydian.classroom.components.follow.Follower`), and whatever is earlier in simulated time
(:meth:`~lydian.classroom.components.hub.Hub.front`). So the run on the screen only grows at its end. It does not wait
for a component whose acting replica is silent: what that component did meanwhile is inserted afterwards.
"""

from __future__ import annotations

import asyncio
import math
import os
import signal
import sys
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lydian.classroom.components.follow import Follower
from lydian.classroom.components.frames import Handover, Publish
from lydian.classroom.components.meeting import Meeting
from lydian.classroom.components.merge import merged
from lydian.classroom.components.record import Record, read
from lydian.classroom.components.replicas import SILENCE, distance
from lydian.classroom.components.running import Crew
from lydian.classroom.components.system import System
from lydian.classroom.components.window import ACTS, Do, Ended, Open, Repeat, Split, Standing, wanted
from lydian.classroom.frames import Dropped
from lydian.engine.wire import MOST_BYTES as LONGEST
from lydian.engine.wire import Answered, Begun, Bye, Error, Frame, Refused, Round, Stop, encode, packed
from lydian.model.childprocess import Aside, follow_parent
from lydian.model.errors import BadInput, LydianError
from lydian.model.experiment.experiment import from_dict
from lydian.trace.events import ROW, Kind, Trace

__all__ = ["ENTRY", "main"]

#: The entry point of the process.
ENTRY = ("-m", "lydian.classroom.components.serve")
#: The seconds between two looks at the components; merging takes at most one of ``_SHARE`` parts of the time.
_LOOK, _SHARE = 0.08, 4
#: The seconds between two looks at the delays of the connections.
_MEASURE = 1.0
#: The largest number of events in a frame.
_MOST_ROWS = 20_000
Say = Callable[[Frame], None]


class Shown:
    """The merged run as far as the window has it.

    Args:
        system: the system.
        say: sends a frame to the window.
    """

    def __init__(self, system: System, say: Say) -> None:
        self.system, self._say = system, say
        self._rows: Any = np.zeros(0, dtype=ROW)
        self._labels: tuple[str, ...] = ()
        self._begun = False
        self._number = 0

    def restart(self) -> None:
        """Begin again with the next trace, because the window now follows other components."""
        self._begun = False

    def tell(self, trace: Trace, until: float) -> None:
        """Send what is new in a trace; ``until`` is the simulated time up to which it is known."""
        if not self._begun:
            self._begun = True
            self._rows, self._labels = np.zeros(0, dtype=ROW), ()
            self._say(Begun(dict(trace.network), trace.source, dict(trace.versions), dict(trace.summary)))
        rows, before = trace.rows, self._rows
        shared = min(len(rows), len(before))
        apart = np.flatnonzero(rows[:shared] != before[:shared])
        first = int(apart[0]) if len(apart) else shared
        if first < len(before):
            self._say(Dropped(first))
        for start in range(first, max(len(rows), first + 1), _MOST_ROWS):
            some = rows[start : start + _MOST_ROWS]
            self._number += 1
            texts = ((seq, trace.detail_of(seq)) for seq in range(start, start + len(some)))
            self._say(Round(
                self._number, start, len(some), until, rows=packed(some),
                details=[[seq, text] for seq, text in texts if text is not None],
                labels=None if trace.labels == self._labels else list(trace.labels),
                states=list(trace.states), processes=list(trace.processes), steps=start + len(some),
            ))  # fmt: skip
            self._labels = trace.labels
        self._rows = rows


class Serving:
    """A system in components that runs for a window.

    Args:
        request: what the window wants.
        say: sends a frame to the window.

    Raises:
        LydianError: the experiment cannot be split in this way.
    """

    def __init__(self, request: Split, say: Say) -> None:
        experiment = from_dict(request.experiment)
        experiment = experiment if request.folder is None else experiment.beside(request.folder)
        groups: Any = request.count or request.groups
        if request.replicas < 0 or (request.replicas == 0 and not request.lan):
            raise BadInput("without a replica on this computer, other computers must be able to join")
        self.request, self._say = request, say
        self.system = System.of(experiment, groups, barrier=request.barrier, pace=request.pace)
        host = "0.0.0.0" if request.lan else "127.0.0.1"
        self.meeting = Meeting(self.system, replicas=max(1, request.replicas), host=host, port=request.port)
        self.crew = Crew(self.meeting)
        self.shown = Shown(self.system, say)
        self.follower = Follower(self.system)
        self._steered: dict[int, int] = {}
        self._known: dict[str, set[str]] = {name: set() for name in self.system.names}
        self._told: Standing | None = None
        self._counts: dict[str, int] = {}
        self._times: dict[str, list[float]] = {name: [] for name in self.system.names}
        self._hired = dict.fromkeys(self.system.names, 0)
        self._delays: dict[str, float | None] = {}  # component -> the delay of its connection, as told to the window
        self._measured = -math.inf
        self._down: set[frozenset[int]] = set()  # the links that are down, by the numbers of their ends
        # The interventions that change a border and have no answer yet: their border, and the decision of the window.
        self._changing: dict[int, tuple[frozenset[str], int]] = {}
        self._refusals: dict[int, str] = {}  # decision -> why one of its interventions was refused

    async def start(self) -> None:
        """Open the meeting point, and start the replicas of this computer."""
        try:
            await self.meeting.start()
        except OSError as error:
            raise BadInput(f"port {self.request.port} cannot be used: {error.strerror or error}") from None
        hub = self.meeting.hub
        hub.watching.append(self._heard)
        url = self.meeting.reachable if self.request.lan else self.meeting.url
        groups = {name: list(members) for name, members in self.system.groups.items()}
        self._say(Open(url, self.meeting.secret, groups, exact=self.system.exact, **_ways(self.system)))
        for _ in range(self.request.replicas):
            for name in self.system.names:
                self._hire(name)
        self._stand()

    async def close(self) -> None:
        """End the meeting point and all replicas of this computer."""
        await self.meeting.close()
        await asyncio.to_thread(self.crew.close)

    def _hire(self, component: str) -> str:
        self._hired[component] += 1
        name = f"{component.lower()}-{self._hired[component]}"
        self.crew.hire(component, name)
        return name

    # ------------------------------------------------------------------ what happens

    def _heard(self, frame: Frame) -> None:
        """Handle what a component has published, or that it has changed hands."""
        if isinstance(frame, Handover):
            self._say(frame)
        elif isinstance(frame, Publish):
            rows = frame.events()
            self._times[frame.component] += rows["time"].tolist()
            self._note_links(frame, rows)
            self.follower.heard(frame)
            for each in frame.inputs:
                if "envelope" not in each:
                    self._answered(each["id"], bool(each["accepted"]), str(each.get("reason", "")), frame.index)

    def _answered(self, number: int, accepted: bool, reason: str, index: int) -> None:
        """Pass the answer to an intervention on to the window; that of a border follows when all are here."""
        decision = self._steered.pop(number, None)
        if number in self._changing:
            _border, decision = self._changing.pop(number)
            if not accepted:
                self._refusals[decision] = reason
            if any(other == decision for _, other in self._changing.values()):
                return
            reason = self._refusals.pop(decision, "")
            accepted = not reason
        if decision is not None:
            self._say(Answered(decision, accepted, reason, index))

    def _note_links(self, frame: Publish, rows: NDArray[np.void]) -> None:
        """Note which links have gone down in both directions, and which have come up."""
        kinds = rows["kind"]
        changed = np.flatnonzero((kinds == Kind.LINK_DOWN) | (kinds == Kind.LINK_UP)).tolist()
        details = {int(seq) - frame.first: str(text) for seq, text in frame.details} if changed else {}
        for at in changed:
            link = frozenset((int(rows["process"][at]), int(rows["peer"][at])))
            if "one_way" in details.get(at, ""):
                continue
            if kinds[at] == Kind.LINK_DOWN:
                self._down.add(link)
            else:
                self._down.discard(link)

    def _cut(self) -> list[list[str]]:
        """Return the components between which all links are down, as both of them know."""
        index = self.system.network.index
        changing = {border for border, _ in self._changing.values()}
        return [
            [a, b] for (a, b), links in self.system.crossings.items()
            if self._down and all(frozenset((index[each.a], index[each.b])) in self._down for each in links)
            and frozenset((a, b)) not in changing
        ]  # fmt: skip

    def _measure(self, now: float) -> None:
        """Look at the delays of the connections from time to time, so that the window is not told all the time."""
        if now - self._measured >= _MEASURE:
            self._measured = now
            for name, seat in self.meeting.hub.seats.items():
                delay = seat.delays.get(seat.acting)
                self._delays[name] = None if delay is None else round(1000 * delay, 1)

    async def look(self) -> None:
        """Tell the window what is new."""
        hub, now = self.meeting.hub, time.monotonic()
        late = [name for name, seat in hub.seats.items() if hub.silent(name, now) > SILENCE or not seat.replicas]
        front, first = hub.front(late)
        counts = {}
        for name in self.follower.follows:
            final = int(np.searchsorted(self._times[name], front)) if np.isfinite(front) else len(self._times[name])
            counts[name] = min(self.follower.shown[name], final)
        if counts != self._counts:
            self._counts = counts
            logs = {name: tuple(log) for name, log in self.follower.logs.items()}
            until = front if np.isfinite(front) else max((each[-1] for each in self._times.values() if each), default=0)
            trace = await asyncio.to_thread(merged, self.system, logs, counts)
            if counts is self._counts:
                self.shown.tell(trace, float(until))
        self._stand(first)

    def _stand(self, first: str = "") -> None:
        """Tell the window how the components are, if that has changed."""
        hub, now = self.meeting.hub, time.monotonic()
        gone = set(self.crew.gone())
        self._measure(now)
        parts = []
        for name, seat in hub.seats.items():
            known = self._known[name]
            known.update(seat.replicas)
            known.update(each for each in self.crew.children if each.startswith(f"{name.lower()}-"))
            silent = hub.silent(name, now) > SILENCE
            replicas = []
            for each in sorted(known, key=lambda each: (distance(name, each), each)):
                status = "away" if each not in seat.replicas else "ready"
                if each == seat.acting and status == "ready":
                    status = "silent" if silent else "acts"
                here = each in self.crew.children and each not in gone
                replicas.append({
                    "name": each, "status": status, "here": here, "distance": round(distance(name, each), 3),
                })  # fmt: skip
            acting = seat.acting if seat.acting in seat.replicas else ""
            parts.append({
                "name": name, "acting": acting, "events": seat.events, "shown": self._counts.get(name, 0),
                "time": round(seat.time, 6), "replicas": replicas, "problem": self._problem(name, gone),
                "delay": self._delays[name],
            })  # fmt: skip
        held = self._held(first)
        standing = Standing(parts, held, list(self.follower.follows), hub.begun, hub.paused, self._cut())
        if standing != self._told:
            self._told = standing
            self._say(standing)

    def _held(self, first: str) -> list[list[Any]]:
        """Return what the first event of each component that is held back waits for."""
        hub = self.meeting.hub
        held = {each.component: each for each in self.follower.held}
        found: list[list[Any]] = []
        for name in self.follower.follows:
            number = self._counts.get(name, 0) + 1
            if name in held and held[name].number == number:
                found.append([name, number, held[name].waits_for, held[name].until])
            elif number <= hub.seats[name].events and first and first != name:
                found.append([name, number, first, hub.seats[first].events + 1])
        return found

    def _problem(self, name: str, gone: Collection[str]) -> str:
        seat = self.meeting.hub.seats[name]
        mine = [each for each in self.crew.children if each.startswith(f"{name.lower()}-")]
        if seat.replicas or not mine or not set(mine).issubset(gone):
            return ""
        said = self.crew.said(mine[-1]).splitlines()
        return f"component {name} has no replica left" + (f": {said[-1]}" if said else "")

    # ------------------------------------------------------------------ decisions

    def act(self, frame: Do) -> None:
        """Carry out a decision of the window."""
        try:
            answer = self._act(frame)
        except (LydianError, Refused, OSError, KeyError, TypeError) as error:
            words = f"{error.args[0]} is missing" if isinstance(error, KeyError) else str(error)
            self._say(Answered(frame.id, False, words, 0))
            return
        if answer:
            self._say(Answered(frame.id, True, "", 0))

    def _act(self, frame: Do) -> bool:
        """Carry out a decision; return False if its answer comes later."""
        what, hub = frame.what, self.meeting.hub
        if frame.do == "steer":
            number = hub.steer(str(what["component"]), dict(what["what"]), str(what.get("author", "")))
            self._steered[number] = frame.id
            return False
        if frame.do in ("cut", "restore"):
            return self._cut_border(frame)
        if frame.do == "kill" and "component" in what:
            self._kill_component(str(what["component"]))
        elif frame.do == "kill":
            child = self.crew.children.get(str(what["replica"]))
            if child is None or child.poll() is not None:
                raise Refused(f"{what['replica']} is not a process of this computer that runs")
            child.kill()
        elif frame.do == "pause":
            hub.pause(bool(what["on"]), time.monotonic())
        elif frame.do == "hire":
            if str(what["component"]) not in self._hired:
                raise Refused(f"there is no component {what['component']}; choose from {', '.join(self._hired)}")
            self._hire(str(what["component"]))
        elif frame.do == "appoint":
            hub.appoint(str(what["component"]), str(what["replica"]), time.monotonic())
        elif frame.do == "follow":
            follower = Follower(self.system, [str(each) for each in what["components"]])
            for name in follower.follows:
                for each in hub.logs[name]:
                    follower.heard(each)
            self.follower, self._counts = follower, {}
            self.shown.restart()
        elif frame.do == "save":
            Record.of(hub).save(str(what["file"]))
        else:
            raise Refused(f"do must be one of {', '.join(ACTS)}")
        return True

    def _kill_component(self, name: str) -> None:
        """Kill all replicas of a component on this computer; the component goes on when another one joins."""
        mine = [child for each, child in self.crew.children.items() if each.startswith(f"{name.lower()}-")]
        running = [child for child in mine if child.poll() is None]
        if not running:
            raise Refused(f"no replica of component {name} runs on this computer")
        for child in running:
            child.kill()

    def _cut_border(self, frame: Do) -> bool:
        """Cut all links between two components, or restore them, in both of them; the answer comes later."""
        names = [str(each) for each in frame.what["components"]]
        links = self.system.crossings.get((names[0], names[1])) or self.system.crossings.get((names[1], names[0]))
        if not links:
            raise Refused(f"no link connects components {names[0]} and {names[1]}")
        if any(border == frozenset(names) for border, _ in self._changing.values()):
            raise Refused(f"the border between components {names[0]} and {names[1]} is being changed")
        index, cut = self.system.network.index, frame.do == "cut"
        wanted = [each for each in links if (frozenset((index[each.a], index[each.b])) in self._down) != cut]
        if not wanted:
            state = "cut already" if cut else "not cut"
            raise Refused(f"the border between components {names[0]} and {names[1]} is {state}")
        for link in wanted:
            for component in names:
                what = {"do": "link_down" if cut else "link_up", "link": [link.a, link.b]}
                number = self.meeting.hub.steer(component, what, str(frame.what.get("author", "")))
                self._changing[number] = (frozenset(names), frame.id)
        return False

    async def finish(self) -> None:
        """Tell the window all events and the results of the properties, and write the record."""
        hub = self.meeting.hub
        self._counts = dict(self.follower.shown)
        record = Record.of(hub)
        await asyncio.to_thread(_conclude, record, self.follower.trace, self.shown, hub.outcome, hub.error, self._say)
        self._stand()
        if self.request.file:
            with suppress(OSError, LydianError):
                await asyncio.to_thread(record.save, self.request.file)


def _ways(system: System) -> dict[str, Any]:
    """Return the links between components, and the network's own delays there and inside, as the window is told."""
    crossings = [[a, b, len(links), system.mean_delay(links)] for (a, b), links in system.crossings.items()]
    inside = system.mean_delay(each for each in system.network.links if system.home[each.a] == system.home[each.b])
    return {"crossings": crossings, "inside": inside}


def _conclude(record: Record, seen: Callable[[], Trace], shown: Shown, outcome: str, error: str, say: Say) -> None:
    """Tell the window the rest of a run that is over, and how its properties are."""
    trace = seen()
    shown.tell(trace, float(trace.rows["time"][-1]) if len(trace) else 0.0)
    try:
        result = record.result()
    except LydianError as wrong:
        result, error = None, error or str(wrong)
    checks = [] if result is None else [check.to_dict() for check in result.checks]
    say(Ended(outcome, checks, result is not None, error))


async def _run(request: Split, inbox: asyncio.Queue[bytes | None], say: Say) -> int:
    """Run a system until it is over or the window stops it; return the exit code."""
    serving = Serving(request, say)
    await serving.start()
    hub = serving.meeting.hub
    listening = asyncio.create_task(_listen(serving, inbox))
    try:
        while not hub.over and not listening.done():
            began = time.monotonic()
            await serving.look()
            spent = time.monotonic() - began
            await asyncio.wait({listening}, timeout=max(_LOOK, (_SHARE - 1) * spent))
        if listening.done():
            listening.result()
        hub.stop()
        if not listening.done() or not listening.result():
            await serving.finish()
    finally:
        listening.cancel()
        await asyncio.gather(listening, return_exceptions=True)
        await serving.close()
    say(Bye(hub.outcome))
    return 0


async def _listen(serving: Serving, inbox: asyncio.Queue[bytes | None]) -> bool:
    """Act on the window's frames until it stops the run; return True if the window has gone."""
    while (line := await inbox.get()) is not None:
        try:
            frame = wanted(line)
        except Refused as error:
            serving._say(Error(str(error)))
            continue
        if isinstance(frame, Stop):
            return False
        if isinstance(frame, Do):
            serving.act(frame)
    return True


def _repeat(request: Repeat, say: Say) -> int:
    """Repeat a recorded run for the window; return the exit code."""
    record = read(Path(request.record))
    system = record.system
    groups = {name: list(members) for name, members in system.groups.items()}
    say(Open("", "", groups, system.experiment.to_dict(), system.exact, **_ways(system)))
    trace = record.trace
    shown = Shown(system, say)
    events = {name: sum(each.count for each in log) for name, log in record.logs.items()}
    parts = []
    for name in system.names:
        last = record.handovers.get(name, ())
        parts.append({
            "name": name, "acting": last[-1].new if last else "", "events": events[name], "shown": events[name],
            "time": record.logs[name][-1].time if record.logs[name] else 0.0, "replicas": [], "problem": "",
            "delay": None,
        })  # fmt: skip
    say(Standing(parts, [], list(system.names)))
    for name in system.names:
        for each in record.handovers.get(name, ()):
            say(each)
    stopped = {log[-1].stopped for log in record.logs.values() if log} - {""}
    errors = [each.error for log in record.logs.values() for each in log if each.error]
    outcome = min(stopped) if stopped else "quiescent"
    _conclude(record, lambda: trace, shown, outcome, errors[0] if errors else "", say)
    say(Bye("repeated"))
    return 0


async def _serve(inbox: asyncio.Queue[bytes | None], say: Say) -> int:
    line = await inbox.get()
    if line is None:
        return 0
    try:
        request = wanted(line)
        if isinstance(request, Split):
            return await _run(request, inbox, say)
        if isinstance(request, Repeat):
            return await asyncio.to_thread(_repeat, request, say)
        raise Refused("the first frame must be split or repeat")
    except Refused as error:
        say(Error(str(error), 2))
        return 2
    except LydianError as error:
        say(Error(str(error), error.exit_code))
        return error.exit_code


async def _main() -> int:
    source, out = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    loop = asyncio.get_running_loop()
    inbox: asyncio.Queue[bytes | None] = asyncio.Queue()

    def listen() -> None:
        with suppress(RuntimeError, OSError, ValueError):  # the loop is closed
            while line := source.readline(LONGEST):
                loop.call_soon_threadsafe(inbox.put_nowait, line)
            loop.call_soon_threadsafe(inbox.put_nowait, None)

    def say(frame: Frame) -> None:
        with suppress(OSError):  # the window has gone
            out.write(encode(frame))
            out.flush()

    Aside(listen, "lydian-input").start()
    with suppress(NotImplementedError, ValueError):
        task = asyncio.current_task()
        assert task is not None
        loop.add_signal_handler(signal.SIGTERM, task.cancel)
    return await _serve(inbox, say)


def main() -> int:
    """Serve the request on standard input; return the exit code."""
    follow_parent()
    try:
        return asyncio.run(_main())
    except (KeyboardInterrupt, asyncio.CancelledError):
        return 130


if __name__ == "__main__":
    code = main()
    sys.stderr.flush()
    os._exit(code)  # the reading thread may be in the middle of a line
