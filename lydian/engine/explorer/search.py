"""All schedules of a small experiment, searched breadth first.

A configuration holds the situation of every process (state, variables, what is pending for it) and the messages under
way on each channel.  In each one every message that may arrive does arrive in one of the successors (on a FIFO link
only the oldest), every timer that is set rings, every initiator wakes, every planned command is given; if asked for,
processes crash and messages get lost.  Delays do not matter, and neither do the times of timers and commands.

What an action does is found out by :class:`lydian.engine.explorer.local.Situations`, which executes the protocol file's
own methods; a configuration is a tuple of numbers, so that it is small, and equal ones are found at once.
"""

from __future__ import annotations

import contextlib
import sys
from array import array
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from time import monotonic
from typing import Any

from lydian.engine.console import Silence
from lydian.engine.explorer.graph import Extremes, Graph
from lydian.engine.explorer.moves import Key, Moves
from lydian.engine.explorer.replay import Move, counterexample
from lydian.engine.explorer.result import Counterexample, Exploration, Progress
from lydian.engine.explorer.seen import Judge
from lydian.engine.explorer.summing import summed_up
from lydian.engine.result import plain
from lydian.engine.simulator import ACTION_SECONDS, MOST_EFFECTS
from lydian.model.daemon import Start
from lydian.model.errors import BadInput, PropertyError
from lydian.model.experiment import Experiment, Resolved
from lydian.model.limits import Watch, usual_memory
from lydian.model.process import INIT
from lydian.model.properties import Property
from lydian.model.rules import column

__all__ = ["Explorer", "Key"]

#: Configurations between two looks at the clock, most actions that are told as failing, seconds between two reports.
_OFTEN, _MOST_FAILURES, _TELL = 256, 10, 0.2
_UNKNOWN = 2**31 - 1


class Explorer(Moves):
    """Searches all schedules of one experiment.

    Args:
        experiment: an experiment, or one that is resolved already.
        crashes: how many processes may crash, at any moment; ``None``: as many as the experiment plans.
        losses: how many messages may get lost; ``None``: as many as the experiment plans to drop.
        late_starts: whether messages and timers may reach an initiator before it wakes up; else whoever starts does so
            before anything else reaches it, as in a simulation, where all wake up at time 0.
        patient: whether timers are so long that one rings only when nothing else is left to do.
        depth, states, seconds, memory: bounds on the moves of a schedule, the configurations, the time and the bytes;
            ``None`` for none (``memory``: what a run may take).
        progress: called now and then.

    Attributes:
        keys: the configurations in the order in which they were found.
        graph: the moves between them.
        failures: state and event of an action that fails -> where it did first: configuration and label.
        extremes: the smallest and largest number of messages, once all schedules were tried.

    Raises:
        BadInput: the experiment cannot be resolved, or its protocol reads the clock or does not always do the same.
    """

    def __init__(
        self,
        experiment: Experiment | Resolved,
        *,
        crashes: int | None = None,
        losses: int | None = None,
        late_starts: bool = False,
        patient: bool = False,
        depth: int | None = None,
        states: int | None = None,
        seconds: float | None = None,
        memory: int | None = None,
        progress: Callable[[Progress], None] | None = None,
    ) -> None:
        resolved = experiment if isinstance(experiment, Resolved) else experiment.resolve()
        plan = resolved.experiment.faults
        for each in (*plan, *resolved.experiment.interventions):
            if not each.kind.unsearchable:
                continue
            what = f"the explorer cannot search {each.kind.unsearchable}; take {each.do} out of faults"
            raise BadInput(what, file=resolved.experiment.file, place="faults")
        if resolved.protocol.overlay:
            what = "the explorer searches messages along links; this protocol sends to any process (needs = overlay)"
            raise BadInput(what, file=resolved.protocol.file, place="needs")
        if resolved.protocol.rounds:
            what = "the explorer tries orders of messages, and in rounds there is one only (needs = rounds); run it"
            raise BadInput(what, file=resolved.protocol.file, place="needs")
        if resolved.drawn:
            what = "the explorer tries all orders of single commands and crashes, not those that come at random"
            moves = "mobility" if resolved.experiment.mobility is not None else "churn"
            place = "traffic" if resolved.experiment.traffic else moves
            raise BadInput(what, file=resolved.experiment.file, place=place)
        crashes = sum(each.do == "crash" for each in plan) if crashes is None else crashes
        losses = sum(each.do == "drop" for each in plan) if losses is None else losses
        super().__init__(resolved, crashes, losses, late_starts, patient)
        self._depth, self._states, self._seconds = depth, states, seconds
        self._memory = usual_memory() if memory is None else memory
        self._progress = progress
        self._cancelled = False
        self.keys: list[Key] = []
        self.graph = Graph(free=self.harmful)
        self.extremes: Extremes | None = None
        self._seen: dict[Key, int] = {}
        self._born = array("q")
        self.failures: dict[tuple[str, str], tuple[int, int]] = {}

    # ------------------------------------------------------------------ searching

    def cancel(self) -> None:
        """End the search soon; what was found until then is told."""
        self._cancelled = True

    def run(self) -> Exploration:
        """Search, and sum up."""
        begun = monotonic()
        judge = Judge(self.seen, self.protocol)
        resting = False  # while nothing of the protocol's is executed

        def ticks() -> object:
            return object() if resting and not judge.busy else (self.ticks, judge.calls)

        def excess() -> str | None:
            return "it sends without end" if len(self.effects) > MOST_EFFECTS else None

        with contextlib.redirect_stdout(Silence()), Watch(ACTION_SECONDS, ticks, excess, self.protocol.file):
            stopped, depth, found = self._search(judge, begun)
            resting = True
            self._untouched()
            return summed_up(self, judge, found, stopped, depth, begun)

    def _search(self, judge: Judge, begun: float) -> tuple[str, int, dict[Property, int]]:  # noqa: C901 - the search loop, unrolled for speed
        """Breadth first; gives why it stopped, how deep it came, and the first violation of each property."""
        keys, seen, graph, born = self.keys, self._seen, self.graph, self._born
        always = [each for each in self.protocol.properties if each.kind == "always"]
        finally_ = [each for each in self.protocol.properties if each.kind != "always"]
        found: dict[Property, int] = {}
        bound = _UNKNOWN if self._states is None else max(1, self._states)
        stopped, depth, level, told = "complete", 0, 1, begun
        targets, labels, sent, starts = graph.targets, graph.labels, graph.sent, graph.starts

        def meet(key: Key, edge: int) -> int:
            nonlocal always
            number = seen[key] = len(keys)
            keys.append(key)
            born.append(edge)
            if always:
                bad = judge.failing(always, key)
                if bad:
                    found.update(dict.fromkeys(bad, number))
                    always = [each for each in always if each not in bad]
            return number

        for first in self.firsts():
            if len(keys) >= bound:
                return "states", 0, found
            if first not in seen:
                meet(first, -1)
                graph.firsts = len(keys)
        head, level = 0, len(keys)
        while head < len(keys):
            if head == level:
                depth, level = depth + 1, len(keys)
            if head % _OFTEN == 0 and head:
                now = monotonic()
                if self._cancelled or (self._seconds is not None and now - begun > self._seconds):
                    stopped = "cancelled" if self._cancelled else "seconds"
                    break
                if head % (32 * _OFTEN) == 0 and _used() > self._memory:
                    stopped = "memory"
                    break
                if self._progress is not None and now - told > _TELL:
                    told = now
                    self._progress(Progress(len(keys), len(keys) - head, len(targets), depth))
            self.ticks += 1
            key = keys[head]
            steps = self.moves(key)
            if not steps:
                graph.ends.append(head)
                bad = judge.failing(finally_, key)
                found.update(dict.fromkeys(bad, head))
                finally_ = [each for each in finally_ if each not in bad]
            if self.crashes or self.losses:
                steps += self.harms(key)
            deep = depth == self._depth
            for label, new, outcome in steps:
                if new is None:
                    if deep:
                        stopped = "depth"
                    else:
                        self._fails(head, label)
                    continue
                number = seen.get(new)
                if number is None:
                    if deep or len(keys) >= bound:
                        stopped, number = "depth" if deep else "states", _UNKNOWN
                    else:
                        number = meet(new, len(targets))
                targets.append(number)
                labels.append(label)
                sent.append(len(outcome.sends))
            starts.append(len(targets))
            head += 1
            if stopped == "states":
                break
        return stopped, depth, found

    def _fails(self, number: int, label: int) -> None:
        """An action fails: remember the first time for each cell of the table."""
        kind, place, what = self.labels.things[label]
        if kind == "rules":
            cell = str(self.situations[place].views[self.keys[number][place]].state), column(what[0][1])
            if len(self.failures) < _MOST_FAILURES:
                self.failures.setdefault(cell, (number, label))
            return
        i = self._targets[place] if kind == "deliver" else place
        event = self.messages.things[what] if kind == "deliver" else what
        state = str(self.situations[i].views[self.keys[number][i]].state)
        cell = state, INIT.name if event is INIT else type(event).__name__
        if len(self.failures) < _MOST_FAILURES:
            self.failures.setdefault(cell, (number, label))

    def _untouched(self) -> None:
        for each in self.situations:
            name = each.touched()
            if name is not None:
                raise PropertyError(
                    f"{self.protocol.file}: a property only looks at a configuration, but one of them changes "
                    f"'{name}' of process {each.p._name}"
                )

    # ------------------------------------------------------------------ ways

    def way(self, number: int) -> tuple[int, list[int]]:
        """Where a shortest way to a configuration begins, and its edges."""
        found = []
        while self._born[number] >= 0:
            found.append(self._born[number])
            number = self.graph.source(self._born[number])
        return number, found[::-1]

    def move(self, label: int, key: Key) -> Move:
        """A label in words, taken in a configuration."""
        kind, place, what = self.labels.things[label]
        if kind == "rules":
            return Move(kind, "", tuple((self.network.processes[i], rule) for i, rule in what))
        if kind not in ("deliver", "loss"):
            return Move(kind, self.network.processes[place], what)
        channel = self.channels[place]
        dead = self.situations[channel.target._i].views[key[channel.target._i]]._crashed
        return Move(kind, channel.target._name, self.messages.things[what], channel.source._name, dead)

    def schedule(
        self, number: int, edges: Iterable[int], kind: str = "run", name: str = "A schedule",
        last: int | None = None, loop: int | None = None,
    ) -> Counterexample:  # fmt: skip
        """A way through the graph as an experiment.

        Args:
            number: the configuration in which it begins.
            edges: of the way.
            kind, name: of the property that it shows to be violated.
            last: label of a further move, which fails.
            loop: the step from which on it could go round for ever.
        """
        moves, messages = [], 0
        start = self._start(number) if self.graph.firsts > 1 else self.resolved.experiment.start
        for edge in edges:
            moves.append(self.move(self.graph.labels[edge], self.keys[number]))
            messages += self.graph.sent[edge]
            number = self.graph.targets[edge]
        if last is not None:
            moves.append(self.move(last, self.keys[number]))
        return counterexample(self.resolved, moves, kind, name, loop, messages, start)

    def _start(self, number: int) -> Start:
        """A configuration as an experiment's file says where to start."""
        names = ["state"] if len(self.protocol.states) > 1 else []
        names += self.protocol.variables
        self.seen.show(self.keys[number])
        there = self.seen.processes
        return Start(processes={p._name: {name: plain(getattr(p, name)) for name in names} for p in there})

    def dearest(self) -> Counterexample | None:
        """A run with the most messages, if it is known."""
        if self.extremes is None or self.extremes.most is None or not self.extremes.most_way:
            return None
        name = f"The schedule with the most messages, {self.extremes.most}"
        way = self.extremes.most_way
        return self.schedule(self.graph.source(way[0]), way, "messages", name)

    def visible(self, processes: Iterable[Any], in_transit: Iterable[Any]) -> Any:
        """What properties see, of a configuration here or of a simulator's, as something to compare.

        Args:
            processes: in the order of the network.
            in_transit: the messages under way.
        """
        own = tuple(each.visible(p) for each, p in zip(self.situations, processes, strict=True))
        flights = Counter((t.sender._i, t.receiver._i, self.messages.message(t.message)) for t in in_transit)
        return own, frozenset(flights.items())


def _used() -> int:
    """Bytes of memory that this program takes now."""
    try:
        return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * 4096
    except OSError:  # elsewhere only the largest so far is known, on Windows nothing
        try:
            import resource
        except ImportError:
            return 0
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
