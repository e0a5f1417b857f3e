"""How Kademlia is drawn: processes are on a circle at their identifiers, and flags are the keys that are looked up.

Green squares look up a key, and blue diamonds have found the closest process; the arcs lead to those that have been
asked.  The table shows the key, the closest process that is known, and how many have been asked.
"""

from lydian.pieces.animation import Animation, Column, Flags, Marks, Places, Table, Watch, derived


@derived
def place(p):
    """Return the place of the identifier on the circle, from 0 to 1."""
    return p.ident / 2**p.bits


@derived
def flag(p):
    """Return the place of the key with its text, if there is one."""
    return [[p.key / 2**p.bits, str(p.key)]] if p.key is not None else []


@derived
def nearest(p):
    """Return the closest process that is known, and its distance from the key in bits."""
    return p.result or (p.found[0] if p.found else None)


animation = Animation(
    states={"idle": 0, "looking": 2, "found": 3},
    messages={"Find": 1, "Contacts": 0, "Patience": 5, "Lookup": 4},
    labels={"Find": "Question", "Contacts": "Contacts", "Patience": "Timeout"},
    places=Places("place", links=False, word="identifier"),
    flags=(Flags("flag", word="key that is looked up"),),
    marks=(Marks("asked", style="arc", slot=2, word="has asked"),),
    watch=Watch("found {result}", while_states=("found",)),
    table=Table(
        (Column("ident", word="identifier"), Column("key", word="key"), Column("nearest", word="closest so far"),
         Column("asked", word="asked")),
        title="Lookups", share=0.4,
    ),
)  # fmt: skip
