"""The looks of publish/subscribe in layers: the circle of Chord, the trees of Scribe, the mesh of HyParView.

Processes stand on a circle at their identifiers.  Dark arrows are succ, pale ones pred, thin arcs the fingers of the
process that is selected.  Flags are the keys of topics; the arc of whoever owns one of them, from its pred to itself,
is shaded.  Green arcs lead to the parents in the trees; a crown marks the root of a tree.  With
``way = "unstructured"`` grey lines are the mesh: half a line if only one end knows the other; pale arcs lead from the
process that is selected to its reserve.  Messages: routes dark, subscriptions blue and publications green, on their
way to an owner too, and flooded ones; orange who joins the mesh or leaves a tree, pale all upkeep.  The grid tells who
got which news, the charts how many deliveries there were, how many topics processes read, and how many hops the
messages on the ring took that came to the owner of a topic.
"""

from lydian.pieces.animation import (
    Animation,
    Cell,
    Chart,
    Dress,
    Flags,
    Glyph,
    Grid,
    Histogram,
    Line,
    Marks,
    Places,
    Pointer,
    Sector,
    derived,
)


@derived
def up(p):
    """Its parents in the trees."""
    return sorted({q for q in p.scribe.parent.values() if q is not None})


CROWN = "M -1 0.7 L -1 -0.6 L -0.45 0 L 0 -0.9 L 0.45 0 L 1 -0.6 L 1 0.7 Z"

animation = Animation(
    states={"outside": 0, "idle": 3, "reader": 2},
    messages={
        "Find": 3,
        "Found": 3,
        "StabReq": 5,
        "StabRep": 5,
        "Notify": 5,
        "Carry": 3,
        "News": 0,
        "Chosen": 5,
        "Sub": 1,
        "Pub": 0,
        "Spread": 0,
        "Unsub": 2,
        "Count": 5,
        "Join": 2,
        "ForwardJoin": 2,
        "Connect": 2,
        "Disconnect": 4,
        "Neighbour": 2,
        "NeighbourReply": 2,
        "Shuffle": 5,
        "ShuffleReply": 5,
        "Ping": 5,
        "Flood": 0,
        "JoinAgain": 3,
        "Stabilize": 3,
        "FixFingers": 3,
        "Lost": 4,
        "Refresh": 3,
        "Cut": 4,
        "Leave": 4,
        "ShuffleTime": 3,
        "Broken": 4,
        "Begin": 1,
        "Choice": 2,
        "Speak": 2,
    },
    labels={
        "Carry": "On its way to an owner",
        "Spread": "Publication in a tree",
        "Flood": "Publication flooded",
        "Unsub": "Leaves a tree",
        "Count": "So many readers",
        "StabReq": "Who is before you?",
        "StabRep": "This one",
        "Notify": "I may be",
        "Find": "Who owns it?",
        "Found": "This one owns it",
        "Lost": "Crash noticed (ring)",
        "Cut": "Crash noticed (tree)",
        "Broken": "Crash noticed (mesh)",
    },
    dresses=(
        Dress("Carry", 'inner == "Sub"', kind=1, word="Subscription on its way", letter="S"),
        Dress("Carry", 'inner == "Pub"', kind=0, word="Publication on its way", letter="P"),
    ),
    kinds={
        0: "Publication",
        1: "Subscription",
        2: "Joins or leaves",
        3: "Routed to an owner",
        4: "Gives up",
        5: "Upkeep",
    },
    letters={"Carry": "R", "Spread": "P", "Flood": "F", "Unsub": "U"},
    pointers=(
        Pointer("chord.succ", style="ring", word="successor"),
        Pointer("chord.pred", style="arrow", word="predecessor"),
    ),
    marks=(
        Marks("up", slot=2, style="arrow", word="parent"),
        Marks("hyparview.active", slot=7, style="half", word="neighbour in the mesh"),
        Marks("chord.finger", slot=4, style="arc", word="finger", selected=True),
        Marks("hyparview.passive", slot=5, style="arc", word="reserve", selected=True),
    ),
    glyphs=(Glyph(CROWN, variable="scribe.roots", word="root"),),
    places=Places("ring(chord.id, bits) if chord.joined else None", size=0.97, word="identifier"),
    sectors=(Sector("[chord.pred, me] if scribe.roots else None", word="its owner's keys"),),
    flags=(Flags("chord.keys", slot=6, word="topic"),),
    grid=Grid((Cell("received", slot=2, word="got it"),), title="Who got which news", word="news", most=16, share=0.22),
    chart=(
        Chart(
            (
                Line("len(received)", of="sum", word="deliveries"),
                Line("len(since)", of="sum", word="subscriptions"),
            ),
            title="Deliveries",
            axis="in all",
            side="below",
            share=0.22,
        ),
        Histogram("len(since)", title="Topics per process", axis="processes", word="topics", share=0.22),
        Histogram("chord.took", of="counts", title="Hops to owners", axis="messages", word="hops", share=0.22),
    ),
    phrases={
        ("idle", "Begin"): "It joins through {first}.",
        ("reader", "Spread"): "A publication came along the tree; it goes on to parent and children but {peer}.",
        ("idle", "Spread"): "A mere forwarder: it passes the publication on and does not want it.",
        ("reader", "Flood"): "A publication is flooded; {peer} sent it.",
        ("reader", "Notify"): "{peer} may be its predecessor.",
        ("idle", "Notify"): "{peer} may be its predecessor.",
    },
)
