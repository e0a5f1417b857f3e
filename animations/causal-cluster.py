"""The looks of the causal cluster: the ring of entries and their owners, who administers what, and who is excluded.

Members stand outside; whoever gets an entry goes to its place on the ring, and below it stand the entries that it
administers: pale segments are the free ones.  Arrows lead to successors.  Purple owners are temporary: they grant
nothing until all whom they excluded must have left.  Hatched are the entries that meanwhile nobody grants, crossed
out those of who is excluded.  Thin messages say "I am alive", squares tell who the predecessors are, triangles
exclude.  Cards are events that wait; below the ring stand numbers over time.
"""

from lydian.views.animation import Animation, Chart, Line, Places, Pointer, Queue, Sector, Watch

animation = Animation(
    states={"member": 0, "joining": 5, "coordinator": 2, "excluding": 1, "temporary": 6, "leaving": 7},
    messages={
        "Gossip": 3,
        "Recover": 4,
        "AckRecover": 2,
        "Cjoin": 1,
        "AckCjoin": 5,
        "Reject": 4,
        "SuccChanged": 5,
        "Cleave": 4,
        "Ack": 3,
        "Alive": 3,
        "Update": 0,
        "Exclude": 4,
        "AckExclude": 5,
        "ReqCoord": 4,
        "AckCoord": 5,
        "Step": 3,
        "Round": 0,
        "NoAck": 4,
        "NoAnswer": 4,
        "Count": 4,
        "Free": 2,
        "Again": 3,
        "Terminate": 3,
        "GiveUp": 3,
        "Change": 1,
        "Join": 1,
        "Leave": 4,
    },
    words={
        "member": "member",
        "joining": "wants an entry",
        "coordinator": "coordinator",
        "excluding": "excludes",
        "temporary": "temporary",
        "leaving": "leaving",
    },
    labels={
        "Recover": "Missing!",
        "AckRecover": "Here it is",
        "Cjoin": "An entry?",
        "AckCjoin": "Granted",
        "SuccChanged": "Successor!",
        "Cleave": "May I leave?",
        "Update": "Predecessors",
        "Exclude": "Who is behind?",
        "AckExclude": "I am",
        "ReqCoord": "Exclude them?",
        "AckCoord": "Agreed",
        "Step": "Round of gossip",
        "NoAck": "Successor is silent",
        "NoAnswer": "Silent, too",
        "Free": "Entries are free",
    },
    letters={"Cjoin": "?", "AckCjoin": "!", "Cleave": "-", "Exclude": "x", "ReqCoord": "x", "AckCoord": "!"},
    places=Places("entry / entries", size=0.66, links=False, word="place on the ring"),
    sectors=(
        Sector(
            "[(entry + 1 + i) / entries for i in range((next - entry - 1) % entries)]"
            ' if state in ("coordinator", "leaving") else []',
            width="0.9 / entries",
            word="free entry that its owner grants",
        ),
        Sector(
            '[(entry + 0.55) / entries, (next - 0.55) / entries] if state == "temporary" else []',
            style="hatched",
            slot=6,
            word="granted by nobody yet",
        ),
        Sector(
            '[i / entries for i, who in lost] if state in ("excluding", "temporary") else []',
            style="struck",
            slot=1,
            width="0.9 / entries",
            word="excluded",
        ),
    ),
    pointers=(Pointer("succ", style="ring", word="successor"),),
    queues=(Queue("H", style="stack", slot=4, word="waits in H"),),
    watch=Watch("{span}"),
    chart=Chart(
        (
            Line('state in ("coordinator", "excluding", "temporary")', word="coordinators"),
            Line('state == "temporary"', word="temporary"),
            Line("H", of="sum", word="events that wait"),
        ),
        title="The core",
        axis="processes, events",
        share=0.22,
    ),
    phrases={
        ("coordinator", "Round"): "A new round: ALIVE to the next ones, UPDATE to {succ}.",
        ("temporary", "Round"): "Temporary for another {temp} rounds.",
        ("coordinator", "Cjoin"): "{peer} passes on or brings a wish for an entry.",
        ("joining", "AckCjoin"): "{peer} grants entry {entry}; the successor is {succ}.",
        ("coordinator", "NoAck"): "{succ} has not sent its ACK in time.",
        ("excluding", "AckExclude"): "The ring goes on at {peer}; may those between be excluded?",
        ("excluding", "Count"): "Agreed: {agreed:len}; needed: {quorum}.",
        ("coordinator", "ReqCoord"): "{peer} asks to exclude entries; they hear nothing from here any more.",
        ("coordinator", "SuccChanged"): "{peer} is the predecessor now.",
    },
)
