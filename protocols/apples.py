"""The play with apples: two baskets show who may speak, and every mischief is repaired.

Actors sit round a table with a basket between every two neighbours; only these two can see into it.  The leader may
speak when its two baskets contain the same number of apples, and the others when theirs differ.  This is Dijkstra's
token ring, presented so that everybody can play it.

Pseudo-code (X_i is the number of apples in the basket to the right of P_i; the leader is P_1, its left basket X_n)::

    P_1, the leader:                when X_1 = X_n        speak, then  X_1 := X_1 + 1
    P_i, rule "equal" (act 4):      when X_i <> X_(i-1)   speak, then  X_i := X_(i-1)
    P_i, rule "add" (act 3):        when X_i <> X_(i-1)   speak, then  X_i := X_i + 1

The rule of act 3 works from empty baskets and repairs many faults, but is wrong: if the left neighbour of the leader
has more apples on its right than on its left, and the leader has more on its left than on its right, the neighbour adds
apples for ever.  Only one actor speaks at a time throughout; the violated property is that everybody speaks again and
again.

Needs a ring and one initiator, the leader.  Apples are unbounded (the pile in the middle): modulo K the rule of act 3
would wrap round.  ``most`` is the largest number of apples that a fault leaves in a basket.
Complexity: no messages, only reads; with the right rule O(n^2) speeches until only one actor may speak.

Reference: E. W. Dijkstra, Self-stabilizing systems in spite of distributed control, CACM 17 (1974); the play is from
the thesis Distributed Algorithms and Educational Simulation/Visualisation in Collaborative Environments, chapter 9,
Using Actors to Teach Self-Stabilisation (where the failure of act 3 is called a deadlock; it is a starvation).
"""

from lydian import Process, always, eventually, one_initiator, parameter, ring, variable, when


class Apples(Process):
    title = "The play with apples"
    needs = ring, one_initiator
    messages = "0"

    apples: int = variable(0, minimum=0, maximum="most")  # in the basket to its right
    spoken: int = variable(0, minimum=0, maximum=0)  # how often it has spoken
    saw: int = variable(-1, minimum=-1, maximum=-1)  # the apples on its left when it spoke last
    again: int = variable(0, minimum=0, maximum=0)  # how often it has spoken while these did not change

    rule = parameter("equal", choices=("equal", "add"), help="make the right basket equal to the left, or add one")
    most = parameter(5, minimum=0, help="the largest number of apples that mischief leaves in a basket")
    patience = parameter(20, minimum=1, help="how often one may speak while nothing changes on its left")

    def leads(self):
        return self.initiator and self.apples == self.see(self.left).apples

    def follows(self):
        return not self.initiator and self.apples != self.see(self.left).apples

    @when(leads)
    def lead(self):
        """The leader speaks, and puts an apple from the pile into the basket on the right.

        always:
        """
        self.count()
        self.apples += 1

    @when(follows)
    def follow(self):
        """It speaks, and then makes the right basket equal to the left one, or adds an apple.

        always: It speaks; the basket to its right now contains {apples:apple|apples}.
        """
        self.count()
        self.apples = self.see(self.left).apples if self.rule == "equal" else self.apples + 1

    def count(self):
        left = self.see(self.left).apples
        self.spoken += 1
        self.again = self.again + 1 if left == self.saw else 1
        self.saw = left


def speakers(c):
    """Return the actors that may speak."""
    return [p for p in c.processes if not c.crashed(p) and (p.leads() or p.follows())]


@always("somebody may speak")
def somebody(c):
    return len(speakers(c)) >= 1


@eventually("one at a time may speak")
def one_speaker(c):
    return len(speakers(c)) == 1


@always("nobody speaks on and on while nothing changes on its left")
def response(c):
    return all(p.again <= p.patience for p in c.processes)


@eventually("everybody has spoken")
def all_spoke(c):
    return all(p.spoken for p in c.processes)
