"""Assumptions about the network (needs) and properties of the execution (checks)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from lydian.language import later
from lydian.model.errors import shown
from lydian.model.protocol import breaches
from lydian.model.protocol.bounds import CRASHES, DOWN, LIARS, SYNCHRONY, TEXTS, Bound, What, formula
from lydian.model.protocol.breaches import Breach
from lydian.model.protocol.observer import Observer

if TYPE_CHECKING:
    from lydian.model.network import Network

__all__ = [
    "CRASHES",
    "DOWN",
    "KINDS",
    "LIARS",
    "Measured",
    "Need",
    "Property",
    "always",
    "anonymous",
    "at_end",
    "at_most",
    "bounded_delay",
    "centre_starts",
    "complete",
    "connected",
    "eventually",
    "everybody_starts",
    "fifo",
    "leaves_start",
    "measure",
    "named",
    "need",
    "no_crashes",
    "one_initiator",
    "one_way_ring",
    "overlay",
    "reliable",
    "ring",
    "rounds",
    "some_initiator",
    "synchronous",
    "tree",
    "two_way",
]

Check = Callable[[Any], Any]

#: The kinds of check in words; the last two are evaluated in addition to the properties of a protocol.
KINDS = {
    "always": later("always", "property"),
    "eventually": later("eventually", "property"),
    "at_end": later("at the end", "property"),
    "messages": later("the formula", "property"),
    "error": later("every action", "property"),
}


@dataclass(frozen=True)
class Property:
    """A sentence about configurations, with the function that evaluates it.

    ``kind`` is ``always`` (in every configuration), ``eventually`` (from some moment on) or ``at_end`` (when nothing is
    left to do); ``holds(configuration)`` is true or false. ``within`` is the simulated time by which an ``eventually``
    property must hold, or ``None``. ``observers`` are those of its file, which it may read.
    """

    name: str
    kind: str
    holds: Check
    line: int = 0
    within: float | None = None
    observers: tuple[type[Observer], ...] = ()


def _property(kind: str, name: str, within: float | None = None) -> Callable[[Check], Check]:
    if not isinstance(name, str):
        raise TypeError(f'@{kind} needs its sentence: @{kind}("no process waits"), not {shown(name)}')

    def remember(check: Check) -> Check:
        line = check.__code__.co_firstlineno
        check.__dict__["__lydian_property__"] = Property(name, kind, check, line, within)
        return check

    return remember


def always(name: str) -> Callable[[Check], Check]:
    """Declare a safety property: the function is true in every configuration ``c`` of the execution."""
    return _property("always", name)


def eventually(name: str, within: float | None = None) -> Callable[[Check], Check]:
    """Declare a liveness property: from some moment on, until the run ends, the function is true of ``c``.

    A run that ends because nothing is left to do decides it. A run that is stopped earlier leaves it undecided, unless
    ``within`` gives the simulated time by which it must hold.
    """
    return _property("eventually", name, within)


def at_end(name: str) -> Callable[[Check], Check]:
    """Declare a property of the last configuration ``c``, when nothing is left to do."""
    return _property("at_end", name)


@dataclass(frozen=True)
class Measured:
    """A number that a protocol reports about a run: ``value(configuration)`` of the last configuration, or ``None``."""

    name: str
    value: Check
    line: int = 0
    observers: tuple[type[Observer], ...] = ()


def measure(name: str) -> Callable[[Check], Check]:
    """Declare a measure: the function returns a number for the last configuration ``c``, however the run ended, or
    ``None``.

    The number is listed under ``own`` among the measures of a run; a sweep refers to it by ``own.`` and its name.
    """
    if not isinstance(name, str) or not name.strip():
        raise TypeError(f'@measure needs its name: @measure("longest queue"), not {shown(name)}')

    def remember(value: Check) -> Check:
        value.__dict__["__lydian_measure__"] = Measured(name, value, value.__code__.co_firstlineno)
        return value

    return remember


@dataclass(frozen=True)
class Need:
    """An assumption about the network and about faults, checked before a run.

    ``missing(network)`` is ``None``, or a sentence that says what prevents the run and what would help. The module
    :mod:`lydian.model.experiment.assumptions` determines which faults of an experiment violate it. ``title`` is a short
    sentence for a switch (``sentence`` if it is empty), and ``breach`` says how it is violated as little as possible:
    ``None`` if only other networks violate it, or nothing may, because the simulator itself relies on it. ``bound`` is
    its number, if it has one.
    """

    name: str
    sentence: str
    missing: Callable[[Network], str | None]
    title: str = ""
    breach: Breach | None = None
    bound: Bound | None = None

    def __repr__(self) -> str:
        return self.name

    def with_defaults(self, defaults: Mapping[str, Any]) -> Need:
        """Return the same assumption of a protocol whose parameters have these default values."""
        return self if self.bound is None else replace(self, bound=self.bound.with_defaults(defaults))


def need(
    name: str, sentence: str, title: str = "", breach: Breach | None = None
) -> Callable[[Callable[[Network], str | None]], Need]:
    """Declare a need by a function that returns what is missing, or ``None``."""

    def make(missing: Callable[[Network], str | None]) -> Need:
        return Need(name, sentence, missing, title, breach)

    return make


@need(
    "connected", "every process can reach every other", later("The network is connected", "need"),
    Breach(later("a process has no link", "without"), breaches.cut_off),
)  # fmt: skip
def connected(network: Network) -> str | None:
    return None if network.connected else "the network is not connected; join its parts with links"


@need(
    "one initiator", "exactly one process starts", later("One process starts", "need"),
    Breach(later("a second process starts", "without"), breaches.rival),
)  # fmt: skip
def one_initiator(network: Network) -> str | None:
    count = len(network.initiators)
    if count == 1:
        return None
    if count == 0:
        return f"no process starts; make one the initiator, for example {network.processes[0]}"
    return f"{count} processes start ({_some(network.initiators)}); leave one of them as the initiator"


@need(
    "some initiator", "at least one process starts", later("Some process starts", "need"),
    Breach(later("no process starts", "without"), breaches.no_initiator),
)  # fmt: skip
def some_initiator(network: Network) -> str | None:
    if network.initiators:
        return None
    return f"no process starts; make one an initiator, for example {network.processes[0]}"


@need(
    "everybody starts", "every process starts by itself", later("Every process starts", "need"),
    Breach(later("a process does not start", "without"), breaches.fewer_initiators),
)  # fmt: skip
def everybody_starts(network: Network) -> str | None:
    lazy = tuple(p for p in network.processes if p not in network.initiators)
    if not lazy:
        return None
    how = 'initiators = "all", or --initiators all'
    return f"some processes do not start ({_some(lazy)}); make every process an initiator ({how})"


@need(
    "leaves start", "every process with at most one neighbour starts by itself", later("Every leaf starts", "need"),
    Breach(later("a leaf does not start", "without"), breaches.fewer_initiators),
)  # fmt: skip
def leaves_start(network: Network) -> str | None:
    lazy = tuple(p for p in network.processes if len(network.neighbours(p)) <= 1 and p not in network.initiators)
    return f"some leaves do not start ({_some(lazy)}); make every leaf an initiator" if lazy else None


@need(
    "centre starts", "each process that starts is a neighbour of every other process",
    later("Only a centre starts", "need"),
    Breach(later("a process starts that is not a neighbour of all", "without"), breaches.unlinked),
)  # fmt: skip
def centre_starts(network: Network) -> str | None:
    for p in network.initiators:
        if len(network.neighbours(p)) < network.n - 1:
            what = f"process {p} starts but is not a neighbour of every other process"
            return f"{what}; choose a complete network, for example complete:6, or start in the centre of a star"
    return None


@need(
    "overlay", "a process can send to any other whose name it knows, without a link",
    later("Each process can send to every other", "need"),
)  # fmt: skip
def overlay(network: Network) -> str | None:
    return "the network is anonymous; give the processes their names" if network.anonymous else None


@need(
    "rounds", "the processes work in rounds: a message sent in one round arrives in the next",
    later("The processes work in rounds", "need"),
    Breach(later("a message comes a round late", "without"), deeds=("delay",)),
)  # fmt: skip
def rounds(network: Network) -> str | None:
    for name in network.processes:
        distribution = network.step_of(name)
        if distribution is not None and distribution.mean > 0:
            return f"process {name} takes time for a step, but in rounds steps take none; remove its step"
    return None


@need(
    "fifo", "messages on a link arrive in the order in which they were sent", later("Links keep the order", "need"),
    Breach(later("messages overtake each other", "without"), breaches.overtaking, order="unordered"),
)  # fmt: skip
def fifo(network: Network) -> str | None:
    for link in network.links:
        if (link.order or network.order) != "fifo":
            return f'link {link.a}-{link.b} may reorder messages; set order = "fifo"'
    return None


@need(
    "reliable", "every message arrives, once and as it was sent", later("Links lose nothing", "need"),
    Breach(later("a message is lost or comes twice", "without"), losses=1, deeds=("drop", "duplicate")),
)  # fmt: skip
def reliable(network: Network) -> str | None:
    from lydian.model.network.links import VERBS

    for link in network.links:
        for rate, verb in VERBS.items():
            if network.rate_of(link, rate) > 0:
                return f"link {link.a}-{link.b} {verb} messages; set its {rate} to 0"
    return None


@need(
    "bounded delay", "from some time on, every message arrives within a bound",
    later("Delays are eventually bounded", "need"),
    Breach(later("messages take any time", "without"), hurried=True),
)  # fmt: skip
def bounded_delay(network: Network) -> str | None:
    law = network.unbounded
    if law is None:
        return None
    return f"delays of {law} have no bound; choose uniform(0.5, 1.5), or set a global stabilisation time (timing.gst)"


@need(
    "no crashes", "no process crashes", later("No process crashes", "need"),
    Breach(later("a process crashes", "without"), crashes=1),
)  # fmt: skip
def no_crashes(network: Network) -> str | None:
    return None  # no network violates it; only faults of an experiment do


def at_most(most: str | int, what: What, given: str = "") -> Need:
    """Declare the largest number of processes that fail: ``at_most("f", CRASHES)``.

    Args:
        most: a number, or a formula over n, m and the parameters of the protocol.
        what: ``CRASHES`` (processes that ever crash), ``DOWN`` (processes that are simultaneously down) or ``LIARS``
            (processes that are Byzantine or crash).
        given: a condition without which not even one process may fail: ``n > 3*f``.
    """
    if what not in (CRASHES, DOWN, LIARS):
        raise TypeError(f"at_most needs CRASHES, DOWN or LIARS, not {shown(what)}")
    if not isinstance(given, str):
        raise TypeError(f"given needs a condition such as 'n > 3*f', not {shown(given)}")
    return _bounded(Bound(what, formula(most, "at_most"), given.strip()), hurried=False)


def synchronous(bound: str | float) -> Need:
    """Declare that every message takes less time than a bound that the processes know: ``synchronous("round")``.

    Args:
        bound: a number, or a formula over n, m and the parameters of the protocol.
    """
    return _bounded(Bound(SYNCHRONY, formula(bound, "synchronous")), hurried=True)


def _bounded(bound: Bound, hurried: bool) -> Need:
    texts, words = TEXTS[bound.what], bound.words
    sentence = texts.sentence + (", and {given}" if bound.given else "")
    title = texts.conditional if bound.given else texts.title
    breach = Breach(texts.without, hurried=hurried)
    return Need(texts.name, sentence.format_map(words), _any_network, title, breach, bound)


def _any_network(_network: Network) -> str | None:
    """Return that no network alone violates an assumption; faults and timing may."""
    return None


@need(
    "two-way links", "every link carries messages both ways", later("Links carry messages both ways", "need"),
    Breach(later("a link carries messages one way only", "without"), breaches.one_way),
)  # fmt: skip
def two_way(network: Network) -> str | None:
    for link in network.links:
        if link.directed and not any(back.directed and (back.a, back.b) == (link.b, link.a) for back in network.links):
            return f"link {link.a}-{link.b} carries messages one way only; make it two-way"
    return None


@need(
    "ring", "the processes form one ring", later("The processes form a ring", "need"),
    Breach(later("the ring is open, or has a chord", "without"), breaches.opened),
)  # fmt: skip
def ring(network: Network) -> str | None:
    if network.connected and all(len(network.neighbours(p)) == 2 for p in network.processes):
        return None
    return "the network is not a ring; choose one, for example ring:8"


@need(
    "one-way ring", "the processes form one ring, and messages travel round it in one direction",
    later("The processes form a one-way ring", "need"),
    Breach(later("messages travel both ways, or the ring has a chord", "without"), breaches.opened),
)  # fmt: skip
def one_way_ring(network: Network) -> str | None:
    if network.connected and network.n > 1 and all(len(network.neighbours(p)) == 1 for p in network.processes):
        return None
    return "the network is not a one-way ring; choose one, for example onewayring:5"


@need(
    "tree", "the network has no cycle", later("The network has no cycle", "need"),
    Breach(later("the network has a cycle", "without"), breaches.chorded),
)  # fmt: skip
def tree(network: Network) -> str | None:
    if network.connected and network.m == network.n - 1:
        return None
    return "the network is not a tree; choose one, for example tree:15"


@need(
    "complete", "every two processes are linked", later("Every two processes are linked", "need"),
    Breach(later("a link is missing", "without"), breaches.unlinked),
)  # fmt: skip
def complete(network: Network) -> str | None:
    if all(len(network.neighbours(p)) == network.n - 1 for p in network.processes):
        return None
    return "some processes have no link between them; choose a complete network, for example complete:6"


@need(
    "named", "processes know their own names", later("Processes know their names", "need"),
    Breach(later("processes do not know their names", "without"), breaches.nameless),
)  # fmt: skip
def named(network: Network) -> str | None:
    return "the network is anonymous; give the processes their names" if network.anonymous else None


@need(
    "anonymous", "processes have no names", later("Processes have no names", "need"),
    Breach(later("processes know their names", "without"), breaches.named_again),
)  # fmt: skip
def anonymous(network: Network) -> str | None:
    return None if network.anonymous else "the processes have names; make the network anonymous"


def about_time(needs: Iterable[Need]) -> bool:
    """Return True if one of the assumptions bounds the delays, or lets the processes work in rounds."""
    return any(each == rounds or (each.breach is not None and each.breach.hurried) for each in needs)


def missing_between(needs: Iterable[Need], network: Network) -> list[str]:
    """Return the needs that an overlay's messages between processes without a link violate, one sentence for each."""
    needs = tuple(needs)
    if overlay not in needs:
        return []
    found = []
    if fifo in needs and network.order != "fifo" and fifo.missing(network) is None:
        found.append('messages between processes without a link may overtake each other; set order = "fifo"')
    if reliable in needs and reliable.missing(network) is None:
        words = {"loss": "get lost", "duplication": "be delivered twice", "corruption": "be changed"}
        for rate, what in words.items():
            if getattr(network, rate) > 0:
                found.append(f"messages between processes without a link may {what}; set the network's {rate} to 0")
    return found


def _some(names: tuple[str, ...], most: int = 4) -> str:
    return ", ".join(names[:most]) + (" ..." if len(names) > most else "")
