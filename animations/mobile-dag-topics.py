"""The looks of many mobile DAGs: the layer of one topic, and who is privileged in any.

Heads in the middle of the links show where they lead in the layer that is shown; links without one do not belong to
it; if they lead in a circle, it is a red one, and a triangle warns of a circle round which val has not as many steps up
as down.  Who is in this layer has a ring, the stronger the larger its val.  Curved arrows are links of this layer that
are forming; dots stand at those who keep their val there for a neighbour that asks.  Whoever waits for the answers of
its neighbours to join some layer has a shape and a colour of its own.  Coins lie at whoever is privileged in some
layer; the line below a process names its topics.  Who gives way sends green triangles with the number of the topic if
it has news, else pale bars.  The grid says who knows which news (topic and number), the curves how many privileges
there are in all layers, how many are in the layer that is shown, and how many links are forming in all.
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
    """The neighbours to which it has a link in the layer that is shown."""
    return set(p.N.get(str(p.shown), ()))


@derived
def wants(p):
    """Those to which it wants one."""
    return p.forming.get(str(p.shown), [])


@derived
def keeps(p):
    """Those for whom it keeps its val."""
    return p.frozen.get(str(p.shown), [])


@derived
def out(p):
    """Those of them to which the link leads."""
    found, t = set(), str(p.shown)
    for q in p.near:
        step = p.cv[f"({t}, {q!r})"] - p.val[t]
        below = step > 0 if p.mode == "heights" else step % 3 == 1
        if not below and (step != 0 or p.lid[t] >= p.cl[f"({t}, {q!r})"]):
            found.add(q)
    return found


@derived
def level(p):
    """Its val, while it is in the layer."""
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
        "LinkDownOk": "Known to be down",
        "Hold": "Time to give way",
        "Retry": "Time to ask again",
    },
    dresses=(
        Dress("News", "not batch", kind=5, word="Gives way, no news"),
        Dress("News", word="Gives way with news", letter="{topic}"),
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
    grid=Grid((Cell("seen", slot=2, word="known"),), title="Who knows which news", word="news", most=16, share=0.26),
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
        ("sink", "Hold"): "In one layer it sends all it has, and its links turn round; the others go on.",
        ("member", "News"): "{peer} gave way in one layer; privileged now in {holding:layer|layers}.",
        ("member", "LinkReq"): "{peer} asks for a link in one layer: val is kept there until that is settled.",
        ("joining", "LinkOk"): "{peer} agrees, and waits for this process to choose its val in the layer.",
        ("member", "Subscribe"): "It wants to join a layer and asks its neighbours; its other layers go on.",
    },
)
