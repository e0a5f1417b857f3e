"""The appearance of the causal cluster: the ring of entries, their owners and administrators, and exclusions.

Members are outside the ring; a process that is granted an entry moves to its place, and the entries that it
administers are written below it: pale segments are the free ones.  Arrows lead to successors.  Purple owners are
temporary: they grant no entry until all processes that they excluded must have left.  Entries that no process grants
meanwhile are hatched; excluded entries are crossed out.  Diamonds are gossip, thin bars signs of life; blue rings
report predecessors, and red chevrons exclude; orange squares request an entry or a missing event, and green triangles
bring it.  Cards are events that wait; the grid shows which process has delivered or given up each event; the chart
below the ring shows numbers over time.
"""

from lydian.pieces.animation import Animation, Cell, Chart, Grid, Line, Places, Pointer, Queue, Sector, Watch, derived


@derived
def span(p):
    """Return S_p, the entries that it administers; only its own while it is temporary."""
    if p.state in ("member", "joining"):
        return ""
    last = p.entry if p.state in ("excluding", "temporary") else (p.next - 1) % p.entries
    return f"{p.entry}" if p.entry == last else f"{p.entry}-{last}"


animation = Animation(
    states={"member": 0, "joining": 5, "coordinator": 2, "excluding": 1, "temporary": 6, "leaving": 7},
    messages={
        "Gossip": 3,
        "Recover": 2,
        "AckRecover": 0,
        "Cjoin": 2,
        "AckCjoin": 0,
        "Reject": 4,
        "SuccChanged": 1,
        "Cleave": 2,
        "Ack": 5,
        "Alive": 5,
        "Update": 1,
        "Exclude": 4,
        "AckExclude": 4,
        "ReqCoord": 4,
        "AckCoord": 4,
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
    words={"excluding": "excludes", "temporary": "temporary"},
    labels={
        "Recover": "Missing!",
        "AckRecover": "Here it is",
        "Cjoin": "An entry?",
        "AckCjoin": "Granted",
        "SuccChanged": "Successor!",
        "Cleave": "May I leave?",
        "Update": "Predecessors",
        "Exclude": "Predecessors?",
        "AckExclude": "Predecessors",
        "ReqCoord": "Exclude them?",
        "AckCoord": "Agreed",
        "Step": "Round of gossip",
        "NoAck": "Successor is silent",
        "NoAnswer": "Silent as well",
        "Free": "Entries are free",
    },
    kinds={
        0: "Answer",
        1: "Predecessors",
        2: "Asks",
        3: "Gossip",
        4: "Excludes",
        5: "I am alive",
    },
    letters={
        "Recover": "?",
        "AckRecover": "!",
        "Cjoin": "?",
        "AckCjoin": "!",
        "Cleave": "-",
        "Exclude": "x",
        "ReqCoord": "x",
        "AckCoord": "!",
    },
    places=Places("entry / entries", size=0.73, links=False, word="place on the ring"),
    sectors=(
        Sector(
            "[(entry + 1 + i) / entries for i in range((next - entry - 1) % entries)]"
            ' if state in ("coordinator", "leaving") else []',
            width="0.9 / entries",
            word="free entry",
        ),
        Sector(
            '[(entry + 0.55) / entries, (next - 0.55) / entries] if state == "temporary" else []',
            style="hatched",
            slot=6,
            word="not granted yet",
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
    grid=Grid(
        (
            Cell("got", slot=2, word="delivered"),
            Cell("H", slot=4, word="waits in H"),
            Cell("R", slot=3, word="waits in R"),
            Cell("skipped", slot=1, word="given up", style="hollow"),
        ),
        title="Events delivered by each process",
        word="event",
        most=12,
        share=0.27,
    ),
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
        ("coordinator", "Round"): "A new round: it sends ALIVE to its next successors and UPDATE to {succ}.",
        ("temporary", "Round"): "It is temporary for {temp:more round|more rounds}.",
        ("coordinator", "Cjoin"): "Process {peer} makes or forwards a request for an entry.",
        ("joining", "AckCjoin"): "Process {peer} grants entry {entry}; the successor is {succ}.",
        ("coordinator", "NoAck"): "Process {succ} has not sent its ACK in time.",
        ("excluding", "AckExclude"): "The ring continues at {peer}; may those in between be excluded?",
        ("excluding", "Count"): "Agreed: {agreed:len}; needed: {quorum}.",
        ("coordinator", "ReqCoord"): "Process {peer} asks to exclude entries; their owners get no more ALIVE from it.",
        ("coordinator", "SuccChanged"): "Process {peer} is the predecessor now.",
    },
)
