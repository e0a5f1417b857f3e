"""The looks of the role-based DHT: the sector of one topic as a circle, with its forwarders on it.

Who forwards the topic that is shown stands on the circle at its hash, its children outside of their forwarders, with a
line to them, and who does not care for the topic inside.  The circle is cut where another forwarder becomes the
closest one: who stands outside of a part is a child of its forwarder.  The ring is closed by arcs from each forwarder
to the next; further arcs are the rest of the table of the process that is selected (2, 4 ... places on), along which
news go in halves.  The stronger the ring round a process, the more it forwarded for what it was notified of; bars count
processes by that.  Below each process stands how many of its topics it forwards.  Where topics are above others a panel
shows which; news go up.  Messages: lookups dark, and red from where they have passed somebody without the role; who
joins green, splits orange, leaves and tables pale; news blue, with the level in the tree.
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
    """Forwarded / notified."""
    return p.forwarded / p.notified if p.notified else 0.0


@derived
def role(p):
    """2: it forwards the topic that is shown, 1: it is a child, 0: it is a stranger."""
    return 2 if str(p.shown) in p.L else 1 if str(p.shown) in p.parent else 0


@derived
def cut(p):
    """From where to where in the sector it is the closest forwarder: halfway to the next ones, or to the ends."""
    if p.role != 2:
        return []
    at, before, behind = (side.get(str(p.shown)) for side in (p.L, p.left, p.right))
    own, whole = at[2], 2**16
    low = before[2] if before and before[1] == at[1] and before[2] < own else -own
    high = behind[2] if behind and behind[1] == at[1] and behind[2] > own else 2 * whole - own
    return [(low + own) / 2 / whole, (own + high) / 2 / whole]


@derived
def up(p):
    """The parent."""
    return p.parent.get(str(p.shown))


@derived
def near(p):
    """The forwarder to the right."""
    return (p.table.get(str(p.shown), {}).get("R0") or [None])[-1]


@derived
def fingers(p):
    """Those 2, 4 ... places to the right."""
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
        "Post": "News for a random root",
        "Found": "I am closest",
        "LeftIs": "Left of you is now",
        "IsChild": "You are my child",
        "LeaveChild": "Not your child any more",
        "RouteParent": "Ask for my parent",
        "Claim": "Entry of a table",
        "MyAddress": "My address",
        "Event": "News",
        "Gone": "Not there any more",
        "Begin": "Time to come",
        "Itself": "Told to another role of its own",
        "Again": "Time to try again",
        "Patience": "Taking too long",
        "ChildRepair": "Time to ask for the parent",
        "ViewRefresh": "Time for new addresses",
        "MakeChild": "Make it a child",
        "TakeOver": "Take over",
    },
    dresses=(
        *(Dress(name, "strangers > 0", kind=4, word="Past a stranger") for name in ("Lookup", "Request", "IsParent")),
        Dress("Post", "strangers > 0", kind=4, word="News past a stranger"),
        Dress("Event", "level < 0", word="News for its child"),
        Dress("Event", word="News at its level", letter="{level}"),
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
    sectors=(Sector("cut", slot=6, word="here it is the closest forwarder"),),
    pointers=(
        Pointer("near", style="arc", word="next forwarder of the topic"),
        Pointer("up", style="tree", word="parent in the topic"),
    ),
    marks=(Marks("fingers", slot=0, style="arc", word="in its table: 2, 4 ... places on", selected=True),),
    values=(Value("phi", style="colour", low=0, word="forwarded / notified"),),
    watch=Watch("{L:len} of {T:len}"),
    grid=Grid((Cell("got", slot=2, word="notified"),), title="Who was notified of what", word="news", share=0.2),
    tree=Tree("hierarchy_of", title="Hierarchy of topics", share=0.2),
    chart=(
        Chart(
            (
                Line("role == 2", word="forwarders"),
                Line("role == 1", word="children"),
                Line("len(wish) + len(plan)", of="sum", word="operations to do"),
            ),
            title="The topic that is shown",
            share=0.2,
        ),
        Histogram(
            "phi if notified else None",
            title="Who does how much of the work",
            axis="processes",
            word="forwarded / notified",
            share=0.2,
        ),
    ),
    phrases={
        ("outside", "Begin"): "It comes, and looks up who is closest to it in each of its topics.",
        ("outside", "Found"): "{peer} is closest; with the last answer it decides where to forward.",
        ("outside", "IsChild"): "{peer} takes it as a child.",
        ("forwarder", "IsChild"): "{peer} takes it as a child in another topic.",
        ("forwarder", "Split"): "Somebody comes between it and the next; it is busy until all know.",
        ("forwarder", "Leave"): "The next goes; it is busy until all know.",
        ("forwarder", "Join"): "{peer} wants to be its child.",
        ("forwarder", "LeaveChild"): "{peer} has a parent that is closer.",
        ("forwarder", "Promote"): "{peer} has too many children: it will forward itself.",
        ("child", "Promote"): "{peer} has too many children: it will forward itself.",
        ("forwarder", "Abort"): "It is not so any more: it looks up again.",
        ("forwarder", "Event"): "News: each half of what it answers for goes to the forwarder in its middle.",
        ("forwarder", "Post"): "News on the way to a random point: whoever is closest is the root.",
        ("child", "Event"): "News from its parent.",
    },
)
