"""Animations: how the executions of a protocol are drawn, with slots for states, kinds for messages, and pieces for
variables.

A file ``animations/NAME.py`` belongs to the protocol ``NAME`` and holds one :class:`Animation` named ``animation``::

    from lydian.pieces.animation import Animation, Pointer, Watch

    animation = Animation(
        states={"idle": 0, "trying": 4, "critical": 6},   # slots: colour, shape and hatch
        messages={"Request": 2, "Token": 0},              # kinds: colour, head and dash
        words={"critical": "in the critical section"},    # how a state is called
        pointers=(Pointer("next", style="arrow"),),       # a variable that names a process
        watch=Watch("asks {queue:len}"),                  # a line under a process
    )

What can be declared of variables:

* :class:`Pointer`: a variable that names a process - waiting chains, trees, rings, arrows, arcs;
* :class:`Marks`: one that holds processes - dots on links, arrows, arcs to processes that are no neighbours;
* :class:`Orientation`: a direction for every link, from sets of neighbours or from heights;
* :class:`Token`: a thing that sits at a process and rides on messages;
* :class:`Value`: a number as text, bar or colour; :class:`Group`: an area around processes of equal value;
* :class:`Glyph`: a picture inside the process; :class:`Watch`: a line of text below it;
* :class:`Baskets`: a number of each process of a ring, in a basket between it and its neighbour;
* :class:`Places`: where a process is drawn, on a circle or a line; :class:`Queue`: cards beside it;
* :class:`Sector`: a part of that circle which a process answers for; :class:`Flags`: points of it, such as keys;
* :class:`Grid` and :class:`Chart`: a matrix of processes and keys, and lines over time, beside the network;
* :class:`Logs`: the lists of all processes side by side; :class:`Table`: a row of values for each process;
* :class:`Objects`: the shared objects with their values, and who reads and writes them;
* :class:`Reach`: the links of an overlay counted by level; :class:`Wall`: a wall between the sides of a partition;
* :class:`Histogram` and :class:`Tree`: bars of numbers, and a tree that a process knows, beside it as well;
* :class:`Parents`: the tree that processes form by their parents, beside it too;
* :class:`Countdown`: a timer as a pie that empties;
* :class:`Dress`: messages of one class that look like what they carry;
* :class:`Carries`: the value that a message carries, as the colour and the letter of its arrow.

What is only for the eye and follows from recorded variables is derived here, by a function with :func:`derived` before
it (:mod:`lydian.pieces.derived`), and used like a variable.

In an anonymous network a port number in such a variable means the neighbour behind that port. All of these are
drawn in the window, in pictures and movies, and in the page that plays a run.

What is not declared is drawn as for a protocol without such a file: states take the slots 0, 1, 2 ... and messages
the kinds 0, 1, 2 ... in the order in which they are declared. The slots are meant for: 0 at rest, 1 leading,
2 informed or waiting, 3 finished, 4 trying, 5 joining, 6 holding, 7 left.
"""

from __future__ import annotations

import re
import sys
import traceback
from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from lydian.language import tr
from lydian.model.archive.shelves import looks_like_path, our_folder, shelves
from lydian.model.errors import BadInput, did_you_mean, shown
from lydian.model.protocol.folder import read_source
from lydian.pieces import piece
from lydian.pieces.derived import Derived, asked
from lydian.pieces.derived import derived as derived
from lydian.pieces.watch import Watch, filled, holes_are_right
from lydian.trace.events import Trace
from lydian.views.words.source import read

if TYPE_CHECKING:
    from lydian.model.experiment.experiment import Experiment

#: The state of a process before its run is computed; it is drawn in the slot beyond those of states.
NOT_RUN, HOLLOW = "not yet run", 16
#: A table without entries.
NOTHING: Mapping[Any, Any] = MappingProxyType({})
#: The fields of an animation that are not pieces.
_TABLES = ("states", "messages", "words", "labels", "kinds", "watch", "badge", "letters", "phrases")
#: Declarations for messages and states and for a line at each process; every other declaration is a piece.
_OWN = (
    "NOT_RUN", "Animation", "Derived", "Watch", "allow", "animation_for", "derived", "generic",
    "load_animation",
)  # fmt: skip


def __getattr__(name: str) -> Any:
    """Return a class with which an animation declares a piece, from whichever package registered it."""
    if name == "__all__":
        return [*_OWN, *piece.declarable()]
    found = None if name.startswith("_") else piece.declarable().get(name)
    if found is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return found


@dataclass(frozen=True, init=False)
class Animation:
    """A description of how the executions of one protocol are drawn.

    Args:
        states: slot of each state, 0..15 (from 8 on the same looks with a double outline).
        messages: kind of each class of message, timer or command, 0..5.
        words: how states are called in legends; if not here by what the protocol declares for sentences
            (``states("held", reads={"held": "is in the critical section"})``), else by their name.
        labels: how messages are called in legends; by their class if not here.
        kinds: kind of messages -> what all of that kind have in common: the legend has one entry for them.
        pointers: variables that name a process.
        watch: a line under each process; a text alone means ``Watch(text)``.
        badge: a variable whose size (or number) is shown at the corner of a process where the line has no room.
        marks: variables that hold processes.
        orientation: a direction for every link.
        tokens: things that sit at processes and ride on messages.
        values: variables as text, bar or colour.
        groups: the variable whose equal values make a group.
        glyphs: pictures inside processes; of several that fit the first is drawn.
        baskets: a number of each process of a ring as a basket between neighbours.
        places: the positions of processes, from their variables.
        grid: a matrix of processes and keys beside the network.
        chart: lines over time, or bars of numbers, below or beside the network: one, or up to three in order of
            importance.
        tree: a tree from a variable of one process, beside the network.
        logs: the lists of all processes side by side, beside the network.
        table: a row of values for each process, beside the network.
        reach: how many links of each level of an overlay are there, beside the network.
        parents: the tree that processes form by their parents, beside the network.
        wall: a wall through the network between the two sides of a partition.
        countdown: a timer as a pie at each process that empties until it rings.
        queues: the items of variables as cards beside processes.
        sectors: parts of the circle of ``places`` that processes answer for.
        flags: points of the circle of ``places``.
        dresses: how messages look by what they carry; of several that fit the first is worn.
        carries: the value that decides, as the colour and the letter of the messages that carry it.
        letters: class of message -> the letter in its head.
        phrases: (state, message) -> one sentence that says what it means when a process in this state gets this
            message, timer or command (``"INIT"`` for the start), in the place of the first sentence of the action's
            docstring; ``{peer}`` is the other process, ``{variable}`` and ``{variable:len}`` as they are afterwards,
            ``{variable:answer is|answers are}`` how many with their noun: "1 answer is", "no answers are".
        derived: variables that follow from those that are recorded; a file need not say this, for those that
            functions with :func:`derived` before them give are taken.
        name: the protocol, or empty for the generic drawing.
        problem: why the declared animation could not be used, as a sentence.
    """

    states: Mapping[str, int]
    messages: Mapping[str, int]
    words: Mapping[str, str]
    labels: Mapping[str, str]
    kinds: Mapping[int, str]
    watch: Watch | None
    badge: str | None
    letters: Mapping[str, str]
    phrases: Mapping[tuple[str, str], str]
    pieces: Mapping[str, Any]
    derived: tuple[Derived, ...]
    name: str
    problem: str | None

    def __init__(
        self,
        states: Mapping[str, int] = NOTHING,
        messages: Mapping[str, int] = NOTHING,
        words: Mapping[str, str] = NOTHING,
        labels: Mapping[str, str] = NOTHING,
        kinds: Mapping[int, str] = NOTHING,
        watch: Watch | str | None = None,
        badge: str | None = None,
        letters: Mapping[str, str] = NOTHING,
        phrases: Mapping[tuple[str, str], str] = NOTHING,
        pieces: Mapping[str, Any] = NOTHING,
        derived: tuple[Derived, ...] = (),
        name: str = "",
        problem: str | None = None,
        **declared: Any,
    ) -> None:
        for what, limit, table in (("states", 16, states), ("messages", 6, messages)):
            if not isinstance(table, Mapping):
                raise BadInput(f"{what} must be a table from names to numbers, not {shown(table)}")
            for key, number in table.items():
                if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number < limit:
                    raise BadInput(f"{what}[{key!r}] must be a number from 0 to {limit - 1}, not {shown(number)}")
        if not isinstance(letters, Mapping):
            raise BadInput(f"letters must be a table from messages to letters, not {shown(letters)}")
        for label, letter in letters.items():
            if not isinstance(letter, str) or not 0 < len(letter) <= 2:
                raise BadInput(f"letters[{label!r}] must be one or two characters, not {shown(letter)}")
        _check_kinds(kinds)
        _check_phrases(phrases)
        if isinstance(watch, str):
            watch = Watch(watch)
        elif watch is not None and not isinstance(watch, Watch):
            raise BadInput(f"watch must be a text with {{variables}} in it, not {shown(watch)}")
        told = {
            "states": states, "messages": messages, "words": words, "labels": labels, "kinds": kinds, "watch": watch,
            "badge": badge, "letters": letters, "phrases": phrases, "pieces": _declared_pieces({**pieces, **declared}),
            "derived": tuple(derived), "name": name, "problem": problem,
        }  # fmt: skip
        for what, value in told.items():
            object.__setattr__(self, what, {} if value is NOTHING else value)

    def __getattr__(self, name: str) -> Any:
        """Return the declarations of a piece in the file: one declaration or None, or a tuple of them."""
        if name.startswith("_") or name not in piece.fields():
            raise AttributeError(f"an animation has no {name!r}")
        return self.pieces.get(name, piece.rest_of(name))

    def __hash__(self) -> int:
        return hash((self.name, tuple(self.states.items()), self.pointers, self.watch, self.badge))

    def slot(self, state: str) -> int:
        """Return the slot of a state: the declared one, else 0, or a hollow one for a process whose state is not yet
        known.
        """
        return HOLLOW if state == NOT_RUN else self.states.get(state, 0)

    def kind(self, label: str) -> int:
        """Return the kind of a message: the declared one, else 0."""
        return self.messages.get(label, 0)

    def word(self, state: str) -> str:
        """Return the word for a state."""
        return tr("not yet run") if state == NOT_RUN else self.words.get(state, state)

    def label(self, label: str) -> str:
        """Return the word for a message."""
        return self.labels.get(label, label)

    def showing(self, variable: str) -> Animation:
        """Return this animation with the value of one variable, and of no other, as text at each process."""
        only = piece.fields()["values"][0].declares(variable, word=variable)
        return replace(self, watch=None, badge=None, pieces={**self.pieces, "values": (only,)})

    def phrase(self, state: str, label: str, values: Mapping[str, Any]) -> str:
        """Return what it means that a process in ``state`` receives ``label``, or "" if no phrase is declared.

        ``{variable:len}`` of an empty value is "none".

        Args:
            values: what the placeholders stand for: ``peer``, and the variables after the event.
        """
        text = self.phrases.get((state, label), "")
        return filled(text, values, "none")

    def completed(
        self, states: Collection[str], labels: Collection[str], predicates: Mapping[str, str] = MappingProxyType({})
    ) -> Animation:
        """Return this animation with the remaining looks assigned to the states and messages that it does not name,
        also for lies.

        Args:
            predicates: how states read in sentences; states without a word are called by these.
        """
        lies = piece.fields()["carries"][0].declares
        return replace(
            self,
            words={**{state: _word(text) for state, text in predicates.items()}, **self.words},
            states={**_dealt([state for state in states if state != NOT_RUN], self.states, 8), **self.states},
            messages={**_dealt(labels, self.messages, 6), **self.messages},
            pieces={**self.pieces, "carries": tuple(dict.fromkeys((*self.carries, lies({}))))},
        )


def generic(
    states: Collection[str] = (), labels: Collection[str] = (), predicates: Mapping[str, str] = MappingProxyType({})
) -> Animation:
    """Return the animation of a protocol that declares nothing: slots and kinds in order of declaration."""
    return Animation().completed(states, labels, predicates)


def _word(predicate: str) -> str:
    """Return a predicate as an entry of a legend: "in the critical section", "candidate", "wants the resource"."""
    return re.sub(r"^is (?:an? )?", "", predicate)


def load_animation(path: Path | str) -> Animation:
    """Return the animation in a file.

    Raises:
        BadInput: the file cannot be read, fails, or declares something that cannot be drawn.
    """
    path = Path(path)
    try:
        source = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"the animation cannot be read: {error}", file=path) from None
    space: dict[str, Any] = {"__name__": f"lydian_animation_{path.stem}", "__file__": str(path)}
    try:
        exec(compile(source, str(path), "exec"), space)  # noqa: S102 - an animation is Python, like a protocol
    except BadInput as error:
        raise BadInput(error.what, file=path, place=_line(error, path)) from None
    except SyntaxError as error:
        raise BadInput(f"this is not valid Python: {error.msg}", file=path, place=f"line {error.lineno}") from None
    except Exception as error:  # noqa: BLE001 - the file may do anything
        what = f"the animation fails with {type(error).__name__}: {error}"
        raise BadInput(what, file=path, place=_line(error, path)) from None
    found = space.get("animation")
    if not isinstance(found, Animation):
        raise BadInput("there is no animation = Animation(...) in the file", file=path)
    own = tuple(replace(each, path=str(path)) for each in space.values() if isinstance(each, Derived))
    return replace(found, name=found.name or path.stem, derived=(*found.derived, *own))


def animation_for(source: Trace | str | None, folder: Path | None = None) -> Animation:
    """Return the animation for an execution, or for a protocol by name.

    The experiment may name one; else it is the file named like the protocol; else the generic drawing. A file that
    cannot be used leads to the generic drawing, with the reason in ``problem``. The same question gets the same
    object, until the file changes.

    Args:
        source: a trace, or the name of a protocol, or ``None``.
        folder: look for ``NAME.py`` here instead of in the archive.
    """
    name, states, labels = _asked(source)
    text = source.source if isinstance(source, Trace) else _source_of(name)
    path = _file(source, folder)
    predicates = read(text).predicates
    key = (path, _age(path), name, states, labels, tuple(predicates.items()))
    if key not in _known:
        if len(_known) > 200:
            _known.clear()
        _known[key] = _made(path, states, labels, predicates)
    return _known[key]


def unread(source: Trace | str | None) -> Path | None:
    """Return the file for which :func:`animation_for` would wait while another process reads it; ``None`` if it would
    not wait.
    """
    path = _file(source)
    return None if path is None or _is_ours(path) or (path, _age(path)) in _apart else path


def allow(experiment: Experiment) -> None:
    """Allow the animation that an experiment names by its path, as the user asked for this experiment.

    A trace that names an animation by its path does not load it otherwise, so opening a recorded run never executes
    foreign code.
    """
    ref = experiment.animation
    path = None if ref is None else looks_like_path(ref, "animations")
    if ref is not None and path is not None:
        _allowed[ref] = (path if experiment.path is None else experiment.path.parent / path).absolute()


#: The allowed animations, by the names that experiments use.
_allowed: dict[str, Path] = {}
_known: dict[tuple[Any, ...], Animation] = {}
#: The declarations in other users' files, or why they cannot be used; read again when a file changes.
_apart: dict[tuple[Path, Any], Animation | str] = {}


def _made(
    path: Path | None, states: tuple[str, ...], labels: tuple[str, ...], predicates: Mapping[str, str]
) -> Animation:
    if path is None:
        return generic(states, labels, predicates)
    found = _declared(path)
    if isinstance(found, str):
        return replace(generic(states, labels, predicates), problem=found)
    return found.completed(states, labels, predicates)


def _declared(path: Path) -> Animation | str:
    """Return the declarations of a file, or why it cannot be used; a foreign file is read once, by another process."""
    ours, key = _is_ours(path), (path, _age(path))
    if not ours and key in _apart:
        return _apart[key]
    found: Animation | str
    try:
        found = load_animation(path) if ours else read_apart(path)
    except BadInput as error:
        found = str(error)
    if not ours:
        if len(_apart) > 200:
            _apart.clear()
        _apart[key] = found
    return found


def _is_ours(path: Path) -> bool:
    return our_folder().resolve() in path.resolve().parents


def _file(source: Trace | str | None, folder: Path | None = None) -> Path | None:
    own = isinstance(source, Trace) and bool(source.experiment.get("animation"))
    return _path(_asked(source)[0], folder, own)


def _source_of(name: str) -> str:
    """Return the text of a protocol in the archive, or "" if there is none of this name."""
    try:
        return read_source(shelves().find("protocols", name)) if name else ""
    except BadInput:
        return ""


def _asked(source: Trace | str | None) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    if source is None or isinstance(source, str):
        return source or "", (), ()
    name = source.experiment.get("animation") or source.experiment.get("protocol") or ""
    return str(name), source.states, source.labels


def _path(name: str, folder: Path | None, own: bool) -> Path | None:
    """Return the file of an animation; ``own`` is true if the name is that of an animation, not of a protocol."""
    if not name:
        return None
    if folder is not None:
        path = folder / f"{Path(name).stem}.py"
        return path if path.is_file() else None
    asked: str = Path(name).stem if "/" in name or "\\" in name or name.endswith(".py") else name
    if own and name in _allowed:
        return _allowed[name]
    return shelves().animation_path(asked)


def _age(path: Path | None) -> tuple[int, int] | None:
    try:
        status = path.stat() if path is not None else None
    except OSError:
        return None
    return None if status is None else (status.st_mtime_ns, status.st_size)


def _dealt(names: Collection[str], taken: Mapping[str, int], size: int) -> dict[str, int]:
    """Return a number for each name without one: first the unused numbers in order, then all numbers again."""
    missing = [name for name in names if name not in taken]
    free = [number for number in range(size) if number not in taken.values()] if taken else list(range(size))
    order = free + [number for number in range(size) if number not in free]
    twice = order + [number + size for number in range(size)] if size == 8 else order
    return {name: twice[i % len(twice)] for i, name in enumerate(missing)}


def _declared_pieces(declared: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the checked declarations of pieces, without the fields that are empty."""
    known = piece.fields()
    for name in declared:
        if name not in known:
            raise BadInput(f"an animation has no {name}{did_you_mean(name, [*known, *_TABLES])}")
    found = {name: piece.declared_in(name, given) for name, given in declared.items()}
    found = {name: given for name, given in found.items() if given is not None and given != ()}
    for each, _, _ in piece.every(found):
        needed, why = each.needs
        if needed and needed not in found:
            raise BadInput(f"{why}: declare {needed}={known[needed][0].declares.__name__}(...) as well")
    return found


def _check_kinds(kinds: Any) -> None:
    if not isinstance(kinds, Mapping):
        raise BadInput(f"kinds must be a table from kinds of messages to words, not {shown(kinds)}")
    for kind, word in kinds.items():
        if isinstance(kind, bool) or kind not in range(6):
            raise BadInput(f"a kind of messages must be a number from 0 to 5, not {shown(kind)}")
        if not isinstance(word, str) or not word:
            raise BadInput(
                f"kinds[{kind}] must be a text that says what messages of this kind have in common, not {shown(word)}"
            )


def _check_phrases(phrases: Any) -> None:
    if not isinstance(phrases, Mapping):
        raise BadInput(f"phrases must be a table from (state, message) to a sentence, not {shown(phrases)}")
    for key, text in phrases.items():
        if not isinstance(key, tuple) or len(key) != 2 or any(not isinstance(part, str) for part in key):
            raise BadInput(f'phrases must have keys such as ("waiting", "Ack"), not {shown(key)}')
        if not holes_are_right(text):
            raise BadInput(f"phrases[{key!r}] must be a sentence with placeholders such as {{peer}}, not {shown(text)}")


def _line(error: BaseException, path: Path) -> str | None:
    frames = [entry for entry in traceback.extract_tb(error.__traceback__) if entry.filename == str(path)]
    return f"line {frames[-1].lineno}" if frames else None


def read_apart(path: Path) -> Any:
    """Return the animation that a file declares, read in a separate process.

    Raises:
        BadInput: the file cannot be read, fails, hangs, ends its process, or declares something that cannot be drawn.
    """
    return decoded(asked(path)["found"])


def encoded(value: Any) -> Any:
    """Return what an animation declares as data that JSON can represent; a function is represented by its name."""
    if isinstance(value, Derived):
        return {"class": "Derived", "fields": {"name": value.name, "several": value.several, "path": value.path}}
    if is_dataclass(value) and not isinstance(value, type):
        told = {each.name: getattr(value, each.name) for each in fields(value) if each.init}
        usual = {each.name: each.default for each in fields(value)}  # Words depend on the language of the program.
        kept = {name: encoded(item) for name, item in told.items() if not _same(item, usual[name])}
        return {"class": type(value).__name__, "fields": kept}
    if isinstance(value, dict):
        return {"pairs": [[encoded(key), encoded(item)] for key, item in value.items()]}
    if isinstance(value, list | tuple):
        return [encoded(item) for item in value]
    if value is None or isinstance(value, str | int | float):
        return value
    raise BadInput(f"{value!r:.60} is not plain data; an animation must declare texts, numbers, tuples and dicts")


def _same(value: Any, other: Any) -> bool:
    return type(value) is type(other) and bool(value == other)


def decoded(told: Any) -> Any:
    """Return the animation that :func:`encoded` turned into data; sequences become tuples.

    Raises:
        BadInput: it is not such data, or declares what cannot be drawn.
    """
    if isinstance(told, list):
        return tuple(decoded(each) for each in told)
    if not isinstance(told, dict):
        return told
    if "pairs" in told:
        return {decoded(key): decoded(item) for key, item in told["pairs"]}
    cls = getattr(sys.modules[__name__], told["class"], None)
    if not is_dataclass(cls):
        raise BadInput(f"{told['class']!r} is not a piece that an animation can declare")
    made: Any = cls
    return made(**{name: decoded(item) for name, item in told["fields"].items()})
