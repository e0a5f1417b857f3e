"""Publish/subscribe on a skip ring: a supervisor only assigns labels, and the subscribers do everything else.

The label of a subscriber is its place on a circle.  From any variables, any database and any messages in transit, the
subscribers of a topic form a ring sorted by label, with shortcuts.  Publications are flooded over both; in addition,
neighbours compare the hashes of their tries for ever, so that latecomers, and processes that lost any, get all of them.

The x-th label l(x), x = 0, 1, 2 ..., is 0, 1, 01, 11, 001, 011, 101, 111, 0001 ...: x in binary, its first digit moved
to the end; l(0) = 0.  r(y) = 0.y in binary is its place, from 0 to 1.  c is a pair of a label and a name.

Pseudo-code (algorithm BuildSR; S: the supervisor, v: a subscriber, u: me)::

    supervisor
      timeout:            next := next + 1 mod n; answer(the holder of l(next))
      SUBSCRIBE v:        if v is unknown, assign l(n); answer(v)        GETCONF v: answer(v)
      UNSUBSCRIBE v:      the holder of l(n - 1) gets the label of v, and an answer; SETDATA(nothing) to v
      before each:        labels of crashed and of impossible entries are given to the holders of the largest ones
      answer(v):          SETDATA(its predecessor, its label, its successor), or SETDATA(nothing) if v is unknown
    subscriber without a label
      timeout:            REMOVE to left, right, ring; forget them; SUBSCRIBE if it wants to
      hears of v:          REMOVE to v
    subscriber with a label
      timeout:            CHECK left, right, ring; shortcuts := those given by the ring neighbours' labels;
                          GETCONF u with probability 1/2 if it looks minimal, else 1/(2^k k^2), k = |label|;
                          INTRO_SC introduces its two neighbours of level k to each other
      CHECK, INTRODUCE c: LIN: linearize(c).  CYC: the farther of c and ring is ring, the nearer is linearized
      LINEARIZE c:        store c if it is nearer than left (right), otherwise pass it on to left (right)
      SETDATA(p, y, s):   label := y; left, right, ring := p, s; GETCONF for all that are displaced
    publications (in a trie: leaves are keys, inner nodes their longest common prefixes, with the hash of the hashes of
    their children)
      publish p:          insert p; PUBLISH_NEW p to left, right, ring and shortcuts
      PUBLISH_NEW p:      if p is new, insert it, and pass it on to them all
      publish-timeout:    CHECK_TRIE(root) to left, right or ring
      CHECK_TRIE nodes:   where a hash differs, CHECK_TRIE(both children) back; where the node is missing,
                          CHECK_AND_PUBLISH(the nodes below it, the missing prefix) back
      CHECK_AND_PUBLISH:  as CHECK_TRIE; and PUBLISH all keys that begin with the prefix

Needs an overlay in which every process may send to any other by name; the first by name is S, which all know.  No
message is lost.  Messages may overtake each other.  Only S learns of crashes, from its failure detector, with a delay.
Choices made: ``wants``, since a process that has unsubscribed has no label and would subscribe again; REMOVE, not a
pair without a label, answers a CHECK; GETCONF of an unknown process does not register it; S resolves equal labels,
since handled on both sides, as printed, they multiply (``equals``); a process displaced by SETDATA is reported to S
(``displaced`` has two other interpretations); inner hashes are those of hashes, not of labels, as the formula has it
(``hashes``); successor and predecessor of a moved process are determined after the move.  Timers run for ``intervals``;
if the ring is complete by then, the run comes to rest.
Complexity: a ring of n has 2n - 3 links, at most 2 log n - 1 for one process, diameter log n.  S sends 1 message for a
SUBSCRIBE, 2 for an UNSUBSCRIBE, and receives 1 to 1.323 GETCONF in each interval, for any n (the paper says less than
1; it counts one label of length 1, and there are two).  A publication takes 4n - 6 messages.

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

    start = parameter("empty", choices=("empty", "legal", "random", "deep"), help="the beginning: no labels; "
                      "the complete ring; arbitrary contents; labels of 12 to 16 random bits")  # fmt: skip
    members = parameter(-1, minimum=-1, help="number of subscribers at the beginning, in the order of names; -1: all")
    stored = parameter(0, minimum=0, help="number of publications at the beginning")
    spread = parameter(False, help="whether every subscriber has all of these, or each has one holder")
    interval = parameter(5.0, minimum=0.001, help="time from one timeout to the next")
    intervals = parameter(
        20, minimum=1, help="number of intervals for which timers run",
        reached=lambda p: p.clock >= (p.intervals - 1) * p.interval,
    )
    answers = parameter(1, minimum=1, help="number of subscribers to which S sends their neighbours at each timeout")
    detection = parameter(True, help="whether S learns of crashes")
    latency = parameter(3.0, minimum=0.0, help="number of intervals until S learns of a crash")
    bits = parameter(16, minimum=1, maximum=32, help="m: length of the keys of publications")
    flooding = parameter(True, help="whether new publications are flooded")
    back = parameter(True, help="whether they are also sent back to their sender")
    repair = parameter(True, help="whether neighbours compare tries")
    displaced = parameter("report", choices=("report", "linearise", "forget"),
                          help="treatment of neighbours that SETDATA displaces")  # fmt: skip
    equals = parameter("ask", choices=("ask", "both"),
                       help="treatment of a process with the same label: ask S, or place it on both sides")
    hashes = parameter("hashes", choices=("hashes", "labels"), help="input of a node's hash")
    commands = parameter(40, minimum=0, help="maximum number of commands, for the bound on messages")
    picture = parameter(True, help="whether to keep the values that the animation draws")
