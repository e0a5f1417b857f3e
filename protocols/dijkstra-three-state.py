"""Dijkstra's three states: three values are enough for one token, however many processes there are.

The machines form an array from the bottom to the top, and the top also sees the bottom.  The token moves up and down:
a value that is one ahead of its neighbour's moves to the neighbour, and is turned round at both ends.

Pseudo-code (S is the machine's own value, L and R those of its left and right neighbours; additions are modulo 3)::

    bottom:       when S + 1 = R                  then  S := S - 1
    the others:   when S + 1 = L                  then  S := L
                  when S + 1 = R                  then  S := R
    top:          when L = R and L + 1 <> S       then  S := L + 1          (its R is the bottom)

Needs a two-way ring with names; the bottom is called 0, and the top is its left neighbour.  It works with any daemon
that moves one machine at a time.  If several rules of one machine are enabled, each is a privilege of its own.
Complexity: no messages, only reads; O(n^2) moves until there is one token; then each of the machines between the two
ends has it twice in 2 (n - 1) moves.

Reference: E. W. Dijkstra, Self-stabilizing systems in spite of distributed control, CACM 17 (1974), third solution; its
proof: E. W. Dijkstra, A belated proof of self-stabilization, Distributed Computing 1 (1986).
"""

from lydian import Process, always, eventually, named, need, no_crashes, ring, two_way, variable, when


@need("a bottom", "one process is called 0: the bottom; its left neighbour is the top")
def bottom_there(network):
    return None if "0" in network.processes else "no process is called 0; rename the process that is to be the bottom"


class ThreeStates(Process):
    title = "Dijkstra's three states"
    needs = ring, two_way, named, bottom_there, no_crashes
    messages = "0"

    s: int = variable(0, minimum=0, maximum=2)

    def bottom(self):
        return self.me == "0"

    def top(self):
        return self.right == "0"

    def ahead(self, q):
        """Return True if the neighbour's value is one ahead of this machine's."""
        return self.see(q).s == (self.s + 1) % 3

    @when(lambda self: self.bottom() and self.ahead(self.right))
    def turn_up(self):
        """The bottom turns the token round, so that it moves up again."""
        self.s = (self.s - 1) % 3

    @when(lambda self: not self.bottom() and not self.top() and self.ahead(self.left))
    def move_up(self):
        """It copies the value of its left neighbour, so that the value moves up."""
        self.s = self.see(self.left).s

    @when(lambda self: not self.bottom() and not self.top() and self.ahead(self.right))
    def move_down(self):
        """It copies the value of its right neighbour, so that the value moves down."""
        self.s = self.see(self.right).s

    def meets_bottom(self):
        left, right = self.see(self.left).s, self.see(self.right).s
        return self.top() and left == right and self.s != (left + 1) % 3

    @when(meets_bottom)
    def turn_down(self):
        """The top turns the token round, so that it moves down again."""
        self.s = (self.see(self.left).s + 1) % 3


@always("some machine has a privilege")
def some_privilege(c):
    return len(c.enabled) >= 1


@eventually("there is exactly one privilege")
def one_privilege(c):
    return len(c.enabled) == 1
