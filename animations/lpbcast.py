"""The appearance of lightweight probabilistic broadcast: the events remembered, forgotten and delivered again.

The grid has a row for each process and a column for each event: in the history, forgotten, or red where it was
delivered more than once.  The cards beside a process are its history, the oldest first; ids that are dropped fade.  A
red process sends an event that it had delivered before.  Charts: deliveries in a round, the number of different events
that are sent in it, and the number of rounds that events have lasted, from creation to the last delivery anywhere.
"""

from lydian.pieces.animation import Animation, Cell, Chart, Grid, Histogram, Line, Queue

animation = Animation(
    states={"quiet": 0, "telling": 2, "repeating": 1},
    messages={"Gossip": 0, "Publish": 1, "Resize": 3, "ROUND": 3},
    labels={"Publish": "Something happened", "Resize": "Another memory", "ROUND": "Round"},
    queues=(Queue("history", most=3, slot=2, word="in the history, the oldest first"),),
    grid=Grid(
        (
            Cell("times", slot=1, above=1, word="delivered again"),
            Cell("history", slot=2, word="in the history"),
            Cell("times", slot=5, word="forgotten"),
        ),
        title="Known events",
        word="event",
    ),
    chart=(
        Chart(
            (
                Line("now", of="sum", word="in a round"),
                Line("again", of="sum", word="of events known before"),
            ),
            title="Deliveries",
            share=0.24,
        ),
        Chart(Line("going", of="different", word="sent in this round"), title="Events in circulation", share=0.24),
        Histogram(
            "last",
            of="largest",
            less="mine",
            title="How long events last",
            axis="events",
            word="rounds",
            side="beside",
            slot=3,
        ),
    ),
    phrases={
        ("quiet", "ROUND"): "It received no event that it does not remember.",
        ("telling", "ROUND"): "It delivered {now:event|events} that it does not remember, and sends them.",
        ("repeating", "ROUND"): "Delivered: {now:event|events}; {again} of them had been forgotten before.",
    },
)
