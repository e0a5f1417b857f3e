"""Publish/subscribe on mobile DAGs for many topics: one layer for each, and no layer knows of another.

Everybody is interested in some topics.  For each topic those who are interested form a layer with counters, identifiers
and privileges of its own, and take turns in it as on one mobile DAG; a publication on a topic uses its layer.  Who
subscribes to a topic joins its layer, who unsubscribes leaves it.

Pseudo-code (for each topic t; x is below y if y = x + 1 mod 3; link (p, q) leads to p if val_p[t] is below val_q[t], or
both are equal and lid_p[t] < lid_q[t]; N[t]: the neighbours to which a link of the layer is up)::

    sink in layer t, and still after hold:  NEWS(t, val[t] + 1 mod 3, input[t]) to all of N[t]; empty input[t];
                                            val[t] := val[t] + 1 mod 3
    NEWS(t, v, batch) from q:               cv[t, q] := v; deliver what was not seen before, append it to input[t]
    publish on t:                           append it to input[t], with a new random identifier
    subscribe to t:                         LINK_REQ(t) to all neighbours; when all have answered: choose val[t] and
                                            lid[t], LINK_UP to them; if nobody is in the layer: val[t] := 0, lid[t] := 1
    LINK_REQ(t):                            keep val[t] until the link is settled; LINK_OK(t, val[t], lid[t]), or
                                            LINK_KO(t) (not in the layer, or not now)
    unsubscribe from t:                     when input[t] is sent: LINK_DOWN(t) to all of N[t]; wait for LINK_DOWN_OK(t)

At the beginning all tell their neighbours for each topic whether they are interested.  A newcomer chooses as on one
mobile DAG, by mode: safe takes v + 1 of one point x, and any other link only comes up, now or later, if its two ends
have a common neighbour x with |d(p, x) + d(x, q)| <= 1; paper (LLO as printed) may make a circle; heights counts
without end, max + 1.

Readings: one copy of everything for each layer, even of what was seen; a link of a layer is only between two that are
both in it.  LINK_KO says whether it makes sense to ask again (who answers is joining, too, or about to leave), so that
neighbours in a layer have a link, or one of them asks for it.  Who is privileged leaves after its turn; who is alone
with news waits for somebody to hear them.  Who is alone chooses val anew when it gets its first link; if a link to it
does not come up, it asks in its turn.  In mode safe two parts of a layer with links of their own never become one:
nobody can know that they are two.  Two neighbours that chose the same lid at the same time get no link.

Needs a connected network with names and two-way links, and somebody who starts, and publishes on all its topics.  Links
may reorder messages as long as nobody subscribes or unsubscribes; otherwise set order = "fifo".
Messages of one layer never change anything in another (theorem 1).
Complexity, as long as nobody subscribes or unsubscribes: 2 m messages for each topic to get to know each other, and 2 m
at most for a turn of everybody in a layer; exactly that if all are interested in everything.  To join costs 3 messages
for each neighbour at most; in mode safe whoever asks again asks all its neighbours in the layer.

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

    topics = parameter(2, minimum=1, help="how many topics there are: 1, 2, 3 ...")
    interest = parameter(1.0, minimum=0.0, maximum=1.0, help="how likely somebody is interested in a topic at first")
    mode = parameter("safe", choices=("safe", "paper", "heights"), help="how a newcomer chooses val, and how it counts")
    hold = parameter(0.5, minimum=0.0, help="how long a sink keeps its privilege")
    retry = parameter(5.0, minimum=0.1, help="after about how long it asks again for links that are forming")
    duty = parameter(
        16, minimum=0, help="after how many turns in a layer a process goes off duty there; 0: never",
        reached=lambda p: p.duty and any(k >= p.duty for k in p.turns.values()),
    )
    lids = parameter("random", choices=("random", "names"), help="the identifiers: by chance, or by rising names")
    shown = parameter(1, minimum=1, help="the topic whose layer is drawn")
