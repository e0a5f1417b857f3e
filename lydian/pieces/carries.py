"""The value that a message carries, as the colour and the letter of its arrow (:class:`Carries`), and lies about it.

A value has the same colour and letter in the whole run. What is said in a message and what is true differ if a
Byzantine process sends something other than its protocol demands, if a fault changes a message in transit, or if
the user forges it; a trace records the truth in each case. Lies in messages whose value is not declared are shown as
well: by the first field that is false.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lydian.language import tr
from lydian.model.errors import BadInput, shown
from lydian.model.lang.expression import Expression, expression
from lydian.pieces.animation import Animation
from lydian.pieces.messagelooks import BABBLED, DIFFERENT, Read, fields_in
from lydian.pieces.piece import LegendItem, Moment, Occurring, Piece, Teller, register
from lydian.trace.events import Kind
from lydian.trace.timeline import Timeline
from lydian.views.network.scene import Ints, Scene
from lydian.views.words.expressions import grown, parameters_of
from lydian.views.words.source import defaults_of, read
from lydian.views.words.values import SetOf, typed, value_text

__all__ = ["NOTHING", "Carried", "Carries", "Sign", "Spoken", "carried_of", "letter_of", "signs_of", "told_of"]

#: The number of colours of values, those of the kinds of messages; the next one, grey, is for no value.
COLOURS, NOTHING = 5, 5
#: The largest number of characters in the sign of a value.
LETTERS = 3
#: The letter of no value.
NONE = "–"
#: The mark of a message in which a Byzantine process lies.
LIED = '"lied"'
#: The events after which messages may say what is false.
SUSPICIOUS = (int(Kind.CORRUPT), int(Kind.INJECT))
#: The names in an expression for the processes at both ends.
ENDS = ("sender", "receiver")
#: The largest number of values that have entries of their own in the legend.
LISTED = 4
#: The number of processes up to which values stay on their lanes, and of the last events that are searched for them.
STAY, LOOK_BACK = 60, 2_000


@dataclass(frozen=True)
class Carries:
    """The value that decides the algorithm and is carried by messages: the colour and the letter of their arrows.

    Values have as their names what sentences call them: ``yes``, ``none``, ``attack``, ``3``. In each of the tables,
    values that are not named have a colour, a letter or a word of their own choice, which stays the same in the run.

    Args:
        value: an expression over the fields of a message, the parameters of the run, ``sender`` and ``receiver``, or a
            table from classes of messages to such expressions. One expression applies to all classes that have one of
            its fields; an expression that gives ``""`` leaves a message as it is. An empty table is for lies in the
            messages of all other classes; every animation ends with one.
        word: what the value is, for the legend: ``"ballot"``.
        colours: value -> colour, 0..5 as those of kinds of messages.
        letters: value -> at most three characters.
        words: value -> what the legend calls it.
        stays: whether the last value on each lane stays there, pale, after it has been received.
    """

    value: Any
    word: str = ""
    colours: Any = ()
    letters: Any = ()
    words: Any = ()
    stays: bool = False

    def __post_init__(self) -> None:
        for name in ("colours", "letters", "words"):
            object.__setattr__(self, name, _pairs(name, getattr(self, name)))
        if not isinstance(self.value, str):
            object.__setattr__(self, "value", _pairs("value", self.value))
        for _, text in self.expressions:
            if not isinstance(text, str):
                raise BadInput(f"value must be an expression in quotation marks, such as 'term', not {shown(text)}")
            expression(text, time=True)
        for value, colour in self.colours:
            if isinstance(colour, bool) or not isinstance(colour, int) or not 0 <= colour <= NOTHING:
                raise BadInput(f"colours[{value!r}] must be a number from 0 to {NOTHING}, not {shown(colour)}")
        for value, letter in self.letters:
            if not isinstance(letter, str) or not 0 < len(letter) <= LETTERS:
                raise BadInput(f"letters[{value!r}] must be one to {LETTERS} characters, not {shown(letter)}")

    @property
    def expressions(self) -> tuple[tuple[str, str], ...]:
        """The expressions, by class; one for all classes has no class."""
        return (("", self.value),) if isinstance(self.value, str) else self.value


def _pairs(what: str, table: Any) -> tuple[tuple[str, Any], ...]:
    """Return a table as pairs, so that a declaration can be compared and hashed."""
    pairs = tuple(table.items()) if isinstance(table, Mapping) else table
    good = isinstance(pairs, tuple) and all(isinstance(each, tuple) and len(each) == 2 for each in pairs)
    if not good or not all(isinstance(key, str) for key, _ in pairs):
        raise BadInput(f"{what} must be a table from texts, not {shown(table)}")
    return pairs


class Sign(NamedTuple):
    """The visible part of the value of a message.

    Attributes:
        number: of the declaration.
        letter, colour: what is said.
        value: the same in words.
        false: it is a lie: no process should have said this.
        true_letter, true_colour, truth: what is true; empty if this value is true, and something else in the message
            is not.
    """

    number: int
    letter: str
    colour: int
    value: str
    false: bool = False
    true_letter: str = ""
    true_colour: int = NOTHING
    truth: str = ""


#: The sign of a value that no message has carried yet.
_UNUSED = Sign(-1, NONE, NOTHING, "")


class _Key(NamedTuple):
    """What determines a sign: the declaration, what is said, whether it is false, and what is true; None for no
    value in its place.
    """

    number: int
    said: str
    false: bool = False
    truth: str | None = None


class Carried(Read):
    """The sign of each message of a run: its number is the place in ``signs``, -1 for none.

    Attributes:
        signs: those that occur, in the order in which they are found.
        changes: the messages that were changed in transit, the events at which that happened, and the new signs; by
            message, then by event.
    """

    def __init__(self, timeline: Timeline, declared: tuple[Carries, ...]) -> None:
        super().__init__()
        self.declared = declared
        self.signs: list[Sign] = []
        none = np.zeros(0, dtype=np.int64)
        self.changes: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]] = (none, none, none)
        self._parsed = [{name: expression(text, time=True) for name, text in each.expressions} for each in declared]
        self._fixed = parameters_of(timeline)
        source = timeline.trace.source
        self._defaults, self._types = defaults_of(source), read(source).fields
        self._of: dict[str, tuple[int, Expression] | None] = {}
        self._keys: list[_Key] = []
        self._places: dict[_Key, int] = {}
        self._known: dict[tuple[str, str, str, str, bool], int] = {}
        #: The declaration for lies in messages without a declared value, -1 for none.
        self._others = next((number for number, table in enumerate(self._parsed) if not table), -1)
        #: Whether any event so far allows messages to say what is false.
        self._suspicious = False
        self._values: list[dict[str, Any]] = [{} for _ in declared]
        self._looks: list[dict[str, tuple[str, int]]] = [{} for _ in declared]

    # -- reading ---------------------------------------------------------------------------------------------------

    def grow(self, timeline: Timeline) -> None:
        """Read the messages since the last call, or none if they can carry nothing."""
        if not self._suspicious and self._others >= 0:
            self._suspicious = bool(np.isin(timeline.kind[self.length :], SUSPICIOUS).any())
        if self.quiet(timeline):
            self.length = timeline.length
        else:
            super().grow(timeline)

    def quiet(self, timeline: Timeline) -> bool:
        """Return whether no message carries anything, so that none need be read."""
        return not self.classes(timeline)

    def classes(self, timeline: Timeline) -> set[str]:
        if self._suspicious:
            return set(timeline.labels)
        return {name for name in timeline.labels if self._expression(name) is not None}

    def _expression(self, name: str) -> tuple[int, Expression] | None:
        """Return the declaration that applies to a class, and its expression."""
        if name not in self._of:
            self._of[name] = None
            fields = self._types.get(name, {})
            for number, table in enumerate(self._parsed):
                every = table.get("")
                if name in table or (every and (every.names & fields.keys() or every.names & {*ENDS} == every.names)):
                    self._of[name] = number, table.get(name) or table[""]
                    break
        return self._of[name]

    def plain(self, timeline: Timeline, name: str, rows: NDArray[np.int64]) -> int | NDArray[np.int32]:
        found = self._expression(name)
        forged = timeline.kind[rows] == int(Kind.INJECT)
        if not forged.any() and not (found is not None and found[1].names.intersection(ENDS)):
            return -1 if found is None else self._sign(name, "", "", "", False)
        return np.array(self.told(timeline, [name] * len(rows), [""] * len(rows), rows), dtype=np.int32)

    def told(self, timeline: Timeline, names: list[str], texts: list[str], rows: NDArray[np.int64]) -> list[int]:
        forged = (timeline.kind[rows] == int(Kind.INJECT)).tolist()
        message = timeline.message[rows]
        ends = (self._ends(timeline, column[message].tolist()) for column in (
            timeline.message_source, timeline.message_target,
        ))  # fmt: skip
        return [self._sign(*each) for each in zip(names, texts, *ends, forged, strict=True)]

    def _ends(self, timeline: Timeline, codes: list[int]) -> list[str]:
        """Return the names of processes, or "" for each if no expression uses them."""
        if not any(found[1].names.intersection(ENDS) for found in self._of.values() if found is not None):
            return [""] * len(codes)
        return [timeline.processes[code] if code >= 0 else "" for code in codes]

    def _sign(self, name: str, text: str, sender: str, receiver: str, forged: bool) -> int:
        """Return the number of the sign of a message with this detail."""
        if self._expression(name) is None and not forged and LIED not in text and BABBLED not in text:
            return -1
        asked = (name, text, sender, receiver, forged)
        code = self._known.get(asked)
        if code is None:
            if len(self._known) >= DIFFERENT:
                self._known.clear()
            code = self._known[asked] = self._found(*asked)
        return code

    def _found(self, name: str, text: str, sender: str, receiver: str, forged: bool) -> int:
        fields, lied = fields_in(text), fields_in(text, "lied")
        if lied:
            return self._place(name, sender, receiver, fields, {**fields, **lied})
        return self._place(name, sender, receiver, fields, None if forged or BABBLED in text else fields)

    def _place(
        self, name: str, sender: str, receiver: str, fields: Mapping[str, Any], true: Mapping[str, Any] | None
    ) -> int:
        """Return the number of the sign of a message with these fields and these true ones, None for a forged one."""
        found = self._expression(name)
        if found is None:
            return self._lie(name, fields, true)
        number, wanted = found
        ends = dict(zip(ENDS, (sender, receiver), strict=True))
        said = self._value(number, wanted, name, {**ends, **fields})
        if not said:
            return -1
        truth = "" if true is None else self._value(number, wanted, name, {**ends, **true})
        return self._keyed(_Key(number, said, true is not fields, None if truth == said else truth))

    def _lie(self, name: str, fields: Mapping[str, Any], true: Mapping[str, Any] | None) -> int:
        """Return the number of the sign of a message without a declared value: its first field that is false."""
        types, number = self._types.get(name, {}), self._others
        if number < 0 or true is fields:
            return -1
        said, truth = ({**self._defaults.get(name, {}), **(part or {})} for part in (fields, true))
        names = [field for field in said if true is None or truth.get(field) != said[field]]
        if not names:
            if true is not None:
                return -1
            self._values[number].setdefault(name, name)
            return self._keyed(_Key(number, name, True, ""))
        told = [typed(part.get(names[0]), types.get(names[0], "")) for part in (said, truth)]
        for value in told:
            self._values[number].setdefault(value_text(value), value)
        return self._keyed(_Key(number, value_text(told[0]), True, "" if true is None else value_text(told[1])))

    def _keyed(self, key: _Key) -> int:
        if key not in self._places:
            self._places[key] = len(self._keys)
            self._keys.append(key)
        return self._places[key]

    def _value(self, number: int, wanted: Expression, name: str, fields: Mapping[str, Any]) -> str:
        """Return the value for these fields by its name."""
        types = self._types.get(name, {})
        told = {field: typed(value, types.get(field, "")) for field, value in fields.items()}
        value = wanted.value({**self._fixed, **self._defaults.get(name, {}), **told})
        if isinstance(value, str) and not value:
            return ""
        text = value_text(value)
        self._values[number].setdefault(text, value)
        return text

    def finish(self, timeline: Timeline, names: set[str], start: int, here: NDArray[np.bool_]) -> None:
        self._read_changes(timeline, start)
        codes, first = np.unique(self.code[np.sort(timeline.message[start:][here])], return_index=True)
        found = [*codes[np.argsort(first)].tolist(), *np.unique(self.changes[2]).tolist()]
        self.signs += [_UNUSED] * (len(self._keys) - len(self.signs))
        fresh = [code for code in found if code >= 0 and self.signs[code] is _UNUSED]
        for code in fresh:  # values get their looks in the order of the messages
            key, words = self._keys[code], dict(self.declared[self._keys[code].number].words)
            sign = Sign(
                key.number, *self._look(timeline, key.number, key.said), words.get(key.said, key.said), key.false
            )
            if key.truth:
                true = self._look(timeline, key.number, key.truth)
                sign = sign._replace(true_letter=true[0], true_colour=true[1], truth=words.get(key.truth, key.truth))
            elif key.truth is not None:
                sign = sign._replace(true_letter=NONE)
            self.signs[code] = sign

    def _look(self, timeline: Timeline, number: int, text: str) -> tuple[str, int]:
        """Return the letter and the colour of a value, which it keeps."""
        known = self._looks[number]
        if text not in known:
            declared, value = self.declared[number], self._values[number].get(text)
            taken = {letter for letter, _ in known.values()}
            letter = dict(declared.letters).get(text) or letter_of(value, taken)
            colour = dict(declared.colours).get(text)
            known[text] = letter, self._colour(timeline, number, value) if colour is None else colour
        return known[text]

    def _colour(self, timeline: Timeline, number: int, value: Any) -> int:
        """Return the colour of a value without a declared one: by the number of a process or the number itself, else
        in the order of appearance.
        """
        if value is None:
            return NOTHING
        if isinstance(value, bool):
            return 0 if value else 4
        if isinstance(value, int):
            return value % COLOURS
        if isinstance(value, str) and value in timeline.processes:
            return timeline.processes.index(value) % COLOURS
        return (len(self._looks[number]) + 2 * number) % COLOURS  # two declarations begin with different ones

    def _read_changes(self, timeline: Timeline, start: int) -> None:
        """Read the messages that were changed in transit from event ``start`` on."""
        rows = np.flatnonzero((timeline.kind[start:] == int(Kind.CORRUPT)) & (timeline.label[start:] >= 0)) + start
        found = [list(part) for part in self.changes]
        for row in rows.tolist():
            detail = timeline.trace.detail(row) or {}
            message, fields = detail.get("message", int(timeline.message[row])), detail.get("fields")
            if not isinstance(message, int) or not 0 <= message < len(self.code) or not isinstance(fields, Mapping):
                continue
            name = timeline.labels[int(timeline.label[row])]
            source, target = int(timeline.message_source[message]), int(timeline.message_target[message])
            ends = [timeline.processes[end] if end >= 0 else "" for end in (source, target)]
            sent = (timeline.trace.detail(int(timeline.sends[message])) or {}) if timeline.sends[message] >= 0 else {}
            true = {**fields, **_table(detail, "was"), **_table(sent, "fields"), **_table(sent, "lied")}
            changed = self._place(name, ends[0], ends[1], fields, true)
            for part, value in zip(found, (message, row, changed), strict=True):
                part.append(value)
        if len(rows):
            ids, seqs, codes = (np.array(part, dtype=np.int64) for part in found)
            order = np.lexsort((seqs, ids))
            self.changes = (ids[order], seqs[order], codes[order])

    # -- asking ----------------------------------------------------------------------------------------------------

    def at(self, ids: NDArray[Any], k: int) -> NDArray[np.int32]:
        """Return the signs of messages after the first ``k`` events, -1 for none."""
        codes: NDArray[np.int32] = self.code[ids]
        message, seq, code = self.changes
        if len(message):
            first, last = np.searchsorted(message, ids, "left"), np.searchsorted(message, ids, "right")
            for place in np.flatnonzero(last > first).tolist():
                known = int(np.searchsorted(seq[first[place] : last[place]], k))
                if known:
                    codes[place] = code[first[place] + known - 1]
        return codes

    def looks(self, number: int) -> dict[str, tuple[str, int]]:
        """Return the letter and the colour of each value of a declaration that occurs: first those with declared
        colours, then the others in the order of appearance.
        """
        known = self._looks[number]
        first = [value for value, _ in self.declared[number].colours if value in known]
        return {value: known[value] for value in [*first, *known]}

    def of_class(self, name: str) -> int:
        """Return the number of the declaration that applies to a class, or -1."""
        found = self._expression(name)
        return -1 if found is None else found[0]


def _table(detail: Mapping[str, Any], part: str) -> Mapping[str, Any]:
    found = detail.get(part)
    return found if isinstance(found, Mapping) else {}


def letter_of(value: Any, taken: set[str] | frozenset[str] = frozenset()) -> str:
    """Return one to three characters for a value: itself, if it is short enough, else its first characters.

    Args:
        taken: what stands for other values.
    """
    if value is None:
        return NONE
    if isinstance(value, bool):
        return "Y" if value else "N"
    if isinstance(value, SetOf | set | frozenset):
        text = "".join(sorted(value_text(each) for each in value))
        return text if 0 < len(text) <= LETTERS else str(len(value))
    if isinstance(value, tuple | list) and value:
        text = ".".join(value_text(each) for each in value)
        return text if len(text) <= LETTERS else letter_of(value[0], taken)
    text = value_text(value)
    if len(text) <= LETTERS:
        return text
    if isinstance(value, int):
        return "…" + text[-2:]
    tries = (text[:length].capitalize() for length in range(1, LETTERS + 1))
    return next((each for each in tries if each not in taken), text[:LETTERS].capitalize())


def carried_of(timeline: Timeline, animation: Animation) -> Carried | None:
    """Return the signs of the messages of a run, or None if none of them carries anything."""
    declared: tuple[Carries, ...] = getattr(animation, "carries", ())
    if not declared:
        return None
    carried = grown(timeline, ("carries", declared), lambda: Carried(timeline, declared))
    carried.grow(timeline)
    return None if carried.quiet(timeline) else carried


def signs_of(
    timeline: Timeline, animation: Animation, ids: NDArray[Any], k: int | None = None
) -> tuple[list[Sign], NDArray[np.int32]]:
    """Return the signs of a run, and which of them each message has after ``k`` events (at the end if None); -1 for
    none.
    """
    carried = carried_of(timeline, animation)
    if carried is None:
        return [], np.full(len(ids), -1, dtype=np.int32)
    return carried.signs, carried.at(ids, timeline.length if k is None else k)


# -- the piece -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Spoken:
    """The texts of messages at a moment.

    Attributes:
        signs: all signs of the run.
        flying: the sign of each message in transit, as an index of ``signs``; -1 for none.
        source, target, sign: what was said last on each lane on which nothing is in transit, and stays there.
    """

    signs: list[Sign]
    flying: NDArray[np.int32]
    source: Ints
    target: Ints
    sign: NDArray[np.int32]


def at(now: Moment, declared: Carries) -> Spoken | None:
    """Return what messages say now, once for all declarations."""
    scene: Scene = now.scene
    if now.number(declared):
        return None
    carried = carried_of(scene.run, scene.animation)
    if carried is None or not carried.signs:
        return None
    stay = [number for number, each in enumerate(carried.declared) if each.stays]
    source, target, sign = _staying(scene, carried, now.k, stay)
    if len(source) and len(now.flights):
        n = scene.network.n
        free = ~np.isin(
            source.astype(np.int64) * n + target, now.flights.source.astype(np.int64) * n + now.flights.target
        )
        source, target, sign = source[free], target[free], sign[free]
    return Spoken(carried.signs, carried.at(now.flights.id, now.k), source, target, sign)


def _staying(scene: Scene, carried: Carried, k: int, stay: list[int]) -> tuple[Ints, Ints, NDArray[np.int32]]:
    """Return the last value that was received on each lane: senders, receivers, signs."""
    run, none = scene.run, np.zeros(0, dtype=np.int32)
    if not stay or scene.network.n > STAY:
        return none, none, none
    first = max(0, k - LOOK_BACK)
    rows = np.flatnonzero((run.kind[first:k] == int(Kind.RECEIVE)) & (run.message[first:k] >= 0)) + first
    ids = run.message[rows[::-1]].astype(np.int64)
    ids = ids[(run.message_source[ids] >= 0) & (run.message_target[ids] >= 0)]
    code = carried.at(ids, k)
    there = code >= 0
    there[there] = np.isin([carried.signs[each].number for each in code[there].tolist()], stay)
    ids, code = ids[there], code[there]
    source, target = run.message_source[ids], run.message_target[ids]
    if scene.renumber is not None:
        source, target = scene.renumber[source], scene.renumber[target]
    here = (source >= 0) & (target >= 0) & (source != target)
    source, target, code = source[here], target[here], code[here]
    _, last = np.unique(source.astype(np.int64) * scene.network.n + target, return_index=True)
    return source[last], target[last], code[last]


def legend(seen: Occurring, number: int, declared: Carries) -> Iterator[LegendItem]:
    """Yield an entry for each of a few values, or one for all, and one for the first lie."""
    carried = carried_of(seen.run, seen.scene.animation)
    if carried is None:
        return
    signs, words = [sign for sign in carried.signs if sign.number == number], dict(declared.words)
    looks = carried.looks(number) if declared.expressions else {}
    said = [Sign(number, *look, words.get(value, value)) for value, look in looks.items()]
    named = [sign for sign, value in zip(said, looks, strict=True) if sign.letter != value]
    others = [sign for sign in said if sign not in named]
    if len(named) > LISTED:
        named, others = [], said
    for sign in named:
        listed = sign.value in words.values() or not declared.word
        word = sign.value if listed else tr("{what}: {value}", what=declared.word, value=sign.value)
        yield _entry(number, word, sign)
    if others:
        yield _entry(number, declared.word or tr("value of the message"), others[0])
    lie = next((sign for sign in signs if sign.false and sign.true_letter not in ("", NONE)), None)
    if lie is not None:
        yield _entry(number, tr("a lie: said {said}, true {truth}", said=lie.letter, truth=lie.true_letter), lie)
    forged = next((sign for sign in signs if sign.true_letter == NONE and not sign.truth), None)
    if forged is not None:
        yield _entry(number, tr("forged: says {said}", said=forged.letter), forged)


def _entry(number: int, word: str, sign: Sign) -> LegendItem:
    sort = "lie" if sign.true_letter else "carries"
    return LegendItem(sort, number, word, None, 0, word, look=sign)


def told_of(sign: Sign) -> dict[str, Any]:
    """Return a sign for the page."""
    return {
        "letter": sign.letter, "colour": sign.colour, "false": sign.false, "trueLetter": sign.true_letter,
        "trueColour": sign.true_colour,
    }  # fmt: skip


def page(tell: Teller, declared: Carries) -> dict[str, Any] | None:
    """Return the page's data, with the first declaration for all of them: signs, that of each message, and changes."""
    scene: Scene = tell.scene
    number = scene.animation.carries.index(declared)
    carried = carried_of(scene.run, scene.animation)
    if number or carried is None or not carried.signs:
        return None
    stays = [each.stays for each in carried.declared]
    message, seq, code = carried.changes
    signs = [{**told_of(sign), "stays": sign.number >= 0 and stays[sign.number]} for sign in carried.signs]
    return {
        "signs": signs, "said": tell.column(carried.code),
        "changes": {"message": tell.column(message), "seq": tell.column(seq), "sign": tell.column(code)},
    }  # fmt: skip


register(Piece("carries", Carries, "carries", None, at=at, legend=legend, page=page, order=127,
               signs=("carries", "lie"), wide=("lie",),
               painter="lydian.app.painters.pieces.carries.CarriesPainter", script="player.carries.js"))  # fmt: skip
