"""The looks of optimistic causal delivery: who has which event, what waits for what, and what is asked for.

Beside each process stands T, how far it is with each entry.  Orange cards are events that wait there, red ones those
that they wait for.  A card that leaves in green is delivered; one that is struck out came too late, or is given up.
Grey bars are gossip; orange squares ask for a missing event, green triangles bring it.  In the matrix every row is a
process and every column an event: delivered, waiting, asked for, or given up; red is against the causal order.
"""

from lydian.pieces.animation import Animation, Cell, Grid, Queue, Watch, derived


@derived
def lacks(p):
    """What precedes the events that wait in H, and is not there."""
    before = [f"{i}.{s}" for j, t, _ in p.H.values() for i in range(len(t)) for s in range(p.T[i] + 1, t[i] + (i != j))]
    return [id for id in dict.fromkeys(before) if id not in p.H and id not in p.R]


@derived
def shown(p):
    """T in words, unless it is long."""
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
        "Terminate": "Gossip brings no more",
        "GiveUp": "Missing events are given up",
    },
    letters={"Recover": "?", "AckRecover": "!"},
    queues=(
        Queue("lacks", most=2, slot=1, into="got", word="missing"),
        Queue("H", most=3, style="stack", slot=4, into="got", word="waits for it in H"),
    ),
    watch=Watch("T = {shown}", when="shown"),
    grid=Grid(
        (
            Cell("wrong", slot=1, word="delivered against the order"),
            Cell("asked", slot=6, word="asked for"),
            Cell("H", slot=4, word="waits"),
            Cell("skipped", slot=7, word="given up"),
            Cell("got", slot=2, word="delivered"),
        ),
        title="Who has delivered which event",
        word="event",
    ),
    phrases={
        ("calm", "Gossip"): "Gossip: {got:event is|events are} delivered, {H:event waits|events wait}.",
        ("waiting", "Gossip"): "Gossip: {got:event is|events are} delivered, {H:event waits|events wait}.",
        ("recovering", "Gossip"): "Gossip: {got:event is|events are} delivered, {H:event waits|events wait}.",
        ("waiting", "Terminate"): "Gossip has had its time; what is missing is asked for, or given up.",
        ("recovering", "Terminate"): "Gossip has had its time for another event.",
        ("recovering", "AckRecover"): "{peer} had kept the event; {H:event still waits|events still wait}.",
        ("waiting", "AckRecover"): "{peer} had kept the event; {H:event still waits|events still wait}.",
    },
)
