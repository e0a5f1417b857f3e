"""The animation of sequential polling: one coin goes out and back, again and again.

Yellow circles have not been asked, the red hexagon is the initiator, and blue diamonds have answered.  The arrow points
to the process that is being asked; the number below the initiator shows how many have answered.
"""

from lydian.pieces.animation import Animation, Pointer, Token, Watch

animation = Animation(
    states={"sleeping": 0, "polling": 1, "finished": 1, "answered": 3},
    messages={"Token": 0},
    words={"sleeping": "not asked yet"},
    pointers=(Pointer("asked", style="arrow", while_states=("polling",), word="is asked"),),
    tokens=(Token(messages=("Token",), letter="T", word="the token"),),
    watch=Watch("{rec} answers", while_states=("polling", "finished")),
    phrases={("polling", "Token"): "Process {peer} has answered; {rec:answer|answers} so far."},
)
