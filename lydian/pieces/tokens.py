"""A token that is at a process or travels with a message."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lydian.language import tr
from lydian.model.errors import BadInput, shown
from lydian.pieces.channels import Asked, Channel, Known, Lookup, says_nothing
from lydian.pieces.checks import names_of, slot_is_right
from lydian.pieces.piece import LegendItem, Moment, Occurring, Piece, Teller, register
from lydian.views.network.scene import Ints

__all__ = ["Spots", "Token"]


@dataclass(frozen=True)
class Token:
    """A token that is at a process or travels with a message.

    Args:
        variable: it is where this variable is true (not 0, not empty); without one, wherever the state is one of
            ``while_states``.
        while_states: it is only at processes in these states; in any if empty.
        messages: classes of message on which it rides.
        letter: what is written on it, at most two characters.
        slot: the state whose colour it has.
        word: what the legend calls it.
    """

    variable: str = ""
    while_states: tuple[str, ...] = ()
    messages: tuple[str, ...] = ()
    letter: str = ""
    slot: int = 6
    word: str = tr("token")

    def __post_init__(self) -> None:
        object.__setattr__(self, "while_states", names_of(self.while_states, "while_states"))
        object.__setattr__(self, "messages", names_of(self.messages, "messages"))
        slot_is_right("a token", self.slot)
        if len(self.letter) > 2:
            raise BadInput(f"the letter of a token must be at most two characters, not {shown(self.letter)}")
        if not (self.variable or self.while_states or self.messages):
            raise BadInput("a token must have a variable, states or messages")


@dataclass(frozen=True, eq=False)
class Spots:
    """The processes that have a token, and the messages in transit that carry it, as indices of the flights."""

    declared: Token
    holder: Ints
    riders: NDArray[np.int64]


def channels(known: Known, number: int, declared: Token) -> Iterator[Channel]:
    """Yield the channel that is 1 for each process with the token."""
    variables = (declared.variable,) if declared.variable else ()
    yield Channel("number", "tokens", number, variables, partial(_there, declared), without=True)


def _there(token: Token, look: Lookup, p: int, values: Sequence[Any], state: str, crashed: bool) -> float:
    there = not token.while_states or state in token.while_states
    if token.variable:
        there = there and not says_nothing(values[0])
    elif not token.while_states:
        there = False  # The token only travels with messages.
    return 1.0 if there else math.nan


def at(now: Moment, declared: Token) -> Spots:
    """Return where the token is at a moment."""
    asked, run = now.asked, now.scene.run
    number = now.number(declared)
    channel = asked.channel("tokens", number)
    codes = [code for code, label in enumerate(run.labels) if label in declared.messages]
    riders = np.flatnonzero(np.isin(run.message_label[now.flights.id], codes))
    none = np.zeros(0, dtype=np.int32)
    holders = none if channel is None else asked.kept(("tokens", number), lambda: _holders(asked, channel))
    return Spots(declared, holders, riders)


def _holders(asked: Asked, channel: Channel) -> Ints:
    return np.sort(np.array([p for p, on in asked.answers(channel).items() if on == on], dtype=np.int32))


def legend(seen: Occurring, number: int, declared: Token) -> Iterator[LegendItem]:
    """Yield the entry of the legend."""
    sits = seen.occurs(declared.variable, declared.while_states) and bool(declared.variable or declared.while_states)
    if seen.needed and (sits or not seen.labels.isdisjoint(declared.messages)):
        yield LegendItem.plain("token", number, declared.word)


def page(tell: Teller, declared: Token) -> dict[str, Any]:
    """Return the page's data, and the classes of messages that carry the token."""
    rides = [code for code, name in enumerate(tell.scene.run.labels) if name in declared.messages]
    return {"slot": declared.slot, "letter": declared.letter, "rides": rides}


register(Piece("token", Token, "tokens", None, channels=channels, at=at, legend=legend, page=page, order=130,
               painter="lydian.app.painters.pieces.tokens.TokenPainter", script="player.tokens.js"))  # fmt: skip
