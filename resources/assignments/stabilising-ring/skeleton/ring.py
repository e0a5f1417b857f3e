"""A self-stabilising token ring: from any configuration, eventually exactly one token circulates.

Write the rules below. Keep the name of this file, the variables ``x`` and ``wants``, and the parameter ``k``.
"""

from lydian import Process, one_initiator, parameter, ring, variable, when


class TokenRing(Process):
    title = "A self-stabilising token ring"
    needs = ring, one_initiator

    k = parameter(10, minimum=2, help="the number of values of a counter")

    x: int = variable(0, minimum=0, maximum="k - 1")  # after a fault it may have any of these values
    wants: bool = True  # whether the process still waits to enter the critical section

    def has_token(self):
        """Return True if this process has a token; it may only read variables."""
        raise NotImplementedError("has_token: compare self.x with self.see(self.left).x; the leader differs")

    @when(has_token)
    def move(self):
        """It enters the critical section, if it wants to, and passes the token to its right neighbour."""
        raise NotImplementedError("move: what becomes of self.wants and self.x?")
