"""The next moves of a random schedule: what may happen in a configuration, of which only one is carried out.

The exhaustive search needs the outcome of every move. A random schedule takes one of them, so here the moves of a
configuration are only listed, and an action is executed when its move is chosen.
"""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any, NamedTuple

from lydian.engine.explorer.local import Outcome
from lydian.engine.explorer.moves import Key, Step
from lydian.engine.explorer.search import Explorer

__all__ = ["Event", "Possible", "Steps", "What"]

#: A move without what its action chooses: its kind, the process or channel, and the event, message or rules.
Event = tuple[str, int, Any]
#: What identifies a move in all schedules: its kind, the process or channel, the event, message or rules, and what its
#: action chooses.
What = tuple[str, int, Any, tuple[tuple[int, str], ...]]


class Possible(NamedTuple):
    """A move that is possible.

    Attributes:
        what: its kind, the process or channel, and the event, message or rules, as in a label; and its choices.
        rest: what remains pending or in the channel; the outcomes of rules; or the whole step of a fault.
        outcome: the outcome of its action, once that is known; see :meth:`Steps.outcomes`.
    """

    what: What
    rest: Any
    outcome: Outcome | None = None

    @property
    def event(self) -> Event:
        """The move without its choices."""
        return self.what[:3]


class Steps(Explorer):
    """The moves of one experiment, for schedules that are followed one at a time."""

    _listed: tuple[Key, dict[What, Possible]] = ((), {})

    def first(self, draw: Random) -> Key:
        """Return an initial configuration, drawn uniformly if there are several."""
        starts = self.starts()
        return (*(each[draw.randrange(len(each))] if len(each) > 1 else each[0] for each in starts), *self.resting())

    @property
    def many_firsts(self) -> bool:
        """Whether there are several initial configurations."""
        return any(len(each) > 1 for each in self.starts())

    def possible(self, key: Key) -> list[Possible]:
        """Return the moves that are possible, except faults and rules; none is left at an end.

        Timers are left out as long as something else is possible, if they are patient.
        """
        n = len(self.situations)
        found: list[Possible] = []
        timers: list[Possible] = []
        asleep = []
        for i, each in enumerate(self.situations):
            asleep.append(each.pending[key[i]].wake and not self.late_starts)
            for kind, event, pending in each.events(key[i]):
                if kind != "timer":
                    found.append(Possible((kind, i, event, ()), pending))
                elif not asleep[i]:
                    timers.append(Possible((kind, i, event, ()), pending))
        if self.noticing:
            found += [Possible(("timer", i, timer, ()), left) for i, _, timer, left in self.notices(key)]
        targets, contents = self._targets, self.contents
        for number, content in enumerate(key[n : n + len(targets)]):
            if content and not asleep[targets[number]]:
                for m, left in contents[number].without(content):
                    found.append(Possible(("deliver", number, m, ()), left))
        if not self.patient:
            found += timers
        elif not found and not self.rules(key):
            found = timers
        return found

    def rules(self, key: Key) -> list[list[tuple[int, str, Outcome]]]:
        """Return the enabled rules of each process that has any."""
        return [] if self._rules is None else self._rules.enabled(key)

    @property
    def daemon(self) -> str:
        """The kind of the daemon that chooses among the enabled rules."""
        return self.resolved.experiment.daemon.kind

    def choices(self, enabled: list[list[tuple[int, str, Outcome]]]) -> list[Possible]:
        """Return the choices of a daemon that takes one process at a time, or all of them."""
        some = (
            product(*enabled) if self.daemon == "synchronous" and enabled else ((x,) for each in enabled for x in each)
        )
        return [_chosen(list(each)) for each in some]

    def any_of(self, enabled: list[list[tuple[int, str, Outcome]]], draw: Random) -> Possible:
        """Return a choice of a distributed daemon, drawn uniformly among all of them."""
        while True:
            some = []
            for each in enabled:
                at = draw.randrange(1 + len(each))
                if at:
                    some.append(each[at - 1])
            if some:
                return _chosen(some)

    def faults(self, key: Key) -> list[Possible]:
        """Return the faults that are still allowed."""
        if not (self.crashes or self.losses or self.traitors):
            return []
        things, chosen = self.labels.things, self.chosen
        return [Possible((*things[step[0]], chosen.get(step[0], ())), step) for step in self.harms(key)]

    def again(self, key: Key, what: What) -> Possible | None:
        """Return a move of another schedule if it is possible here as well."""
        kind = what[0]
        if kind == "rules":
            enabled = self.rules(key)
            some = [now for each in enabled if (now := [one for one in each if one[:2] in what[2]])]
            if len(some) != len(what[2]) or (self.daemon == "synchronous" and len(some) != len(enabled)):
                return None
            return next((each for each in map(_chosen, map(list, product(*some))) if each.what == what), None)
        if self._listed[0] is not key:
            self._listed = key, {each.what: each for each in (*self.possible(key), *self.faults(key))}
        found = self._listed[1].get(what)
        if found is None and what[3] and (event := self._listed[1].get((*what[:3], ()))) is not None:
            found = next((each for each in self.outcomes(key, event) if each.what == what), None)
        return found

    def outcomes(self, key: Key, chosen: Possible) -> list[Possible]:
        """Return a move with the outcome of its action, and several if the action chooses."""
        (kind, place, what, _), rest, outcome = chosen
        if outcome is not None or kind not in ("deliver", "init", "timer", "command"):
            return [chosen]
        i = self._targets[place] if kind == "deliver" else place
        each = self.situations[i]
        self.ticks += 1
        if kind != "deliver":
            found = each.happens(key[i], what, rest)
        elif each.views[key[i]]._crashed:
            found = (Outcome(key[i]),)
        else:
            found = each.happens(key[i], self.messages.things[what], channel=place)
        return [Possible((kind, place, what, outcome.choices), rest, outcome) for outcome in found]

    def take(self, key: Key, chosen: Possible) -> Step:
        """Carry out a move; if its action chooses and the move does not say what, the first option is taken."""
        (kind, place, what, choices), rest, outcome = self.outcomes(key, chosen)[0]
        if kind == "rules":
            return self._step(key, rest)
        if outcome is None:
            step: Step = rest
            return step
        if kind == "deliver":
            new = self._after(key, self._targets[place], outcome, len(self.situations) + place, rest)
        else:
            new = self._after(key, place, outcome)
        return self.label(kind, place, what, choices), new, outcome


def _chosen(some: list[tuple[int, str, Outcome]]) -> Possible:
    choices = tuple(choice for _, _, outcome in some for choice in outcome.choices)
    return Possible(("rules", some[0][0], tuple((i, rule) for i, rule, _ in some), choices), some)
