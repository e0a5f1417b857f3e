"""The synchronous model: processes act in rounds, and messages sent in one round are received in the next.

::

    class Rumour(Process):
        needs = rounds

        @on(ANY, ROUND)
        def compute(self, received):          # [(m, q), ...]: the messages sent to it in the previous round
            if received and not self.informed:
                self.informed = True
                for r in self.neighbours:
                    self.send(News(), to=r)

(Lynch, Distributed Algorithms, 1996, chapter 2.)
"""

from __future__ import annotations

from lydian.model.protocol.message import Timer

__all__ = ["ROUND"]


class ROUND(Timer):
    """A round: the process receives all messages that were sent to it in the previous round."""
