"""The appearance of many mobile DAGs: the layer of one topic, and the processes that are privileged in any layer.

Heads in the middle of the links show their directions in the layer that is shown; links without one do not belong to
it.  Links that form a directed cycle are red, and a triangle warns of a cycle around which val rises and falls a
different number of times.  Processes in this layer have a ring, stronger for a larger val.  Curved arrows are forming
links of this layer; dots mark processes that keep their val there for a neighbour.  A process that waits for its
neighbours' answers before it joins a layer has a shape and a colour of its own.  Coins mark processes that are
privileged in some layer; the line below a process names its topics.  A process that gives way sends green triangles
with the number of the topic if it has items, otherwise pale bars.  The grid shows the items (topic and number) that
each process knows; the curves count privileges in all layers, members of the layer shown, and forming links in all
layers.
"""

from lydian.pieces.animation import (
    Animation,
    Cell,
    Chart,
    Dress,
    Grid,
    Line,
    Marks,
    Orientation,
    Token,
    Value,
    Watch,
    derived,
)


@derived
def near(p):
    """Return the neighbours to which it has a link in the layer that is shown."""
    return set(p.N.get(str(p.shown), ()))


@derived
def wants(p):
    """Return the neighbours to which it wants a link."""
    return p.forming.get(str(p.shown), [])


@derived
def keeps(p):
    """Return the neighbours for which it keeps its val."""
    return p.frozen.get(str(p.shown), [])


@derived
def out(p):
    """Return the neighbours to which its links lead."""
    found, t = set(), str(p.shown)
    for q in p.near:
        step = p.cv[f"({t}, {q!r})"] - p.val[t]
        below = step > 0 if p.mode == "heights" else step % 3 == 1
        if not below and (step != 0 or p.lid[t] >= p.cl[f"({t}, {q!r})"]):
            found.add(q)
    return found


@derived
def level(p):
    """Return its val while it is in the layer."""
    return p.val[str(p.shown)] if p.shown in p.topics_of else None


animation = Animation(
    states={"asleep": 0, "member": 2, "joining": 5, "sink": 6},
    messages={
        "Hello": 1,
        "News": 0,
        "LinkReq": 2,
        "LinkOk": 1,
        "LinkKo": 4,
        "LinkUp": 1,
        "LinkFree": 3,
        "LinkDown": 4,
        "LinkDownOk": 3,
        "Hold": 3,
        "Retry": 3,
        "Publish": 2,
        "Subscribe": 2,
        "Unsubscribe": 4,
    },
    labels={
        "Hello": "Interested or not",
        "LinkReq": "Link?",
        "LinkOk": "Link: yes",
        "LinkKo": "Link: no",
        "LinkUp": "Link is up",
        "LinkFree": "No link for now",
        "LinkDown": "Link is down",
        "LinkDownOk": "Link confirmed down",
        "Hold": "Time to give way",
        "Retry": "Time to ask again",
    },
    dresses=(
        Dress("News", "not batch", kind=5, word="Gives way, no items"),
        Dress("News", word="Gives way with items", letter="{topic}"),
    ),
    letters={"LinkReq": "?", "LinkOk": "!", "LinkKo": "-", "LinkUp": "+", "LinkDown": "x"},
    orientation=Orientation(
        "out",
        by="members",
        word="leads to, in the layer shown",
        cycles=True,
        among="near",
        winding='level if mode != "heights" else None',
    ),
    tokens=(Token(while_states=("sink",), letter="P", word="privilege"),),
    marks=(
        Marks("keeps", slot=5, word="keeps its val for"),
        Marks("wants", slot=4, style="arrow", word="link forming, in the layer shown"),
    ),
    values=(Value("level", style="colour", low=0, word="val, in the layer shown"),),
    watch=Watch("{topics_of}"),
    badge="holding",
    grid=Grid((Cell("seen", slot=2, word="known"),), title="Items known", word="item", most=16, share=0.26),
    chart=Chart(
        (
            Line("len(holding)", of="sum", word="privileges, in all layers"),
            Line("len(holding) > 1", word="privileged in several"),
            Line("level != None", word="in the layer shown"),
            Line("sum([len(forming[t]) for t in forming])", of="sum", word="links forming"),
        ),
        title="Over time",
        share=0.2,
        faults=False,
    ),
    phrases={
        ("sink", "Hold"): "In one layer it sends all its items and reverses its links; its other layers continue.",
        ("member", "News"): "Process {peer} gave way in one layer; it is now privileged in {holding:layer|layers}.",
        ("member", "LinkReq"): "Process {peer} requests a link in one layer: val is kept there until that is settled.",
        ("joining", "LinkOk"): "Process {peer} agrees, and waits for this process to choose its val in the layer.",
        ("member", "Subscribe"): "It wants to join a layer and asks its neighbours for links; the others continue.",
    },
)
