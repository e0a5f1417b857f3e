"""The animation of content-based routing: leases that expire, and renewals that stop at a renewed entry.

Below each broker is the beginning of its table: a filter, its destination (> and a neighbour or a client), and a
square, filled if the entry was renewed in this period and hollow if not.  The grid shows all tables: a row for each
broker, a column for each filter and destination; a cell is filled or hollow in the same way, red if the entry was
invented, and dotted if a fault removed it.  Green squares are brokers with renewed entries, orange triangles brokers
whose entries all wait for renewal, and yellow circles brokers without entries.  Half a link is thick if the broker at
its end would send notifications along it; a dot there marks a route that waits for its renewal and is deleted at the
next overrun.  Triangles are notifications, and blue rings are subscriptions.  Routes for which no client asked are red;
a route that a fault removed is pale and dashed until a renewal restores it.  The curves count both over time, and all
entries.  The second chart shows the messages saved so far, compared with sending all notifications over all links, and
the subscriptions and withdrawals sent.  The pie at a broker empties until its clock overruns.
"""

from lydian.pieces.animation import Animation, Cell, Chart, Countdown, Grid, Line, Marks, Watch, derived


@derived
def ways(p):
    """Return the neighbours from which a subscription was renewed in this period."""
    return {towards(e) for e, fresh in p.entries.items() if fresh} & {*p.neighbours}


@derived
def old(p):
    """Return the neighbours whose subscriptions all wait for renewal."""
    return {towards(e) for e in p.entries} & {*p.neighbours} - {*p.ways}


@derived
def gaps(p):
    """Return the neighbours to which the entries removed by a fault led."""
    return {towards(e) for e in p.missing} & {*p.neighbours} - {*p.ways, *p.old}


@derived
def invented(p):
    """Return the entries that a fault invented: they have a ? in their id, wherever they arrive."""
    return {f"{low}{'' if low == high else f'-{high}'}>{d}" for id, (low, high, d, _) in p.table.items() if "?" in id}


@derived
def wrong(p):
    """Return the number of invented entries, each counted as often as it arrived."""
    return sum("?" in id for id in p.table)


@derived
def astray(p):
    """Return the neighbours to which invented entries lead."""
    return {towards(e) for e in p.invented} & {*p.neighbours}


@derived
def shown(p):
    """Return the table as a text."""
    words = [f"{e} {'■' if fresh else '□'}" for e, fresh in p.entries.items()]
    return "  ".join(words[:2]) + (f"  +{len(words) - 2}" if len(words) > 2 else "")


def towards(entry):
    """Return the neighbour or client to which an entry leads."""
    return entry.split(">")[1]


animation = Animation(
    states={"empty": 0, "fresh": 2, "stale": 4},
    messages={"Notify": 0, "Sub": 1, "Unsub": 4, "Overrun": 3, "Renew": 2, "Expire": 3, "Spoil": 4},
    labels={"Notify": "Notification", "Sub": "Subscription", "Unsub": "Withdrawal", "Overrun": "Clock overruns"},
    marks=(
        Marks("ways", slot=2, style="thick", word="notifications are sent this way"),
        Marks("gaps", slot=7, style="struck", word="lost by a fault"),
        Marks("astray", slot=1, style="thick", word="not asked for"),
        Marks("old", slot=4, word="not renewed in this period"),
    ),
    watch=Watch("{shown}"),
    badge="table",
    countdown=Countdown("Overrun", word="until the clock overruns"),
    grid=Grid(
        (
            Cell("invented", slot=1, word="wrong"),
            Cell("missing", slot=7, above=-1, style="dotted", word="missing"),
            Cell("entries", slot=2, word="renewed"),
            Cell("entries", slot=2, above=-1, style="hollow", word="not renewed"),
        ),
        title="Tables",
        word="entry",
        most=120,
        share=0.36,
    ),
    chart=(
        Chart(
            (
                Line("wrong", of="sum", word="wrong"),
                Line("len(missing)", of="sum", word="missing"),
                Line("len(table)", of="sum", word="all"),
            ),
            title="Entries after a fault",
            axis="entries",
            share=0.24,
            bound="(3 if algorithm == 'covering' else 2) * lease",
        ),
        Chart(
            (Line("news * m - carried", of="sum", word="saved"), Line("told", of="sum", word="control")),
            title="Messages over links",
            side="beside",
            share=0.24,
        ),
    ),
    phrases={
        ("empty", "Sub"): "Process {peer} subscribes at this broker.",
        ("fresh", "Sub"): "Process {peer} leases its route; the broker now has {table:entry|entries}.",
        ("stale", "Sub"): "Process {peer} renews first in this period; the broker now has {table:entry|entries}.",
        ("fresh", "Unsub"): "Process {peer} withdraws a subscription.",
        ("stale", "Unsub"): "Process {peer} withdraws a subscription.",
        ("fresh", "Overrun"): "Entries that were not renewed are deleted; all others must be renewed again.",
        ("stale", "Overrun"): "No entry was renewed: all are deleted.",
        ("fresh", "Notify"): "The notification goes to each destination with a matching entry.",
        ("stale", "Notify"): "The notification goes to each destination with a matching entry, renewed or not.",
        ("empty", "Notify"): "No entry matches the notification.",
    },
)
