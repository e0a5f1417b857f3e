"""The appearance of the role-based DHT: the sector of one topic as a circle, with its forwarders on it.

Forwarders of the topic that is shown are on the circle at their hashes, children outside their forwarders, with a
line to them, and uninterested processes inside.  The circle is divided where another forwarder becomes the
closest one: a process outside a part is a child of its forwarder.  Arcs from each forwarder to the next close the ring;
further arcs are the rest of the table of the selected process (2, 4 ... places on), along which publications are passed
in halves.  The stronger the ring round a process, the more it forwarded in relation to its notifications; bars count
processes by that ratio.  Below each process is the number of its topics that it forwards.  In a hierarchy of topics a
panel shows the order; publications go up.  Lookups are dark, and red once they have passed a process without the role;
joins are green, splits orange, leaves and tables pale; publications are blue, with their level in the tree.
"""

from lydian.pieces.animation import (
    Animation,
    Cell,
    Chart,
    Dress,
    Grid,
    Histogram,
    Line,
    Marks,
    Places,
    Pointer,
    Sector,
    Tree,
    Value,
    Watch,
    derived,
)


@derived
def phi(p):
    """Return forwarded / notified."""
    return p.forwarded / p.notified if p.notified else 0.0


@derived
def role(p):
    """Return 2 if it forwards the topic that is shown, 1 if it is a child, and 0 otherwise."""
    return 2 if str(p.shown) in p.L else 1 if str(p.shown) in p.parent else 0


@derived
def cut(p):
    """Return the part of the sector in which it is the closest forwarder: halfway to the next ones, or to the ends."""
    if p.role != 2:
        return []
    at, before, behind = (side.get(str(p.shown)) for side in (p.L, p.left, p.right))
    own, whole = at[2], 2**16
    low = before[2] if before and before[1] == at[1] and before[2] < own else -own
    high = behind[2] if behind and behind[1] == at[1] and behind[2] > own else 2 * whole - own
    return [(low + own) / 2 / whole, (own + high) / 2 / whole]


@derived
def up(p):
    """Return the parent."""
    return p.parent.get(str(p.shown))


@derived
def near(p):
    """Return the forwarder to the right."""
    return (p.table.get(str(p.shown), {}).get("R0") or [None])[-1]


@derived
def fingers(p):
    """Return the forwarders 2, 4 ... places to the right."""
    some = p.table.get(str(p.shown), {})
    return {x[3] for slot, x in some.items() if x and slot[0] == "R" and slot != "R0"}


animation = Animation(
    states={"outside": 7, "child": 2, "forwarder": 6},
    messages={
        "Invite": 5,
        "Lookup": 3,
        "Request": 3,
        "IsParent": 3,
        "Post": 1,
        "Found": 3,
        "Join": 0,
        "Split": 2,
        "Leave": 5,
        "Ok": 0,
        "Abort": 4,
        "LeftIs": 5,
        "Known": 5,
        "Done": 5,
        "Replace": 3,
        "Promote": 2,
        "Reassign": 2,
        "IsChild": 0,
        "LeaveChild": 5,
        "RouteParent": 3,
        "Claim": 5,
        "MyAddress": 5,
        "Event": 1,
        "Ping": 5,
        "Pong": 5,
        "Gone": 5,
    },
    labels={
        "Lookup": "Who is closest?",
        "Request": "Your address, please",
        "IsParent": "Who is my parent?",
        "Post": "Publication for a random root",
        "Found": "I am closest",
        "LeftIs": "New left neighbour",
        "IsChild": "You are my child",
        "LeaveChild": "No longer your child",
        "RouteParent": "Ask for my parent",
        "Claim": "Entry of a table",
        "MyAddress": "My address",
        "Event": "News",
        "Gone": "No longer there",
        "Begin": "Time to join",
        "Itself": "Message between its own roles",
        "Again": "Time to try again",
        "Patience": "Taking too long",
        "ChildRepair": "Time to ask for the parent",
        "ViewRefresh": "Time for new addresses",
        "MakeChild": "Make it a child",
        "TakeOver": "Take over",
    },
    dresses=(
        *(Dress(name, "strangers > 0", kind=4, word="Past a stranger") for name in ("Lookup", "Request", "IsParent")),
        Dress("Post", "strangers > 0", kind=4, word="Publication past a stranger"),
        Dress("Event", "level < 0", word="Publication for its child"),
        Dress("Event", word="Publication at its level", letter="{level}"),
    ),
    kinds={
        0: "Joins",
        1: "News",
        2: "Splits the circle",
        3: "Lookup",
        4: "Past a stranger",
        5: "Upkeep",
    },
    letters={"Join": "J", "Split": "S", "Leave": "L", "Abort": "x", "Promote": "P", "Replace": "R", "Post": "N"},
    places=Places(
        "place if place else None",
        size=0.92,
        off="0 if role == 2 else 0.2 if role == 1 else -0.25",
        word="hash of the process",
    ),
    sectors=(Sector("cut", slot=6, word="part where it is the closest forwarder"),),
    pointers=(
        Pointer("near", style="arc", word="next forwarder of the topic"),
        Pointer("up", style="tree", word="parent in the topic"),
    ),
    marks=(Marks("fingers", slot=0, style="arc", word="in its table: 2, 4 ... places on", selected=True),),
    values=(Value("phi", style="colour", low=0, word="forwarded / notified"),),
    watch=Watch("{L:len} of {T:len}"),
    grid=Grid((Cell("got", slot=2, word="notified"),), title="Notifications", word="publication", share=0.2),
    tree=Tree("hierarchy_of", title="Hierarchy of topics", share=0.2),
    chart=(
        Chart(
            (
                Line("role == 2", word="forwarders"),
                Line("role == 1", word="children"),
                Line("len(wish) + len(plan)", of="sum", word="operations to do"),
            ),
            title="The topic shown",
            share=0.2,
        ),
        Histogram(
            "phi if notified else None",
            title="Distribution of the work",
            axis="processes",
            word="forwarded / notified",
            share=0.2,
        ),
    ),
    phrases={
        ("outside", "Begin"): "It joins, and looks up the process closest to it in each of its topics.",
        ("outside", "Found"): "Process {peer} is closest; after the last answer it decides where to forward.",
        ("outside", "IsChild"): "Process {peer} takes it as a child.",
        ("forwarder", "IsChild"): "Process {peer} takes it as a child in another topic.",
        ("forwarder", "Split"): "A process is placed between it and the next; it is busy until all know.",
        ("forwarder", "Leave"): "The next process leaves; it is busy until all know.",
        ("forwarder", "Join"): "Process {peer} wants to be its child.",
        ("forwarder", "LeaveChild"): "Process {peer} has a parent that is closer.",
        ("forwarder", "Promote"): "Process {peer} has too many children: it will forward itself.",
        ("child", "Promote"): "Process {peer} has too many children: it will forward itself.",
        ("forwarder", "Abort"): "The request no longer fits: it looks up again.",
        ("forwarder", "Event"): "A publication: each half of its part goes to the forwarder in the middle.",
        ("forwarder", "Post"): "A publication on its way to a random point: the closest forwarder is the root.",
        ("child", "Event"): "A publication from its parent.",
    },
)
