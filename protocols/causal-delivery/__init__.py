"""Optimistic causal delivery over gossip: a process gives up a missing event rather than wait for ever.

Each process has a copy of some objects, and a few updaters change them.  Each change is an event.  It is gossiped and
carries a vector clock with one entry for each updater, whatever the size of the group.

Pseudo-code (event e: timestamp t, entry j of its creator, number t[j]; T: what was delivered or given up, by entry;
H: heard and waiting; R: recovered; e is obsolete if t[j] <= T[j], and ready if t[j] = T[j] + 1 and no other
t[i] > T[i])::

    PrCast, every round:  the events heard in the round before with fewer than ``hops`` hops go on, in one message
                          of at most ``most`` of them, least hops first, to ``fanout`` random members
    create e:             seq := seq + 1; t := T with seq in my own entry; deliver; keep it for some time; PrCast
    e from PrCast:        obsolete: drop; ready: deliver it and all that becomes ready; otherwise keep it in H
    e in H for some time: RECOVER(i, s) to the creator of all that precedes e and is neither in H nor in R
    and a little longer:  deliver those of them that are there in causal order, then e; the rest is given up
    RECOVER(i, s):        ACKRECOVER(event), if it is still kept
    ACKRECOVER(e):        as e from PrCast, with R in place of H
    deliver e:            pass it to the user; T := component-wise maximum of T and t

Needs names, and processes that can send to all others (an overlay).  Messages may be lost and may overtake each other.
Lemma 5.4.1: if no event is lost, each process delivers every event, with high probability, in causal order.
Complexity: each process sends an event at most ``fanout * hops`` times, several events in one message; an event carries
one number for each updater, whatever the size of the group; at most one RECOVER for each event and process.
Choices made: "T := t", as printed, forgets the effect of concurrent events (parameter ``clock_rule``); all processes
know each other, so gossip carries no membership; the creator's own sending is the first hop; events in excess of
``most`` are dropped; without recovery an event in H is delivered when its first time is over.  The creator must keep an
event for longer than both times together, ``memory`` times: it is requested only when a later event has waited.
``rate`` is the number of bits that a process can send in a unit of time: a round is prolonged by the time of sending.

Reference: A. Gidenstam, B. Koldehofe, M. Papatriantafilou, P. Tsigas, Lightweight causal cluster consistency, IICS
2005, algorithms 1 and 2; B. Koldehofe's thesis, Chalmers 2005, chapters 3 to 5.
"""

from lydian import named, overlay, parameter

from . import measures
from .delivery import Delivery
from .gossip import PrCast


class CausalDelivery(PrCast, Delivery):
    title = "Optimistic causal delivery"
    needs = named, overlay
    messages = "<= n*(fanout*hops + 2)*(commands + rounds*(events + (updaters if updaters else n)))"

    updaters = parameter(3, minimum=0, help="number of processes that change objects, the first ones; 0: all")
    recovery = parameter(True, help="whether missing events are requested")
    clock_rule = parameter("maximum", choices=("maximum", "printed"), help="value of T after a delivery")
    fanout = parameter(4, minimum=1, help="K: number of members to which a message is sent in each round")
    hops = parameter(5, minimum=1, help="r: number of hops of an event")
    step = parameter(2.0, minimum=0.001, help="length of a round; must exceed the longest delay")
    delta = parameter(1.5, minimum=0.0, help="the longest delay; recovery waits twice as long")
    spare = parameter(2, minimum=0, help="number of rounds beyond its hops for which an event waits")
    memory = parameter(3.0, minimum=0.0, help="how long events are kept: times the time to terminate and recover")
    ask = parameter("origin", choices=("origin", "anybody"), help="process that keeps events and is asked for them")
    most = parameter(20, minimum=1, help="number of events in a message")
    remember = parameter(40, minimum=0, help="number of events in the history of PrCast; 0: all")
    events = parameter(1.0, minimum=0.0, help="average number of events that the updaters create in a round")
    rounds = parameter(8, minimum=0, reached=lambda p: p.left == 0 < p.rounds, help="number of rounds with new events")
    rate = parameter(0.0, minimum=0.0, help="number of bits that a process sends in a unit of time; 0: no limit")
    commands = parameter(40, minimum=0, help="maximum number of commands, for the bound on messages")
