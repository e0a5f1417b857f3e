"""The observers of a recorded execution, which are told its rows: of a run in progress, or of a trace."""

from __future__ import annotations

import json
import traceback
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from lydian.engine.end.failure import in_words
from lydian.engine.execution import Execution
from lydian.engine.explorer.numbers import frozen
from lydian.model.errors import PropertyError
from lydian.model.limits import OutOfTime, pressed
from lydian.model.protocol.folder import in_sentence
from lydian.model.protocol.observer import OBSERVED, Observation, Observer, unknown_observer
from lydian.model.protocol.protocol import Protocol
from lydian.trace.events import KINDS, NO_STATE, Event
from lydian.trace.parquet.recorder import Recorder

__all__ = ["Feed", "failure", "rows_fed"]

_TOLD = frozenset(OBSERVED)
_SENT, _GONE = frozenset({"send", "inject"}), frozenset({"receive", "drop"})


def failure(cls: type[Observer], error: BaseException, file: str, source: str) -> str:
    """Describe the failure of an observer at an event, with its place."""
    reason = "it did not finish" if isinstance(error, OutOfTime) else in_words(error, source, file)
    code = cls.observe.__code__
    lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if f.filename == code.co_filename]
    place, line = in_sentence(file, source, lines[-1] if lines else code.co_firstlineno)
    return f"{place}, line {line}: the observer {cls.__name__} fails at an event: {reason}"


class Feed:
    """The observers of a recorded execution, which are told its rows one after another.

    Args:
        classes: their classes.
        file: the file in which they are declared, for error messages; ``source`` its text.
        protocol: the protocol, which knows the fields that a row omits because they have their default values.
    """

    def __init__(
        self, classes: Sequence[type[Observer]], file: str, source: str, protocol: Protocol | None = None
    ) -> None:
        self._each = {cls: cls() for cls in classes}
        self._file, self._source, self._protocol = file, source, protocol
        self._messages: dict[int, Mapping[str, Any]] = {}

    def __bool__(self) -> bool:
        return bool(self._each)

    def __getitem__(self, cls: Any) -> Observer:
        try:
            return self._each[cls]
        except (KeyError, TypeError):
            raise ValueError(unknown_observer(cls, self._each)) from None

    def values(self) -> list[Any]:
        """Return the variables of all observers in a form that can be compared.

        Raises:
            PropertyError: one of them is not plain data.
        """
        found = []
        for cls, each in self._each.items():
            try:
                found.append(frozen(each._values()))
            except TypeError as error:
                raise PropertyError(failure(cls, error, self._file, self._source)) from None
        return found

    def event(self, event: Event) -> None:
        """Tell the observers an event of a trace."""
        if self._each:
            self.take(
                event.kind, event.process, event.peer, event.message, event.label, event.state, event.time,
                event.detail or {},
            )  # fmt: skip

    def take(
        self, kind: str, process: str | None, peer: str | None, message: int | None, label: str | None,
        state: str | None, time: float, detail: Mapping[str, Any],
    ) -> None:  # fmt: skip
        """Tell the observers a row.

        Raises:
            PropertyError: an observer fails.
        """
        fields = self._fields(label, detail.get("fields"))
        if message is not None:
            fields = self._of_message(kind, message, fields)
        elif kind == "corrupt" and isinstance(detail.get("message"), int):
            self._messages[detail["message"]] = fields
        if kind == "note" and "outcome" in detail:
            kind = "respond"
        if kind not in _TOLD:
            return
        value = detail.get("text" if kind == "note" else "value")
        self._tell(Observation(kind, process, peer, label, fields, value, state, time))

    def _of_message(self, kind: str, message: int, fields: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the fields of the message of a row, which only its first row contains."""
        if kind in _SENT:
            self._messages[message] = fields
        elif kind in _GONE:
            return self._messages.pop(message, fields)
        return fields

    def _fields(self, label: str | None, given: Any) -> Mapping[str, Any]:
        """Return all fields of a message, timer or command, with the types that it declares."""
        cls = self._protocol.event_class(label) if self._protocol is not None and label is not None else None
        told = given if isinstance(given, Mapping) else {}
        if cls is None:
            return told
        try:
            return dict(cls._from_file(told)._items())
        except TypeError:  # a lie, or a message that the row does not describe
            return told

    def _tell(self, event: Observation) -> None:
        for cls, each in self._each.items():
            try:
                each.observe(event)
            except BaseException as error:
                if pressed(error):
                    raise
                raise PropertyError(failure(cls, error, self._file, self._source)) from error


def rows_fed(feed: Feed, execution: Execution, recorder: Recorder) -> Callable[[], None]:
    """Return a function that tells observers the rows of a run that have been written since the last call."""
    done = 0

    def named(code: int) -> str | None:
        return None if code < 0 else execution.processes[code]._name

    def fed() -> None:
        nonlocal done
        end, _, offset = execution.kernel.counts()
        start, done = done, end
        rows = recorder.rows(offset, start)
        for seq, row in enumerate(rows.tolist(), start):
            time, process, peer, message, _, _, _, _, _, label, kind, state = row
            text = recorder.detail_of(seq)
            feed.take(
                KINDS[kind], named(process), named(peer), None if message < 0 else message,
                None if label < 0 else execution.labels[label],
                None if state == NO_STATE else execution.protocol.states[state],
                time, json.loads(text) if text else {},
            )  # fmt: skip

    return fed
