"""Optimistic causal delivery over gossip: never against the causal order, and rather without an event than waiting.

Everybody has a copy of some objects, and a few updaters change them.  Each change is an event, which is gossiped and
carries a vector clock with one entry for each updater, however large the group is.

Pseudo-code (event e: timestamp t, entry j of its creator, number t[j]; T: what was delivered or given up of each entry;
H: heard and waiting; R: recovered; e is obsolete if t[j] <= T[j], and ready if t[j] = T[j] + 1 and no other
t[i] > T[i])::

    PrCast, every round:  the events heard in the round before that made fewer than ``hops`` hops go on, in one message
                          of at most ``most`` of them, least hops first, to ``fanout`` random members
    create e:             seq := seq + 1; t := T with seq in the own entry; deliver; keep it for a while; PrCast
    e from PrCast:        obsolete: drop; ready: deliver, and all that becomes ready; otherwise keep it in H
    e in H for a while:   RECOVER(i, s) to the creator of all that precedes e and is neither in H nor in R
    and a little longer:  deliver what is there of that in causal order, then e; the rest is given up
    RECOVER(i, s):        ACKRECOVER(event), if it is still kept
    ACKRECOVER(e):        as e from PrCast, with R for H
    deliver e:            hand it over; T := component-wise maximum of T and t

Needs names, and processes that can send to everybody (an overlay).  Messages may get lost and overtake each other.
Lemma 5.4.1: if none is lost everybody delivers everything, with high probability, in causal order.
Complexity: each event is sent at most ``fanout * hops`` times by each process, several of them in one message; an event
takes one number for each updater, whatever the size of the group; at most one RECOVER for an event and a process.
Readings taken: "T := t", as printed, forgets what concurrent events have brought (parameter ``clock``); everybody
knows everybody, so that gossip carries no members; the creator's own sending is the first hop; what does not fit into a
message is dropped; without recovery an event in H is delivered when its first time is over.  What was created has to be
kept longer than both times together, ``memory`` times: it is asked for only when a later event has waited.
``rate`` is the number of bits that a process can send in a unit of time: a round lasts that much longer.

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

    updaters = parameter(3, minimum=0, help="how many processes change objects: the first ones; 0: all")
    recovery = parameter(True, help="whether missing events are asked for")
    clock_rule = parameter("maximum", choices=("maximum", "printed"), help="what T becomes with a delivery")
    fanout = parameter(4, minimum=1, help="K: to how many members a message goes in each round")
    hops = parameter(5, minimum=1, help="r: how many hops an event makes")
    step = parameter(2.0, minimum=0.001, help="the length of a round: more than the longest delay")
    delta = parameter(1.5, minimum=0.0, help="the longest delay; recovery waits for twice as much")
    spare = parameter(2, minimum=0, help="for how many rounds more than it makes hops an event waits for others")
    memory = parameter(3.0, minimum=0.0, help="how often the time to terminate and recover an event is kept")
    ask = parameter("origin", choices=("origin", "anybody"), help="who keeps events, and is asked for them")
    most = parameter(20, minimum=1, help="how many events a message holds")
    remember = parameter(40, minimum=0, help="how many events the history of PrCast holds; 0: all")
    events = parameter(1.0, minimum=0.0, help="how many events the updaters create in a round, on average")
    rounds = parameter(8, minimum=0, reached=lambda p: p.left == 0 < p.rounds, help="for how many rounds they do so")
    rate = parameter(0.0, minimum=0.0, help="bits that a process sends in a unit of time; 0: no limit")
    commands = parameter(40, minimum=0, help="how many commands there are at most, for the bound of the messages")
