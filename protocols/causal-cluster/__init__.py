"""Causal cluster: at most n processes of a large group may update, and they hand the entries of the vector clock on.

Updates are gossiped and delivered in optimistic causal order (see causal-delivery).  Whoever updates owns an entry of
the vector clock.  The owners, the coordinators, stand on a ring of the n entries; each administers the free entries up
to its successor, grants them to those who want to coordinate, and excludes a dead successor if enough others agree.

Pseudo-code, coordinator p with own entry e and the successor's entry next (S_p = e .. next - 1; L: the 2k+1
predecessors, as the predecessor told; R: self and 2k of L, as it told its successor last)::

    CJOIN(p) at q:       p gets a free entry i of S_q and becomes q's successor: ACKCJOIN with all that p must know
    ACKCJOIN at p:       p tells the old successor r SUCC_CHANGED, and everybody by PrCast that it owns i
    CLEAVE(p) at q:      q makes p's successor r its own: SUCC_CHANGED to r; with q's and r's ACK p is free to go
                         (one request at a time: q and p serve nobody until r has sent its ACK)
    every round:         leave unless (|L| + 1) // 2 of L sent ALIVE; ALIVE to the 2k+1 next successors;
                         UPDATE(R) to the successor; without its ACK, with probability p_exclude: exclude
    exclude:             EXCLUDE to those behind the successor, one after the other, until one, q, sends its L_q;
                         REQCOORD(E) to L_q and R, E: the entries between; with |L_q| // 2 + 1 ACKCOORD: q is the
                         successor, and p temporary for dist(p, q) rounds; otherwise leave
    REQCOORD(E) at s:    not in E: ACKCOORD; no more ALIVE to E; news of who owns E mean nothing for dist rounds

Temporary coordinators grant nothing: meanwhile a process that was excluded although it lives hears from too few and
leaves.  So an entry has one owner at most.  If more than k neighbours on the ring crash, all may leave.

Needs names, processes that all start, and that can send to everybody (an overlay); a round is longer than a PrCast, a
round of gossip (``step``) longer than ``delta``, the longest delay.
Complexity: 2k + 3 messages for each coordinator and round; 5 to join (6 if somebody passes CJOIN on) and 5 to leave,
beside the gossip and what tells the next ones who their predecessors are.
Readings taken: k + 1, not 2k + 1, of L must be alive; temporary for dist rounds, not dist - 1, and a moment longer, as
all look at the clock at once; cores smaller than 2k + 2 need a majority, counting oneself; entries rise towards the
successor; a connection that fails is an ACK that does not come within 2 delta; SUCC_CHANGED tells R, and who gets
another L tells its successor at once; who comes among the next 2k + 1 successors gets ALIVE at once; whoever is new in
L counts from the next whole round on; news of entries are as old as what they tell, and older ones mean nothing;
ACKCJOIN brings the last number of every entry, and CLEAVE its own, after which its owner updates no more; what was
excluded is told by PrCast when it is free; who was rejected tries again.

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

    entries = parameter(12, minimum=1, help="n: how many entries the vector clock has")
    core = parameter(4, minimum=1, help="how many coordinators there are at first: the first processes")
    packed = parameter(False, help="whether their entries stand side by side, or spread over the ring")
    k = parameter(1, minimum=1, help="how many neighbours on the ring may crash at once")
    round = parameter(12.0, minimum=0.001, help="the length of a round of the coordinators")
    rounds = parameter(
        12, minimum=0, help="how many rounds there are",
        reached=lambda p: p.clock >= (p.rounds - 1) * p.round,
    )
    p_exclude = parameter(0.5, minimum=0.0, maximum=1.0, help="with which probability a silent successor is excluded")
    threshold = parameter("k+1", choices=("k+1", "2k+1"), help="how many of L must be alive; 2k+1 as printed")
    temp_rounds = parameter("dist", choices=("dist", "dist-1"), help="for how long one is temporary; dist-1 as printed")
    recovery = parameter(True, help="whether missing events are asked for")
    clock_rule = parameter("maximum", choices=("maximum", "printed"), help="what T becomes with a delivery")
    fanout = parameter(3, minimum=1, help="K: to how many members a gossip message goes in each step")
    hops = parameter(4, minimum=1, help="r: how many hops an item makes")
    step = parameter(2.0, minimum=0.001, help="the length of a round of gossip: more than the longest delay")
    delta = parameter(1.5, minimum=0.0, help="the longest delay")
    commands = parameter(40, minimum=0, help="how many commands there are at most, for the bound of the messages")
