"""The appearance of the publications on a skip ring: a row for each process, a column for each key of the tries.

A full cell is a publication that the process has.  Eventually all rows are equal; red chevrons compare the tries.
Below the grid is the Patricia trie of the selected subscriber, or of the first with publications: a node is labelled
with the bits that it adds to its parent, and is red if some other subscriber with publications differs below it, so
that the hashes would differ.  The bars count subscribers by their number of publications.
"""

from lydian.pieces.animation import Animation, Cell, Grid, Histogram, Marks, Places, Tree, Watch, derived


@derived
def under(p):
    """Return the label and the number of publications; at the supervisor, the number of labels."""
    if p.state == "supervisor":
        return "1 label" if len(p.database) == 1 else f"{len(p.database)} labels"
    return p.label + (f" · {len(p.T)}" if p.T else "") if p.label else ""


animation = Animation(
    states={
        "outside": 7,
        "unlabelled": 5,
        "doubtful": 0,
        "placed": 2,
        "settled": 3,
        "leaving": 4,
        "supervisor": 1,
    },
    messages={
        "Subscribe": 3,
        "Unsubscribe": 3,
        "GetConf": 3,
        "SetData": 2,
        "Check": 5,
        "Introduce": 5,
        "Linearize": 5,
        "Remove": 5,
        "IntroSc": 1,
        "PublishNew": 0,
        "Publish": 0,
        "CheckTrie": 4,
        "CheckAndPublish": 4,
        "Timeout": 5,
        "PublishTimeout": 4,
        "Crashed": 3,
        "Join": 3,
        "Leave": 3,
        "Say": 0,
    },
    words={
        "outside": "is not subscribed",
        "unlabelled": "wants a label",
        "doubtful": "has a label of its own",
        "placed": "lacks neighbours",
        "settled": "knows its neighbours",
        "leaving": "wants to leave",
        "supervisor": "the supervisor",
    },
    labels={
        "GetConf": "Request for a configuration",
        "SetData": "Label and neighbours",
        "IntroSc": "Introduction of a shortcut",
        "PublishNew": "News",
        "Publish": "Missing publications",
        "CheckTrie": "Nodes of the trie",
        "CheckAndPublish": "Nodes, and a missing prefix",
        "Timeout": "Maintenance of the ring",
        "PublishTimeout": "Comparison of tries",
        "Crashed": "Failure detector",
    },
    places=Places("binary(label)", size=0.9, links=False, word="place on the ring"),
    marks=(
        Marks("level1", slot=3, style="half", truth="label", word="shortcut of level 1"),
        Marks("level2", slot=1, style="half", truth="label", word="2"),
        Marks("level3", slot=2, style="half", truth="label", word="3 ..."),
        Marks("beside", slot=7, style="half", truth="label", word="left, right, ring"),
    ),
    watch=Watch("{under}"),
    grid=Grid((Cell("T", slot=2, word="has it"),), title="Publications", word="key", most=50),
    tree=Tree("T", form="trie", compare=True, title="Trie of publications", word="differs at some other process"),
    chart=Histogram(
        'len(T) if state not in ("supervisor", "outside") else None',
        title="Publications of a subscriber",
        axis="subscribers",
        word="publications",
        share=0.2,
    ),
    kinds={
        0: "News",
        1: "Shortcut",
        2: "Configuration",
        3: "Request",
        4: "Trie",
        5: "Upkeep",
    },
    letters={"Subscribe": "S", "Unsubscribe": "U", "GetConf": "G"},
    phrases={
        ("supervisor", "Subscribe"): "Process {peer} wants a label: the next one is free.",
        ("supervisor", "Unsubscribe"): "Process {peer} leaves; the holder of the last label takes over the free one.",
        ("supervisor", "GetConf"): "Process {peer} asks; it gets its entry in the database of {database:label|labels}.",
        ("supervisor", "Crashed"): "A process has crashed; the holders of the largest labels take over the free ones.",
        ("outside", "Check"): "It does not belong to the ring, and asks {peer} to forget it.",
        ("settled", "IntroSc"): "Process {peer} introduces a process on its own level.",
        ("placed", "IntroSc"): "Process {peer} introduces a process, which may be a missing shortcut.",
    },
)
