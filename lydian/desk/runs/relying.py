"""The search for runs that show why a protocol makes its assumptions, in a child process that ends with the window."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from lydian.desk.conversation import Conversation
from lydian.desk.loop import Loop
from lydian.desk.signal import Signal
from lydian.engine import wire
from lydian.model.errors import LydianError
from lydian.model.experiment.assumptions import ALL
from lydian.model.experiment.experiment import Experiment, from_dict
from lydian.model.protocol import properties
from lydian.model.protocol.properties import Need
from lydian.model.source.outline import outline

__all__ = ["ENTRY", "SECONDS", "Witnesses", "assumptions", "kept", "switched", "undeclared"]

#: The entry point of the child, and the seconds for each assumption.
ENTRY = ("-m", "lydian.engine.witness.serve")
SECONDS = 20.0


def assumptions(source: str) -> tuple[Need, ...]:
    """Return the assumptions that a protocol's text declares and, if it has timers, the one that their use suggests.

    The text is read but not run.
    """
    found = outline(source)
    known = {need.name: need for need in vars(properties).values() if isinstance(need, Need)}
    needs = [
        each.need or known.get(each.name) or Need(each.name, each.sentence, lambda _network: None)
        for each in found.needs
    ]
    declared = tuple(dict.fromkeys(needs))
    hidden = bool(found.timers) and declared and not properties.about_time(declared)
    return (*declared, properties.bounded_delay) if hidden else declared


def undeclared(source: str) -> tuple[str, ...]:
    """Return the names of those :func:`assumptions` that a protocol's text does not declare."""
    declared = {each.name for each in outline(source).needs} if source else set()
    return tuple(each.name for each in assumptions(source) if each.name not in declared)


def kept(experiment: Experiment, needs: Sequence[Need]) -> tuple[str, ...]:
    """Return the assumptions that an experiment violates on purpose."""
    return tuple(each.name for each in needs if ALL in experiment.breaks or each.name in experiment.breaks)


def switched(experiment: Experiment, needs: Sequence[Need], need: Need, on: bool) -> dict[str, Any]:
    """Return the parts of an experiment to change so that it makes an assumption, or violates it on purpose."""
    off = set(kept(experiment, needs)) - {need.name} | (set() if on else {need.name})
    others = tuple(name for name in experiment.breaks if name != ALL and name not in {each.name for each in needs})
    parts: dict[str, Any] = {"breaks": (*others, *(each.name for each in needs if each.name in off))}
    order = None if need.breach is None else need.breach.order
    if order is not None and (not on or experiment.timing.order == order):
        parts["timing"] = replace(experiment.timing, order="fifo" if on else order)
    return parts


class Witnesses:
    """The search for witnesses of the assumptions of one protocol, and what was found so far.

    Assumptions are tried one after the other.

    Attributes:
        found: name of an assumption -> the fields of an :class:`~lydian.engine.witness.search.Answer`.
        whole: the fields of the last result: whether the protocol relies on time, and what was explored with all
            assumptions met.
        doing: the last progress; empty if nothing is being tried.
        problem: why nothing could be tried, or "".
        changed: emitted when any of these has changed.
    """

    def __init__(self, loop: Loop) -> None:
        self.changed = Signal()
        self.found: dict[str, Mapping[str, Any]] = {}
        self.whole: Mapping[str, Any] = {}
        self.doing: Mapping[str, Any] = {}
        self.problem = ""
        self._wanted: list[str] = []
        self._experiment: Experiment | None = None
        self.conversation = Conversation(loop, ENTRY)
        self.conversation.heard.connect(self._heard)
        self.conversation.gone.connect(self._gone)

    @property
    def busy(self) -> bool:
        """Whether an assumption is being tried."""
        return self.conversation.alive

    @property
    def waiting(self) -> tuple[str, ...]:
        """The assumptions that are still to be tried, with the current one."""
        return tuple(self._wanted)

    def forget(self) -> None:
        """Drop all that was found, as another protocol is on the desk."""
        self.conversation.drop()
        self._wanted.clear()
        self.found, self.whole, self.doing, self.problem = {}, {}, {}, ""
        self.changed.emit()

    def look(self, experiment: Experiment, *needs: str) -> None:
        """Try assumptions of the protocol of an experiment that have not been tried; those in progress come first."""
        new = [name for name in needs if name not in self.found and name not in self._wanted]
        if not new:
            return
        self._wanted += new
        self._experiment, self.problem = experiment, ""
        if not self.busy:
            self._ask()
        self.changed.emit()

    def stop(self) -> None:
        """Stop; the assumption that is being tried stays open."""
        del self._wanted[1:]
        self.conversation.stop()

    def witness(self, name: str) -> Experiment | None:
        """Return the experiment that shows why an assumption is needed."""
        found = self.found.get(name, {})
        record = found.get("experiment")
        return None if not record else from_dict(record).with_(path=self._path, written=False)

    def close(self) -> None:
        """End the search in progress without emitting any further signal."""
        self.conversation.close()

    @property
    def _path(self) -> Path | None:
        return None if self._experiment is None else self._experiment.path

    def _ask(self) -> None:
        assert self._experiment is not None
        folder = None if self._path is None else str(self._path.parent)
        try:
            record = self._experiment.to_dict()
        except LydianError as error:
            self._over(str(error))
            return
        self.doing = {"need": self._wanted[0]}
        self.conversation.start(wire.Witness(record, folder, list(self._wanted), SECONDS))

    def _heard(self, said: wire.Frame) -> None:
        if isinstance(said, wire.Progress):
            self.doing = said.done
        elif isinstance(said, wire.Partial):
            self._found(said.found)
        elif isinstance(said, wire.Error):
            self._over(said.text)
            return
        elif isinstance(said, wire.Result):
            self.whole = said.result
            self._next()
            return
        self.changed.emit()

    def _found(self, answer: Mapping[str, Any]) -> None:
        name = str(answer.get("need"))
        self.found[name] = answer
        if name in self._wanted:
            self._wanted.remove(name)
        self.doing = {"need": self._wanted[0]} if self._wanted else {}

    def _next(self) -> None:
        """Ask for the assumptions that were added in the meantime."""
        stopped = self.conversation.stopping
        self.conversation.drop()
        self.doing = {}
        if stopped:
            self._wanted.clear()
        if self._wanted:
            self._ask()
        self.changed.emit()

    def _gone(self, why: str) -> None:
        self._over(why)

    def _over(self, why: str) -> None:
        self.conversation.drop()
        self._wanted.clear()
        self.doing, self.problem = {}, why
        self.changed.emit()
