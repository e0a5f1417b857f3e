"""Causal broadcast: no process delivers an answer before the post that it answers.

Complete the actions below. Keep the name of this file, the command ``Say`` and the field ``text`` of ``Post``.
"""

from lydian import ANY, Command, Message, Process, complete, named, no_crashes, on, reliable, states

CLEAR, HOLDING = states(
    "clear", "holding",
    reads={"clear": "holds no post back", "holding": "is holding posts back"},
)  # fmt: skip


class Say(Command):
    """A user wants to post this text."""

    text: str


class Post(Message):
    """A post, on its way to another process."""

    text: str
    # Declare here what a receiver must know to find out whether it may deliver the post.


class CausalBroadcast(Process):
    title = "Causal broadcast"
    needs = complete, named, reliable, no_crashes

    state = CLEAR
    # Declare variables here, with their types and initial values: seen: dict[str, int] = {}

    @on(ANY, Say)
    def say(self, m):
        """It delivers the post of its user, and sends it to all other processes."""
        raise NotImplementedError("say: deliver m.text, and send it to all neighbours in a Post")

    @on(ANY, Post)
    def receive(self, m, q):
        """It receives a post from its author q; it delivers the post, or holds it back."""
        raise NotImplementedError("receive: may this post be delivered now, and which held posts after it?")
