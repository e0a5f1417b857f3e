"""Interventions that drop, delay, duplicate, change or deliver a message in transit, or inject one.

Except for an injected one, the message is the one with the given number or, without a number, the oldest one in transit
with this link and label or, if there is none, the next one sent.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from lydian.model.errors import BadInput
from lydian.model.interventions.keys import DELAY, FIELDS, LABEL, LINK, MESSAGE, Key
from lydian.model.interventions.kind import Kind, Refuse, Tool, check_event, check_whole

if TYPE_CHECKING:
    from lydian.model.interventions.kind import Engine, Intervention
    from lydian.model.network import Network
    from lydian.model.protocol.protocol import Protocol

__all__ = ["NO_CHOICE", "Delay", "Deliver", "Drop", "Duplicate", "Edit", "Inject"]

#: The reason why the next event cannot be chosen if processes act in rounds.
NO_CHOICE = "in rounds all messages arrive together, so the next event cannot be chosen"
_ANY = ("message", "link", "process")
_HINT = "Click a message, or a link for the next message on it"


class _Aimed(Kind):
    """An intervention in one message.

    Attributes:
        ahead: what will happen to the next message, as a clause.
    """

    may: ClassVar[tuple[Key, ...]] = (MESSAGE, LINK, LABEL)
    aim = "message"
    to_itself = True
    sort = "message"
    ahead: ClassVar[str]

    def check_keys(self, what: Intervention) -> None:
        if what.message is None and what.link is None and what.label is None:
            aims = 'write message = 7, or link = "3-5", or label = "Ack"'
            raise BadInput(f"{self.name} must name its message; {aims}")

    def check(self, what: Intervention, network: Network, protocol: Protocol, refuse: Refuse) -> None:
        super().check(what, network, protocol, refuse)
        if what.label is not None:
            check_event(what, protocol, protocol.messages, "message", refuse)

    def joined(self, what: Intervention, network: Network, protocol: Protocol) -> bool:
        return _connected(what.link, network, protocol)

    def told(self, what: Mapping[str, Any], words: Mapping[str, str]) -> str:
        return (self.happened[0] if what.get("message") is not None else self.ahead).format_map(words)


def _connected(link: tuple[str, str], network: Network, protocol: Protocol) -> bool:
    """Return True if a message can travel from the first end to the second."""
    return protocol.overlay or link[0] == link[1] or network.link_between(*link) is not None


class Drop(_Aimed):
    """A message is lost."""

    name = "drop"
    breaks = ("reliable",)
    breaking = "a message is lost"
    order = ("drop", "{which}", "messages")
    branch = ("{message} dropped", "{n} messages dropped")
    happened = ("{aim} dropped", "{n} messages dropped")
    ahead = "{aim} will be lost"
    coming = "A message is lost"
    planned = "a message on {where} is lost"
    tool = Tool(
        "drop", "Drop a message", _ANY, _HINT, ("message", "link"), ("message", "way"), 4, "fault-drop", bar=True,
        entry="D&rop a message", keys="R",
        help="Drop the selected message, or the next one on the selected link or to the selected process", gap=True,
    )  # fmt: skip
    menu = ("Drop", "Drop {message}", "Drop the next message")
    listed = (("Drop a message on", {}),)

    def apply(self, what: Intervention, engine: Engine) -> None:
        engine.drop(what)


class Delay(_Aimed):
    """A message arrives later or, if the delay is negative, earlier, but not before the intervention."""

    name = "delay"
    needs = (DELAY,)
    order = ("delay", "{which}", "messages")
    branch = ("{message} delayed by {delay}", "{n} messages delayed")
    happened = ("{aim} delayed by {later}", "{n} messages delayed")
    ahead = "{aim} will be delayed by {later}"
    coming = "A message is delayed"
    planned = "a message on {where} is delayed"
    tool = Tool(
        "delay", "Delay a message", _ANY, _HINT, ("message", "link"), ("message", "way"), 5, "fault-delay", bar=True,
        entry="&Delay a message", keys="D",
        help="Delay the selected message, or the next one on the selected link or to the selected process",
    )  # fmt: skip
    menu = ("Delay", "Delay {message}", "Delay the next message")

    def apply(self, what: Intervention, engine: Engine) -> None:
        engine.delay(what, what.delay or 0.0)

    def verb(self, what: Mapping[str, Any]) -> str:
        return "hurry" if (what.get("delay") or 0) < 0 else super().verb(what)

    def told(self, what: Mapping[str, Any], words: Mapping[str, str]) -> str:
        text = super().told(what, words)
        if self.verb(what) == "hurry":
            aim = words["aim"]
            return aim + text[len(aim) :].replace("delayed", "hurried")
        return text


class Duplicate(_Aimed):
    """A message is delivered twice."""

    name = "duplicate"
    breaks = ("reliable",)
    breaking = "a message is duplicated"
    order = ("duplicate", "{which}", "messages")
    branch = ("{message} duplicated", "{n} messages duplicated")
    happened = ("{aim} duplicated", "{n} messages duplicated")
    ahead = "{aim} will be duplicated"
    coming = "A message is duplicated"
    planned = "a message on {where} is duplicated"
    tool = Tool(
        "duplicate", "Duplicate a message", _ANY, _HINT, ("message", "link"), ("message", "way"), 6,
        "fault-duplicate", bar=True, entry="Dupl&icate a message", keys="Shift+D",
        help="Duplicate the selected message, or the next one on the selected link or to the selected process",
    )  # fmt: skip
    menu = ("Duplicate", "Duplicate {message}", "Duplicate the next message")
    listed = (("Duplicate a message on", {}),)

    def apply(self, what: Intervention, engine: Engine) -> None:
        engine.duplicate(what)


class Deliver(_Aimed):
    """A message is delivered immediately."""

    name = "deliver"
    order = ("deliver", "{which}", "messages")
    branch = ("{message} delivered at once", "{n} messages delivered at once")
    happened = ("{aim} delivered", "{n} messages delivered")
    ahead = "{aim} will be delivered at once"
    coming = "A message is delivered"
    tool = Tool("deliver", "Deliver now", _ANY, "Click a message", ("message",), ("message", "way"), 7,
                entry="Deliver &now", keys="A", help="Deliver the selected message now")  # fmt: skip
    menu = ("Deliver now", "Deliver now: {message}", "Immediately deliver the next message")

    def against_rounds(self, what: Intervention) -> str:
        return NO_CHOICE

    def objection(self, what: Intervention, engine: Engine) -> str | None:
        return engine.undeliverable(what)

    def apply(self, what: Intervention, engine: Engine) -> None:
        engine.deliver(what)


class Edit(_Aimed):
    """The fields of a message in transit are changed."""

    name = "edit"
    needs = (LABEL, FIELDS)
    may = (MESSAGE, LINK)
    breaks = ("reliable",)
    breaking = "a message is changed"
    order = ("change", "{which}", "messages")
    branch = ("{message} changed", "{n} messages changed")
    happened = ("{aim} changed", "{n} messages changed")
    ahead = "{aim} will be changed"
    coming = "A message is changed"

    def check(self, what: Intervention, network: Network, protocol: Protocol, refuse: Refuse) -> None:
        super().check(what, network, protocol, refuse)
        try:
            check_event(what, protocol, protocol.messages, "message", refuse)._fitted(what.fields)
        except TypeError as error:
            raise refuse("fields", str(error)) from None

    def apply(self, what: Intervention, engine: Engine) -> None:
        engine.edit(what, what.fields)


class Inject(Kind):
    """A message is injected that its apparent sender never sent."""

    name = "inject"
    needs = (LINK, LABEL)
    may = (FIELDS,)
    aim = "link"
    to_itself = True
    often = True
    breaks = ("reliable",)
    breaking = "a message that no process sent is injected"
    sort = "message"
    order = ("inject", "{label} {link}", "messages")
    branch = ("{message} injected", "{n} messages injected")
    happened = ("{label} sent to {b} in the name of {a}", "")
    coming = "A message is injected"
    tool = Tool(
        "inject", "Send a false message", ("process", "link"), "Click the apparent sender of the message",
        ("process",), ("process", "way"), 13, entry="&Send a false message…", keys="S",
        help="Send a message in the name of the selected process",
    )  # fmt: skip

    def check(self, what: Intervention, network: Network, protocol: Protocol, refuse: Refuse) -> None:
        super().check(what, network, protocol, refuse)
        check_whole(what, check_event(what, protocol, protocol.messages, "message", refuse), refuse)

    def joined(self, what: Intervention, network: Network, protocol: Protocol) -> bool:
        return _connected(what.link, network, protocol)

    def apply(self, what: Intervention, engine: Engine) -> None:
        engine.inject(what.link, what.label, what.fields)
