"""Publish/subscribe on a mobile DAG: a sink sends all its items, and gives way by means of one small counter.

The processes interested in a topic form a layer, whose links have directions without a cycle.  A sink, to which all its
links lead, is privileged: it sends everything that it has heard and published to all neighbours and adds 1 to its
counter val, modulo 3, which reverses its links.  So each process is a sink again and again, and no process learns which
process has published an item.

Pseudo-code (x is below y if y = x + 1 mod 3; link (p, q) leads to p if val_p is below val_q, or both are equal and
lid_p < lid_q; N: the neighbours whose link is up)::

    sink, still after hold:  NEWS(val + 1 mod 3, input + local) to all of N; empty both; val := val + 1 mod 3
    NEWS(v, batch) from q:       cv[q] := v; deliver each item not seen before, and append it to input
    publish:                     append it to local, with a new random identifier
    join:                        LINK_REQ to all points; when all have answered: choose val and lid, LINK_UP to points
    LINK_REQ:                    keep val until the link is settled; LINK_OK(val, lid), or LINK_KO (no member)
    leave:                       when everything is sent: LINK_DOWN to all of N; wait for LINK_DOWN_OK

A newcomer whose points have the values V chooses, by mode:
  * paper (LLO as printed): v + 1 if V = {v}, the least of V if there are two, 0 if there are three.  May make a cycle;
  * safe: v + 1 of one point x.  Any other link, also later between members, comes up only if its two ends have a common
    neighbour x with |d(p, x) + d(x, q)| <= 1, where d is the difference modulo 3, -1 to 1; otherwise it stays forming;
  * heights: val is any number, a newcomer takes max + 1, and so does a sink.  Never a cycle;
  * ordinary: as paper with the ordinary "<" instead of the cyclic "below", as definition 4 prints it.  Starves.

Choices made: "below" is cyclic; a newcomer with three values chooses a lid above all others; seen prevents items from
circulating for ever; a process that is already a sink answers LINK_REQ after its turn; LINK_FREE, not in the paper,
ends the wait for a link that does not come up; LINK_OK also carries the neighbours, which safe mode compares, and in
this mode a member asks all its own neighbours, too.  The commands Meet and Lost report to one end or both that a link
came or went; a process named by Lost is out of reach until Meet names it, so that no process waits for its answer.

Needs names and two-way links, and an initiator that publishes.  Links may reorder messages as long as no process
joins or leaves; otherwise set order = "fifo".
Complexity: 2 m messages to get to know all neighbours, and 2 m for one turn of each process; 2 m copies of every item;
the numbers of turns of neighbours differ by at most 1.  After duty turns a process goes off duty, so that a run ends;
an item moves one link further with each turn, so duty should exceed the diameter.

Reference: E. Anceaume, A. K. Datta, M. Gradinariu, G. Simon, Publish/subscribe scheme for mobile networks, POMC 2002,
definitions 1 to 5, tables 1 to 4 (LLO and LLRO).
"""

from lydian import connected, named, parameter, some_initiator, two_way

from . import measures
from .beginning import Beginning
from .joining import Joining
from .leaving import Leaving
from .outofplace import OutOfPlace
from .turns import Turns


class MobileDag(Beginning, Turns, Joining, Leaving, OutOfPlace):
    title = "Publish/subscribe on a mobile DAG"
    needs = connected, named, two_way, some_initiator
    messages = "2*m*(duty + 1)"

    mode = parameter("safe", choices=("safe", "paper", "heights", "ordinary"), help="how val is chosen and compared")
    hold = parameter(0.5, minimum=0.0, help="how long a sink keeps its privilege")
    retry = parameter(5.0, minimum=0.1, help="approximate time until it repeats requests for forming links")
    duty = parameter(
        24, minimum=0, help="number of turns until a process goes off duty; 0: never",
        reached=lambda p: p.duty and p.turns >= p.duty,
    )
    members = parameter("all", choices=("all", "initiators"), help="processes in the layer at the beginning")
    lids = parameter("random", choices=("random", "names", "alternating"), help="the identifiers: random; rising with "
                     "names; or alternately low and high in the order of names")  # fmt: skip
    counters = parameter(3, minimum=2, maximum=3, help="number of values of val, except in mode heights")
    memory = parameter(True, help="whether a process remembers the items that it has seen")
