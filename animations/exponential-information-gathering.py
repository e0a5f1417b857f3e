"""How exponential information gathering is drawn.

Green squares gather reports, and blue diamonds have decided; processes with the same decision share one area.  The
number at the corner of a process is the size of its tree, and the table shows the first level: what each process has
told it.
"""

from lydian.pieces.animation import Animation, Carries, Column, Group, Table, derived


@derived
def told(p):
    """Return the first letters of what each process has told it, in the order of names."""
    first = {path: x for path, x in p.tree.items() if path.count("'") == 2}
    return " ".join(first[path][0] for path in sorted(first))


animation = Animation(
    states={"idle": 0, "gathering": 2, "decided": 3},
    messages={"Level": 0},
    carries=Carries("len(reports)", word="reports"),
    groups=Group("decision", word="have decided the same"),
    table=Table(
        (
            Column("value", word="begins with"),
            Column("told", word="was told"),
            Column("decision", word="decision"),
        ),
        title="Reports",
    ),
    badge="tree",
)
