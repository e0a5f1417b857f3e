"""Role-based distributed hash table: only processes interested in a topic forward its publications, in turn.

A process is placed on a circle once for each topic (*role*) that it forwards, at the hash of the topic followed by its
own, so the forwarders of a topic are neighbours there.  Other members are children of the closest forwarder.

Pseudo-code (L: topics p forwards; C[t]: its children; loc(p, t) = hash(t) hash(p))::

    lookup x:        forward to a process in the tables that is closer to x; there is none: found
                     (with a role: tables of this role only, so no other process is on the path)
    subscribe(T):    look up loc(p, t) for all t in T;  no process forwards t: be its first forwarder
                     L empty: split where the closest forwarder has the most children
                     q with (|L_q| - 1)/|T_q| > (|L| + 1)/|T|: split, and q goes (replace);  else join q
    split:           the forwarder to the left of loc(p, t) puts p between itself and r; children move if it is closer
    leave:           the left neighbour skips p; each child is assigned to its closest forwarder
    |C[t]| > k:      the child that forwards least splits
    child, every repair:  ROUTEPARENT to some of F[t]; no answer last time: ISPARENT by any table.  ISCHILD answers
        publication on t:  a random lookup finds the root; it passes each half of the other forwarders to the one in its
                         middle, which does the same with the parts to its left and right; all pass it to their children
      or gossip:     to fan_out of the view, which random REQUESTs fill, for r steps

The forwarder to the left of a gap in the circle makes all changes to this gap, one at a time; it is busy meanwhile, and
a process that asks for a change waits, or is told to abort, looks up again, and retries.

Needs a reliable overlay with names and one initiator, which invites all other processes; newcomers ask it first.
Timers run until ``upkeep``, so that a run ends.
Choices made: tables hold the forwarders 1, 2, 4 ... places to the left and to the right within the topic, so halves are
exact; nearness is measured within the sector of the topic, and only publications and tables wrap round it; heartbeats
repair the circle, in place of empty publications from each root; a random lookup ends at the closest forwarder, or with
``reject`` compensates for the lengths of arcs; phi = forwarded / notified; publications on a topic belong to its
supertopics, which ``direction = "printed"`` reverses.
Complexity: N - 1 messages to N forwarders in at most ceil(log2 N) steps, at most two for each forwarder; O(log N) hops
for a lookup; O(N) messages for tables when a forwarder comes or goes.  Subscriptions that do not interfere cost at most
what the formula says; it is a rule of thumb, since a process that is told to abort tries again.

Reference: S. Baehni, R. Guerraoui, S. B. Handurukande, M. Jurca, B. Koldehofe, chapter 6 of B. Koldehofe, Distributed
Algorithms and Educational Simulation/Visualisation in Collaborative Environments, Chalmers 2005, algorithms 5 and 6.
"""

from lydian import named, one_initiator, overlay, parameter, reliable

from . import measures
from .children import Children
from .crashes import Crashes
from .leaving import Leaving
from .news import News
from .ring import Circle
from .routing import Routing
from .subscribing import Subscribing
from .tables import Tables
from .views import Views


class RoleDht(Subscribing, Routing, Circle, Leaving, Children, Tables, News, Views, Crashes):
    title = "Role-based DHT"
    needs = overlay, named, reliable, one_initiator
    messages = "<= (n*interest + commands)*(8*n + 40) + upkeep*n*(interest + 6)"

    variant = parameter("ForwardTreeCast", choices=("FullGossip", "ForwardGossip", "FullTreeCast", "ForwardTreeCast"),
                        help="processes that spread publications (all members or forwarders), and how")  # fmt: skip
    topics = parameter(4, minimum=1, help="number of topics: 1, 2, 3 ...")
    interest = parameter(2, minimum=0, help="number of topics in which each process is interested at first")
    zipf = parameter(0.0, minimum=0.0, help="0: all topics are equally popular; larger values favour the first")
    k = parameter(4, minimum=1, help="maximum number of children of a forwarder")
    l = parameter(3, minimum=1, help="number of alternative forwarders, and of addresses in a view")  # noqa: E741
    fan_out = parameter(2, minimum=1, help="K: receivers of gossip, and addresses refreshed at once")
    r = parameter(5, minimum=1, help="maximum number of steps of gossip")
    f = parameter(0.5, minimum=0.0, maximum=1.0, help="probability that a view is refreshed in a period")
    roots = parameter(1, minimum=1, help="number of roots that spread the same publication")
    fixed_root = parameter(False, help="whether all publications on a topic have the same root")
    reject = parameter(False, help="whether a random lookup compensates for long arcs")
    routing = parameter("both", choices=("both", "clockwise"), help="lookups in either direction, or to the right only")
    links = parameter("interval", choices=("interval", "printed", "shifted"),
                      help="halves of the circle; or hash +- m/2^i as printed; or hash +- m/2^(i + 2)")  # fmt: skip
    hierarchy = parameter("none", choices=("none", "chain", "tree", "diamond"), help="hierarchy of the topics")
    direction = parameter("up", choices=("up", "printed"), help="publications go to supertopics, or as printed")
    repair = parameter(10.0, minimum=0.1, help="period of requests for the parent, and of view refreshes")
    heartbeat = parameter(4.0, minimum=0.1, help="period of pings to the next process on the circle")
    patience = parameter(40.0, minimum=0.1, help="how long an operation may take if there are failures")
    upkeep = parameter(
        0.0, minimum=0.0, help="time until which children, views and circle are maintained; 0: never",
        reached=lambda p: p.clock + p.repair >= p.upkeep > 0,
    )
    spread = parameter(20.0, minimum=0.0, help="time within which the processes join")
    salt = parameter(0, minimum=0, help="choice of the hash function")
    commands = parameter(40, minimum=0, help="maximum number of commands, for the bound on messages")
    shown = parameter(1, minimum=1, help="the topic that is drawn")
