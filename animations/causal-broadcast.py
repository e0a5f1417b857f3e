"""How causal broadcast is drawn: green squares hold posts back.

Blue diamonds have delivered all that has arrived.  A process that receives an answer before the post it answers becomes
a green square, until the missing post arrives.  Beside it are cards: orange ones are the posts that it holds back, red
ones the posts that are missing; a card that leaves in green is delivered.  The matrix has a row for each process and a
column for each post, named by its author and number: delivered, held back, or missing.
"""

from lydian.pieces.animation import Animation, Cell, Grid, Queue, Watch, derived


@derived
def waiting(p):
    """Return the posts that it holds back."""
    return [f"{q}.{w[q]}" for q, w in p.held]


@derived
def missing(p):
    """Return the posts that must be delivered before those that it holds back, and have not arrived."""
    here = {f"{q}.{w[q]}" for q, w in p.held}
    before = [f"{k}.{s}" for q, w in p.held for k in w for s in range(p.v.get(k, 0) + 1, w[k] + (k != q))]
    return [post for post in dict.fromkeys(before) if post not in here]


animation = Animation(
    states={"clear": 3, "holding": 2},
    messages={"Post": 0},
    queues=(
        Queue("missing", most=2, slot=1, into="log", word="missing"),
        Queue("waiting", most=4, slot=4, into="log", word="held back until then"),
    ),
    watch=Watch("delivered {log:len}"),
    grid=Grid(
        (
            Cell("waiting", slot=4, word="held back"),
            Cell("missing", slot=1, style="hollow", word="missing"),
            Cell("log", slot=3, word="delivered"),
        ),
        title="Posts at each process",
        word="post",
        share=0.34,
    ),
    phrases={
        ("clear", "Post"): "It has delivered {log:post|posts} and holds {held:post|posts} back.",
        ("holding", "Post"): "Posts that waited for this one are delivered after it: it has delivered {log:post|posts} "
        "and holds {held:post|posts} back.",
    },
)
