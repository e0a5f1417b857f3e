"""The appearance of publish/subscribe in layers: the circle of Chord, the trees of Scribe, the mesh of HyParView.

Processes are on a circle at their identifiers.  Dark arrows are succ, pale ones pred, thin arcs the fingers of the
selected process.  Flags are the keys of topics; the arc of the owner of such a key, from its pred to itself, is shaded.
Green arcs lead to the parents in the trees; a crown marks the root of a tree.  With ``way = "unstructured"`` grey lines
are the mesh: half a line if only one end knows the other; pale arcs lead from the selected process to its reserve.
Messages: routes are dark, subscriptions blue and publications green, also on their way to an owner or flooded; joins of
the mesh and leaves of a tree are orange, and all maintenance is pale.  The panel shows the tree of the topic with the
most members, with the messages along its links; the charts show the deliveries, the number of topics that processes
read, and the hops of messages to the owner of a topic.
"""

from lydian.pieces.animation import (
    Animation,
    Chart,
    Dress,
    Flags,
    Glyph,
    Histogram,
    Line,
    Marks,
    Parents,
    Places,
    Pointer,
    Sector,
    derived,
)


@derived
def up(p):
    """Return its parents in the trees."""
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
        "Count": "Number of readers",
        "StabReq": "Predecessor?",
        "StabRep": "Predecessor",
        "Notify": "Possible predecessor",
        "Find": "Owner?",
        "Found": "Owner",
        "Lost": "Crash detected (ring)",
        "Cut": "Crash detected (tree)",
        "Broken": "Crash detected (mesh)",
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
    parents=Parents("scribe.parent", title="Tree of brokers", share=0.24),
    chart=(
        Chart(
            (
                Line("len(received)", of="sum", word="deliveries"),
                Line("len(since)", of="sum", word="subscriptions"),
            ),
            title="Deliveries",
            axis="in total",
            side="below",
            share=0.22,
        ),
        Histogram("len(since)", title="Topics per process", axis="processes", word="topics", share=0.22),
        Histogram("chord.took", of="counts", title="Hops to owners", axis="messages", word="hops", share=0.22),
    ),
    phrases={
        ("idle", "Begin"): "It joins through {first}.",
        ("reader", "Spread"): "A publication came along the tree; it goes on to parent and children except {peer}.",
        ("idle", "Spread"): "It only forwards the publication, and does not read the topic.",
        ("reader", "Flood"): "A publication is flooded; {peer} sent it.",
        ("reader", "Notify"): "Process {peer} may be its predecessor.",
        ("idle", "Notify"): "Process {peer} may be its predecessor.",
    },
)
