"""A search summed up: what holds, what does not and why, how it can end."""

from __future__ import annotations

from collections import Counter
from time import monotonic
from typing import TYPE_CHECKING

from lydian.engine.explorer.chain import longest_chain
from lydian.engine.explorer.graph import Extremes, extremes
from lydian.engine.explorer.result import Exploration, Finding
from lydian.engine.explorer.worst import Worst, worst
from lydian.model.errors import BadInput
from lydian.model.nothing import UNJUDGED, why_nothing
from lydian.model.properties import Property

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lydian.engine.explorer.search import Explorer
    from lydian.engine.explorer.seen import Judge

__all__ = ["summed_up"]

#: Most edges up to which the longest causal chain is worked out.
_CHAIN_EDGES = 1_000_000
_MOST_OUTCOMES = 50
_DAEMONS = {
    "central": "one process moves at a time, whichever the daemon chooses, however unfair",
    "distributed": "any processes move at once, whichever the daemon chooses, however unfair",
    "synchronous": "all enabled processes move at once",
}


def summed_up(
    explorer: Explorer, judge: Judge, found: dict[Property, int], stopped: str, depth: int, begun: float
) -> Exploration:
    """The result of a search.

    Args:
        found: property -> the first configuration in which it does not hold, or cannot be judged.
        stopped, depth: how it ended.
        begun: when it began.
    """
    graph, complete = explorer.graph, stopped == "complete"
    liveness = [p for p in explorer.protocol.properties if p.kind == "eventually" and p not in found]
    parts = graph.components() if complete or liveness else []
    rounds = any(graph.cyclic(part) for part in parts)
    range_ = explorer.extremes = extremes(graph, parts) if complete else None
    chain = None
    clear = not (explorer.losses and any(each.fifo for each in explorer.contents)) and not explorer.protocol.rules
    if complete and not rounds and clear and len(graph.targets) <= _CHAIN_EDGES:
        chain = longest_chain(explorer, [number for (number,) in reversed(parts)])
    still = complete and not explorer.failures and not _moving(explorer)
    hardest = _worst(explorer, judge, parts) if complete and not still else None
    findings = [
        _finding(explorer, judge, prop, found, parts, complete, still) for prop in explorer.protocol.properties
    ]
    if still:
        range_ = explorer.extremes = None
    findings += [] if still else _formula(explorer, range_, complete)
    findings += _failures(explorer)
    table = explorer.protocol.table
    happening = {"INIT", *explorer.protocol.labels, *table.rules}  # what layers ask and tell each other is no event
    events = [event for event in table.events if event in happening]
    cells = [(state, event) for state in table.states for event in events if table.get(state, event) is not None]
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
        notes=tuple(_notes(explorer)),
        seconds=monotonic() - begun,
        nothing=why_nothing(explorer.resolved, started=_started(explorer)) if still else None,
        worst=hardest,
    )


def _worst(explorer: Explorer, judge: Judge, parts: Sequence[Sequence[int]]) -> Worst | None:
    """What a daemon can force guarded actions to do until they are silent, or until what holds eventually does."""
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
    """Whether any process takes a step in any schedule: a crash and the loss of a message are none, nor is the start
    of a process that then waits for a command, unless it decides or delivers at once."""
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
    found: dict[Property, int],
    parts: Sequence[Sequence[int]],
    complete: bool,
    still: bool,
) -> Finding:
    name, kind = prop.name, prop.kind
    if prop in judge.open or prop.within is not None:
        return Finding(name, kind, None, "it speaks of time, and a search of all orders of events knows none")
    if prop in judge.broken:
        why = judge.broken[prop]
        shown = explorer.schedule(*explorer.way(found[prop]), "error", why)
        return Finding(name, kind, None, why, shown)
    if still and kind != "always" and "crash" not in _kinds(explorer):
        return Finding(name, kind, None, UNJUDGED)
    if prop in found:
        return Finding(name, kind, False, "", explorer.schedule(*explorer.way(found[prop]), kind, name))
    if kind == "eventually":
        lasso = _lasso(explorer, judge, prop, parts)
        if lasso is not None:
            number, way, round_ = lasso
            shown = explorer.schedule(number, [*way, *round_], kind, name, loop=len(way))
            return Finding(name, kind, False, "a run can go round for ever without it", shown)
    if still:
        return Finding(name, kind, None, UNJUDGED)
    if not complete:
        return Finding(name, kind, None, "no violation was found, but not all schedules were tried")
    if kind == "at_end" and not explorer.graph.ends:
        return Finding(name, kind, None, "no schedule comes to an end")
    return Finding(name, kind, True)


def _lasso(
    explorer: Explorer, judge: Judge, prop: Property, parts: Sequence[Sequence[int]]
) -> tuple[int, list[int], list[int]] | None:
    """Where the way to a round begins, the way and the round, in which a property fails again and again; the nearest.
    """
    graph = explorer.graph
    bad = {
        number: part
        for part in parts
        if graph.cyclic(part)
        for number in part
        if judge.failing([prop], explorer.keys[number])
    }
    for number in sorted(bad):
        round_ = graph.fair_round(bad[number], number)
        if round_ is not None:
            return *explorer.way(number), round_
    return None


def _formula(explorer: Explorer, range_: Extremes | None, complete: bool) -> list[Finding]:
    """The formula for the number of messages, checked in all schedules."""
    formula, network = explorer.protocol.formula, explorer.network
    if formula is None or explorer.crashes or explorer.losses:
        return []
    names = {"n": network.n, "m": network.m, **explorer.resolved.parameters}
    try:
        name = f"messages {'= ' if formula.relation == '=' else ''}{formula.branch(names)}"
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
    """Each cell of the table whose action fails, or that is missing, with the simulator's own sentence."""
    from lydian.engine.simulator import Simulator

    found = []
    for (state, event), (number, label) in explorer.failures.items():
        shown = explorer.schedule(*explorer.way(number), "error", f"{state} x {event}", last=label)
        why = Simulator(shown.experiment).run().error or ""
        found.append(Finding(f"nothing fails when a process is {state} and gets {event}", "error", False, why, shown))
    return found


def _outcomes(explorer: Explorer) -> tuple[tuple[dict[str, int], int], ...]:
    """In which states the processes are at the end, and in how many configurations; the most frequent first."""
    counts: Counter[tuple[tuple[str, int], ...]] = Counter()
    for number in explorer.graph.ends:
        views = [each.views[at] for each, at in zip(explorer.situations, explorer.keys[number], strict=False)]
        states = Counter("crashed" if p._crashed else str(p.state) for p in views)
        counts[tuple(sorted(states.items()))] += 1
    return tuple((dict(states), count) for states, count in counts.most_common(_MOST_OUTCOMES))


def _notes(explorer: Explorer) -> list[str]:
    experiment, network = explorer.resolved.experiment, explorer.network
    notes = []
    if explorer.chance:
        notes.append(f"processes draw from chance: explored with seed {experiment.seed}, others may do otherwise")
    if explorer.crashes:
        who = "one process" if explorer.crashes == 1 else f"{explorer.crashes} processes"
        notes.append(f"up to {who} may crash, whichever and whenever")
    if explorer.losses:
        what = "one message" if explorer.losses == 1 else f"{explorer.losses} messages"
        notes.append(f"up to {what} may get lost, whichever")
    other = sorted({each.do for each in experiment.faults} - {"crash", "drop"})
    other += sorted({each.do for each in experiment.interventions if not each.kind.of_user} - {*other})
    if any(link.outages for link in network.links):
        other.append("outages of links")
    channels = network.channels()
    other += [rate for rate in ("duplication", "corruption") if getattr(channels, rate).any()]
    if other:
        notes.append(f"left out: {', '.join(other)}")
    if not explorer.losses and (network.loss or any(link.loss for link in network.links)):
        notes.append("no message gets lost; --losses 1 tries the loss of each")
    if explorer.graph.firsts > 1:
        notes.append(f"from each of {explorer.graph.firsts} configurations")
    if explorer.protocol.rules:
        notes.append(_DAEMONS.get(experiment.daemon.kind, _DAEMONS["central"]))
    if network.step is not None or network.steps:
        notes.append("a step takes no time")
    if len(network.initiators) > 1 and not explorer.late_starts and "INIT" in explorer.protocol.table.events:
        notes.append("whoever starts does so before anything else reaches it")
    if explorer.patient and explorer.protocol.timers:
        notes.append("timers are so long that one rings only when nothing else is left to do")
    return notes
