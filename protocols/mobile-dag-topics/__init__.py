"""Publish/subscribe on mobile DAGs for many topics: one independent layer for each topic.

Each process is interested in some topics.  The processes interested in a topic form a layer with its own counters,
identifiers and privileges, and take turns in it as on one mobile DAG; a publication on a topic uses its layer.  A
process that subscribes to a topic joins its layer; one that unsubscribes leaves it.

Pseudo-code (for each topic t; x is below y if y = x + 1 mod 3; link (p, q) leads to p if val_p[t] is below val_q[t], or
both are equal and lid_p[t] < lid_q[t]; N[t]: the neighbours to which a link of the layer is up)::

    sink in layer t, and still after hold:  NEWS(t, val[t] + 1 mod 3, input[t]) to all of N[t]; empty input[t];
                                            val[t] := val[t] + 1 mod 3
    NEWS(t, v, batch) from q:               cv[t, q] := v; deliver items not seen before, append them to input[t]
    publish on t:                           append it to input[t], with a new random identifier
    subscribe to t:                         LINK_REQ(t) to all neighbours; when all have answered: choose val[t] and
                                            lid[t], LINK_UP to them; if the layer is empty: val[t] := 0, lid[t] := 1
    LINK_REQ(t):                            keep val[t] until the link is settled; LINK_OK(t, val[t], lid[t]), or
                                            LINK_KO(t) (not in the layer, or not now)
    unsubscribe from t:                     when input[t] is sent: LINK_DOWN(t) to all of N[t]; wait for LINK_DOWN_OK(t)

At the beginning each process informs its neighbours for each topic whether it is interested.  A newcomer chooses as on
one mobile DAG, by mode: safe takes v + 1 of one point x, and any other link comes up, now or later, only if its two
ends have a common neighbour x with |d(p, x) + d(x, q)| <= 1; paper (LLO as printed) may close a cycle; heights counts
without bound, max + 1.

Choices made: one copy of all variables for each layer, even of the items seen; a link of a layer exists only between
two of its members.  LINK_KO shows whether a repeated request is useful (the sender is joining, too, or about to leave),
so that neighbours in a layer have a link, or one of them requests it.  A privileged process leaves after its turn; a
process that is alone with items waits for a neighbour to send them to.  A process that is alone chooses val anew when
it gets its first link; if a link to it does not come up, it requests one in its turn.  In mode safe, two parts of a
layer that have links never merge: no process can know that there are two.  Two neighbours that chose the same lid
concurrently get no link.

Needs a connected network with names and two-way links, and an initiator, which publishes on all its topics.  Links
may reorder messages as long as no process subscribes or unsubscribes; otherwise set order = "fifo".
Messages of one layer never affect another (theorem 1).
Complexity, as long as no process subscribes or unsubscribes: 2 m messages for each topic to get to know all neighbours,
and at most 2 m for one turn of each process in a layer; exactly 2 m if all are interested in all topics.  A join costs
at most 3 messages for each neighbour; in mode safe, a repeated request goes to all neighbours in the layer.

Reference: E. Anceaume, A. K. Datta, M. Gradinariu, G. Simon, Publish/subscribe scheme for mobile networks, POMC 2002,
definition 5, tables 1 to 3 (LLO), table 5 (LLRM), theorem 1.
"""

from lydian import connected, named, parameter, reliable, some_initiator, two_way

from . import measures
from .beginning import Beginning
from .joining import Joining
from .leaving import Leaving
from .outofplace import OutOfPlace
from .turns import Turns


class MobileDagTopics(Beginning, Turns, Joining, Leaving, OutOfPlace):
    title = "Publish/subscribe on mobile DAGs, many topics"
    needs = connected, named, two_way, some_initiator, reliable
    messages = "<= 2*m*topics*(duty + 1)"

    topics = parameter(2, minimum=1, help="number of topics: 1, 2, 3 ...")
    interest = parameter(1.0, minimum=0.0, maximum=1.0, help="probability of interest in a topic at first")
    mode = parameter("safe", choices=("safe", "paper", "heights"), help="how a newcomer chooses val, and how it counts")
    hold = parameter(0.5, minimum=0.0, help="how long a sink keeps its privilege")
    retry = parameter(5.0, minimum=0.1, help="approximate time until it repeats requests for forming links")
    duty = parameter(
        16, minimum=0, help="number of turns in a layer until a process goes off duty there; 0: never",
        reached=lambda p: p.duty and any(k >= p.duty for k in p.turns.values()),
    )
    lids = parameter("random", choices=("random", "names"), help="the identifiers: random, or rising with names")
    shown = parameter(1, minimum=1, help="the topic whose layer is drawn")
