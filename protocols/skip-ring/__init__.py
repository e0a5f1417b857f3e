"""Publish/subscribe on a skip ring: a supervisor only hands out labels, and the subscribers do all the rest.

The label of a subscriber is its place on a circle.  From any variables, any database and any messages under way the
subscribers of a topic become a ring sorted by label, with shortcuts.  Publications are flooded over both; besides,
neighbours compare the hashes of their tries for ever, so that who comes late, or lost something, gets all of them.

The x-th label l(x), x = 0, 1, 2 ..., is 0, 1, 01, 11, 001, 011, 101, 111, 0001 ...: x in binary, its first digit moved
to the end; l(0) = 0.  r(y) = 0.y in binary is its place, from 0 to 1.  c is a pair of a label and a name.

Pseudo-code (algorithm BuildSR; S: the supervisor, v: a subscriber, u: me)::

    supervisor
      timeout:            next := next + 1 mod n; answer(who has l(next))
      SUBSCRIBE v:        if v is unknown, it gets l(n); answer(v)        GETCONF v: answer(v)
      UNSUBSCRIBE v:      who has l(n - 1) gets the label of v, and an answer; SETDATA(nothing) to v
      before each:        labels of crashed and of impossible entries are given to those with the largest ones
      answer(v):          SETDATA(its predecessor, its label, its successor), or SETDATA(nothing) if v is unknown
    subscriber without a label
      timeout:            REMOVE to left, right, ring; forget them; SUBSCRIBE if it wants to
      told of v:          REMOVE to v
    subscriber with a label
      timeout:            CHECK left, right, ring; shortcuts := those that the ring neighbours' labels say;
                          GETCONF u with probability 1/2 if it looks minimal, else 1/(2^k k^2), k = |label|;
                          INTRO_SC its two neighbours of level k to each other
      CHECK, INTRODUCE c: LIN: linearize(c).  CYC: the farther of c and ring is ring, the nearer is linearized
      LINEARIZE c:        store c if it is nearer than left (right), else pass it on to left (right)
      SETDATA(p, y, s):   label := y; left, right, ring := p, s; GETCONF for all that are displaced
    publications (in a trie: leaves are keys, inner nodes their longest common prefixes, with the hash of the hashes of
    their children)
      publish p:          insert p; PUBLISH_NEW p to left, right, ring and shortcuts
      PUBLISH_NEW p:      if p is new, insert it, and pass it on to all of these
      publish-timeout:    CHECK_TRIE(root) to left, right or ring
      CHECK_TRIE nodes:   where a hash differs, CHECK_TRIE(both children) back; where the node is missing,
                          CHECK_AND_PUBLISH(what I have below it, the prefix that is missing) back
      CHECK_AND_PUBLISH:  as CHECK_TRIE; and PUBLISH all that begin with the prefix

Needs an overlay: everybody may send to everybody by name, and the first by name is S, which everybody knows.  Nothing
is lost.  Messages may overtake each other.  S alone learns of crashes, from its failure detector, after a while.
Readings: ``wants``, for who has unsubscribed has no label, and would subscribe again; REMOVE, not a pair without a
label, answers a CHECK; GETCONF of somebody unknown does not register him; equal labels are for S to settle, since
handled on both sides, as printed, they multiply (``equals``); whom SETDATA displaces is reported to S (``displaced``
has two other readings); inner hashes are those of hashes, not of labels, as the formula has it (``hashes``); successor
and predecessor of who moves are found after the move.  Timers run for ``intervals``; if the ring stands by
then, the run comes to rest.
Complexity: a ring of n has 2n - 3 links, at most 2 log n - 1 for one process, diameter log n.  S sends 1 message for a
SUBSCRIBE, 2 for an UNSUBSCRIBE, and gets 1 to 1.323 GETCONF an interval, whatever n (the paper says less than 1; it
counts one label of length 1, and there are two).  A publication takes 4n - 6 messages.

Reference: M. Feldmann, C. Kolb, C. Scheideler, T. Strothmann, Self-Stabilizing Supervised Publish-Subscribe Systems,
IPDPS 2018, sections 2 to 5, algorithms 1 to 5.
"""

from lydian import detector, everybody_starts, named, overlay, parameter

from . import measures
from .publications import Publications
from .ring import Ring
from .subscribing import Subscriber
from .supervision import Supervisor


class SkipRing(Supervisor, Subscriber, Ring, Publications):
    title = "Publish/subscribe on a skip ring"
    needs = overlay, detector, named, everybody_starts
    messages = "<= n*(24*intervals + 8*commands) + 200*n"

    start = parameter("empty", choices=("empty", "legal", "random", "deep"), help="the beginning: nobody has a label; "
                      "the ring stands; anything anywhere; labels of 12 to 16 random bits")  # fmt: skip
    members = parameter(-1, minimum=-1, help="how many subscribe at the beginning, in the order of names; -1: all")
    stored = parameter(0, minimum=0, help="how many publications there are at the beginning")
    spread = parameter(False, help="whether every subscriber has all of these, or one subscriber each")
    interval = parameter(5.0, minimum=0.001, help="the time from one timeout to the next")
    intervals = parameter(
        20, minimum=1, help="for how many intervals timers run",
        reached=lambda p: p.clock >= (p.intervals - 1) * p.interval,
    )
    answers = parameter(1, minimum=1, help="how many subscribers S tells of their neighbours at each timeout")
    detection = parameter(True, help="whether S learns of crashes")
    latency = parameter(3.0, minimum=0.0, help="after how many intervals S learns of a crash")
    bits = parameter(16, minimum=1, maximum=32, help="m: how long the keys of publications are")
    flooding = parameter(True, help="whether new publications are flooded")
    back = parameter(True, help="whether they also go back to who sent them")
    repair = parameter(True, help="whether neighbours compare tries")
    displaced = parameter("report", choices=("report", "linearise", "forget"),
                          help="what becomes of neighbours that SETDATA displaces")  # fmt: skip
    equals = parameter("ask", choices=("ask", "both"),
                       help="what becomes of somebody with its own label: S is asked, or he belongs on both sides")
    hashes = parameter("hashes", choices=("hashes", "labels"), help="of what in its children the hash of a node is")
    commands = parameter(40, minimum=0, help="how many commands there are at most, for the bound of the messages")
    picture = parameter(True, help="whether it keeps what the animation draws")
