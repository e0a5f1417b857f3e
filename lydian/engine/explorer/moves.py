"""The moves that are possible in a configuration of a search: events of processes and channels, and faults."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, product
from typing import Any

from lydian.engine.channel import Channel
from lydian.engine.explorer.local import HISTORY, Contents, Histories, Outcome, Situations, World, reads
from lydian.engine.explorer.numbers import Numbers
from lydian.engine.explorer.seen import Seen
from lydian.engine.explorer.sends import Sends
from lydian.engine.explorer.watched import Watched
from lydian.engine.setup import make_channels, make_memory, make_processes, own_channel, sends_to_itself
from lydian.model.errors import BadInput
from lydian.model.experiment.daemon import Start
from lydian.model.experiment.experiment import Resolved
from lydian.model.limits import pressed
from lydian.model.protocol.message import Message, accepted_types, annotation_text
from lydian.model.protocol.observer import Observation, observers_of
from lydian.model.protocol.process import Process, Variable

__all__ = ["Key", "Moves", "Step"]

#: A configuration: the situations of the processes, the contents of the channels, the history if properties read it,
#: the contents of the shared objects if there are any, the variables of the observers if properties may read these, and
#: the number of messages that may still be lost.
Key = tuple[int, ...]
#: A move: its label, the configuration after it (``None`` if its action fails), and its outcome.
Step = tuple[int, "Key | None", Outcome]
_NO_OUTCOME = Outcome(-1)


class Moves:
    """The moves of one experiment.

    Args:
        resolved: the experiment.
        crashes, losses: the largest numbers of processes that may crash and of messages that may be lost.
        late_starts: whether messages and timers may reach an initiator before it wakes up.
        patient: whether a timer expires only when no other event is enabled.
        sudden: whether a process may crash while it sends: after its crash, its messages in transit may be lost.
        traitors: the processes whose messages may be changed or withheld.
        lies: field of their messages -> the values that it may get; truth values are also negated.

    Attributes:
        situations: the situations of each process, in the order of the network.
        channels, contents: the channels, and the numbered contents of each channel.
        kinds: whether channels are FIFO -> the numbered contents of such channels.
        messages, labels: all messages and moves found so far.
        chosen: the label of a move whose action chooses -> its choices, as in an outcome.
        events: the label of such a move -> the label of its event, whatever the action chooses.
        harmful: the labels of faults and of a daemon's choices, which need not happen.
        cells: the state and the event of each action executed.
        seen: the configuration that properties read.
        ticks: the number of actions so far, which shows that the search makes progress.
        effects: the effects that the action in progress has requested so far.
        sends: the processes to which each process may still send, as far as this has been found.
        watched: the observers, if properties may read any.
    """

    def __init__(
        self, resolved: Resolved, crashes: int, losses: int, late_starts: bool, patient: bool,
        traitors: Sequence[str] = (), lies: Mapping[str, Sequence[Any]] | None = None, sudden: bool = False,
    ) -> None:  # fmt: skip
        self.resolved, self.protocol, self.network = resolved, resolved.protocol, resolved.network
        self.crashes, self.losses, self.sudden = crashes, losses, sudden
        self.late_starts, self.patient = late_starts, patient
        self.traitors, self._lies = frozenset(traitors), dict(lies or {})
        self.ticks = 0
        protocol, network, resolved = self.protocol, self.network, self.resolved
        parameters = protocol.configure(resolved.experiment.parameters, file=resolved.experiment.file)
        memory = make_memory(protocol, network, parameters)
        self._world = World(resolved.experiment.seed, memory)
        self.effects: list[tuple[Any, Any]] = []
        processes = make_processes(protocol, network, parameters, self._world)
        self.channels: list[Channel] = make_channels(network, processes, 0)
        if sends_to_itself(protocol) and not network.anonymous:
            self.channels += [own_channel(p, network, 0) for p in processes]
        self.messages, chances, self.labels = Numbers(), Numbers(), Numbers()
        self.cells: set[tuple[str, str]] = set()
        self.kinds = {fifo: Contents(fifo) for fifo in (False, True)}
        self.contents = [self.kinds[c.fifo] for c in self.channels]
        numbers = {id(channel): number for number, channel in enumerate(self.channels)}
        starts = set(network.initiators) if "INIT" in protocol.table.events else set()
        planned: dict[str, list[Any]] = {name: [] for name in network.processes}
        for each in sorted(self._users(), key=lambda each: each.time):
            planned[each.process].append(each.kind.event(each, protocol))
        self.situations: list[Situations] = []
        senders = [channel.name for channel in self.channels]
        for p in processes:
            p._effects = self.effects
            p._lied = p._faulty = p._name in self.traitors
            links = {to: numbers[id(channel)] for to, channel in p._links.items()}
            users = planned[p._name]
            self.situations.append(
                Situations(p, protocol, links, users, p._name in starts, self.messages, chances, self.cells, senders)
            )
        shown = make_processes(protocol, network, parameters, self._world) if protocol.rules else []
        self.histories = Histories(network.processes) if reads(protocol, HISTORY) else None
        self._initial = self._world.kept()
        self._watch()
        self._shared = len(processes) + len(self.channels) + (self.histories is not None) if protocol.shared else -1
        self.seen = Seen(self.situations, self.channels, self.contents, self.messages, network, shown, self.histories)
        if protocol.shared:
            self.seen.remembers(memory, self._world.put, self._shared)
        if self.watched is not None:
            self.seen.watches(self.watched, self._place_of_observers)
        self._own: list[dict[int, list[tuple[int, Outcome]]]] = [{} for _ in processes]
        self._coming: list[dict[tuple[int, int], list[tuple[int, int, Outcome]]]] = [{} for _ in self.channels]
        self._rules = _RuleMoves(self) if protocol.rules else None
        self._targets = [channel.target._i for channel in self.channels]
        self._false = [number for number, c in enumerate(self.channels) if c.source._name in self.traitors]
        self._lies_known: dict[tuple[int, int, int], list[tuple[int, int, Outcome]]] = {}
        self.harmful: set[int] = set()
        self.chosen: dict[int, tuple[tuple[int, str], ...]] = {}
        self.events: dict[int, int] = {}
        self.sends = Sends(len(processes))

    def _watch(self) -> None:
        """Prepare the observers, if the protocol has any."""
        classes = observers_of(self.protocol.properties)
        self._place_of_observers = len(self.situations) + len(self.channels) + (self.histories is not None)
        self._place_of_observers += bool(self.protocol.shared)
        self.watched = Watched(classes, self.protocol.file, self.protocol.source) if classes else None
        self._world.watched = self.watched
        self._world.ends = [(c.source._name, c.target._name) for c in self.channels]

    def _told(self, kind: str, process: str, number: int = -1, message: int = -1) -> tuple[int, ...]:
        """Return the events that observers are told of a crash, or of the loss of a message on a channel."""
        if self.watched is None:
            return ()
        if number < 0:
            return (self.watched.event(Observation(kind, process)),)
        m = self.messages.things[message]
        ends, fields = self._world.ends[number], dict(m._items())
        return (self.watched.event(Observation(kind, ends[1], ends[0], type(m).__name__, fields)),)

    def _lost(self, key: Key, number: int, message: int, left: int) -> Key:
        """Return the configuration after the loss of a message on a channel, on which ``left`` remains."""
        new = list(key)
        new[len(self.situations) + number] = left
        if self.watched is not None:
            at = self._place_of_observers
            new[at] = self.watched.after(new[at], self._told("drop", "", number, message))
        return tuple(new)

    def _users(self) -> Iterable[Any]:
        yield from self.resolved.experiment.workload
        yield from (each for each in self.resolved.experiment.interventions if each.kind.of_user)

    def firsts(self) -> Iterator[Key]:
        """Return the initial configurations: a single one, unless the experiment may start in any configuration."""
        return ((*start, *self.resting()) for start in product(*self.starts()))

    def starts(self) -> list[Sequence[int]]:
        """Return the situations in which each process may start."""
        return [_ways(self, each, self.resolved.experiment.start) for each in self.situations]

    def resting(self) -> tuple[int, ...]:
        """Return the part of an initial configuration that follows the processes: no message and no operation."""
        recalled = [0] if self.histories is not None else []  # then the shared objects, the observers and the losses
        if self.protocol.shared:
            recalled.append(self._initial)
        if self.watched is not None:
            recalled.append(0)
        return (*(0 for _ in self.channels), *recalled, *([self.losses] if self.losses else []))

    @property
    def chance(self) -> bool:
        """Whether any process has used its random source."""
        return self._world.chance

    def moves(self, key: Key) -> list[Step]:
        """Return the moves that are possible in a configuration, except faults; none if it is an end."""
        n = len(self.situations)
        found: list[Step] = []
        for i, own in enumerate(self._own):
            events = own.get(key[i])
            if events is None:
                events = own[key[i]] = self._events(i, key[i], timers=not self.patient)
            for label, outcome in events:
                found.append((label, self._after(key, i, outcome), outcome))
        for number, coming in enumerate(self._coming):
            content = key[n + number]
            if content:
                i = self._targets[number]
                ready = coming.get((content, key[i]))
                if ready is None:
                    ready = coming[content, key[i]] = self._arrivals(number, content, key[i])
                for label, left, outcome in ready:
                    found.append((label, self._after(key, i, outcome, n + number, left), outcome))
        if self._rules is not None:
            found += (self._step(key, chosen) for chosen in self._rules.choices(key))
        if self.patient and not found:
            for i in range(n):
                for label, outcome in self._events(i, key[i], others=False):
                    found.append((label, self._after(key, i, outcome), outcome))
        return found

    def place(self, label: int) -> int:
        """Return the process at which a move occurs; for a loss, the receiver of the message."""
        kind, place, _ = self.labels.things[label]
        i: int = self._targets[place] if kind in ("deliver", "loss", "lie", "mute") else place
        return i

    def timed(self, label: int) -> bool:
        """Return True if a move is the expiry of a timer."""
        return bool(self.labels.things[label][0] == "timer")

    def sleeps(self, i: int, situation: int) -> bool:
        """Return True if process i must wake up before a message or timer may reach it."""
        return self.situations[i].pending[situation].wake and not self.late_starts

    @property
    def may(self) -> list[dict[int, int]]:
        """Process -> situation -> the processes to which it may still send, as the bits of a number."""
        return self.sends.may

    @property
    def ways(self) -> list[tuple[int, int, bool]]:
        """The sender and the receiver of each channel, and whether it is FIFO."""
        return [(each.source_i, each.target._i, each.fifo) for each in self.channels]

    def undecided(self, key: Sequence[int]) -> bool:
        """Return True if a crash or a loss is still allowed."""
        if self.losses and key[-1]:
            return True
        crashed = sum(each.views[at]._crashed for each, at in zip(self.situations, key, strict=False))
        return crashed < min(self.crashes, len(self.situations))

    def _step(self, key: Key, chosen: list[tuple[int, str, Outcome]]) -> Step:
        """Return the move in which the chosen processes execute rules in one step."""
        sends = tuple(send for _, _, outcome in chosen for send in outcome.sends)
        choices = tuple(choice for _, _, outcome in chosen for choice in outcome.choices)
        if choices and len(chosen) > 1:
            what = "the explorer tries choices only if one process acts at a time; choose the daemon central"
            raise BadInput(what, file=self.resolved.experiment.file, place="daemon")
        label = self.label("rules", chosen[0][0], tuple((i, rule) for i, rule, _ in chosen), choices)
        self.harmful |= {label, self.events.get(label, label)}
        if any(outcome.failed for _, _, outcome in chosen):
            return label, None, Outcome(-1, failed=True, choices=choices)
        old = list(key)
        for i, _, outcome in chosen:
            old[i] = outcome.situation
            if outcome.memory >= 0:
                old[self._shared] = outcome.memory
        operations = tuple(step for _, _, outcome in chosen for step in outcome.operations)
        told = tuple(event for _, _, outcome in chosen for event in outcome.told)
        together = Outcome(chosen[0][2].situation, sends, False, choices, operations, told=told)
        return label, self._after(tuple(old), chosen[0][0], together), together

    def harms(self, key: Key) -> list[Step]:
        """Return the faults that are still allowed in a configuration."""
        found: list[Step] = []
        n = len(self.situations)
        if self.crashes:
            alive = [i for i in range(n) if not self.situations[i].views[key[i]]._crashed]
            for i in alive if n - len(alive) < self.crashes else ():
                crashed = self._told("crash", self.network.processes[i])
                outcome = Outcome(self.situations[i].crash(key[i]), told=crashed)
                found.append((self._harm("crash", i, None), self._after(key, i, outcome), outcome))
        if self.losses and key[-1]:
            for number, contents in enumerate(self.contents):
                for m, left in contents.without(key[n + number], anywhere=True):
                    new = (*self._lost(key, number, m, left)[:-1], key[-1] - 1)
                    found.append((self._harm("loss", number, m), new, _NO_OUTCOME))
        if self.crashes and self.sudden:
            found += self._cut_short(key)
        for number in self._false:
            found += self._lying(key, number)
        return found

    def _cut_short(self, key: Key) -> Iterator[Step]:
        """Yield the losses of messages whose sender crashed before it had sent them to all."""
        n = len(self.situations)
        dead = [each.views[at]._crashed for each, at in zip(self.situations, key, strict=False)]
        for number, channel in enumerate(self.channels):
            if key[n + number] and dead[channel.source_i] and not dead[self._targets[number]]:
                for m, left in self.contents[number].without(key[n + number], anywhere=True):
                    yield self._harm("loss", number, m), self._lost(key, number, m, left), _NO_OUTCOME

    def _lying(self, key: Key, number: int) -> Iterator[Step]:
        """Yield the moves of a traitor on one of its channels: a message arrives changed, or does not arrive."""
        at, i = len(self.situations) + number, self._targets[number]
        content, situation = key[at], key[i]
        if not content:
            return
        known = self._lies_known.get((number, content, situation))
        if known is None:
            known = self._lies_known[number, content, situation] = list(self._lies_of(number, content, situation))
        for label, left, outcome in known:
            if outcome is _NO_OUTCOME:
                lost: int = self.labels.things[label][2]
                yield label, self._lost(key, number, lost, left), outcome
            else:
                yield label, self._after(key, i, outcome, at, left), outcome

    def _lies_of(self, number: int, content: int, situation: int) -> Iterator[tuple[int, int, Outcome]]:
        """Yield the lies and silences possible on a channel: label, remaining contents, outcome at the receiver."""
        i = self._targets[number]
        each = self.situations[i]
        if each.pending[situation].wake and not self.late_starts:
            return
        for m, left in self.contents[number].without(content):
            if not each.views[situation]._crashed:
                for other in self._changed(self.messages.things[m]):
                    self.ticks += 1
                    told = self.messages.message(other)
                    for outcome in each.happens(situation, other, channel=number):
                        self._learn(i, situation, outcome)
                        label = self.label("lie", number, (m, told), outcome.choices)
                        self.harmful |= {label, self.events.get(label, label)}
                        yield label, left, outcome
            yield self._harm("mute", number, m), left, _NO_OUTCOME

    def _changed(self, message: Message) -> Iterator[Message]:
        """Yield the messages that a traitor may send instead: each differs in one field."""
        fields = dict(message._items())
        for name, value in fields.items():
            values = self._lies.get(name, (False, True) if isinstance(value, bool) else ())
            yield from (type(message)(**{**fields, name: other}) for other in values if other != value)

    def label(self, kind: str, place: int, what: Any, choices: tuple[tuple[int, str], ...] = ()) -> int:
        """Return the label of a move, which includes the choices of its action."""
        event = self.labels.of((kind, place, what))
        if not choices:
            return event
        label = self.labels.of((kind, place, what, choices), (kind, place, what))
        self.chosen[label], self.events[label] = choices, event
        return label

    def _harm(self, kind: str, place: int, what: Any) -> int:
        label = self.labels.of((kind, place, what))
        self.harmful.add(label)
        return label

    def _events(self, i: int, situation: int, timers: bool = True, others: bool = True) -> list[tuple[int, Outcome]]:
        """Return the possible events of a process other than deliveries: label and outcome."""
        found = []
        each = self.situations[i]
        asleep = each.pending[situation].wake and not self.late_starts
        for kind, event, pending in each.events(situation):
            if (timers and not asleep) if kind == "timer" else others:
                self.ticks += 1
                for outcome in each.happens(situation, event, pending):
                    self._learn(i, situation, outcome)
                    found.append((self.label(kind, i, event, outcome.choices), outcome))
        return found

    def _learn(self, i: int, situation: int, outcome: Outcome) -> None:
        """Record what an event at process i does."""
        to = 0
        for channel, _ in outcome.sends:
            to |= 1 << self._targets[channel]
        self.sends.learn(i, situation, outcome.situation, to)

    def _arrivals(self, number: int, content: int, situation: int) -> list[tuple[int, int, Outcome]]:
        """Return the deliveries possible on a channel: label, remaining contents, and outcome at the receiver."""
        channel = self.channels[number]
        each = self.situations[channel.target._i]
        if each.pending[situation].wake and not self.late_starts:
            return []
        found = []
        for m, left in self.contents[number].without(content):
            self.ticks += 1
            receiver = channel.target._name
            outcomes: tuple[Outcome, ...] = (Outcome(situation, told=self._told("drop", receiver, number, m)),)
            if not each.views[situation]._crashed:
                outcomes = each.happens(situation, self.messages.things[m], channel=number)
                for outcome in outcomes:
                    self._learn(channel.target._i, situation, outcome)
            found += [(self.label("deliver", number, m, outcome.choices), left, outcome) for outcome in outcomes]
        return found

    def _after(self, key: Key, i: int, outcome: Outcome, at: int = -1, left: int = 0) -> Key | None:
        """Return the configuration after an event at process i.

        If the event is a delivery, ``at`` is the entry of the channel in the key, and ``left`` its remaining contents.
        """
        if outcome.failed:
            return None
        new = list(key)
        if at >= 0:
            new[at] = left
        new[i] = outcome.situation
        n = len(self.situations)
        for channel, m in outcome.sends:
            contents, old = self.contents[channel], new[n + channel]
            more = contents.added[old].get(m)
            new[n + channel] = contents.add(old, m) if more is None else more
        if outcome.operations and self.histories is not None:
            at = n + len(self.channels)
            new[at] = self.histories.after(new[at], outcome.operations)
        if outcome.told and self.watched is not None:
            new[self._place_of_observers] = self.watched.after(new[self._place_of_observers], outcome.told)
        return tuple(new)


class _RuleMoves:
    """The rules that are enabled in a configuration, and the possible choices of the experiment's daemon.

    A synchronous daemon chooses all enabled processes in each step, and a distributed daemon chooses any of them. Any
    other daemon chooses one at a time. All choices are tried.

    Args:
        moves: the moves of the experiment.
    """

    def __init__(self, moves: Moves) -> None:
        self._moves = moves
        self._rules = moves.protocol.rules
        self._kind = moves.resolved.experiment.daemon.kind
        self._known: list[dict[tuple[int, ...], list[tuple[str, Outcome]]]] = [{} for _ in moves.situations]
        self._sees: list[list[int]] = [[] for _ in moves.situations]
        for channel in moves.channels if moves.protocol.reads_neighbours else ():
            self._sees[channel.target._i].append(channel.source_i)
        self._shared = moves._shared

    def choices(self, key: tuple[int, ...]) -> Iterator[list[tuple[int, str, Outcome]]]:
        """Yield the possible choices of the daemon: processes, their rules, and the outcomes of these."""
        enabled = self.enabled(key)
        if self._kind == "synchronous":
            sizes = [len(enabled)] if enabled else []
        else:
            sizes = list(range(1, 1 + (len(enabled) if self._kind == "distributed" else bool(enabled))))
        for size in sizes:
            for some in combinations(enabled, size):
                yield from map(list, product(*some))

    def enabled(self, key: tuple[int, ...]) -> list[list[tuple[int, str, Outcome]]]:
        """Return the rules of each process that has one whose guard is true."""
        enabled: list[list[tuple[int, str, Outcome]]] = []
        for i, known in enumerate(self._known):
            near = (key[i], *(key[j] for j in self._sees[i]))
            if self._shared >= 0:
                near = (*near, key[self._shared])
            found = known.get(near)
            if found is None:
                found = known[near] = self._enabled(i, key)
            if found:
                enabled.append([(i, rule, outcome) for rule, outcome in found])
        return enabled

    def _enabled(self, i: int, key: tuple[int, ...]) -> list[tuple[str, Outcome]]:
        """Return the rules of a process whose guards are true, in the order of the file, with their outcomes."""
        situations = self._moves.situations
        if situations[i].views[key[i]]._crashed:
            return []
        for j in self._sees[i]:
            situations[j].load(key[j])
        found = []
        for rule in self._rules:
            self._moves.ticks += 1
            situations[i].load(key[i])
            try:
                if not rule.applies(situations[i].p):
                    continue
            except BaseException as error:
                if pressed(error):
                    raise
                found.append((rule.name, Outcome(key[i], failed=True)))
                continue
            memory = key[self._shared] if self._shared >= 0 else -1
            found += [(rule.name, outcome) for outcome in situations[i].acts(key[i], rule, memory)]
        return found


def _ways(moves: Moves, each: Situations, start: Start) -> Sequence[int]:
    part = moves.protocol.played(each.p._role)
    given = {name: Start.value(part, name, value) for name, value in start.processes.get(each.p._name, {}).items()}
    if not start.any:
        return [each.starting(given)]
    numbers = {"n": moves.network.n, "m": moves.network.m, **moves.resolved.parameters}
    names = ["state", *part.variables]
    values = [list(part.states)]
    values += [_values(each.p, variable, numbers) for variable in part.variables.values()]
    for at, name in enumerate(names):
        if name in given:
            values[at] = [given[name]]
    return list(dict.fromkeys(each.starting(dict(zip(names, row, strict=True))) for row in product(*values)))


def _values(p: Process, variable: Variable, numbers: dict[str, Any]) -> list[Any]:
    """Return all possible initial values of a variable: those of its domain, or of its type if these are few."""
    domain = variable.domain
    if domain is not None and domain.choices is not None:
        return list(domain.choices)
    if domain is not None and isinstance(variable.initial, int):
        low, high = domain.bounds(numbers)
        return list(range(int(low), int(high) + 1))
    found: list[Any] = []
    for kind in accepted_types(annotation_text(variable.type)) or (type(variable.initial),):
        if kind is bool:
            found += [False, True]
        elif kind is int:
            found += range(int(numbers["n"]) + 1)
        elif kind is type(None):
            found.append(None)
        elif kind is str:
            found += [name for name in p.neighbours if isinstance(name, str)]
    return found if found and not isinstance(variable.initial, float) else [variable.initial]
