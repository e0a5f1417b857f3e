"""Interventions that drop, delay, duplicate, change or deliver a message in transit, or inject one.

Except for an injected one, the message is the one with the given number or, without a number, the oldest one in transit
with this link and label or, if there is none, the next one sent.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from lydian.language import tr, trc
from lydian.model.errors import BadInput
from lydian.model.interventions.keys import CHOICES, DELAY, FIELDS, LABEL, LINK, MESSAGE, Key
from lydian.model.interventions.kind import Kind, Refuse, Tool, check_event, check_whole

if TYPE_CHECKING:
    from lydian.model.interventions.kind import Engine, Intervention
    from lydian.model.network import Network
    from lydian.model.protocol.protocol import Protocol

__all__ = ["NO_CHOICE", "Delay", "Deliver", "Drop", "Duplicate", "Edit", "Inject"]

#: The reason why the next event cannot be chosen if processes act in rounds.
NO_CHOICE = "in rounds all messages arrive together, so the next event cannot be chosen"
_ANY = ("message", "link", "process")
_HINT = tr("Click a message, or a link for the next message on it")


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
    order = (tr("drop {which}"), tr("drop {n} messages"))
    branch = ("{message} dropped", "{n} messages dropped")
    happened = (tr("{aim} dropped"), tr("{n} messages dropped"))
    ahead = tr("{aim} will be lost")
    coming = tr("A message is lost")
    planned = tr("a message on {where} is lost")
    tool = Tool(
        "drop", tr("Drop a message"), _ANY, _HINT, ("message", "link"), ("message", "way"), 4, "fault-drop", bar=True,
        entry=tr("D&rop a message"), keys="R", gap=True,
        help=tr("Drop the selected message, or the next one on the selected link or to the selected process"),
    )  # fmt: skip
    menu = (tr("Drop"), tr("Drop {message}"), tr("Drop the next message"))
    listed = ((tr("Drop a message on"), {}),)

    def apply(self, what: Intervention, engine: Engine) -> None:
        engine.drop(what)


class Delay(_Aimed):
    """A message arrives later or, if the delay is negative, earlier, but not before the intervention."""

    name = "delay"
    needs = (DELAY,)
    order = (tr("delay {which}"), tr("delay {n} messages"))
    branch = ("{message} delayed by {delay}", "{n} messages delayed")
    happened = (tr("{aim} delayed by {later}"), tr("{n} messages delayed"))
    ahead = tr("{aim} will be delayed by {later}")
    coming = tr("A message is delayed")
    planned = tr("a message on {where} is delayed")
    tool = Tool(
        "delay", tr("Delay a message"), _ANY, _HINT, ("message", "link"), ("message", "way"), 5, "fault-delay",
        bar=True, entry=tr("&Delay a message"), keys="D",
        help=tr("Delay the selected message, or the next one on the selected link or to the selected process"),
    )  # fmt: skip
    menu = (trc("menu", "Delay"), tr("Delay {message}"), tr("Delay the next message"))

    def apply(self, what: Intervention, engine: Engine) -> None:
        engine.delay(what, what.delay or 0.0)

    def ordered(self, what: Mapping[str, Any]) -> str:
        return tr("hurry {which}") if _earlier(what) else super().ordered(what)

    def told(self, what: Mapping[str, Any], words: Mapping[str, str]) -> str:
        if not _earlier(what):
            return super().told(what, words)
        seen = what.get("message") is not None
        return (tr("{aim} hurried by {later}") if seen else tr("{aim} will be hurried by {later}")).format_map(words)


def _earlier(what: Mapping[str, Any]) -> bool:
    """Return True if a message that is delayed arrives earlier."""
    return (what.get("delay") or 0) < 0


class Duplicate(_Aimed):
    """A message is delivered twice."""

    name = "duplicate"
    breaks = ("reliable",)
    breaking = "a message is duplicated"
    order = (tr("duplicate {which}"), tr("duplicate {n} messages"))
    branch = ("{message} duplicated", "{n} messages duplicated")
    happened = (tr("{aim} duplicated"), tr("{n} messages duplicated"))
    ahead = tr("{aim} will be duplicated")
    coming = tr("A message is duplicated")
    planned = tr("a message on {where} is duplicated")
    tool = Tool(
        "duplicate", tr("Duplicate a message"), _ANY, _HINT, ("message", "link"), ("message", "way"), 6,
        "fault-duplicate", bar=True, entry=tr("Dupl&icate a message"), keys="Shift+D",
        help=tr("Duplicate the selected message, or the next one on the selected link or to the selected process"),
    )  # fmt: skip
    menu = (tr("Duplicate"), tr("Duplicate {message}"), tr("Duplicate the next message"))
    listed = ((tr("Duplicate a message on"), {}),)

    def apply(self, what: Intervention, engine: Engine) -> None:
        engine.duplicate(what)


class Deliver(_Aimed):
    """A message is delivered immediately."""

    name = "deliver"
    may = (*_Aimed.may, CHOICES)
    order = (tr("deliver {which}"), tr("deliver {n} messages"))
    branch = ("{message} delivered at once", "{n} messages delivered at once")
    happened = (tr("{aim} delivered"), tr("{n} messages delivered"))
    ahead = tr("{aim} will be delivered at once")
    coming = tr("A message is delivered")
    tool = Tool("deliver", tr("Deliver now"), _ANY, tr("Click a message"), ("message",), ("message", "way"), 7,
                entry=tr("Deliver &now"), keys="A", help=tr("Deliver the selected message now"))  # fmt: skip
    menu = (tr("Deliver now"), tr("Deliver now: {message}"), tr("Immediately deliver the next message"))

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
    order = (tr("change {which}"), tr("change {n} messages"))
    branch = ("{message} changed", "{n} messages changed")
    happened = (tr("{aim} changed"), tr("{n} messages changed"))
    ahead = tr("{aim} will be changed")
    coming = tr("A message is changed")

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
    order = (tr("inject {label} {link}"), tr("inject {n} messages"))
    branch = ("{message} injected", "{n} messages injected")
    happened = (tr("{label} sent to {receiver} in the name of {sender}"), "")
    coming = tr("A message is injected")
    tool = Tool(
        "inject", tr("Send a false message"), ("process", "link"), tr("Click the apparent sender of the message"),
        ("process",), ("process", "way"), 13, entry=tr("&Send a false message…"), keys="S",
        help=tr("Send a message in the name of the selected process"),
    )  # fmt: skip

    def check(self, what: Intervention, network: Network, protocol: Protocol, refuse: Refuse) -> None:
        super().check(what, network, protocol, refuse)
        check_whole(what, check_event(what, protocol, protocol.messages, "message", refuse), refuse)

    def joined(self, what: Intervention, network: Network, protocol: Protocol) -> bool:
        return _connected(what.link, network, protocol)

    def apply(self, what: Intervention, engine: Engine) -> None:
        engine.inject(what.link, what.label, what.fields)
