"""The appearance of optimistic causal delivery: the events delivered, waiting, missing and requested.

Beside each process is T, the last number delivered of each entry.  Orange cards are events that wait there, and red
ones the events for which they wait.  A card that leaves in green is delivered; one that is crossed out came too late or
was given up.  Grey bars are gossip; orange squares request a missing event, and green triangles bring it.  The matrix
has a row for each process and a column for each event: delivered, waiting, requested, given up, or (red) out of causal
order.
"""

from lydian.pieces.animation import Animation, Cell, Grid, Queue, Watch, derived


@derived
def lacks(p):
    """Return the events that precede those waiting in H and have not arrived."""
    before = [f"{i}.{s}" for j, t, _ in p.H.values() for i in range(len(t)) for s in range(p.T[i] + 1, t[i] + (i != j))]
    return [id for id in dict.fromkeys(before) if id not in p.H and id not in p.R]


@derived
def shown(p):
    """Return T as a text, unless it is long."""
    return " ".join(map(str, p.T)) if len(p.T) <= 10 else ""


animation = Animation(
    states={"calm": 2, "waiting": 4, "recovering": 6},
    messages={
        "Gossip": 5,
        "Recover": 2,
        "AckRecover": 0,
        "Round": 3,
        "Sent": 3,
        "Terminate": 4,
        "GiveUp": 4,
        "Update": 1,
        "Work": 1,
    },
    labels={
        "Recover": "Missing!",
        "AckRecover": "Here it is",
        "Round": "Round of gossip",
        "Terminate": "End of gossip",
        "GiveUp": "Missing events are given up",
    },
    letters={"Recover": "?", "AckRecover": "!"},
    queues=(
        Queue("lacks", most=2, slot=1, into="got", word="missing"),
        Queue("H", most=3, style="stack", slot=4, into="got", word="waits for them in H"),
    ),
    watch=Watch("T = {shown}", when="shown"),
    grid=Grid(
        (
            Cell("wrong", slot=1, word="delivered out of order"),
            Cell("asked", slot=6, word="requested"),
            Cell("H", slot=4, word="waits"),
            Cell("skipped", slot=7, word="given up"),
            Cell("got", slot=2, word="delivered"),
        ),
        title="Events delivered by each process",
        word="event",
    ),
    phrases={
        ("calm", "Gossip"): "Gossip: {got:event has|events have} been delivered; {H:event waits|events wait}.",
        ("waiting", "Gossip"): "Gossip: {got:event has|events have} been delivered; {H:event waits|events wait}.",
        ("recovering", "Gossip"): "Gossip: {got:event has|events have} been delivered; {H:event waits|events wait}.",
        ("waiting", "Terminate"): "The time for gossip is over; missing events are requested or given up.",
        ("recovering", "Terminate"): "The time for gossip is over for another event.",
        ("recovering", "AckRecover"): "Process {peer} had kept the event; {H:event still waits|events still wait}.",
        ("waiting", "AckRecover"): "Process {peer} had kept the event; {H:event still waits|events still wait}.",
    },
)
