"""The search for a run that fails if an assumption of a protocol is violated.

First all schedules of small networks are explored, breadth first, so that the run found is a shortest one; each network
is explored with all assumptions met as well, and is left out if something fails there already. Where no exploration is
possible (an overlay, rounds, an action that reads the clock), runs are drawn at random, and the first one that fails is
shortened. The same request gives the same answer, unless the time limit is reached.

An assumption with a number, such as at most f crashes, is violated by one fault more, and what fails with f faults as
well does not count. A process may crash while it sends. The lies of a Byzantine process are drawn at random.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from time import monotonic
from typing import Any

import numpy as np

from lydian.engine.end.result import Result
from lydian.engine.explorer.result import Exploration, Finding
from lydian.engine.explorer.search import Explorer
from lydian.engine.shorten.failing import Failing, failing_of, size_of
from lydian.engine.shorten.shorten import shorten
from lydian.engine.simulator import Simulator
from lydian.engine.witness.networks import missing, small, violating
from lydian.model.archive.shelves import shelves
from lydian.model.delays import parse
from lydian.model.errors import BadInput, LydianError
from lydian.model.experiment.assumptions import FIRM, faulty, over
from lydian.model.experiment.daemon import Start
from lydian.model.experiment.experiment import UNDISTURBED, Experiment, Resolved, Stop
from lydian.model.experiment.idleruns import first_commands
from lydian.model.interventions import HOWS, Intervention
from lydian.model.network import Network, Timing
from lydian.model.protocol.bounds import LIARS, SYNCHRONY, TEXTS, Bound
from lydian.model.protocol.properties import Need, about_time, bounded_delay
from lydian.model.protocol.protocol import Protocol
from lydian.model.streams import stream_key
from lydian.trace.events import Kind

__all__ = ["RUNS", "SECONDS", "STATES", "Answer", "Progress", "Relying"]

#: The bounds for one assumption: seconds, configurations of one network, and random runs.
SECONDS, STATES, RUNS = 20.0, 60_000, 200
#: The configurations of each network in a first attempt.
_FIRST_STATES = 8_000
#: The numbers of processes of the networks that are explored, and of those of random runs.
_EXPLORED, _RUN = (2, 3, 4), (3, 4, 5, 6)
#: The number of networks of one size that are explored, the events after which a random run ends, its seconds, and the
#: seconds for shortening it.
_MOST_NETWORKS, _MOST_EVENTS, _SHORTENING = 4, 5_000, 10.0
#: The share of the time for exploring schedules, if runs at random follow.
_FOR_SCHEDULES = 0.7
#: A mean delay that is often exceeded greatly, for runs without a bound on delays.
_UNBOUNDED = "pareto(mean=2, a=1.3)"
#: The kinds of failure, the most telling first.
_RANK = ("always", "error", "at_end", "eventually", "nothing", "messages")


@dataclass(frozen=True)
class Progress:
    """The work on one assumption so far.

    Attributes:
        configurations, runs: the numbers of configurations found and of runs made.
        processes: the number of processes of the current network.
        share: the share of the time that has passed; 0 if there is no bound.
    """

    need: str
    configurations: int
    runs: int
    processes: int
    share: float = 0.0


@dataclass(frozen=True)
class Answer:
    """The findings of the search for a witness about an assumption.

    Attributes:
        need: the name of the assumption.
        verdict: ``needed`` (a run fails without it), ``unneeded`` (in all schedules of some networks nothing fails),
            ``open`` (no failing run was found, which proves nothing), ``fixed`` (the simulator itself relies on it).
        kind, name: the kind and the name of the property that fails, as in an exploration; ``nothing`` if no process
            takes a step.
        steps: the steps of the witness, or the events if it was drawn at random.
        loop: the step from which it can be repeated for ever.
        processes: the largest number of processes for which all schedules were explored, or of the witness.
        configurations, runs: the numbers of configurations explored and of runs made without the assumption.
        drawn: whether the witness was drawn at random.
        whole: whether all schedules of every network chosen were explored.
        why: why an action fails, or why nothing could be explored.
        experiment: the witness.
    """

    need: str
    verdict: str
    kind: str = ""
    name: str = ""
    steps: int = 0
    loop: int | None = None
    processes: int = 0
    configurations: int = 0
    runs: int = 0
    drawn: bool = False
    whole: bool = True
    why: str = ""
    experiment: Experiment | None = field(default=None, repr=False)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data, with the experiment as in its file."""
        told = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return told | {"experiment": None if self.experiment is None else self.experiment.to_dict()}


@dataclass(frozen=True)
class _Base:
    """A small experiment that meets all assumptions, its network, and what its exploration found, by patience.

    ``spared`` are the bounds of that exploration for faults that the assumptions permit.
    """

    experiment: Experiment
    network: Network
    spared: Mapping[str, Any] = field(default_factory=dict)
    controls: dict[bool, Exploration] = field(default_factory=dict)


class _Over(Exception):
    """The time limit has been reached, or the user has stopped the search."""


class Relying:
    """The search for witnesses of the assumptions of one protocol.

    Args:
        experiment: an experiment of it, from which parameters and commands are taken.
        seconds: the time for each assumption; ``None`` for no bound.
        states, runs: the largest number of configurations of one network, and of random runs.
        progress: called from time to time.

    Attributes:
        timing: whether the protocol relies on time, as far as it was explored: ``False`` if nothing fails although
            messages take any time and timers expire at any time, ``None`` if unknown.
        controlled: the numbers of processes and configurations that were explored with all assumptions met.
    """

    def __init__(
        self,
        experiment: Experiment,
        *,
        seconds: float | None = SECONDS,
        states: int = STATES,
        runs: int = RUNS,
        progress: Callable[[Progress], object] | None = None,
    ) -> None:
        self._given = experiment
        self.protocol: Protocol = shelves().protocol(experiment.protocol_ref)
        self._seconds, self._states, self._runs, self._progress = seconds, states, runs, progress
        self._stopped = False
        self._explorer: Explorer | None = None
        self._bases: dict[int, list[_Base]] = {}
        self._patient = False  # whether something fails anyway unless timers expire when nothing else can happen
        self._end: float | None = None
        self._weak: list[Answer] = []  # nothing happens, or only the number of messages differs; there may be worse
        self._why = ""
        self._need = ""
        self._seen = self._made = self._size = 0
        self._most = states
        self.timing: bool | None = None
        self.controlled = (0, 0)

    def stop(self) -> None:
        """End the search soon; the current assumption stays open."""
        self._stopped = True
        if self._explorer is not None:
            self._explorer.cancel()

    @property
    def needs(self) -> tuple[Need, ...]:
        """The assumptions that the protocol declares and, if it has timers, the one that their use suggests."""
        declared = self.protocol.needs
        hidden = bool(self.protocol.timers) and not about_time(declared)
        return (*declared, bounded_delay) if hidden else declared

    def need(self, name: str) -> Need:
        """Return an assumption of the protocol.

        Raises:
            BadInput: it does not make this assumption.
        """
        found = next((each for each in self.needs if each.name == name), None)
        if found is None:
            there = ", ".join(each.name for each in self.needs) or "none"
            raise BadInput(f"{self.protocol.title} does not assume {name!r}; its assumptions: {there}")
        return found

    def look(self, name: str) -> Answer:
        """Search for a run that fails without an assumption."""
        need = self.need(name)
        if self._fixed(need):
            return Answer(name, "fixed")
        self._end = None if self._seconds is None else monotonic() + self._seconds
        self._need, self._seen, self._made, self._size = name, 0, 0, 0
        biggest, proved, whole, tried = 0, 0, True, False
        self._weak.clear()
        try:
            for n in _EXPLORED:
                outcome = self._explored(need, n)
                if isinstance(outcome, Answer):
                    return outcome
                if outcome is not None:
                    tried = True
                    biggest, proved, whole = (n, self._seen, whole) if outcome else (biggest, proved, False)
                if not whole:  # larger networks have more schedules
                    break
        except _Over:
            whole = False
        try:
            twice = need.breach is not None and "duplicate" in need.breach.deeds  # which is not explored
            if not self._weak and (not biggest or not whole or twice):
                found = self._drawn(need)
                if found is not None:
                    return found
        except _Over:
            whole = False
        if self._weak:
            return self._weak[0]
        return Answer(
            name, "unneeded" if biggest else "open", processes=biggest, configurations=proved or self._seen,
            runs=self._made, whole=whole, why="" if tried else self._why,
        )  # fmt: skip

    def _fixed(self, need: Need) -> bool:
        """Return True if an assumption cannot be violated, or only together with one on which the simulator relies."""
        if need.breach is None:
            return need.name in FIRM
        network = next(small(self.protocol.needs, (3, 4)), None)
        choices = () if network is None else violating(need, self.protocol.needs, network)
        return bool(choices) and all(set(broken) & set(FIRM) for _, broken in choices)

    # ------------------------------------------------------------------ all schedules

    def _explored(self, need: Need, n: int) -> Answer | bool | None:
        """Explore networks of one size without an assumption.

        Return a witness; or else whether all schedules were explored, or ``None`` if nothing was.
        """
        bound, bases = need.bound, self._experiments(n)
        if bound is not None and bound.what is LIARS:
            self._why = "the lies of a process were drawn at random"
            return None
        if bound is not None and bound.what is not SYNCHRONY:
            bases = [found for base in bases for found in self._spared(base, bound)]
        open_ = [(base, *pair) for base in bases for pair in self._broken(base, need)]
        tried = False
        for most in (min(_FIRST_STATES, self._states), self._states):  # a later network may have a witness nearby
            self._most, left = most, []
            for base, experiment, harm in open_:
                outcome = self._compared(need, base, experiment, harm)
                if isinstance(outcome, Answer) and outcome.kind not in ("messages", "nothing"):
                    return outcome
                if isinstance(outcome, Answer):
                    self._weak.append(outcome)
                elif outcome is False:
                    left.append((base, experiment, harm))
                tried = tried or outcome is not None
            open_ = left
        return not open_ if tried else None

    def _spared(self, base: _Base, bound: Bound) -> Iterator[_Base]:
        """Yield an experiment in which as many processes may crash as is assumed, and others with fewer crashes.

        All processes start if that is permitted, so that the crash of the only one that starts is not the reason.
        """
        everybody = base.network.replace(initiators=base.network.processes)
        if not missing(self.protocol.needs, everybody):
            base = _Base(base.experiment.with_(network=everybody), everybody)
        given = self.protocol.configure(base.experiment.parameters)
        name = bound.most if bound.most in given else ""
        for most in dict.fromkeys(min(each, int(given[name])) for each in (int(given[name]), 1, 0)) if name else (0,):
            parameters = {**base.experiment.parameters, **({name: most} if name else {})}
            crashes = bound.value(base.network, parameters)
            if crashes is not None and crashes + 1 < base.network.n:  # one process is left
                experiment = base.experiment.with_(parameters=parameters)
                yield _Base(experiment, base.network, {"crashes": int(crashes), "sudden": True})

    def _broken(self, base: _Base, need: Need) -> Iterator[tuple[Experiment, dict[str, Any]]]:
        """Yield a small experiment without the assumption, and the harm that is done in it."""
        breach = need.breach
        if base.spared:
            yield base.experiment.with_(breaks=(need.name,)), {**base.spared, "crashes": base.spared["crashes"] + 1}
            return
        for network, broken in violating(need, self.protocol.needs, base.network):
            yield base.experiment.with_(network=network, breaks=broken), {}
        if breach is not None and (breach.crashes or breach.losses or breach.hurried):
            harm = {"crashes": breach.crashes, "losses": breach.losses}
            yield base.experiment.with_(breaks=(need.name,)), harm

    def _compared(
        self, need: Need, base: _Base, experiment: Experiment, harm: Mapping[str, int]
    ) -> Answer | bool | None:
        """Explore an experiment with and without an assumption.

        Return a witness; or else whether all schedules were explored, or ``None`` if the comparison says nothing.
        """
        hurried = need.breach is not None and need.breach.hurried
        for patient in (False, True) if self.protocol.timers and not hurried else (False,):
            if patient < self._patient and not hurried:
                continue
            result = self._search(experiment, patient=patient, hasty=True, **{"crashes": 0, "losses": 0, **harm})
            if result is None:
                return None
            self._seen += result.configurations
            failed = _failed(result)
            if result.nothing is None and not failed:
                return result.complete if self._as_judged(base, patient or hurried, result) else None
            steps = max((len(each.counterexample.steps) for each in failed), default=1)  # type: ignore[union-attr]
            before = self._control(base, patient or hurried, steps)
            if before is None or before.nothing is not None:
                return None
            if result.nothing is not None:
                return self._answer(need, base, experiment.with_(about=""), "nothing", why=result.nothing)
            anyway = {(each.kind, each.name) for each in before.failed}
            new = [each for each in failed if (each.kind, each.name) not in anyway]
            if new and (before.complete or before.depth >= steps):
                worst = min(new, key=lambda each: (_RANK.index(each.kind), len(each.counterexample.steps)))  # type: ignore[union-attr]
                shown = worst.counterexample
                assert shown is not None
                return self._answer(
                    need, base, shown.experiment, worst.kind, name=worst.name, steps=len(shown.steps), loop=shown.loop,
                    why=self._brief(worst.why),
                )  # fmt: skip
            self._patient = self._patient or (bool(self.protocol.timers) and not patient and not hurried)
        self._why = "something fails although all assumptions are met, or it is unknown whether it does"
        return None

    def _as_judged(self, base: _Base, patient: bool, result: Exploration) -> bool:
        """Return False if a property cannot be judged without the assumption, though it can be judged with it."""
        unjudged = {each.name for each in result.findings if each.holds is None}
        if not result.complete or not unjudged:
            return True
        before = self._control(base, patient, self._states)
        judged = before is not None and any(each.holds is not None for each in before.findings if each.name in unjudged)
        if judged or before is None or not before.complete:
            self._why = "a property cannot be judged without the assumption"
            return False
        return True

    def _answer(self, need: Need, base: _Base, shown: Experiment, kind: str, **facts: Any) -> Answer:
        """Return the answer with a witness."""
        about = f"Without the assumption that {need.sentence}. {shown.about}".strip()
        witness = shown.with_(name=f"{self.protocol.name}-without-{_slug(need.name)}", about=about)
        return Answer(
            need.name, "needed", kind, processes=base.network.n, configurations=self._seen, runs=self._made,
            experiment=witness, **facts,
        )  # fmt: skip

    def _control(self, base: _Base, patient: bool, steps: int) -> Exploration | None:
        """Explore an experiment with all assumptions met, as far as a failure without one of them."""
        known = base.controls.get(patient)
        if known is not None and (known.complete or known.depth > steps):
            return known
        bounds = {"crashes": 0, "losses": 0, **base.spared}
        found = self._search(base.experiment, **bounds, patient=patient, depth=steps + 1)
        if found is not None:
            base.controls[patient] = found
        return found

    def control(self) -> None:
        """Explore the small networks with all assumptions met, for :attr:`timing` and :attr:`controlled`."""
        self._end = None if self._seconds is None else monotonic() + self._seconds / 2
        self._most = self._states
        self._need, self._seen, self._made, self._size = "", 0, 0, 0
        try:
            for n in _EXPLORED:
                for base in self._experiments(n):
                    for patient in (False, True) if self.protocol.timers else (False,):
                        result = self._search(base.experiment, crashes=0, losses=0, patient=patient)
                        if result is None or result.nothing is not None or not result.complete:
                            return
                        if all(each.kind == "messages" for each in result.failed):
                            self.controlled = n, self.controlled[1] + result.configurations
                            self.timing = patient or bool(self.timing)
                            break
                    else:
                        return
        except _Over:
            return

    def _search(self, experiment: Experiment, **bounds: Any) -> Exploration | None:
        """Explore all schedules of an experiment; return ``None`` where that is not possible."""
        left = self._left(_FOR_SCHEDULES)
        try:
            resolved = experiment.resolve()
            self._size = resolved.network.n
            explorer = self._explorer = Explorer(
                resolved,
                states=self._most,
                seconds=None if left is None else left / 2,
                progress=lambda at: self._tell(at.configurations),
                **bounds,
            )
            result = explorer.run()
        except LydianError as error:
            self._why = str(getattr(error, "what", error))
            return None
        finally:
            self._explorer = None
        if self._stopped:
            raise _Over
        return result

    def _experiments(self, n: int) -> Sequence[_Base]:
        """Return experiments of one size that meet all assumptions: the given one if it is of this size, and others."""
        if n not in self._bases:
            made = (pair for network in self._networks((n,)) for pair in self._on(network))
            self._bases[n] = [_Base(*pair) for pair in islice(made, _MOST_NETWORKS)]
        return self._bases[n]

    def _networks(self, sizes: Sequence[int]) -> Iterator[Network]:
        yield from self._own(sizes)
        yield from small(self.protocol.needs, sizes)

    def _own(self, sizes: Sequence[int]) -> Iterator[Network]:
        """Yield the network of the given experiment if it is of one of these sizes and meets all assumptions."""
        try:
            network = self._given.with_(**UNDISTURBED, branches=(), mobility=None, breaks=()).resolve().network
        except LydianError:
            return
        if network.n in sizes:
            yield network

    def _on(self, network: Network) -> Iterator[tuple[Experiment, Network]]:
        """Yield the given experiment on another network, without faults."""
        given, protocol = self._given, self.protocol
        about = {**UNDISTURBED, "mobility": None, "branches": (), "breaks": (), "timing": Timing(), "animation": None}
        asked = tuple(each for each in given.workload if each.process in network.index)
        parameters = dict(given.parameters)
        if "size" in protocol.parameters:  # the number of processes, as far as processes know it
            parameters["size"] = network.n
        fitting = parameters
        for bound in (each.bound for each in protocol.needs if each.bound is not None):
            fitting = _fewer_faults(bound, protocol, fitting, network)
        start = given.start if given.start.any else Start()
        base = given.with_(**about | {"network": network, "start": start, "stop": Stop(), "parameters": parameters})
        if protocol.commands and not asked and self._idle(base.with_(workload=())):
            asked = first_commands(protocol, network)
        some = (asked, asked[:2]) if len(asked) > 2 else (asked,)
        choices = [(workload, each) for workload in some for each in (parameters, fitting)]
        for at, (workload, each) in enumerate(choices):
            if (workload, each) in choices[:at]:
                continue
            made = base.with_(workload=workload, parameters=each)
            try:
                made.resolve()
            except LydianError as error:
                self._why = str(getattr(error, "what", error))
                continue
            yield made, network

    def _idle(self, experiment: Experiment) -> bool:
        """Return True if nothing happens in an experiment."""
        try:
            result = Simulator(experiment.resolve(), check=False, limit=10).run()
        except (LydianError, ValueError):
            return False
        return result.nothing is not None

    # ------------------------------------------------------------------ random runs

    def _drawn(self, need: Need) -> Answer | None:
        """Search for a failing run among random ones, and shorten it."""
        bases = []
        for network in [*self._own(range(2, 41)), *small(self.protocol.needs, _RUN)]:
            bases += [found for found, _ in self._on(network)][:1]
            if len(bases) == 3 * _MOST_NETWORKS:
                break
        for number in range(self._runs if bases else 0):
            self._left()
            chance = random.Random(stream_key(number, "witness", need.name))
            base = bases[number % len(bases)].with_(seed=number)
            before = self._ran(base)
            if before is None or failing_of(before) is not None or before.nothing is not None:
                continue
            experiment = self._without(base, need, before, chance)
            result = None if experiment is None else self._ran(experiment)
            if experiment is None or result is None:
                continue
            self._made += 1
            self._size = len(before.trace.processes)
            self._tell(0)
            failing = failing_of(result)
            if failing is None or failing.kind == "messages" or self._fails_with_fewer(need, experiment, failing):
                continue
            return self._witness(need, experiment, result)
        return None

    def _fails_with_fewer(self, need: Need, experiment: Experiment, failing: Failing) -> bool:
        """Return True if a run fails in the same way although one of its processes is not faulty."""
        if need.bound is None or need.bound.what is SYNCHRONY:
            return False
        for name in faulty(need.bound.what, experiment.faults):
            rest = [each for each in experiment.faults if name not in (each.process, (each.link or ("",))[0])]
            result = self._ran(experiment.with_(faults=tuple(rest)))
            if result is None or failing.in_(result):
                return True
        return False

    def _ran(self, experiment: Experiment) -> Result | None:
        try:
            return Simulator(experiment.resolve(), check=True, limit=_MOST_EVENTS).run()
        except (LydianError, ValueError):
            return None

    def _without(self, base: Experiment, need: Need, before: Result, chance: random.Random) -> Experiment | None:
        """Return an experiment without the assumption, at a moment drawn at random."""
        network = base.network
        assert isinstance(network, Network)
        choices = violating(need, self.protocol.needs, network)
        breach = need.breach
        if choices:
            changed, broken = chance.choice(choices)
            found = base.with_(network=changed, breaks=broken)
            if breach is not None and changed.order != network.order:  # so that messages do overtake each other
                found = found.with_(timing=Timing(delay=parse("exponential(mean=1)")))
            return found
        if breach is None:
            return None
        if need.bound is not None and need.bound.what is not SYNCHRONY:
            return self._overdone(base, need.bound, before, chance)
        if breach.hurried:
            return base.with_(timing=Timing(delay=parse(_UNBOUNDED)), breaks=(need.name,))
        rows = before.trace.rows
        if breach.crashes:
            time = chance.uniform(0, before.time)
            faults = (Intervention(time, "crash", process=chance.choice(network.processes)),)
            return base.with_(faults=faults, breaks=(need.name,))
        sent = np.nonzero(rows["kind"] == Kind.SEND)[0]
        if not len(sent) or not breach.deeds:
            return None
        row = rows[chance.choice(sent.tolist())]
        link = before.trace.processes[row["process"]], before.trace.processes[row["peer"]]
        do = chance.choice(breach.deeds)
        fault = Intervention(float(row["time"]), do, link=link, delay=1.0 if do == "delay" else None)
        return base.with_(faults=(fault,), breaks=(need.name,))

    def _overdone(
        self, base: Experiment, bound: Bound, before: Result, chance: random.Random
    ) -> Experiment | None:  # fmt: skip
        """Return an experiment in which one process more is faulty than is assumed."""
        network = base.network
        assert isinstance(network, Network)
        most = bound.value(network, self.protocol.configure(base.parameters))
        if most is None or most + 1 >= network.n:
            return None
        faults: list[Intervention] = []
        for name in chance.sample(network.processes, int(most) + 1):
            if bound.what is LIARS:
                faults.append(Intervention(0.0, "byzantine", process=name, how=chance.choice(list(HOWS))))
            else:
                faults += _dying(name, before, chance)
        return base.with_(faults=tuple(sorted(faults, key=lambda each: each.time)), breaks=(TEXTS[bound.what].name,))

    def _witness(self, need: Need, experiment: Experiment, result: Result) -> Answer:
        """Shorten a failing run; keep it as it is if the shorter run no longer violates the assumption."""
        failing = failing_of(result)
        assert failing is not None
        resolved = experiment.resolve()
        size = size_of(resolved, result)
        left = None if self._end is None else min(_SHORTENING, max(self._end - monotonic(), 2.0))
        try:
            found = shorten(
                resolved, None if failing.kind == "error" else failing.name, seconds=left, stopped=lambda: self._stopped
            )
            if found.after.processes > 1 and self._violates(need, found.experiment.resolve()):
                experiment, size = found.experiment, found.after
        except LydianError:
            pass
        why = self._brief(result.error or "")
        name = "" if failing.kind == "error" else failing.name
        network = experiment.resolve().network
        return self._answer(
            need, _Base(experiment, network), experiment, failing.kind, name=name, steps=size.events, drawn=True,
            why=why,
        )  # fmt: skip

    def _brief(self, why: str) -> str:
        """Return a sentence with the name of the protocol's file instead of its path."""
        path = self.protocol.path
        return why if path is None else why.replace(str(path), path.name)

    def _violates(self, need: Need, resolved: Resolved) -> bool:
        if need.bound is not None and need.bound.what is not SYNCHRONY:
            own = resolved.experiment
            return over(need.bound, resolved.network, own.faults, bool(own.churn), resolved.parameters) is not None
        if need.missing(resolved.network) is not None or (need.breach is not None and need.breach.hurried):
            return True
        done = {each.do for each in (*resolved.experiment.faults, *resolved.experiment.interventions)}
        harm = {"crash", *(need.breach.deeds if need.breach is not None else ())}
        return bool(done & harm)

    # ------------------------------------------------------------------ time

    def _left(self, share: float = 1.0) -> float | None:
        """Return the seconds that are left of the given share of the time.

        Raises:
            _Over: none is left, or the user has stopped the search.
        """
        left = None if self._end is None or self._seconds is None else self._end - monotonic()
        if left is not None and self._seconds is not None:
            left -= (1 - share) * self._seconds
        if self._stopped or (left is not None and left <= 0):
            raise _Over
        return left

    def _tell(self, configurations: int) -> None:
        if self._progress is not None:
            left = 0.0 if self._end is None else self._end - monotonic()
            share = 1 - max(left, 0.0) / self._seconds if self._seconds else 0.0
            self._progress(Progress(self._need, self._seen + configurations, self._made, self._size, share))


def _failed(result: Exploration) -> list[Finding]:
    """Return the findings that a run demonstrates."""
    return [
        each for each in result.failed
        if each.counterexample is not None and (each.counterexample.replayed or each.counterexample.loop is not None)
    ]  # fmt: skip


def _fewer_faults(
    bound: Bound, protocol: Protocol, parameters: dict[str, Any], network: Network
) -> dict[str, Any]:  # fmt: skip
    """Return parameters with the largest number of faults, at most the given one, that a network permits."""
    name = bound.most
    if not bound.given or name not in protocol.parameters:
        return parameters
    most = int(protocol.configure(parameters)[name])
    fits = (each for each in range(most, -1, -1) if bound.met(network, {**parameters, name: each}))
    return {**parameters, name: next(fits, most)}


def _dying(name: str, before: Result, chance: random.Random) -> list[Intervention]:
    """Return faults by which a process crashes at a moment drawn at random, often while it sends."""
    rows, names = before.trace.rows, before.trace.processes
    own = rows[(rows["kind"] == Kind.SEND) & (rows["process"] == names.index(name))]
    if not len(own) or chance.random() < 0.25:
        return [Intervention(chance.uniform(0, before.time), "crash", process=name)]
    time = float(chance.choice(sorted(set(own["time"].tolist()))))
    to = [names[each] for each in own["peer"][own["time"] == time].tolist()]
    lost = [Intervention(time, "drop", link=(name, each)) for each in to if chance.random() < 0.6]
    return [*lost, Intervention(time + 0.01, "crash", process=name)]


def _slug(name: str) -> str:
    return name.replace(" ", "-")
