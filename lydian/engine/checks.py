"""The judging of properties while an experiment runs."""

from __future__ import annotations

import math
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from lydian.engine.end.failure import in_words
from lydian.model.errors import PropertyError, shown
from lydian.model.history.consistency import Violated
from lydian.model.limits import OutOfTime, pressed
from lydian.model.protocol.folder import in_sentence
from lydian.model.protocol.process import LOOKING
from lydian.model.protocol.properties import Measured, Property

__all__ = ["SMALL", "Judgement", "Judges"]

#: The largest number of processes and messages for which every configuration is judged.
SMALL = 500


@dataclass
class Judgement:
    """The result for a property so far.

    ``holds`` is ``None`` while the property is undecided; ``at`` is the ``seq`` of the event that decided it: the first
    violation of ``always``, the event since which ``eventually`` has held, the last event for ``at_end``.
    """

    name: str
    kind: str
    holds: bool | None = None
    at: int | None = None
    why: str = ""  # what a check of the history found
    good: int = -1  # the last event after which ``always`` was found to hold

    def to_dict(self) -> dict[str, Any]:
        told = {"name": self.name, "kind": self.kind, "holds": self.holds, "at": self.at}
        return {**told, "why": self.why} if self.why else told


class Judges:
    """A judge of the properties of a protocol on a changing configuration.

    Attributes:
        every: the largest number of events between two judgements; 1 if every configuration was judged.
        own: the protocol's own measures by name, once they have been taken.
        innocent: returns a description of what a property has changed although it must not, or ``None``; called
            around the first, second, fourth, eighth ... judgement.
        told: tells the observers the events that have occurred, before properties and measures read them.
        remembered: returns the variables of the observers, which a property must not change either.

    Args:
        properties: the properties to judge.
        configuration: the configuration that the properties see, which is always the current one.
        file: the protocol file, for error messages.
        source: its text.
        size: returns the number of processes and messages. While it is at most :data:`SMALL`, every configuration is
            judged; otherwise, one configuration is judged after a number of events that is a tenth of the size, so
            that the cost per event is constant. ``None`` judges every configuration.
        after: judge nothing up to this event.
        stop: called with the name of the property at the first violation; ``None`` to continue.
    """

    def __init__(
        self,
        properties: Sequence[Property],
        configuration: Any,
        file: str,
        source: str,
        size: Callable[[], int] | None = None,
        after: int = -1,
        stop: Callable[[str], None] | None = None,
    ) -> None:
        self.judgements = [Judgement(each.name, each.kind) for each in properties]
        self._configuration = configuration
        self._file = file
        self._source = source
        self._stop = stop
        self._pairs = list(zip(properties, self.judgements, strict=True))
        self._always = [pair for pair in self._pairs if pair[0].kind == "always"]
        self._eventually = [pair for pair in self._pairs if pair[0].kind == "eventually"]
        self._why = ""
        self.every = 1
        self.own: dict[str, float | None] = {}
        self._size = size
        self._after = after
        self._left = 1
        self.innocent: Callable[[], str | None] | None = None
        self.heard: Callable[[], None] | None = None
        self.told: Callable[[], None] | None = None
        self.remembered: Callable[[], list[Any]] = list
        self._judged = 0

    @property
    def watching(self) -> bool:
        """Whether any property has to be judged during the run."""
        return bool(self._always or self._eventually)

    def after(self, seq: int) -> None:
        """Judge the configuration that results from event ``seq``."""
        self._left -= 1
        if self._left <= 0 and seq > self._after:
            self.judge(seq)
            if self._size is not None:
                size = self._size()
                self._left = 1 if size <= SMALL else size // 10
                self.every = max(self.every, self._left)
            else:
                self._left = 1

    def judge(self, seq: int) -> None:
        broken: list[str] = []
        self._judged += 1
        if self.told is not None:
            self.told()
        for pair in self._always:
            prop, judgement = pair
            if not self._holds(prop):
                judgement.holds, judgement.at, judgement.why = False, seq, self._why
                broken.append(prop.name)
            else:
                judgement.good = seq
        if broken:
            self._always = [pair for pair in self._always if pair[1].holds is None]
        for prop, judgement in self._eventually:
            if not self._holds(prop):
                judgement.holds, judgement.at = None, None
            elif judgement.at is None:
                judgement.holds, judgement.at = True, seq
        if broken and self._stop is not None:
            self._stop(broken[0])

    def finish(self, stopped: str, last: int, acted: bool = True, disturbed: bool = False) -> None:
        """Judge the properties at the end of the run.

        ``always`` holds if no violation was found. ``at_end``, and an ``eventually`` that does not hold now, are
        decided if the run has come to rest. If it was stopped earlier they stay undecided, except for an
        ``eventually`` whose time is over.

        Args:
            acted: whether any process took a step. In an execution without steps, no property is reported to hold.
            disturbed: whether there was an intervention at the processes, such as a crash. If not, an execution
                without steps does not violate ``eventually`` and ``at_end`` either.
        """
        if stopped in ("error", "cancelled"):
            return
        self._stop = None  # the run has already ended
        self.judge(last)
        for prop, judgement in self._pairs:
            if prop.kind == "always":
                if judgement.holds is None:
                    judgement.holds = True
            elif prop.kind == "eventually":
                late = prop.within is not None and self._configuration.time >= prop.within
                if judgement.holds is None and (stopped == "quiescent" or late):
                    judgement.holds, judgement.at = False, last
            elif stopped == "quiescent":
                judgement.holds, judgement.at = self._holds(prop), last
                judgement.why = self._why
            if not acted and (judgement.holds or (prop.kind != "always" and not disturbed)):
                judgement.holds, judgement.at = None, None

    def at_rest(self, last: int) -> list[Judgement]:
        """Return the judgements that would result if the run, which has come to rest, ended now."""
        found = [replace(judgement) for judgement in self.judgements]
        if self.told is not None:
            self.told()
        for (prop, _), each in zip(self._pairs, found, strict=True):
            if prop.kind != "always" and not self._holds(prop):
                each.holds, each.at = False, last
            elif prop.kind != "always":
                each.holds = True
        return found

    def measure(self, measures: Sequence[Measured]) -> None:
        """Compute the protocol's own measures in the current configuration.

        Raises:
            PropertyError: a measure fails, or does not return a number.
        """
        if measures and self.told is not None:
            self.told()
        for each in measures:
            value = self._asked(each.value, each.line, f'the measure "{each.name}" cannot be computed')
            if value is not None and not (isinstance(value, (int, float)) and math.isfinite(value)):
                what = f"returns {shown(value)}; a measure must be a finite number or None"
                raise PropertyError(f'{self._place(each.line)}: the measure "{each.name}" {what}')
            self.own[each.name] = value if value is None or isinstance(value, float) else int(value)

    def _asked(self, function: Callable[[Any], Any], line: int, what: str, *, truth: bool = False) -> Any:
        """Return the value of a function from the protocol file for the current configuration."""
        LOOKING.now = True
        try:
            found = function(self._configuration)
            self._why = found.why if isinstance(found, Violated) else ""
            return bool(found) if truth else found
        except BaseException as error:
            if pressed(error) or isinstance(error, PropertyError):
                raise
            reason = "it did not finish"
            if not isinstance(error, OutOfTime):
                reason = in_words(error, self._source, self._file)
            lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if f.filename == self._file]
            raise PropertyError(f"{self._place(lines[-1] if lines else line)}: {what}: {reason}") from error
        finally:
            LOOKING.now = False
            if self.heard is not None:
                self.heard()

    def _place(self, line: int | None) -> str:
        return "{}, line {}".format(*in_sentence(self._file, self._source, line))

    def _holds(self, prop: Property) -> bool:
        looks = self._judged & (self._judged - 1) == 0 and self.innocent is not None and self.innocent() is None
        before = self.remembered() if looks else []
        holds: bool = self._asked(prop.holds, prop.line, f'the property "{prop.name}" cannot be judged', truth=True)
        what = self.innocent() if looks and self.innocent is not None else None
        if looks and what is None and before != self.remembered():
            what = "it changes a variable of an observer"
        if what is not None:
            raise PropertyError(
                f'{self._place(prop.line)}: the property "{prop.name}" must not change anything, but {what}'
            )
        return holds
