"""How the longest chain is drawn: the ring of a process has the tint of its height, and the line below shows its last
block.

A block in transit has the colour and the letter of its height.  Beside the network are the chains of all processes,
with a line below what is committed: a red entry is committed differently elsewhere.  The tree contains all blocks that
one process knows; red blocks are not in its chain.
"""

from lydian.pieces.animation import Animation, Carries, Logs, Tree, Value, Watch, derived


@derived
def children(p):
    """Return the tree of the known blocks: each block with those that follow it."""
    found = {"-": []}
    for name, (parent, _) in p.blocks.items():
        found.setdefault(parent, []).append(name)
        found.setdefault(name, [])
    return found


@derived
def reached(p):
    """Return the number of blocks in the chain."""
    return len(p.chain)


@derived
def stale(p):
    """Return the known blocks that are not in the chain."""
    return [name for name in p.blocks if name not in p.chain]


animation = Animation(
    states={"mining": 3, "private": 1, "finished": 7},
    messages={"Block": 0, "Found": 5},
    labels={"Found": "Block found"},
    carries=Carries("height", word="height"),
    values=(Value("reached", style="tint", word="height"),),
    watch=Watch("ends with {tip}", when="chain"),
    logs=Logs("chain", commit="committed", title="Chains"),
    tree=Tree("children", title="Known blocks", marked="stale", word="not in the chain"),
)
