"""Causal cluster: at most n processes of a large group may update, and they pass on the right to do so.

Updates are gossiped and delivered in optimistic causal order (see causal-delivery).  Each process that updates owns an
entry of the vector clock.  The owners, called coordinators, form a ring of the n entries.  Each administers the free
entries up to its successor, grants them to processes that want to coordinate, and excludes a crashed successor if
enough others agree.

Pseudo-code, coordinator p with own entry e and the successor's entry next (S_p = e .. next - 1; L: the 2k+1
predecessors, as reported by the predecessor; R: itself and 2k of L, as last reported to its successor)::

    CJOIN(p) at q:       p gets a free entry i of S_q and becomes q's successor: ACKCJOIN with all that p must know
    ACKCJOIN at p:       p tells the old successor r SUCC_CHANGED, and all by PrCast that it owns i
    CLEAVE(p) at q:      q takes p's successor r as its own: SUCC_CHANGED to r; with q's and r's ACK p is free to go
                         (one request at a time: q and p serve no other request until r has sent its ACK)
    every round:         leave unless (|L| + 1) // 2 of L sent ALIVE; ALIVE to the 2k+1 next successors;
                         UPDATE(R) to the successor; without its ACK, with probability p_exclude: exclude
    exclude:             EXCLUDE to those behind the successor, one after the other, until one, q, sends its L_q;
                         REQCOORD(E) to L_q and R, E: the entries between; with |L_q| // 2 + 1 ACKCOORD: q is the
                         successor, and p temporary for dist(p, q) rounds; otherwise leave
    REQCOORD(E) at s:    not in E: ACKCOORD; no more ALIVE to E; ignore news about owners of E for dist rounds

Temporary coordinators grant nothing: meanwhile a process that was excluded although it is alive hears from too few
processes and leaves.  So an entry has at most one owner.  If more than k neighbours on the ring crash, all may leave.

Needs names, every process as initiator, and processes that can send to all others (an overlay).  A round is longer than
a PrCast, and a round of gossip (``step``) longer than ``delta``, the longest delay.
Complexity: 2k + 3 messages for each coordinator and round; 5 to join (6 if CJOIN is forwarded) and 5 to leave,
besides the gossip and the messages that report changed predecessors.
Choices made: k + 1, not 2k + 1, of L must be alive; temporary for dist rounds, not dist - 1, and a moment longer, since
all inspect the clock at once; cores smaller than 2k + 2 need a majority, counting oneself; entries increase towards the
successor; a failed connection is an ACK that does not arrive within 2 delta; SUCC_CHANGED carries R, and a process
whose L changes tells its successor at once; a process that becomes one of the next 2k + 1 successors is sent ALIVE at
once; a new member of L counts from the next whole round on; news about entries carries the time of its content, and
older news is ignored; ACKCJOIN carries the last number of every entry, and CLEAVE that of its own, after which its
owner makes no update; PrCast announces an excluded entry when it is free; a rejected process tries again.

Reference: A. Gidenstam, B. Koldehofe, M. Papatriantafilou, P. Tsigas, Lightweight causal cluster consistency, IICS
2005, algorithms 1 to 4; B. Koldehofe's thesis, Chalmers 2005, chapter 5.
"""

from lydian import everybody_starts, named, overlay, parameter

from . import measures
from .delivery import Delivery
from .gossip import PrCast
from .outofplace import OutOfPlace
from .ring import Ring
from .rounds import Rounds


class CausalCluster(PrCast, Delivery, Ring, Rounds, OutOfPlace):
    title = "Causal cluster"
    needs = named, overlay, everybody_starts
    messages = "<= n*rounds*(10*k + 2*n + 8) + (n*(fanout*hops + 2) + 30*k + 20)*(3*commands + entries + 2*n)"

    entries = parameter(12, minimum=1, help="n: number of entries of the vector clock")
    core = parameter(4, minimum=1, help="number of coordinators at the beginning: the first processes")
    packed = parameter(False, help="whether their entries are adjacent, or spread over the ring")
    k = parameter(1, minimum=1, help="number of neighbours on the ring that may crash together")
    round = parameter(12.0, minimum=0.001, help="length of a round of the coordinators")
    rounds = parameter(
        12, minimum=0, help="number of rounds",
        reached=lambda p: p.clock >= (p.rounds - 1) * p.round,
    )
    p_exclude = parameter(0.5, minimum=0.0, maximum=1.0, help="probability that a silent successor is excluded")
    threshold = parameter("k+1", choices=("k+1", "2k+1"), help="size of L that must be alive; 2k+1 as printed")
    temp_rounds = parameter("dist", choices=("dist", "dist-1"), help="rounds of being temporary; dist-1 as printed")
    recovery = parameter(True, help="whether missing events are requested")
    clock_rule = parameter("maximum", choices=("maximum", "printed"), help="value of T after a delivery")
    fanout = parameter(3, minimum=1, help="K: number of members to which gossip is sent in each step")
    hops = parameter(4, minimum=1, help="r: number of hops of an item")
    step = parameter(2.0, minimum=0.001, help="length of a round of gossip; must exceed the longest delay")
    delta = parameter(1.5, minimum=0.0, help="the longest delay")
    commands = parameter(40, minimum=0, help="maximum number of commands, for the bound on messages")
