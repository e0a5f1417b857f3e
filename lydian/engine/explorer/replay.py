"""The conversion of a path through the graph of configurations to an experiment that runs in exactly these steps.

Every process is taken over, so that it handles only the chosen events. Messages are slow, so that none arrives by
itself. Each step is an intervention, one per unit of time: ``deliver``, ``hurry``, ``fire``, ``crash`` or ``drop``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from lydian.engine.end.failure import event_words
from lydian.engine.explorer.result import Counterexample
from lydian.engine.simulator import Simulator
from lydian.model.delays import Constant
from lydian.model.errors import ActionError, PropertyError, shown
from lydian.model.experiment.daemon import Daemon, Start
from lydian.model.experiment.experiment import Experiment, Resolved, Stop
from lydian.model.interventions import Intervention
from lydian.model.network import Network, Timing
from lydian.model.protocol.message import Message, Timer
from lydian.model.protocol.process import INIT
from lydian.trace.parquet.recorder import plain

__all__ = ["ROUNDS", "Move", "Played", "bare", "counterexample"]


@dataclass(frozen=True)
class Move:
    """One step of a schedule.

    Attributes:
        kind: ``deliver``, ``init``, ``timer``, ``command``, ``rules``, ``crash``, ``loss``, or of a traitor ``lie``
            (its message arrives changed) or ``mute`` (it is withheld).
        process: the process at which it happens; for a loss, the receiver of the message.
        what: the message, timer or command; ``INIT`` for a wake; ``None`` for a crash; for rules, pairs of a process
            and its rule.
        sender: the sender of the message.
        dead: whether the process has crashed, so that the message is dropped.
        told: for a lie, the message that arrives instead.
        choices: the position and the text of each option that its action chooses.
    """

    kind: str
    process: str
    what: Any = None
    sender: str = ""
    dead: bool = False
    told: Message | None = None
    choices: tuple[tuple[int, str], ...] = ()

    def __str__(self) -> str:
        if not self.choices:
            return self._words()
        chosen = [text for _, text in self.choices]
        return f"{self._words()} and chooses {', then '.join(chosen)}"

    def _words(self) -> str:
        if self.kind == "crash":
            return f"process {self.process} crashes"
        if self.kind == "rules":
            return " and ".join(f"process {name} executes {rule}" for name, rule in self.what)
        if self.kind == "init":
            return f"process {self.process} starts"
        if isinstance(self.what, Message):
            told = ", ".join(f"{name}={shown(value)}" for name, value in self.what._told().items())
            words = f"{type(self.what).__name__}{f'({told})' if told else ''} from {self.sender}"
            if self.kind in ("loss", "mute"):
                return f"{words} to {self.process} is {'lost' if self.kind == 'loss' else 'withheld'}"
            if self.told is not None:
                changed = {k: v for k, v in self.told._items() if v != getattr(self.what, k)}
                lie = ", ".join(f"{name}={shown(value)}" for name, value in changed.items())
                return f"process {self.process} receives {words} with the lie {lie}"
            if self.dead:
                return f"{words} reaches process {self.process}, which has crashed"
            return f"process {self.process} receives {words}"
        verb = "responds to" if isinstance(self.what, Timer) else "receives"
        return f"process {self.process} {verb} {event_words(self.what)}"

    @property
    def together(self) -> bool:
        """Whether several processes act in the same step."""
        return self.kind == "rules" and len(self.what) > 1

    def interventions(self, simulator: Simulator, time: float) -> tuple[Intervention, ...]:
        """Return what makes the move happen now, if it is a move of one process; a lie changes and then delivers."""
        if self.told is None:
            return (self._choosing(self.intervention(simulator, time)),)
        deliver = self._choosing(replace(self, kind="deliver", told=None).intervention(simulator, time))
        keys = {**deliver.keys, "fields": plain(dict(self.told._items()))}
        return (Intervention(time, "edit", after=deliver.after, keys=keys), deliver)

    def _choosing(self, what: Intervention) -> Intervention:
        """Return an intervention with the choices of this move."""
        choices = [number for number, _ in self.choices]
        return replace(what, keys={**what.keys, "choices": choices}) if choices else what

    def intervention(self, simulator: Simulator, time: float) -> Intervention:
        """Return the intervention that makes the move happen now, if it is a move of one process and no lie."""
        after = simulator.steps
        if self.kind == "crash":
            return Intervention(time, "crash", process=self.process, after=after)
        if self.kind == "rules":
            return Intervention(time, "fire", process=self.what[0][0], label=self.what[0][1], after=after)
        if self.kind in ("deliver", "loss", "mute"):
            number = min(
                each.id
                for each in simulator.configuration.in_transit
                if (each.sender._name, each.receiver._name) == (self.sender, self.process) and each.message == self.what
            )
            label = type(self.what).__name__
            link = self.sender, self.process
            do = "deliver" if self.kind == "deliver" else "drop"
            return Intervention(time, do, message=number, link=link, label=label, after=after)
        if self.what is INIT:
            return Intervention(time, "hurry", process=self.process, label=INIT.name, after=after)
        label, fields = type(self.what).__name__, plain(dict(self.what._items()))
        return Intervention(time, "hurry", process=self.process, label=label, fields=fields, after=after)


class Played:
    """A run whose processes are all taken over, so that they take only the steps that are chosen.

    Attributes:
        done: the interventions so far; an experiment with them repeats the run.
    """

    def __init__(self, simulator: Simulator) -> None:
        self.simulator = simulator
        self.done: list[Intervention] = []

    def begin(self) -> None:
        """Set up the initial configuration, and take over the processes."""
        self.simulator.begin()
        for p in self.simulator.network.processes:
            self.do(Intervention(0.0, "take_over", process=p, after=0))

    def do(self, what: Intervention) -> None:
        """Carry out an intervention now."""
        self.done.append(what)
        self.simulator.faults.apply(what)

    def until(self, time: float) -> None:
        """Execute the events that happen by themselves up to a time."""
        simulator = self.simulator
        while simulator.kernel.queue.next <= time:
            simulator.kernel.step()
            simulator.steps += 1
        simulator.kernel._now = time


#: The number of times that a cycle is played, so that one sees that it repeats.
ROUNDS = 2


def counterexample(
    resolved: Resolved, moves: Sequence[Move], kind: str, name: str, loop: int | None, messages: int, start: Start,
    look: Callable[[Simulator], Any] | None = None,
) -> Counterexample:  # fmt: skip
    """Return the experiment that takes these steps, and whether the simulator confirms the finding.

    A cycle is confirmed if the simulator is in the same configuration before and after each round of it, and the
    property does not hold there.

    Args:
        resolved: the experiment that was searched.
        moves: the steps.
        kind, name: the kind and name of the property that is violated; ``error`` if the last step fails.
        loop: the step at which a cycle begins that can be repeated for ever; it is played :data:`ROUNDS` times.
        messages: the number of messages sent, for the kind ``messages``.
        start: the initial configuration.
        look: returns the configuration of a simulator in a form that can be compared; only for a cycle.
    """
    rounds = [] if loop is None else list(moves[loop:])
    played = [*moves, *rounds * (ROUNDS - 1)]
    together = any(move.together for move in moves)
    pace = 2 if together else 1  # a step of the daemon takes an extra unit of time
    slow = bare(resolved, pace * len(played), kind, name, start, together)
    run = Played(Simulator(slow, check=False))
    seams = set() if loop is None else set(range(loop, len(played) + 1, len(rounds)))
    shown, met = True, []

    def notice(at: int) -> None:
        if at in seams and look is not None:
            met.append((look(run.simulator), _holds(run.simulator, name)))

    with run.simulator.guard():
        run.begin()
        for at, move in enumerate(played):
            try:
                run.until(float(pace * at))
                notice(at)
                _take(run, move, float(pace * at))
            except ValueError:  # the message is missing, as the run took a different path
                shown = False
                break
            except ActionError:
                shown = kind == "error" and at == len(played) - 1
                break
        else:
            if seams:
                run.until(pace * len(played) - 0.5)
                notice(len(played))
    last = pace * len(played) - 0.5
    stop = Stop(until=max(0.0, last)) if kind == "always" or loop is not None else Stop()
    experiment = slow.experiment.with_(interventions=tuple(run.done), stop=stop)
    if loop is None:
        shown = shown and _shows(replace(slow, experiment=experiment), kind, name, messages)
    else:
        shown = shown and all(each == met[0] and not each[1] for each in met)
    return Counterexample(tuple(map(str, moves)), loop, experiment, shown)


def _take(run: Played, move: Move, time: float) -> None:
    """Make a move happen now.

    Raises:
        ValueError: it is not possible now.
        ActionError: its action fails.
    """
    if not move.together:
        for each in move.interventions(run.simulator, time):
            run.do(each)
        return
    for p, _ in move.what:
        run.do(Intervention(time, "release", process=p, after=run.simulator.steps))
    run.until(time + 1.5)
    for p, _ in move.what:
        run.do(Intervention(time + 1.5, "take_over", process=p, after=run.simulator.steps))


def _holds(simulator: Simulator, name: str) -> bool:
    """Return True if the property with this sentence holds now."""
    found = next(each for each in simulator.protocol.properties if each.name == name)
    return bool(found.holds(simulator.configuration))


def _shows(resolved: Resolved, kind: str, name: str, messages: int) -> bool:
    try:
        result = Simulator(resolved, check=True).run()
    except PropertyError:
        return False
    if kind == "error":
        return result.error is not None
    if kind == "messages":
        return result.messages == messages and result.stopped == "quiescent"
    return any((check.name, check.kind, check.holds) == (name, kind, False) for check in result.checks)


def bare(resolved: Resolved, steps: int, kind: str, name: str, start: Start, together: bool) -> Resolved:
    """Return the experiment without faults, in which no event happens by itself during the given number of steps."""
    old, network = resolved.experiment, resolved.network
    delay = Constant(float(max(1000, 10 ** len(str(10 * steps)))))
    about = {
        "error": f"A schedule in which it fails: {name}.",
        "messages": f"{name}.",
        "run": f"{name}.",
    }.get(kind, f'A schedule in which "{name}" does not hold.')
    if _simple(network):
        timing = replace(old.timing, delay=delay, links={}, classes={}, gst=None)
        experiment = old.with_(timing=timing)
    else:
        experiment = old.with_(network=_slow(network, delay), timing=Timing())
    experiment = experiment.with_(
        name=f"{old.name}-schedule", about=about, faults=(), branches=(), stop=Stop(), check=True,
        interventions=(), workload=_planned(old), start=start,
    )  # fmt: skip
    if resolved.protocol.rules:
        daemon = Daemon("synchronous", Constant(1.0)) if together else Daemon("user")
        experiment = experiment.with_(daemon=daemon)
    return replace(resolved, experiment=experiment, network=_slow(network, delay))


def _planned(experiment: Experiment) -> tuple[Intervention, ...]:
    """Return the actions of users: the workload, and the commands given during the run."""
    done = (replace(each, after=None) for each in experiment.interventions if each.kind.of_user)
    return tuple(sorted((*experiment.workload, *done), key=lambda each: each.time))


def _simple(network: Network) -> bool:
    """Return True if a different delay for the network is enough to make all messages slow."""
    own = any(link.delay or link.loss or link.outages or link.klass for link in network.links)
    return not (own or network.loss or network.classes or network.step or network.steps or network.gst)


def _slow(network: Network, delay: Constant) -> Network:
    """Return the same network with slow messages, no losses, and steps that take no time."""
    links = tuple(replace(link, delay=None, klass=None, loss=None, outages=()) for link in network.links)
    return network.replace(links=links, delay=delay, classes={}, loss=0.0, step=None, steps={}, gst=None)
