"""The appearance of the mobile DAG: directions of links, values of counters, and privileged processes.

Heads in the middle of the links show their directions; a coin marks a sink, to which all its links lead.  The ring
round a process is its counter val, stronger for a larger value; its number and turns are below.  A process that gives
way sends green triangles if it has items, otherwise pale bars; these reverse links where they arrive, so that a link
meanwhile has two heads.  Links that form a directed cycle are red, and a triangle warns of a cycle around which val
rises and falls a different number of times.  Curved arrows are forming links; dots mark processes that keep their val
for a neighbour.  The grid shows the items that each process knows and those that it still has to pass on; the curves
count sinks, processes that keep their val, and forming links.
"""

from lydian.pieces.animation import Animation, Cell, Chart, Dress, Grid, Line, Marks, Orientation, Token, Value, Watch

animation = Animation(
    states={"outside": 0, "joining": 5, "member": 2, "sink": 6, "leaving": 7},
    messages={
        "LinkReq": 2,
        "LinkOk": 1,
        "LinkKo": 4,
        "LinkUp": 1,
        "LinkFree": 3,
        "LinkDown": 4,
        "LinkDownOk": 3,
        "News": 0,
        "Hold": 3,
        "Retry": 3,
        "Publish": 1,
        "Join": 2,
        "Leave": 4,
        "Meet": 2,
        "Lost": 4,
    },
    labels={
        "LinkReq": "Link?",
        "LinkOk": "Link: yes",
        "LinkKo": "Link: no",
        "LinkUp": "Link is up",
        "LinkFree": "No link for now",
        "LinkDown": "Link is down",
        "LinkDownOk": "Link confirmed down",
        "Hold": "Time to give way",
        "Retry": "Time to ask again",
        "Meet": "Neighbour in reach",
        "Lost": "Neighbour out of reach",
    },
    dresses=(Dress("News", "not batch", kind=5, word="Gives way, no items"), Dress("News", word="Gives way, items")),
    letters={"LinkReq": "?", "LinkOk": "!", "LinkKo": "-", "LinkUp": "+", "LinkDown": "x"},
    orientation=Orientation(
        "out",
        by="members",
        word="leads to, as both ends know",
        cycles=True,
        among="N",
        winding='val if counters == 3 and mode in ("safe", "paper") else None',
    ),
    tokens=(Token(while_states=("sink",), letter="P", word="privilege"),),
    marks=(
        Marks("frozen", slot=5, word="keeps its val for"),
        Marks("forming", slot=4, style="arrow", word="link forming"),
    ),
    values=(Value("val", style="colour", low=0, word="val"),),
    watch=Watch("{val} · turns: {turns}", when="N"),
    badge="input",
    grid=Grid(
        (Cell("waiting", slot=4, word="still to be passed on"), Cell("seen", slot=2, word="known")),
        title="Items known",
        word="item",
        most=16,
        share=0.26,
    ),
    chart=Chart(
        (
            Line('state == "sink"', word="sinks"),
            Line("len(frozen) > 0", word="keep their val"),
            Line("len(forming)", of="sum", word="links forming"),
        ),
        title="Over time",
        share=0.2,
        faults=False,
    ),
    phrases={
        ("sink", "Hold"): "It sends everything that it has heard and published, adds 1 to val, and reverses its links.",
        ("member", "News"): "Process {peer} gave way and sent its items; items to pass on next turn: {input:len}.",
        ("sink", "LinkReq"): "Process {peer} requests a link and must wait until this turn is over.",
        ("member", "LinkReq"): "Process {peer} requests a link: val is kept until that is settled.",
        ("joining", "LinkOk"): "Process {peer} agrees and waits; answers still missing: {asked:len}.",
    },
)
