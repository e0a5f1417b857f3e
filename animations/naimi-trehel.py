"""The animation of Naimi-Trehel.

Arrows are the pointers that requests follow: they lead to the root, the process that asked last.  The coin is the
token.  The line below a process names the process that receives the token after it.  A request has the colour and the
letter of the process that asks.
"""

from lydian.pieces.animation import Animation, Carries, Chart, Line, Parents, Pointer, Token, Watch, derived


@derived
def pointer(p):
    """Return the process to which it points; None at the root."""
    return p.last if p.last != p.me else None


animation = Animation(
    states={"released": 0, "wanted": 4, "held": 6},
    messages={"Request": 2, "Token": 0, "Think": 3, "Use": 3, "Want": 4, "Leave": 5},
    labels={"Want": "Ask to enter", "Leave": "Leave early"},
    carries=Carries({"Request": "i"}, word="process that asks"),
    pointers=(Pointer("pointer", style="arrow", word="pointer to the last that asked"),),
    tokens=(Token("token", messages=("Token",), letter="T", word="the token"),),
    watch=Watch("next {next}", when="next"),
    parents=Parents("pointer", title="The pointers as a tree"),
    chart=Chart((Line("sent", of="sum", word="messages"), Line("entered", of="sum", word="entries")), title="Over time",
                share=0.18),
)  # fmt: skip
