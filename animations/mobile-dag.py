"""The looks of the mobile DAG: the direction of every link, the value of every counter, and who is privileged.

Heads in the middle of the links show where they lead; at the one to which all lead, the sink, a coin appears.  The
ring round a process is its counter val, the stronger the larger, with its number and its turns below.  Who gives way
sends green triangles if it has news, else pale bars; these turn links where they arrive, so that a link has two heads
meanwhile.  Links that lead in a circle are a red one, and a triangle warns of a circle round which val has not as many
steps up as down.  Curved arrows are links that are forming; dots stand at those who keep their val for a neighbour that
asks.  The grid says who knows which news, and who still has to pass them on; the curves count sinks, those who keep
their val, and links that are forming.
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
        "LinkDownOk": "Known to be down",
        "Hold": "Time to give way",
        "Retry": "Time to ask again",
        "Meet": "Neighbour in reach",
        "Lost": "Neighbour out of reach",
    },
    dresses=(Dress("News", "not batch", kind=5, word="Gives way, no news"), Dress("News", word="Gives way with news")),
    letters={"LinkReq": "?", "LinkOk": "!", "LinkKo": "-", "LinkUp": "+", "LinkDown": "x"},
    orientation=Orientation(
        "out",
        by="members",
        word="leads to, while both ends know",
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
        title="Who knows which news",
        word="news",
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
        ("sink", "Hold"): "It sends all it has heard and published, adds 1 to val, and its links turn round.",
        ("member", "News"): "{peer} gave way and told what it had heard; {input:len} to pass on with the next turn.",
        ("sink", "LinkReq"): "{peer} asks for a link and has to wait until this turn is over.",
        ("member", "LinkReq"): "{peer} asks for a link: val is kept until that is settled.",
        ("joining", "LinkOk"): "{peer} agrees and waits; answers still missing: {asked:len}.",
    },
)
