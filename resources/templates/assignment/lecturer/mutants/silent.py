"""A process that is informed does not pass the message on."""

from lydian import INIT, Message, Process, connected, on, one_initiator, states

SLEEPING, INFORMED = states("sleeping", "informed")


class News(Message):
    """What every process must hear."""


class Broadcast(Process):
    needs = connected, one_initiator

    state = SLEEPING

    @on(SLEEPING, INIT)
    def start(self):
        """The initiator is informed, and tells its neighbours."""
        self.state = INFORMED
        self.tell(self.neighbours)

    @on(SLEEPING, News)
    def hear(self, m, q):
        """A process that is informed tells its other neighbours."""
        self.state = INFORMED


    @on(INFORMED, News)
    def hear_again(self, m, q):
        """A process that knows already ignores the message."""

    def tell(self, neighbours):
        for r in neighbours:
            self.send(News(), to=r)
