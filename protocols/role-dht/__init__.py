"""Role-based distributed hash table: only who wants a topic forwards its news, and all take turns at the work.

For each topic (*role*) for which a process forwards it stands once on a circle, at the hash of the topic followed by
its own, so that the forwarders of a topic are neighbours there.  Other members are children of the closest forwarder.

Pseudo-code (L: topics p forwards; C[t]: its children; loc(p, t) = hash(t) hash(p))::

    lookup x:        go on to whom the tables show that is closer to x; nobody is: here it is
                     (with a role: tables of this role only, so nobody else is on the way)
    subscribe(T):    look up loc(p, t) for all t in T;  nobody forwards t: be its first forwarder
                     L empty: split where the closest forwarder has most children
                     q with (|L_q| - 1)/|T_q| > (|L| + 1)/|T|: split, and q goes (replace);  else join q
    split:           the forwarder to the left of loc(p, t) puts p between itself and r; children go where it is closer
    leave:           the one to the left is told to skip p; each child is given to its closest forwarder
    |C[t]| > k:      the child that forwards least splits
    child, every repair:  ROUTEPARENT to some of F[t]; no answer last time: ISPARENT by any table.  ISCHILD answers
    news on t:       a random lookup finds the root; it hands each half of the other forwarders to one in its middle,
                     who does the same with what lies to its left and right; all hand it to their children
      or gossip:     to fan_out of the view, that random REQUESTs fill, for hops steps

What changes a gap of the circle is done by the forwarder to the left of it, one thing at a time; it is busy meanwhile,
and who asks it waits, or is told to abort, looks up again, and tries once more.

Needs a reliable overlay with names and one who starts: it invites all, and newcomers ask it first.  Timers run until
``upkeep``, so that a run ends.
The readings taken: tables hold the forwarders 1, 2, 4 ... places to the left and to the right within the topic, so
halves are exact; nearness is measured within the sector of the topic, and only news and tables go round it;
heartbeats mend the circle, in place of empty news from each root; of a lookup at random the closest is taken, or with
``reject`` the arcs are made up for; phi = forwarded / notified; news of a topic belong to its supertopics, which
``direction = "printed"`` turns round.
Complexity: N - 1 messages to N forwarders in ceil(log2 N) steps at most, two for each of them at most; O(log N) hops
for a lookup; O(N) messages for tables when somebody comes or goes.  Subscriptions that do not meet take as much as
the formula says at most; it is a rule, since whoever is told to abort tries again.

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
                        help="who spreads news (all members or forwarders), and how")  # fmt: skip
    topics = parameter(4, minimum=1, help="how many topics there are: 1, 2, 3 ...")
    interest = parameter(2, minimum=0, help="in how many of them each process is interested at the beginning")
    zipf = parameter(0.0, minimum=0.0, help="0: all topics are equally popular; the greater, the more so is the first")
    k = parameter(4, minimum=1, help="how many children a forwarder has at most")
    l = parameter(3, minimum=1, help="how many alternative forwarders, and addresses in a view")  # noqa: E741
    fan_out = parameter(2, minimum=1, help="K: to how many gossip goes, and how many addresses are refreshed at once")
    r = parameter(5, minimum=1, help="how many steps gossip goes at most")
    f = parameter(0.5, minimum=0.0, maximum=1.0, help="how likely a view is refreshed in a period")
    roots = parameter(1, minimum=1, help="how many roots spread the same news")
    fixed_root = parameter(False, help="whether all news of a topic go to the same root")
    reject = parameter(False, help="whether a random lookup makes up for long arcs")
    routing = parameter("both", choices=("both", "clockwise"), help="lookups by either side, or to the right only")
    links = parameter("interval", choices=("interval", "printed", "shifted"),
                      help="halves of the circle; or hash +- m/2^i as printed; or hash +- m/2^(i + 2)")  # fmt: skip
    hierarchy = parameter("none", choices=("none", "chain", "tree", "diamond"), help="which topics are above which")
    direction = parameter("up", choices=("up", "printed"), help="news go to supertopics, or as the text has it")
    repair = parameter(10.0, minimum=0.1, help="how often children ask for their parent, and views are refreshed")
    heartbeat = parameter(4.0, minimum=0.1, help="how often the next on the circle is asked whether it is there")
    patience = parameter(40.0, minimum=0.1, help="how long an operation may take where there are failures")
    upkeep = parameter(
        0.0, minimum=0.0, help="until when children, views and circle are looked after; 0: not at all",
        reached=lambda p: p.clock + p.repair >= p.upkeep > 0,
    )
    spread = parameter(20.0, minimum=0.0, help="the time in which the processes come")
    salt = parameter(0, minimum=0, help="which hash function")
    commands = parameter(40, minimum=0, help="how many commands there are at most, for the bound of the messages")
    shown = parameter(1, minimum=1, help="the topic that is drawn")
