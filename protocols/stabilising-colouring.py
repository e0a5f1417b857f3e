"""Self-stabilising colouring: a process with the same colour as a neighbour chooses another colour.

Delta + 1 colours are enough if no process has more than Delta neighbours: at least one is always free.  Two neighbours
that change in the same step may choose the same colour again; a coin that is tossed before each change separates them.

Pseudo-code::

    when a neighbour has my colour    then    (with coin: with probability 1/2)
                                              colour := the least colour that no neighbour has

Needs two-way links; names are not used, and there are no initiators and no leader.  Without the coin, the daemon must
move one process at a time; with it any daemon will do, and a colouring is reached with probability 1.
Complexity: no messages, only reads; without the coin at most one move for each process, since a colour that was free
when it was chosen never has to be given up (central daemon).  Colours from 0 to Delta.

Reference: M. Gradinariu, S. Tixeuil, Self-stabilizing vertex coloration and arbitrary graphs, OPODIS 2000, whose
algorithm for a central daemon chooses the greatest free colour; the least is chosen here, as in S. Ghosh, M. H.
Karaata, A self-stabilizing algorithm for coloring planar graphs, Distributed Computing 7 (1993); the coin is that of
OPODIS 2000.
"""

from lydian import Process, always, at_end, eventually, parameter, two_way, variable, when


class StabilisingColouring(Process):
    title = "Self-stabilising colouring"
    needs = (two_way,)
    messages = "0"

    colour: int = variable(0, minimum=0, maximum="n")
    changes: int = variable(0, minimum=0, maximum=0)  # how often it changed its colour

    coin = parameter(False, help="whether a coin is tossed before each change, for daemons that move several at once")

    def taken(self):
        return {self.see(q).colour for q in self.neighbours}

    @when(lambda self: self.colour in self.taken())
    def change(self):
        """It has the colour of a neighbour, and chooses the lowest free one if its coin allows this.

        changes: A neighbour has its colour, so it chooses the lowest free one.
        otherwise: A neighbour has its colour, but its coin says that it keeps it this time.
        """
        if not self.coin or self.random.random() < 0.5:
            self.colour = next(colour for colour in range(len(self.neighbours) + 1) if colour not in self.taken())
            self.changes += 1


def is_proper(c):
    """Return True if no two neighbours have the same colour."""
    return all(p.colour != c.across(p, q).colour for p in c.processes for q in p.neighbours)


@always("no process changes again and again")
def settles(c):
    return all(p.changes <= 2 * c.n for p in c.processes)


@eventually("neighbours have different colours")
def proper_in_the_end(c):
    return is_proper(c)


@at_end("when no process is enabled, neighbours have different colours")
def proper_at_rest(c):
    return is_proper(c)
