"""The appearance of the skip ring: labels are places on a circle, and links heal as variables change.

A process without a label waits beside the circle; with a label it takes its place, 0 at the top and 1 opposite.  Grey
lines are left, right and ring; shortcuts are blue, red and green from level 1 on, the longest.  Each end draws its
half, so half a line is known to one end only.  Orange arcs connect labels that are linked in no skip ring.  Dashed
lines lead to a process that does not have the label remembered.  Below a process are its label and its number of
publications.  Diamonds are requests to the supervisor, squares its answers, and small bars the maintenance of the ring.
The panel counts the links of the ring of the database by reach, and how many of them both ends know.  The charts count
the links that are missing or too many compared with the ring of the database, the settled processes, and the requests
to the supervisor in its last interval, from one of its timeouts to the next.
"""

from lydian.pieces.animation import Animation, Chart, Line, Marks, Places, Reach, Watch, derived


@derived
def planned(p):
    """Return the links of the skip ring of the database by reach, at the supervisor."""
    names = {label: name for label, name in p.database.items() if name and label and not label.strip("01")}
    row = sorted(names, key=lambda label: int(label, 2) / 2 ** len(label))
    found = {"beside": [], "level1": [], "level2": [], "level3": []}
    seen = set()
    for longest in range(max(map(len, row), default=0), 0, -1):
        some = [label for label in row if len(label) <= longest]
        for y, z in zip(some, some[1:] + some[:1], strict=True):
            if y == z or {y, z} in seen or names[y] == names[z]:
                continue
            seen.add(frozenset((y, z)))
            away = abs(int(y, 2) / 2 ** len(y) - int(z, 2) / 2 ** len(z))
            level = "beside" if some == row else {0.5: "level1", 0.25: "level2", 0.75: "level2"}.get(away, "level3")
            found[level] += [f"{names[y]}>{names[z]}", f"{names[z]}>{names[y]}"]
    return found if p.state == "supervisor" else None


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
        Marks("odd", slot=4, style="arc", truth="label", word="not in a skip ring"),
    ),
    watch=Watch("{under}"),
    reach=Reach(
        "planned",
        "edges",
        levels={
            "beside": "on the ring",
            "level3": "shortcuts of level 3 or more",
            "level2": "shortcuts of level 2",
            "level1": "shortcut of level 1",
        },
        extra="not in this skip ring",
        title="Links by reach",
        share=0.2,
    ),
    chart=(
        Chart(
            (
                Line("edges", of="alone", word="wrong links"),
                Line('state == "settled"', word="settled"),
            ),
            title="Distance to the skip ring",
            share=0.2,
        ),
        Chart(
            Line("requests", of="max", word="in the last interval"),
            title="Requests to the supervisor",
            share=0.2,
        ),
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
