"""The play with one apple: whoever has it may speak, and mischief is never repaired.

A single apple goes round the table.  An actor who finds an apple in the basket on the left may speak, and then moves
it to the right.  This works as long as nobody adds or removes an apple: otherwise two speak for ever, or nobody does.

Pseudo-code (L_i is the number of apples in the basket to the left of P_i)::

    INIT:                   L_1 := 1, in the basket of one actor
    P_i:                    when L_i > 0   speak, then  L_i := L_i - 1;  L_(i+1) := L_(i+1) + 1

Needs a ring and one initiator, which starts with the apple and has no other role.  An apple is passed as a message, so
that it can be seen on its way to the next basket; links neither lose nor duplicate messages.
Complexity: one message for each speech; in n speeches everybody speaks once.

Reference: the first two acts of the play in the thesis Distributed Algorithms and Educational Simulation/Visualisation
in Collaborative Environments, chapter 9 (act 1 as far as the later acts reveal it); as a token ring, G. Le Lann,
Distributed systems: towards a formal approach, IFIP Congress 1977.
"""

from lydian import (
    ANY,
    INIT,
    Message,
    Process,
    always,
    eventually,
    no_crashes,
    on,
    one_initiator,
    parameter,
    reliable,
    ring,
    variable,
    when,
)


class Apple(Message):
    """The apple, on its way into the next basket."""


class OneApple(Process):
    title = "The play with one apple"
    needs = ring, one_initiator, reliable, no_crashes
    messages = ">= n"

    apples: int = variable(0, minimum=0, maximum="most")  # in the basket to its left
    spoken: int = variable(0, minimum=0, maximum=0)  # how often it has spoken

    most = parameter(2, minimum=0, help="the largest number of apples that mischief leaves in a basket")

    @on(ANY, INIT)
    def begin(self):
        """It finds the first apple."""
        self.apples += 1

    @when(lambda self: self.apples > 0)
    def speak(self):
        """It speaks, and then moves the apple to the right."""
        self.spoken += 1
        self.apples -= 1
        self.send(Apple(), to=self.right)

    @on(ANY, Apple)
    def find(self):
        """It finds an apple in the basket on the left."""
        self.apples += 1


def apples(c):
    """Return the number of apples on the table and in transit."""
    return sum(p.apples for p in c.processes) + len(c.in_transit)


@always("at most one may speak")
def one_speaker(c):
    return sum(p.apples > 0 for p in c.processes) <= 1


@eventually("there is exactly one apple")
def one_apple(c):
    return apples(c) == 1


@eventually("everybody has spoken")
def all_spoke(c):
    return all(p.spoken for p in c.processes)
