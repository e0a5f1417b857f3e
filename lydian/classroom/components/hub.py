"""The meeting point of the components: it passes envelopes on, keeps what is published, and knows which replica acts.

It does not order the system: components run as they like (or, with a barrier, in rounds that begin together), and the
meeting point takes what they publish as it comes. A ``publish`` frame is accepted only from the replica that acts, in
the present epoch, with the next number; it is accepted as a whole, so that nothing of it is lost and nothing comes
twice. What the acting replica did but has not published never happened.

This module does no input or output; connections are any hashable objects, and frames go out by the function ``say``.
"""

from __future__ import annotations

import hmac
import json
import math
from collections.abc import Callable, Collection, Hashable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lydian.classroom.components.frames import (
    Barrier,
    Bye,
    Claim,
    Enter,
    Envelope,
    Handover,
    Heartbeat,
    Leave,
    Pause,
    Publish,
    Refused,
    Steer,
    SystemNow,
    envelope,
    heard,
)
from lydian.classroom.components.replicas import SILENCE, distance, nearest
from lydian.classroom.components.system import System
from lydian.engine.wire import Answered, Error, Frame
from lydian.trace.events import NO_STATE, Kind

__all__ = ["MOST_ERRORS", "Hub", "Seat"]

#: The number of unusable frames after which a connection is closed.
MOST_ERRORS = 200
#: The largest number of connections, and the longest name of a replica.
MOST_CONNECTIONS, MOST_NAME = 500, 60
#: The share of the time of silence after which a claim is granted: the claimant's clock may be a little ahead.
_NEARLY = 0.8
Connection = Hashable


@dataclass
class Seat:
    """What the meeting point knows of a component.

    Attributes:
        log: what the component has published.
        events: the number of its events; ``labels`` that of its labels, ``time`` that of the last one.
        messages: number of a send event -> its process, and the number of its message.
        epoch, acting: the epoch, and the name of the replica that acts in it; "" if none does yet.
        replicas: the connection of each replica that is here.
        last: when each replica was last heard, in seconds.
        delays: how long a heartbeat takes from each replica to here and back, once it has loaded the system.
        letters: component -> the envelopes from there, in order; ``taken`` counts those that were taken in.
        sent: component -> the number of envelopes that went there.
        handovers: every change of hands, and every believer that was found.
        steers: the interventions that wait for an answer, by number: connection, frame.
    """

    log: list[Publish] = field(default_factory=list)
    events: int = 0
    labels: int = 0
    time: float = 0.0
    messages: dict[int, tuple[str, int]] = field(default_factory=dict)
    epoch: int = 0
    acting: str = ""
    replicas: dict[str, Connection] = field(default_factory=dict)
    last: dict[str, float] = field(default_factory=dict)
    delays: dict[str, float] = field(default_factory=dict)
    letters: dict[str, list[Envelope]] = field(default_factory=dict)
    taken: dict[str, int] = field(default_factory=dict)
    sent: dict[str, int] = field(default_factory=dict)
    handovers: list[Handover] = field(default_factory=list)
    steers: dict[int, tuple[Connection | None, int, Steer]] = field(default_factory=dict)

    @property
    def outstanding(self) -> list[Envelope]:
        """The envelopes that the component has not taken in."""
        return [each for there, letters in self.letters.items() for each in letters[self.taken.get(there, 0) :]]


def _is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


@dataclass
class _Guest:
    """One connection after its ``enter``."""

    wish: str
    component: str
    name: str
    follows: tuple[str, ...] = ()


class Hub:
    """The meeting point of a system.

    Args:
        system: the system.
        secret: what every connection has to know.
        say: sends a frame on a connection.
        close: closes a connection.
        replicas: the number of replicas of each component that must be here before the system begins.

    Attributes:
        seats: component -> what is known of it.
        begun, over: whether the system has begun, and whether it has come to rest.
        outcome: why it is over: ``quiescent``, ``until``, ``error`` ...
        round: the number of the current round with a barrier.
        paused: whether simulated time stands still for all components.
    """

    def __init__(
        self,
        system: System,
        secret: str,
        say: Callable[[Connection, Frame], None],
        close: Callable[[Connection], None] = lambda connection: None,
        *,
        replicas: int = 1,
    ) -> None:
        self.system, self.secret = system, secret
        self.say, self.close = say, close
        self.replicas = replicas
        self.seats = {name: Seat(letters={each: [] for each in system.names}) for name in system.names}
        self.begun = self.over = self.paused = False
        self.outcome = self.error = ""
        self.round = 0
        self.refused = 0
        self.watching: list[Callable[[Frame], None]] = []
        self._until = 0.0
        self._since = 0.0
        self._stood = 0.0  # the simulated time at which the components are paused
        self._guests: dict[Connection, _Guest] = {}
        self._errors: dict[Connection, int] = {}
        self._numbers = 0
        self._place = {
            name: frozenset(system.network.index[p] for p in members) for name, members in system.groups.items()
        }

    # ------------------------------------------------------------------ connections

    def left(self, connection: Connection, now: float) -> None:
        """Note that a connection is gone; a replica that acted on it counts as silent after some time."""
        guest = self._guests.pop(connection, None)
        self._errors.pop(connection, None)
        if guest is not None and guest.wish == "part":
            seat = self.seats[guest.component]
            if seat.replicas.get(guest.name) == connection:
                del seat.replicas[guest.name]

    def heard(self, connection: Connection, data: bytes | str | Frame, now: float) -> None:
        """Handle what has come on a connection; ``now`` is in seconds."""
        try:
            frame = data if isinstance(data, Frame) else heard(data)
            self._handle(connection, frame, now)
        except (Refused, RecursionError) as error:
            self.refused += 1
            count = self._errors[connection] = self._errors.get(connection, 0) + 1
            self.say(connection, Error(str(error) or "a frame is nested too deeply"))
            if count >= MOST_ERRORS:
                self.close(connection)

    def _handle(self, connection: Connection, frame: Frame, now: float) -> None:
        guest = self._guests.get(connection)
        if isinstance(frame, Enter):
            self._enter(connection, frame, now)
        elif guest is None:
            raise Refused("the first frame must be enter, with the secret of the system")
        elif isinstance(frame, Error):
            pass  # what went wrong there is recorded there
        elif isinstance(frame, Bye):
            self.close(connection)
        elif isinstance(frame, Steer):
            if guest.wish != "steer":
                raise Refused("only a connection that entered to steer can steer")
            self.steer(frame.component or guest.component, frame.what, guest.name, connection, frame.id)
        elif guest.wish != "part":
            raise Refused(f"{frame.kind} comes only from a part")
        else:
            if getattr(frame, "component", guest.component) != guest.component:
                raise Refused(f"this connection is for component {guest.component}")
            if getattr(frame, "name", guest.name) != guest.name:
                raise Refused(f"this connection is for {guest.name}")
            self._from_part(connection, guest, frame, now)

    def _from_part(self, connection: Connection, guest: _Guest, frame: Frame, now: float) -> None:
        seat = self.seats[guest.component]
        seat.last[guest.name] = now
        if isinstance(frame, Publish):
            self._publish(connection, guest, seat, frame, now)
        elif isinstance(frame, Heartbeat):
            seat.delays[guest.name] = max(0.0, frame.delay)
            self.say(connection, replace(frame, clock=self.clock(now)))
            for name, other in seat.replicas.items():
                if name != guest.name:
                    self.say(other, frame)
        elif isinstance(frame, Claim):
            self._claim(connection, guest, seat, frame, now)
        elif isinstance(frame, Leave):
            self._leave(guest, seat, now)
        else:
            raise Refused(f"{frame.kind} is not expected here")

    def _enter(self, connection: Connection, frame: Enter, now: float) -> None:
        if not hmac.compare_digest(frame.secret.encode(), self.secret.encode()):
            self.say(connection, Error("the secret is wrong; copy it from the host"))
            self.close(connection)
            return
        if len(self._guests) >= MOST_CONNECTIONS:
            raise Refused(f"there are {MOST_CONNECTIONS} connections already")
        name = frame.name.strip()
        if frame.wish != "follow" and not (0 < len(name) <= MOST_NAME and name.isprintable()):
            raise Refused(f"a name must have 1 to {MOST_NAME} printable characters")
        follows = tuple(str(each) for each in frame.follows)
        for each in (*follows, *((frame.component,) if frame.component else ())):
            if each not in self.seats:
                raise Refused(f"there is no component {each}; choose from {', '.join(self.seats)}")
        component = frame.component
        if frame.wish == "part" and not component:
            component = min(self.seats, key=lambda each: (self._taken(each, name, now), len(self.seats[each].replicas)))
        old = self._guests.get(connection)
        if old is not None and (old.wish, old.name) != (frame.wish, name):
            raise Refused("this connection has entered as somebody else")
        if frame.wish == "part":
            other = self.seats[component].replicas.get(name)
            if other is not None and other != connection:
                if self._taken(component, name, now):
                    raise Refused(f"a replica of component {component} is called {name} already; choose another name")
                self._guests.pop(other, None)  # it has lost that connection, and is here again
                self.close(other)
        self._guests[connection] = _Guest(frame.wish, component, name, follows or self.system.names)
        self.say(connection, SystemNow(self.system.to_dict(), self.clock(now), component, self.begun))
        if frame.wish == "part":
            seat = self.seats[component]
            seat.replicas[name] = connection
            seat.last[name] = now
            seat.delays.pop(name, None)
            if self.paused:
                self.say(connection, Pause(True, self.clock(now)))
            self._tell_all(connection, component)
            if not self.begun and all(len(each.replicas) >= self.replicas for each in self.seats.values()):
                self.begin(now)
            elif self.begun and not seat.acting:
                self._appoint(component, nearest(component, seat.replicas), now, "a first replica is here")
        else:
            for each in self.seats:
                if each in self._guests[connection].follows:
                    self._tell_all(connection, each)

    def _taken(self, component: str, name: str, now: float) -> bool:
        """Return True if a replica with this name is here and is not silent."""
        seat = self.seats[component]
        return name in seat.replicas and now - seat.last.get(name, -math.inf) < SILENCE

    def _tell_all(self, connection: Connection, component: str) -> None:
        """Send everything that a component has published, and who acts.

        A replica learns first whom it has to watch, as repeating what was published may take long. Only the one that
        acts learns it last, when it can go on.
        """
        seat, guest = self.seats[component], self._guests[connection]
        acts = guest.wish == "part" and guest.name == seat.acting
        if seat.handovers and not acts:
            self.say(connection, seat.handovers[-1])
        for each in seat.log:
            self.say(connection, each)
        if seat.handovers and acts:
            self.say(connection, seat.handovers[-1])
            self._equip(component, connection)

    def clock(self, now: float) -> float:
        """Return the simulated time that components without a barrier should have reached."""
        if not self.begun:
            return 0.0
        if self.system.barrier:
            return self._until
        return self._stood if self.paused else self.system.pace * (now - self._since)

    def pause(self, on: bool, now: float) -> None:
        """Stop simulated time for all components, or let it go on.

        What is on its way still arrives, and interventions are carried out; with a barrier, no further round begins.

        Raises:
            Refused: the system has not begun, or the run is over.
        """
        if not self.begun or self.over:
            raise Refused("the run has ended" if self.over else "the system has not begun")
        if on == self.paused:
            return
        stood = self.clock(now)
        self.paused, self._stood = on, stood
        if not on and not self.system.barrier:
            self._since = now - stood / self.system.pace
        for seat in self.seats.values():
            for connection in seat.replicas.values():
                self.say(connection, Pause(on, stood))
        if not on and self.system.barrier:
            self._next_round()

    # ------------------------------------------------------------------ who acts

    def begin(self, now: float) -> None:
        """Begin with the replicas that are here."""
        self.begun, self._since = True, now
        for name, seat in self.seats.items():
            if seat.replicas:
                self._appoint(name, nearest(name, seat.replicas), now, "the nearest name acts")
        if self.system.barrier:
            self._next_round()

    def appoint(self, component: str, name: str, now: float) -> None:
        """Let a replica act that the host has chosen.

        Raises:
            Refused: it is not here.
        """
        if name not in self.seats[component].replicas:
            raise Refused(f"{name} is not a replica of component {component} that is here")
        self._appoint(component, name, now, "the host has chosen it")

    def _appoint(
        self, component: str, name: str, now: float, reason: str, believers: tuple[str, ...] = (), silent: float = 0.0
    ) -> None:
        seat = self.seats[component]
        old, seat.acting = seat.acting, name
        seat.epoch += 1
        self._told_handover(component, old, reason, believers, silent)
        self._equip(component, seat.replicas[name])

    def _told_handover(
        self, component: str, old: str, reason: str, believers: tuple[str, ...], silent: float = 0.0
    ) -> None:
        seat = self.seats[component]
        names = {*seat.replicas, *believers, *({old} if old else ()), seat.acting}
        frame = Handover(
            component, old, seat.acting, seat.epoch, seat.events, len(seat.log), list(believers), reason, silent,
            {each: round(distance(component, each), 6) for each in sorted(names)},
        )  # fmt: skip
        seat.handovers.append(frame)
        for other in seat.replicas.values():
            self.say(other, frame)
        self._tell_followers(component, frame)

    def _equip(self, component: str, connection: Connection) -> None:
        """Send to the replica that acts what the component has not taken in yet."""
        seat = self.seats[component]
        for letter in seat.outstanding:
            self.say(connection, letter)
        for number, (_, _, frame) in list(seat.steers.items()):
            self.say(connection, replace(frame, id=number))
        if self.system.barrier and self.round > len(seat.log):
            self.say(connection, Barrier(len(seat.log), self._until))

    def _claim(self, connection: Connection, guest: _Guest, seat: Seat, frame: Claim, now: float) -> None:
        """Decide on the claim of a replica that does not hear the one that acts."""
        component, name = guest.component, guest.name
        present = seat.handovers[-1] if seat.handovers else None
        if present is None or seat.acting == name:
            if present is not None:
                self.say(connection, present)
            return
        silent = now - seat.last.get(seat.acting, -math.inf)
        if frame.epoch == seat.epoch + 1:
            if silent >= _NEARLY * SILENCE:
                self._appoint(
                    component, name, now, f"{seat.acting} is silent; {name} is the nearest of those that are heard",
                    silent=min(silent, 1e6),
                )  # fmt: skip
            else:
                self.say(connection, present)
        elif frame.epoch == seat.epoch and present.old and present.old != name:
            self._two_believers(connection, component, name, now)
        else:
            self.say(connection, present)

    def _two_believers(self, connection: Connection, component: str, name: str, now: float) -> None:
        """Two replicas claim the same epoch: the one with the nearer name acts, the other gives way."""
        seat = self.seats[component]
        other = seat.acting
        if nearest(component, (name, other)) == name:
            self._appoint(component, name, now, f"{name} is nearer than {other}, which also believed to act", (other,))
        else:
            reason = f"{name} also believed to act, and gave way to {other}, whose name is nearer"
            self._told_handover(component, seat.handovers[-1].old, reason, (name,))
            self.say(connection, seat.handovers[-1])

    def _leave(self, guest: _Guest, seat: Seat, now: float) -> None:
        """Let a replica go; if it acts, the nearest of the others goes on at once."""
        connection = seat.replicas.pop(guest.name, None)
        seat.last.pop(guest.name, None)
        for other in seat.replicas.values():
            self.say(other, Leave(guest.component, guest.name))
        if connection is not None:
            self._guests.pop(connection, None)
        if seat.acting == guest.name:
            heir = nearest(guest.component, [each for each in seat.replicas if each in seat.delays] or seat.replicas)
            if heir:
                self._appoint(guest.component, heir, now, f"{guest.name} has left")

    # ------------------------------------------------------------------ what is published

    def _publish(self, connection: Connection, guest: _Guest, seat: Seat, frame: Publish, now: float) -> None:
        name = guest.component
        if frame.epoch != seat.epoch or guest.name != seat.acting:
            self._fenced(connection, name, guest.name, frame)
            return
        if frame.index != len(seat.log):
            raise Refused(f"the next publish of component {name} has the number {len(seat.log)}, not {frame.index}")
        letters = self._checked(name, seat, frame)
        seat.log.append(frame)
        seat.events += frame.count
        rows = frame.events()
        seat.labels = seat.labels if frame.labels is None else len(frame.labels)
        seat.time = float(rows["time"][-1]) if len(rows) else seat.time
        for number, (kind, mid, process) in enumerate(
            zip(rows["kind"].tolist(), rows["message"].tolist(), rows["process"].tolist(), strict=True)
        ):
            if kind in (Kind.SEND, Kind.INJECT):
                seat.messages[frame.first + number] = (self.system.network.processes[process], mid)
        for each in frame.inputs:
            if "envelope" in each:
                there = str(each["envelope"]["component"])
                seat.taken[there] = seat.taken.get(there, 0) + 1
            else:
                self._answer(seat, each)
        for there, other in seat.replicas.items():
            if there != guest.name:
                self.say(other, frame)
        self._tell_followers(name, frame)
        for letter in letters:
            receiver = self.seats[letter.to]
            receiver.letters[name].append(letter)
            if receiver.acting in receiver.replicas:
                self.say(receiver.replicas[receiver.acting], letter)
        if frame.stopped == "error":
            self.error = frame.error
            self._finish("error")
        elif self.system.barrier:
            self._next_round()
        else:
            self._at_rest()

    def _fenced(self, connection: Connection, component: str, name: str, frame: Publish) -> None:
        """Refuse what a replica publishes that no longer acts, and tell who acts."""
        seat = self.seats[component]
        present = seat.handovers[-1] if seat.handovers else None
        if present is None:
            raise Refused("the system has not begun")
        if (
            frame.epoch < seat.epoch
            and name != seat.acting
            and not any(name in each.believers and each.epoch == seat.epoch for each in seat.handovers)
        ):
            reason = f"{name} still believed to act in epoch {frame.epoch}, and gave way to {seat.acting}"
            self._told_handover(component, present.old, reason, (name,))
        self.say(connection, seat.handovers[-1])

    def _checked(self, name: str, seat: Seat, frame: Publish) -> list[Envelope]:
        """Return the envelopes that leave with a frame.

        Raises:
            Refused: something in the frame does not fit what the component may publish.
        """
        system = self.system
        rows = frame.events()
        if frame.first != seat.events:
            raise Refused(f"the next event of component {name} has the number {seat.events}, not {frame.first}")
        mine, n = self._place[name], system.network.n
        first = system.names[0] == name
        parts = (rows[column].tolist() for column in ("process", "peer", "kind"))
        for each, peer, kind in zip(*parts, strict=True):
            if each in mine or (each == -1 and first) or (kind == Kind.DROP and 0 <= each < n and peer in mine):
                continue
            raise Refused(f"an event is not at a process of component {name}")
        if len(rows):
            self._check_rows(seat, frame, rows)
        taken = dict(seat.taken)
        for each in frame.inputs:
            if not isinstance(each, dict):
                raise Refused("an input must be an object")
            if "envelope" in each:
                letter = envelope(each["envelope"])
                number = taken.get(letter.component, 0)
                sent = seat.letters.get(letter.component, [])
                if number >= len(sent) or sent[number] != letter:
                    raise Refused(f"component {name} has not got that envelope from component {letter.component}")
                if not isinstance(each.get("arrival"), float | int) or each["arrival"] < letter.arrival:
                    raise Refused("a message must arrive after it was sent")
                taken[letter.component] = number + 1
            elif type(each.get("id")) is not int or not isinstance(each.get("what"), dict) or "accepted" not in each:
                raise Refused("an input must be an envelope or an intervention")
        self._check_lists(frame)
        sends = {
            frame.first + number: (system.network.processes[row["process"]], int(row["message"]))
            for number, row in enumerate(rows) if row["kind"] in (Kind.SEND, Kind.INJECT) and row["process"] >= 0
        }  # fmt: skip
        letters = []
        count: dict[str, int] = dict(seat.sent)
        for each in frame.envelopes:
            letter = envelope(each)
            system.check_letter(letter)
            if letter.component != name or letter.number != count.get(letter.to, 0) or letter.batch != frame.index:
                raise Refused("the envelopes of a component must be numbered one after the other")
            if (letter.source, letter.message) != sends.get(letter.sent, seat.messages.get(letter.sent)):
                raise Refused(f"no send event of component {name} belongs to the message")
            count[letter.to] = letter.number + 1
            letters.append(letter)
        seat.sent = count
        return letters

    def _check_rows(self, seat: Seat, frame: Publish, rows: NDArray[np.void]) -> None:
        """Refuse events that refer to something that does not exist, or are out of order."""
        protocol, n = self.system.protocol, self.system.network.n
        labels = seat.labels if frame.labels is None else len(frame.labels)
        least = {each: int(rows[each].min()) for each in ("peer", "cause", "label", "message", "process")}
        times = rows["time"]
        if (
            min(least.values()) < -1 or int(rows["peer"].max()) >= n or int(rows["kind"].max()) > Kind.INTERVENE
            or int(rows["cause"].max()) >= frame.first + len(rows) or int(rows["label"].max()) >= labels
            or any(each >= len(protocol.states) and each != NO_STATE for each in rows["state"].tolist())
        ):  # fmt: skip
            raise Refused("an event refers to something that does not exist")
        if not np.isfinite(times).all() or times[0] < seat.time or (np.diff(times) < 0).any():
            raise Refused("the events of a component must be in the order of time")

    def _check_lists(self, frame: Publish) -> None:
        """Refuse details, messages from elsewhere and vector clocks that have a wrong form."""
        for each in frame.details:
            if not (isinstance(each, list) and len(each) == 2 and type(each[0]) is int and isinstance(each[1], str)):
                raise Refused("a detail must be a pair of a number and a text")
            if not 0 <= each[0] - frame.first < frame.count or not _is_object(each[1]):
                raise Refused("a detail must be an object in JSON, and belong to an event of the frame")
        came = [each["envelope"] for each in frame.inputs if "envelope" in each]
        if [each[1:] if isinstance(each, list) else each for each in frame.foreign] != [
            [each["component"], each["message"], each["sent"]] for each in came
        ] or not all(type(each[0]) is int for each in frame.foreign):
            raise Refused("the messages from elsewhere must be those of the envelopes that were taken in")
        for each in frame.joins:
            if not (
                isinstance(each, list) and len(each) == 2 and isinstance(each[1], list)
                and len(each[1]) == len(self.seats) and all(type(one) is int for one in (each[0], *each[1]))
            ):  # fmt: skip
                raise Refused("a join must be a number and a vector clock")
            for component, wanted in zip(self.seats, each[1], strict=True):
                if component != frame.component and wanted > self.seats[component].events:
                    raise Refused(f"an event depends on one that component {component} has not published")
        labels = frame.labels or []
        if not all(isinstance(each, str) for each in labels):
            raise Refused("labels must be texts")

    def _tell_followers(self, component: str, frame: Frame) -> None:
        for connection, guest in list(self._guests.items()):
            if guest.wish != "part" and component in guest.follows:
                self.say(connection, frame)
        for watch in self.watching:
            watch(frame)

    # ------------------------------------------------------------------ steering

    def steer(
        self, component: str, what: Mapping[str, Any], author: str, connection: Connection | None = None, id_: int = 0
    ) -> int:
        """Pass an intervention to a component; return the number under which it is recorded.

        The answer goes to the connection when the component has published it.

        Raises:
            Refused: there is no such component, or the run is over.
        """
        if component not in self.seats:
            raise Refused(f"there is no component {component}; choose from {', '.join(self.seats)}")
        if self.over:
            raise Refused("the run has ended")
        self._numbers += 1
        seat = self.seats[component]
        frame = Steer(component, self._numbers, dict(what), author)
        seat.steers[self._numbers] = (connection, id_, frame)
        if seat.acting in seat.replicas:
            self.say(seat.replicas[seat.acting], frame)
        return self._numbers

    def _answer(self, seat: Seat, what: Mapping[str, Any]) -> None:
        connection, id_, _ = seat.steers.pop(what["id"], (None, 0, None))
        if connection in self._guests:
            accepted, reason = bool(what["accepted"]), str(what.get("reason", ""))
            record = {**what["what"], "time": what.get("time", 0.0)} if accepted else None
            self.say(connection, Answered(id_, accepted, reason, len(seat.log), record))

    # ------------------------------------------------------------------ rounds and the end

    def _next_round(self) -> None:
        """Begin the next round if all components have finished this one."""
        if self.over or self.paused or any(len(seat.log) < self.round for seat in self.seats.values()):
            return
        if self.round:
            times = [seat.log[-1].next for seat in self.seats.values()]
            letters = [each.arrival for seat in self.seats.values() for each in seat.outstanding]
            ahead = [time for time in (*times, *letters) if time is not None]
            if self._at_rest() or self.over:
                return
            start = max(self._until, min(ahead, default=self._until))
            self._until = math.nextafter(start + self.system.round_length, 0.0)
        frame = Barrier(self.round, self._until)
        self.round += 1
        for seat in self.seats.values():
            if seat.acting in seat.replicas:
                self.say(seat.replicas[seat.acting], frame)

    def _at_rest(self) -> bool:
        """End the run if nothing more can happen; return True if so.

        Whatever a component did not publish never happened, and all envelopes come through here. So the run is over
        when every component is idle after its last batch and has taken in all envelopes.
        """
        if self.over:
            return True
        for seat in self.seats.values():
            if not seat.log or seat.steers:
                return False
            if not seat.log[-1].idle or (seat.outstanding and not seat.log[-1].stopped):
                return False
        ended = {seat.log[-1].stopped for seat in self.seats.values()} - {""}
        self._finish(min(ended) if ended else "quiescent")
        return True

    def _finish(self, outcome: str) -> None:
        self.over, self.outcome = True, outcome
        for connection in list(self._guests):
            self.say(connection, Bye(outcome))

    def stop(self) -> None:
        """End the run here."""
        if not self.over:
            self._finish("cancelled")

    # ------------------------------------------------------------------ reading

    @property
    def logs(self) -> dict[str, list[Publish]]:
        """Component -> what it has published."""
        return {name: seat.log for name, seat in self.seats.items()}

    def front(self, without: Collection[str] = ()) -> tuple[float, str]:
        """Return the simulated time before which nothing more happens, and the component that is there.

        That is the earliest of the next events of all components and of the arrivals of all envelopes on their way: any
        other message is sent later. The time is infinite if nothing more happens at all.

        Args:
            without: components that do not count, such as those that are silent.
        """
        earliest, first = math.inf, ""
        for name, seat in self.seats.items():
            if name in without:
                continue
            last = seat.log[-1] if seat.log else None
            if last is None:
                times = [0.0]
            elif last.stopped:
                continue
            else:
                times = [each.arrival for each in seat.outstanding]
                times += [] if last.next is None else [last.next]
                times += [last.time] if seat.steers or (last.next is None and not last.idle) else []
            if times and min(times) < earliest:
                earliest, first = min(times), name
        return earliest, first

    def delay_between(self, a: str, b: str) -> float | None:
        """Return the seconds that a message takes from one component to another, as measured; ``None`` if unknown."""
        ways = [self.seats[name].delays.get(self.seats[name].acting) for name in (a, b)]
        return None if None in ways else sum(way / 2 for way in ways if way is not None)

    def silent(self, component: str, now: float) -> float:
        """Return for how many seconds the acting replica of a component has not been heard."""
        seat = self.seats[component]
        return max(0.0, now - seat.last.get(seat.acting, now)) if seat.acting else 0.0
