"""The leader passes the token on without entering the critical section."""

from lydian import Process, one_initiator, parameter, ring, variable, when


class TokenRing(Process):
    title = "A self-stabilising token ring"
    needs = ring, one_initiator

    k = parameter(10, minimum=2, help="the number of values of a counter")

    x: int = variable(0, minimum=0, maximum="k - 1")  # after a fault it may have any of these values
    wants: bool = True  # whether the process still waits to enter the critical section

    def has_token(self):
        """Return True if this process has a token; it may only read variables."""
        same = self.x == self.see(self.left).x
        return same if self.initiator else not same

    @when(has_token)
    def move(self):
        """It enters the critical section, if it wants to, and passes the token to its right neighbour."""
        self.wants = self.wants and self.initiator
        if self.initiator:
            self.x = (self.x + 1) % self.k
        else:
            self.x = self.see(self.left).x
