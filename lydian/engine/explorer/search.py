"""The breadth-first search of all schedules of a small experiment.

A configuration consists of the situation of every process (its state, variables and pending events) and the messages in
transit on each channel. It has one successor for every event that may happen next: a message in transit arrives (on a
FIFO link only the oldest), a timer expires, an initiator wakes up, or a planned command is given; on request also for
every crash and every loss of a message. Delays are ignored, and so are the times of timers and commands.

The outcomes of actions are computed by :class:`lydian.engine.explorer.local.Situations`, which executes the methods of
the protocol file. A configuration is a tuple of numbers, which takes little memory and is compared quickly.
"""

from __future__ import annotations

import contextlib
import sys
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np
import numpy.typing as npt

from lydian.engine.console import Silence
from lydian.engine.explorer.crew import SMALL, Crew, Helpers
from lydian.engine.explorer.filling import Filling, suits
from lydian.engine.explorer.graph import Extremes, Graph, extremes
from lydian.engine.explorer.kept import UNKNOWN, Hashes, Keys, collision
from lydian.engine.explorer.lasso import Lasso, find_lasso
from lydian.engine.explorer.moves import Key, Step
from lydian.engine.explorer.observed import Observed
from lydian.engine.explorer.reduction import ALL, Choice, Reduction
from lydian.engine.explorer.replay import Move, counterexample
from lydian.engine.explorer.result import Counterexample, Exploration, Finding, Progress
from lydian.engine.explorer.seen import Judge
from lydian.engine.explorer.table import Expanded, Knowledge, Rows, Shape, Table, joined
from lydian.engine.explorer.worst import Worst, worst
from lydian.engine.setup import defers
from lydian.engine.simulator import ACTION_SECONDS, MOST_EFFECTS, Simulator
from lydian.model.archive.given import Given
from lydian.model.errors import BadInput, PropertyError
from lydian.model.experiment.daemon import Start
from lydian.model.experiment.experiment import Experiment, Resolved
from lydian.model.experiment.idleruns import UNJUDGED, why_nothing
from lydian.model.lang.formula import Formula
from lydian.model.limits import Watch, usual_memory
from lydian.model.protocol.process import INIT
from lydian.model.protocol.properties import Property
from lydian.model.protocol.rules import column
from lydian.model.protocol.watching import detector
from lydian.trace.parquet.recorder import plain

__all__ = ["UNKNOWN", "Explorer", "Key", "failing_event", "formula_name", "notes_of", "table_cells"]

#: The configurations between two checks of the clock, the most failing actions reported, the seconds between reports.
_OFTEN, _MOST_FAILURES, _TELL = 256, 10, 0.2
#: The bounds on a search for a shorter schedule after a reduced search.
_SHORTER_STATES, _SHORTER_SECONDS = 50_000, 10.0
#: The number of attempts to leave each cycle by trying all events of a single configuration.
_PATIENCE = 4
#: The most configurations of a batch whose moves are looked up in a table, and of first configurations.
_BATCH, _FIRSTS = 4096, 4096
#: The configurations found between two looks at the memory. A batch contains at most one of so many configurations
#: tried, so that what the first ones show guides the reduction.
_WEIGH, _CAUTION = 8192, 16
#: The number of configurations from which on the result says that they are compared by hashes.
_MANY = 100_000


class Explorer(Filling):
    """A search of all schedules of one experiment.

    Args:
        experiment: an experiment, possibly resolved.
        crashes: the number of processes that may crash, at any moment; ``None``: as many as the experiment plans.
        losses: the number of messages that may be lost; ``None``: as many as the experiment plans to drop.
        late_starts: whether messages and timers may reach an initiator before it wakes up; if not, each initiator
            starts before any other event happens at it, as in a simulation, where all initiators wake up at time 0.
        patient: whether a timer expires only when no other event is enabled.
        traitors, lies, sudden: as in :class:`~lydian.engine.explorer.moves.Moves`.
        reduced: whether events at different processes are tried in one order only where the order makes no difference
            (:mod:`lydian.engine.explorer.reduction`). It has no effect together with ``depth``, ``sudden`` or guarded
            actions.
        hasty: whether the search ends as soon as an ``always`` property does not hold or an action fails; then it is
            stopped by ``failure``.
        depth, states, seconds, memory: bounds on the moves of a schedule, the configurations, the time and the bytes;
            ``None`` for no bound (``memory``: the bound of a run).
        workers: the number of processes that search; the result does not depend on it.
        recruit: makes what computes the moves elsewhere; by default, other processes of this machine.
        progress: a function that is called from time to time.

    Attributes:
        keys: the configurations in the order in which they were found.
        graph: the moves between them.
        shorter: a second search, of all orders, for shortest schedules to what this one has found; ``None`` if none.
        failures: state and event of an action that fails -> its first failure: configuration and label.
        stopped: why the search ended.
        observed: what the `always` properties of a reduced search read.
        found: property -> the first configuration found in which it does not hold or cannot be judged.
        extremes: the smallest and largest number of messages, after all schedules were searched.

    Raises:
        BadInput: the experiment cannot be resolved, or its protocol reads the clock or is not deterministic.
    """

    def __init__(
        self,
        experiment: Experiment | Resolved,
        *,
        crashes: int | None = None,
        losses: int | None = None,
        late_starts: bool = False,
        patient: bool = False,
        traitors: Sequence[str] = (),
        lies: Mapping[str, Sequence[Any]] | None = None,
        sudden: bool = False,
        reduced: bool = False,
        hasty: bool = False,
        depth: int | None = None,
        states: int | None = None,
        seconds: float | None = None,
        memory: int | None = None,
        workers: int = 1,
        recruit: Callable[[Shape], Helpers] | None = None,
        progress: Callable[[Progress], None] | None = None,
    ) -> None:
        resolved = experiment if isinstance(experiment, Resolved) else experiment.resolve()
        plan = resolved.experiment.faults
        for each in (*plan, *resolved.experiment.interventions):
            if not each.kind.unsearchable:
                continue
            what = f"the explorer cannot search {each.kind.unsearchable}; remove {each.do} from faults"
            raise BadInput(what, file=resolved.experiment.file, place="faults")
        if resolved.protocol.overlay:
            what = "the explorer searches messages along links; this protocol sends to any process (needs = overlay)"
            raise BadInput(what, file=resolved.protocol.file, place="needs")
        if resolved.protocol.rounds:
            what = "the explorer tries orders of messages, but rounds allow only one (needs = rounds); run it instead"
            raise BadInput(what, file=resolved.protocol.file, place="needs")
        if resolved.drawn:
            what = "the explorer tries all orders of planned commands and crashes, but not random ones"
            moves = "mobility" if resolved.experiment.mobility is not None else "churn"
            place = "traffic" if resolved.experiment.traffic else moves
            raise BadInput(what, file=resolved.experiment.file, place=place)
        crashes = sum(each.do == "crash" for each in plan) if crashes is None else crashes
        if crashes and detector in resolved.protocol.needs:
            what = "the explorer does not know when a crash is noticed (needs = detector); search without crashes"
            raise BadInput(what, file=resolved.protocol.file, place="needs")
        losses = sum(each.do == "drop" for each in plan) if losses is None else losses
        super().__init__(resolved, crashes, losses, late_starts, patient, traitors, lies, sudden)
        self._depth, self._states, self._seconds = depth, states, seconds
        self._memory = usual_memory() if memory is None else memory
        self._progress = progress
        self._workers = max(2, workers) if recruit else workers
        self._recruit = recruit or partial(Crew, workers - 1)
        self._crew: Helpers | None = None
        self._table: Table | None = self.table() if suits(self) else None
        self._observing: Observed | None = None
        self._watching = False
        self._known: tuple[Any, Knowledge] | None = None
        self._hasty = hasty
        self._cancelled = False
        self._resting = False  # true while no code of the protocol is executed
        self.keys = Keys()
        self.graph = Graph(free=self.harmful, events=self.events)
        self.extremes: Extremes | None = None
        # The proof of the reduction knows neither choices nor deferred messages nor anything that depends on the order
        # of events at several processes, such as operations and observers.
        others = ".choose(" in self.protocol.source or defers(self.protocol) or self.histories is not None
        others = others or self.watched is not None
        self._reduced = reduced and depth is None and not sudden and not resolved.protocol.rules and not others
        self._reduction: Reduction | None = None
        self.observed: Observed | None = None
        self._wanted: set[tuple[str, str]] | None = None  # the failures to be found before the search may end
        self.stopped = ""
        self.found: dict[Property, int] = {}
        self.shorter: Explorer | None = None
        self._seen = Hashes()
        self._born = array("i")
        self.failures: dict[tuple[str, str], tuple[int, int]] = {}

    # ------------------------------------------------------------------ searching

    def cancel(self) -> None:
        """End the search soon; the findings so far are reported."""
        self._cancelled = True
        if self.shorter is not None:
            self.shorter.cancel()

    def run(self) -> Exploration:
        """Search all schedules and return a summary."""
        begun = monotonic()
        judge = Judge(self.seen, self.protocol)
        try:
            with self.guarded(judge):
                stopped, depth = self._search(judge, begun, self.protocol.properties)
        finally:
            if self._crew is not None:
                self._crew.close()
        self._shorten()
        with self.guarded(judge):
            self._resting = True
            self._untouched()
            return _summed_up(self, judge, stopped, depth, begun)

    def walk(self) -> tuple[str, int]:
        """Search all schedules without judging any property; return why the search stopped, and its depth.

        It must be called within :meth:`guarded`.
        """
        return self._search(Judge(self.seen, self.protocol), monotonic(), ())

    @contextlib.contextmanager
    def guarded(self, judge: Judge) -> Iterator[None]:
        """Silence the protocol and interrupt an action or a judgement that does not end."""
        self._resting = False

        def ticks() -> object:
            return object() if self._resting and not judge.busy else (self.ticks, judge.calls)

        def excess() -> str | None:
            return "it sends without end" if len(self.effects) > MOST_EFFECTS else None

        with contextlib.redirect_stdout(Silence()), Watch(ACTION_SECONDS, ticks, excess, self.protocol.file):
            yield

    @property
    def numbers(self) -> dict[str, Any]:
        """The numbers that a formula may use: n processes, m links, and the parameters."""
        return {"n": self.network.n, "m": self.network.m, **self.resolved.parameters}

    @property
    def formula(self) -> Formula | None:
        """The formula for the number of messages; ``None`` if there is none, or if faults may change the number."""
        return None if self.crashes or self.losses or self.traitors else self.protocol.formula

    def number(self, key: Key) -> int | None:
        """Return the number of a configuration, or ``None`` if the search has not found it."""
        number = int(self._seen.find(Hashes.of([key]))[0])
        return None if number < 0 else number

    def _search(  # noqa: C901 - the search loop, unrolled for speed
        self, judge: Judge, begun: float, properties: Sequence[Property]
    ) -> tuple[str, int]:
        """Search breadth first; return why it stopped, and its depth."""
        keys, graph, found = self.keys, self.graph, self.found
        always = [each for each in properties if each.kind == "always"]
        finally_ = [each for each in properties if each.kind != "always"]
        failing = self._judging(judge, always)
        bound = UNKNOWN if self._states is None else max(1, self._states)
        stopped, depth, told, widened, heavy = "complete", 0, begun, False, _WEIGH

        def meet(rows: Rows, hashes: npt.NDArray[np.uint64], edges: Iterable[int]) -> None:
            nonlocal always
            first = len(keys)
            self._seen.add(hashes)
            self._born.extend(edges)
            keys.extend(rows)
            for at in self._unjudged(rows) if always else ():
                bad = failing(always, tuple(rows[at].tolist())) if always else []
                if bad:
                    found.update(dict.fromkeys(bad, first + at))
                    always = [each for each in always if each not in bad]

        for some in _in_parts(self.firsts(), _FIRSTS):
            rows = np.array(some, np.int32)
            hashes = Hashes.of_rows(rows)
            _, fresh, full = self._seen.numbered(hashes, bound - len(keys))
            meet(rows[fresh], hashes[fresh], [-1] * len(fresh))
            graph.firsts = len(keys)
            if full >= 0:
                return "states", 0
        head, level = 0, len(keys)
        while head < len(keys):
            if self._wanted is not None and not always and self._wanted <= self.failures.keys():
                stopped = "failure"
                break
            if head == level:
                if self._hasty and (self.failures or any(each.kind == "always" for each in found)):
                    stopped = "failure"
                    break
                depth, level = depth + 1, len(keys)
            if head >= _OFTEN:
                if self._enough(begun):
                    stopped = "cancelled" if self._cancelled else "seconds"
                    break
                if len(keys) >= heavy:
                    heavy = len(keys) + _WEIGH
                    if _used() > self._memory:
                        stopped = "memory"
                        break
                if self._progress is not None and (now := monotonic()) - told > _TELL:
                    told = now
                    self._progress(Progress(len(keys), len(keys) - head, len(graph.targets), depth))
            deep = depth == self._depth
            most = _BATCH if self._table is not None else _OFTEN
            batch = self._expanded(head, min(level, head + max(1, min(most, head // _CAUTION))), begun)
            if batch is None:
                stopped = "cancelled" if self._cancelled else "seconds"
                break
            for at in batch.quiet:
                graph.ends.append(head + at)
                bad = judge.failing(finally_, keys[head + at]) if finally_ else []
                found.update(dict.fromkeys(bad, head + at))
                finally_ = [each for each in finally_ if each not in bad]
            if self._reduction is not None:
                self._reduction.chosen.extend(batch.chosen)
            for at, label in batch.failing:
                if deep:
                    stopped = "depth"
                else:
                    self._fails(head + at, label)
            edge = len(graph.targets)
            ends, kept = edge + np.cumsum(batch.counts, dtype=np.int64), len(batch.labels)
            hashes = Hashes.of_rows(batch.reached)
            numbers, fresh, full = self._seen.numbered(hashes, 0 if deep else bound - len(keys))
            if full >= 0 and deep:
                stopped = "depth"
            elif full >= 0:  # keep the configurations up to the one whose moves lead too far
                stopped = "states"
                ends = ends[: int(np.searchsorted(ends, edge + full, "right")) + 1]
                kept = int(ends[-1]) - edge
                graph.ends = [end for end in graph.ends if end < head + len(ends)]
            graph.targets.frombytes(numbers[:kept].tobytes())
            graph.labels.frombytes(batch.labels[:kept].tobytes())
            graph.sent.frombytes(batch.sent[:kept].tobytes())
            graph.starts.frombytes(ends.tobytes())
            meet(batch.reached[fresh], hashes[fresh], (edge + fresh).tolist())
            head += len(ends)
            while head == len(keys) and self._reduction is not None and stopped == "complete":
                more = [(number, step) for number, steps in self._missing(finally_) for step in steps]
                if not more:
                    break
                edges = []
                for number, (label, new, outcome) in more:
                    if new is None:
                        self._fails(number, label)
                        continue
                    target = self.number(new)
                    if target is None and len(keys) < bound:
                        target = len(keys)
                        meet(np.array([new], np.int32), Hashes.of([new]), [-1])
                    elif target is None:
                        target, stopped = UNKNOWN, "states"
                    edges.append((number, target, label, len(outcome.sends)))
                if edges:
                    graph.extend(edges)
                widened = True
            if stopped == "states":
                break
        if widened:
            self._born, depth = graph.tree()
        self.stopped = stopped
        return stopped, depth

    def _judging(
        self, judge: Judge, always: Sequence[Property]
    ) -> Callable[[list[Property], Key], list[Property]]:  # fmt: skip
        """Return the function that judges ``always`` properties, and prepare the reduction."""
        if not self._reduced:
            if self.protocol.rules or self.histories is not None or self.watched is not None:
                return judge.failing
            self._observing = Observed(judge, self.seen, self.situations)
            return self._observing.failing
        observed = self.observed = self._observing = Observed(judge, self.seen, self.situations)
        self._watching = bool(always)

        def visible(i: int, before: int, after: int) -> bool:
            return self._watching and observed.visible(i, before, after)

        some = self._reduction = Reduction(self, visible)
        some.explore(self.resolved.experiment.seed)
        if self._table is not None:
            self._table.may, self._table.choice = self.may, Choice(self._table, visible)
        return observed.failing

    def _enough(self, begun: float) -> bool:
        """Return True if the search must end now, since it was cancelled or its time has passed."""
        return self._cancelled or (self._seconds is not None and monotonic() - begun > self._seconds)

    def _unjudged(self, rows: Rows) -> Sequence[int]:
        """Return the positions of the configurations in which ``always`` properties must be judged."""
        return range(len(rows)) if self._observing is None else self._observing.unknown(rows)

    def _expanded(self, start: int, stop: int, begun: float) -> Expanded | None:
        """Return the moves of some configurations; ``None`` if the search must end before they are known."""
        rows = self.keys.rows(start, stop)
        if self._table is None:
            return self._moved(rows)
        late = start >= _OFTEN
        if not self.fill(self._table, rows, lambda: late and self._enough(begun)):
            return None
        self._resting = True
        try:
            if self._workers == 1 or len(rows) < SMALL * self._workers:
                return self._table.expand(rows)
            if self._crew is None:
                self._crew = self._recruit(self._table.shape)
            return joined(list(self._crew.expand(self._table, self._knowledge(), rows)))
        finally:
            self._resting = False

    def _moved(self, rows: Rows) -> Expanded:
        """Return the moves of some configurations, without a table."""
        found: list[Key] = []
        labels, sent, counts, chosen = array("i"), array("i"), array("i"), array("i")
        quiet: list[int] = []
        failing: list[tuple[int, int]] = []
        for at, key in enumerate(map(tuple, rows.tolist())):
            self.ticks += 1
            steps = self.moves(key)
            if not steps:
                quiet.append(at)
            if self.crashes or self.losses or self.traitors:
                steps += self.harms(key)
            if self._reduction is not None:
                steps, i = self._reduction.first(key, steps)
                chosen.append(i)
            before = len(found)
            for label, new, outcome in steps:
                if new is None:
                    failing.append((at, label))
                    continue
                found.append(new)
                labels.append(label)
                sent.append(len(outcome.sends))
            counts.append(len(found) - before)
        return Expanded.of(found, rows.shape[1], labels, sent, counts, quiet, failing, chosen)

    def _knowledge(self) -> Knowledge | None:
        """Return what the reduction knows, the same object as long as that is unchanged."""
        observed = self.observed
        if observed is None:
            return None
        at = self.sends.version, observed.version, self._watching, sum(len(each.views) for each in self.situations)
        if self._known is None or self._known[0] != at:
            may = [each.copy() for each in self.sends.may]
            self._known = at, Knowledge(may, observed.known(), self._watching)
        return self._known[1]

    def _missing(self, finally_: Sequence[Property]) -> Iterator[tuple[int, list[Step]]]:
        """Yield the configurations of which more events must be tried, with these events.

        Args:
            finally_: the properties of ends that are not yet violated.
        """
        some, graph, keys = self._reduction, self.graph, self.keys
        assert some is not None
        partial = [number for number, i in enumerate(some.chosen) if i != ALL]
        all_ = self._cuts(partial)
        if partial and any(each.kind == "eventually" for each in finally_):
            all_ = partial if any(map(graph.cyclic, graph.components())) else all_
        wanted = set(all_)
        for number in partial:
            key = keys[number]
            steps = [*self.moves(key), *self.harms(key)]
            if number in wanted:
                some.chosen[number] = ALL
            elif some.valid(key, some.chosen[number], steps):
                continue
            else:
                some.chosen[number] = some.choose(key, steps)
            i = some.chosen[number]
            done = {graph.labels[edge] for edge in graph.edges(number)}
            missing = [each for each in steps if each[0] not in done and i in (ALL, self.place(each[0]))]
            if missing:
                yield number, missing

    def _cuts(self, partial: Sequence[int]) -> Sequence[int]:
        """Return configurations such that each cycle contains one of them or one of which all events are tried."""
        assert self._reduction is not None
        without = {number for number, i in enumerate(self._reduction.chosen) if i == ALL}
        cuts: list[int] = []
        for attempt in range(_PATIENCE):
            loops = [part for part in self.graph.components(without) if self.graph.cyclic(part)] if partial else []
            new = [number for part in loops for number in ([min(part)] if attempt + 1 < _PATIENCE else part)]
            if not new:
                break
            cuts += new
            without.update(new)
        return cuts

    def _shorten(self) -> None:
        """Look for shortest schedules to what was found by a reduced search, whose schedules need not be shortest.

        Those to an end are, since all reorderings of a run have the same length.
        """
        wanted = [each for each in self.found if each.kind == "always"]
        if self._reduction is None or not (wanted or self.failures):
            return
        other = self.shorter = Explorer(
            self.resolved, crashes=self.crashes, losses=self.losses, late_starts=self.late_starts,
            patient=self.patient, traitors=sorted(self.traitors), lies=self._lies, memory=self._memory,
            states=_SHORTER_STATES, seconds=_SHORTER_SECONDS,
        )  # fmt: skip
        other._wanted = set(self.failures)
        other._cancelled = self._cancelled
        judge = Judge(other.seen, self.protocol)
        with other.guarded(judge):
            other._search(judge, monotonic(), wanted)

    @property
    def alone(self) -> bool:
        """Whether several processes were to search, but only one can."""
        return self._workers > 1 and self._table is None

    @property
    def partial(self) -> int:
        """The number of configurations of which only the events of one process were tried."""
        return 0 if self._reduction is None else sum(i != ALL for i in self._reduction.chosen)

    def showing(self, prop: Property) -> Explorer:
        """Return the search, this one or the second one, that shows a shortest schedule to a violation."""
        return self.shorter if self.shorter is not None and prop in self.shorter.found else self

    @property
    def shortest(self) -> bool:
        """Whether the schedules to violations and failures are known to be shortest ones."""
        return self.shorter is None or self.shorter.stopped == "failure"

    def _fails(self, number: int, label: int) -> None:
        """Record the failure of an action, if it is the first one for its cell of the table."""
        if len(self.failures) < _MOST_FAILURES:
            self.failures.setdefault(self.cell(label, self.keys[number]), (number, label))

    def cell(self, label: int, key: Key) -> tuple[str, str]:
        """Return the cell of the table for a move in a configuration: the state, and the name of the event."""
        kind, place, what = self.labels.things[label]
        if kind == "rules":
            return str(self.situations[place].views[key[place]].state), column(what[0][1])
        arrives = kind in ("deliver", "lie")
        i = self._targets[place] if arrives else place
        event = self.messages.things[what[1] if kind == "lie" else what] if arrives else what
        state = str(self.situations[i].views[key[i]].state)
        return state, INIT.name if event is INIT else type(event).__name__

    def _untouched(self) -> None:
        for each in self.situations:
            name = each.touched()
            if name is not None:
                raise PropertyError(
                    f"{self.protocol.file}: a property must only read a configuration, but one of them changes "
                    f"'{name}' of process {each.p._name}"
                )

    # ------------------------------------------------------------------ schedules

    def way(self, number: int) -> tuple[int, list[int]]:
        """Return the first configuration of a shortest path to a configuration, and the edges of the path."""
        found = []
        while self._born[number] >= 0:
            found.append(self._born[number])
            number = self.graph.source(self._born[number])
        return number, found[::-1]

    def move(self, label: int, key: Key) -> Move:
        """Return the step of a schedule for the label of a move in a configuration."""
        kind, place, what = self.labels.things[label]
        chosen = self.chosen.get(label, ())
        if kind == "rules":
            return Move(kind, "", tuple((self.network.processes[i], rule) for i, rule in what), choices=chosen)
        if kind not in ("deliver", "loss", "lie", "mute"):
            return Move(kind, self.network.processes[place], what, choices=chosen)
        channel = self.channels[place]
        dead = self.situations[channel.target._i].views[key[channel.target._i]]._crashed
        true, told = what if kind == "lie" else (what, None)
        other = None if told is None else self.messages.things[told]
        m = self.messages.things[true]
        return Move(kind, channel.target._name, m, channel.source._name, dead, other, chosen)

    def schedule(
        self, number: int, edges: Iterable[int], kind: str = "run", name: str = "A schedule",
        last: int | None = None, loop: int | None = None,
    ) -> Counterexample:  # fmt: skip
        """Return a path through the graph as an experiment.

        Args:
            number: the configuration in which it begins.
            edges: the edges of the path.
            kind, name: the kind and name of the property that it violates.
            last: the label of a further move, which fails.
            loop: the step at which a cycle begins that can be repeated for ever.
        """
        moves, messages = [], 0
        start = self.start_of(self.keys[number]) if self.graph.firsts > 1 else self.resolved.experiment.start
        for edge in edges:
            moves.append(self.move(self.graph.labels[edge], self.keys[number]))
            messages += self.graph.sent[edge]
            number = self.graph.targets[edge]
        if last is not None:
            moves.append(self.move(last, self.keys[number]))
        return counterexample(self.resolved, moves, kind, name, loop, messages, start, self._shown)

    def _shown(self, simulator: Simulator) -> Any:
        """Return the configuration of a simulator in a form that can be compared."""
        return self.visible(simulator.processes, simulator.configuration.in_transit)

    def start_of(self, key: Key) -> Start:
        """Return a configuration in the form of the initial configuration in an experiment file."""
        names = ["state"] if len(self.protocol.states) > 1 else []
        self.seen.show(key)
        there = self.seen.processes
        return Start(
            processes={
                p._name: {name: plain(getattr(p, name)) for name in (*names, *p._declared.variables)} for p in there
            }
        )

    def dearest(self) -> Counterexample | None:
        """Return a schedule with the most messages, or ``None`` if it is unknown."""
        if self.extremes is None or self.extremes.most is None or not self.extremes.most_way:
            return None
        name = f"The schedule with the most messages, {self.extremes.most}"
        way = self.extremes.most_way
        return self.schedule(self.graph.source(way[0]), way, "messages", name)

    def visible(self, processes: Iterable[Any], in_transit: Iterable[Any]) -> Any:
        """Return the part of a configuration, of the search or a simulator, that properties read, for comparison.

        Args:
            processes: the processes in the order of the network.
            in_transit: the messages in transit.
        """
        own = tuple(each.visible(p) for each, p in zip(self.situations, processes, strict=True))
        flights = Counter((t.sender._i, t.receiver._i, self.messages.message(t.message)) for t in in_transit)
        return own, frozenset(flights.items())


def _in_parts(some: Iterable[Key], size: int) -> Iterator[list[Key]]:
    rest = iter(some)
    while part := list(islice(rest, size)):
        yield part


def _used() -> int:
    """Return the number of bytes of memory that this program takes now."""
    try:
        return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * 4096
    except OSError:  # other systems report only the maximum so far, and Windows nothing
        try:
            import resource
        except ImportError:
            return 0
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


#: The maximum number of edges for which the longest causal chain is computed.
_CHAIN_EDGES = 1_000_000
_MOST_OUTCOMES = 50
_DAEMONS = {
    "central": "the daemon chooses one process at a time and may be unfair",
    "distributed": "the daemon chooses any number of processes at a time and may be unfair",
    "synchronous": "the daemon chooses all enabled processes at a time",
}


def _summed_up(explorer: Explorer, judge: Judge, stopped: str, depth: int, begun: float) -> Exploration:
    """Return the summary of a search.

    Args:
        stopped, depth: why the search ended, and its depth.
        begun: the time at which it began.
    """
    graph, found, complete = explorer.graph, explorer.found, stopped == "complete"
    liveness = [p for p in explorer.protocol.properties if p.kind == "eventually" and p not in found]
    parts = graph.components() if complete or liveness else []
    rounds = any(graph.cyclic(part) for part in parts)
    range_ = explorer.extremes = extremes(graph, parts) if complete else None
    chain = None
    clear = not (explorer.losses and any(each.fifo for each in explorer.contents))
    clear = clear and not (explorer.protocol.rules or explorer.traitors)
    clear = clear and not defers(explorer.protocol)  # a deferred message is received later than it arrives
    if complete and not rounds and clear and len(graph.targets) <= _CHAIN_EDGES:
        chain = _longest_chain(explorer, [number for (number,) in reversed(parts)])
    still = complete and not explorer.failures and not _moving(explorer)
    hardest = _worst(explorer, judge, parts) if complete and not still else None
    findings = [_finding(explorer, judge, prop, parts, complete, still) for prop in explorer.protocol.properties]
    if still:
        range_ = explorer.extremes = None
    findings += [] if still else _formula(explorer, range_, complete)
    findings += _failures(explorer)
    cells = table_cells(explorer)
    return Exploration(
        protocol=explorer.protocol.name,
        network=explorer.network.name,
        seed=explorer.resolved.experiment.seed,
        configurations=len(explorer.keys),
        edges=len(graph.targets),
        ends=len(graph.ends),
        depth=depth,
        stopped=stopped,
        findings=tuple(findings),
        outcomes=_outcomes(explorer),
        reachable=tuple(cell for cell in cells if cell in explorer.cells),
        unreachable=tuple(cell for cell in cells if cell not in explorer.cells),
        messages=(None, None) if range_ is None else (range_.least, range_.most),
        chain=None if still else chain,
        rounds=rounds if complete else None,
        partial=explorer.partial,
        notes=tuple(notes_of(explorer, explorer.chance)),
        seconds=monotonic() - begun,
        nothing=why_nothing(explorer.resolved, started=_started(explorer)) if still else None,
        worst=hardest,
    )


def table_cells(explorer: Explorer) -> list[tuple[str, str]]:
    """Return the cells of the table that have an action, without requests between layers."""
    table = explorer.protocol.table
    happening = {"INIT", *explorer.protocol.labels, *table.rules}
    events = [event for event in table.events if event in happening]
    return [(state, event) for state in table.states for event in events if table.get(state, event) is not None]


def _worst(explorer: Explorer, judge: Judge, parts: Sequence[Sequence[int]]) -> Worst | None:
    """Return the most moves that a daemon can force until no rule is enabled, or until all eventual properties hold."""
    graph = explorer.graph
    if not explorer.protocol.rules or explorer.crashes or len(graph.targets) > _CHAIN_EDGES:
        return None

    def moves(label: int) -> int:
        kind, _, what = explorer.labels.things[label]
        return len(what) if kind == "rules" else 0

    goals = [
        each for each in explorer.protocol.properties
        if each.kind == "eventually" and each.within is None and each not in judge.open and each not in judge.broken
    ]  # fmt: skip
    if not goals:
        return worst(graph, parts, moves, None, "nothing is left to do")

    def open_(number: int) -> bool:
        return bool(judge.failing(goals, explorer.keys[number]))

    until = " and ".join(f"\u201c{each.name}\u201d" for each in goals) + (" holds" if len(goals) == 1 else " hold")
    return worst(graph, parts, moves, open_, f"{until} for good")


def _moving(explorer: Explorer) -> bool:
    """Return True if some process takes a step in some schedule.

    A crash or the loss of a message is not a step. Nor is the start of a process that then waits for a command, unless
    the process decides or delivers at once.
    """
    kinds = _kinds(explorer)
    if explorer.protocol.commands and kinds <= {"init", "crash", "loss"}:
        return any(each.said for own in explorer.situations for each in own.pending)
    return not kinds <= {"crash", "loss"}


def _started(explorer: Explorer) -> bool:
    return "init" in _kinds(explorer)


def _kinds(explorer: Explorer) -> set[str]:
    return {explorer.labels.things[label][0] for label in set(explorer.graph.labels)}


def _finding(
    explorer: Explorer,
    judge: Judge,
    prop: Property,
    parts: Sequence[Sequence[int]],
    complete: bool,
    still: bool,
) -> Finding:
    name, kind, found = prop.name, prop.kind, explorer.found
    if prop in judge.open or prop.within is not None:
        return Finding(name, kind, None, "it refers to time, which a search of all orders of events does not have")
    if prop in judge.broken:
        return _not_judged(explorer, judge, prop)
    if still and kind != "always" and "crash" not in _kinds(explorer):
        return Finding(name, kind, None, UNJUDGED)
    if prop in found:
        source = explorer.showing(prop)
        why = judge.whys.get(prop, "")
        return Finding(name, kind, False, why, source.schedule(*source.way(source.found[prop]), kind, name))
    endless = kind == "at_end" and complete and not still and not explorer.graph.ends
    if kind == "eventually" or endless:
        lasso = _lasso(explorer, judge, prop, parts)
        if prop in judge.broken:
            return _not_judged(explorer, judge, prop)
        if lasso is not None and (lasso.never or not endless):
            shown = explorer.schedule(lasso.first, [*lasso.way, *lasso.cycle], kind, name, loop=len(lasso.way))
            why = f"no schedule comes to an end: {lasso}" if endless else str(lasso)
            return Finding(name, kind, False, why, shown)
    if still:
        return Finding(name, kind, None, UNJUDGED)
    if not complete:
        return Finding(name, kind, None, "no violation was found, but not all schedules were tried")
    if kind == "at_end" and not explorer.graph.ends:
        return Finding(name, kind, None, "no schedule comes to an end")
    return Finding(name, kind, True)


def _not_judged(explorer: Explorer, judge: Judge, prop: Property) -> Finding:
    """Return the finding about a property whose function fails, possibly only in a run that does not end."""
    why, source = judge.broken[prop], explorer.showing(prop)
    number = source.found.get(prop, explorer.number(judge.places[prop]))
    assert number is not None
    return Finding(prop.name, prop.kind, None, why, source.schedule(*source.way(number), "error", why))


def _lasso(explorer: Explorer, judge: Judge, prop: Property, parts: Sequence[Sequence[int]]) -> Lasso | None:
    """Return a run that goes on for ever without a property, or ``None`` if there is none."""

    def fails(number: int) -> bool:
        return bool(judge.failing([prop], explorer.keys[number]))

    def enabled(number: int) -> set[int]:
        return {explorer.events.get(label, label) for label, _, _ in explorer.moves(explorer.keys[number])}

    # Edges do not show all events if orders that make no difference were left out, or if an action fails.
    hidden = bool(explorer.partial or explorer.failures)
    return find_lasso(explorer.graph, parts, fails, explorer.way, enabled if hidden else None)


def formula_name(formula: Formula, names: Mapping[str, Any]) -> str:
    """Return the name of the finding about the formula for the number of messages.

    Raises:
        BadInput: it has no value for this network.
    """
    return f"messages {'= ' if formula.relation == '=' else ''}{formula.branch(names)}"


def _formula(explorer: Explorer, range_: Extremes | None, complete: bool) -> list[Finding]:
    """Return the finding about the formula for the number of messages in all schedules, if there is one."""
    formula, names = explorer.formula, explorer.numbers
    if formula is None:
        return []
    try:
        name = formula_name(formula, names)
        if range_ is None:
            why = "no schedule comes to an end" if complete else "not all schedules were tried"
            return [Finding(name, "messages", None, why)]
        if range_.most is None:
            holds = formula.relation in (">", ">=") and formula.holds(range_.least, names)
            return [Finding(name, "messages", holds, "there is no largest number of messages")]
        for number, way in ((range_.least, range_.least_way), (range_.most, range_.most_way)):
            if not formula.holds(number, names):
                why = f"{number} messages"
                first = explorer.graph.source(way[0]) if way else 0
                words = f"A schedule with {why}"
                shown = explorer.schedule(first, way, "messages", words) if way or not number else None
                return [Finding(name, "messages", False, f"{why} are possible", shown)]
    except BadInput as error:
        return [Finding(f"messages {formula.text}", "messages", None, error.what)]
    return [Finding(name, "messages", True)]


def _failures(explorer: Explorer) -> list[Finding]:
    """Return a finding for each cell of the table whose action fails or is missing, with the simulator's sentence."""
    found = []
    for (state, event), (number, label) in explorer.failures.items():
        source = explorer
        if explorer.shorter is not None and (state, event) in explorer.shorter.failures:
            source = explorer.shorter
            number, label = source.failures[state, event]
        shown = source.schedule(*source.way(number), "error", f"{state} x {event}", last=label)
        found.append(failing_event(explorer, (state, event), shown))
    return found


def failing_event(explorer: Explorer, cell: tuple[str, str], shown: Counterexample) -> Finding:
    """Return the finding that the action for a cell of the table fails, with the simulator's sentence."""
    why = Simulator(shown.experiment.resolve(Given(explorer.protocol))).run().error or ""
    return Finding(f"nothing fails when a process is {cell[0]} and gets {cell[1]}", "error", False, why, shown)


def _outcomes(explorer: Explorer) -> tuple[tuple[dict[str, int], int], ...]:
    """Return the possible ends, most frequent first: the number of processes in each state, and of such ends."""
    counts: Counter[tuple[tuple[str, int], ...]] = Counter()
    for number in explorer.graph.ends:
        views = [each.views[at] for each, at in zip(explorer.situations, explorer.keys[number], strict=False)]
        states = Counter("crashed" if p._crashed else str(p.state) for p in views)
        counts[tuple(sorted(states.items()))] += 1
    return tuple((dict(states), count) for states, count in counts.most_common(_MOST_OUTCOMES))


def notes_of(explorer: Explorer, chance: bool) -> list[str]:
    """Return what one must know about the results; ``chance``: whether some process has used its random source."""
    experiment, network = explorer.resolved.experiment, explorer.network
    notes = []
    if explorer.partial:
        notes.append(
            f"reduced: in {explorer.partial} of them, one process comes next, since the order makes no difference; "
            "--all-orders tries every order"
        )
    if not explorer.shortest:
        notes.append("a violation may have a shorter schedule; --all-orders finds a shortest one")
    if len(explorer.keys) >= _MANY:
        risk = collision(len(explorer.keys))
        notes.append(f"compared by hashes of 128 bits: two are taken for one with a probability below {risk:.0e}")
    if explorer.alone:
        notes.append("searched by one process: the moves of this protocol cannot be divided among several")
    if chance:
        notes.append(f"processes choose at random: explored with seed {experiment.seed} only")
    if explorer.chosen:
        notes.append("every choice is tried, and choices need not be fair")
    if explorer.crashes:
        who = "one process" if explorer.crashes == 1 else f"{explorer.crashes} processes"
        notes.append(f"up to {who} may crash, at any time{', even while sending' if explorer.sudden else ''}")
    if explorer.losses:
        what = "one message" if explorer.losses == 1 else f"{explorer.losses} messages"
        notes.append(f"up to {what} may be lost")
    if explorer.traitors:
        notes.append(f"messages of {', '.join(sorted(explorer.traitors))} may be changed or withheld")
    other = sorted({each.do for each in experiment.faults} - {"crash", "drop"})
    other += sorted({each.do for each in experiment.interventions if not each.kind.of_user} - {*other})
    if any(link.outages for link in network.links):
        other.append("outages of links")
    channels = network.channels()
    other += [rate for rate in ("duplication", "corruption") if getattr(channels, rate).any()]
    if other:
        notes.append(f"left out: {', '.join(other)}")
    if not explorer.losses and (network.loss or any(link.loss for link in network.links)):
        notes.append("no message is lost; --losses 1 tries the loss of each")
    if explorer.graph.firsts > 1:
        notes.append(f"from each of {explorer.graph.firsts} configurations")
    if explorer.protocol.rules:
        notes.append(_DAEMONS.get(experiment.daemon.kind, _DAEMONS["central"]))
    if network.gst is not None:
        notes.append("messages take any time, as before the global stabilisation time")
    if network.step is not None or network.steps:
        notes.append("a step takes no time")
    if len(network.initiators) > 1 and not explorer.late_starts and "INIT" in explorer.protocol.table.events:
        notes.append("each initiator starts before anything else reaches it")
    if explorer.patient and explorer.protocol.timers:
        notes.append("a timer expires only when no other event is enabled")
    return notes


#: A process, given by its number, or a message in transit, given by its channel and its place in it (FIFO) or its
#: number.
Place = int | tuple[int, int]


def _longest_chain(explorer: Explorer, order: Sequence[int]) -> int:
    """Return the number of messages on the longest causal chain of all schedules, from the graph of configurations.

    A causal chain is followed like a token, which is either at a process or in a message. When the process sends, the
    token may travel with the message, which adds one to its count, or stay. When its message arrives, the token is at
    the receiver. For each configuration and each place of the token, only the largest count is kept, so no chain is
    followed twice.

    Args:
        explorer: the explorer, whose graph must have no cycle.
        order: all configurations, each before those to which its moves lead.
    """
    graph, n, keys = explorer.graph, len(explorer.situations), list(explorer.keys)
    counts: dict[int, dict[Place, int]] = {number: dict.fromkeys(range(n), 0) for number in range(graph.firsts)}
    longest = 0
    for number in order:
        here = counts.pop(number)
        longest = max(longest, max(here[i] for i in range(n)))
        key = keys[number]
        sends = {label: outcome.sends for label, _, outcome in (*explorer.moves(key), *explorer.harms(key))}
        for edge in graph.edges(number):
            label, there = graph.labels[edge], counts.setdefault(graph.targets[edge], {})
            for place, count in _moved(explorer, key, label, sends[label], here):
                if count > there.get(place, -1):
                    there[place] = count
    return longest


def _moved(
    explorer: Explorer, key: tuple[int, ...], label: int, sends: Sequence[tuple[int, int]], here: dict[Place, int]
) -> list[tuple[Place, int]]:
    """Return the possible places of the token after a move, each with its count."""
    kind, number, what = explorer.labels.things[label]
    if kind == "rules":
        return list(here.items())
    n = len(explorer.situations)
    found: list[tuple[Place, int]] = []
    at = -1 if kind == "loss" else number
    if kind in ("deliver", "loss"):
        contents = explorer.contents[number]
        word = contents.words[key[n + number]]
        if kind == "deliver":
            at = explorer.channels[number].target._i
        first = word.index(what)
        own: Place = (number, first if contents.fifo else what)
        best = here[at] if at >= 0 else -1
        for place, count in here.items():
            if isinstance(place, int) or place[0] != number:
                if place != at:
                    found.append((place, count))
            elif place == own:
                best = max(best, count)
                if not contents.fifo and word.count(what) > 1:
                    found.append((place, count))
            else:
                found.append(((number, place[1] - 1) if contents.fifo and place[1] > first else place, count))
        if at >= 0:
            if explorer.situations[at].views[key[at]]._crashed:
                best = here[at]
            found.append((at, best))
    else:
        best = here[at]
        found += here.items()
    lengths: dict[int, int] = {}
    for channel, m in sends:
        if explorer.contents[channel].fifo:
            end = lengths.setdefault(channel, len(explorer.contents[channel].words[key[n + channel]]))
            lengths[channel] += 1
            found.append(((channel, end), best + 1))
        else:
            found.append(((channel, m), best + 1))
    return found
