"""What a protocol says about its looks: slots for states, kinds for messages, pointers, and a line to watch.

A file ``animations/NAME.py`` belongs to the protocol ``NAME`` and holds one :class:`Animation` named ``animation``::

    from lydian.views.animation import Animation, Pointer, Watch

    animation = Animation(
        states={"idle": 0, "trying": 4, "critical": 6},   # slots: colour, shape and hatch
        messages={"Request": 2, "Token": 0},              # kinds: colour, head and dash
        words={"critical": "in the critical section"},    # how a state is called
        pointers=(Pointer("next", style="arrow"),),       # a variable that names a process
        watch=Watch("asks {queue:len}"),                  # a line under a process
    )

What is not declared is drawn as for a protocol without such a file: states take the slots 0, 1, 2 ... and messages
the kinds 0, 1, 2 ... in the order in which they are declared.  The slots are meant for: 0 at rest, 1 leading,
2 informed or waiting, 3 finished, 4 trying, 5 joining, 6 holding, 7 left.
"""

from __future__ import annotations

import re
import traceback
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from lydian.model.archive import archive
from lydian.model.errors import BadInput, did_you_mean, shown
from lydian.trace.events import Trace
from lydian.views.words import value_text

__all__ = ["STYLES", "Animation", "Marks", "Pointer", "Watch", "animation_for", "generic", "load_animation"]

#: How a pointer is drawn: a red band with chevrons towards the one waited for; the thinner red line that is left of
#: it; a tree link in the colour of finished processes; an arrow of its own beside the link.
STYLES = ("waiting", "waited", "tree", "arrow")

_HOLE = re.compile(r"\{\s*([A-Za-z_]\w*)\s*(?::\s*(len))?\s*\}")


@dataclass(frozen=True)
class Pointer:
    """A variable that names a process, drawn as a line from the one that holds it to the one it names.

    Args:
        variable: its name.
        style: one of :data:`STYLES`.
        while_states: draw it only while the holder is in one of these states; always if empty.
        backwards: it is the named process that waits for (points at) the holder.
        word: how the legend calls it.
    """

    variable: str
    style: str = "arrow"
    while_states: tuple[str, ...] = ()
    backwards: bool = False
    word: str = ""

    def __post_init__(self) -> None:
        if self.style not in STYLES:
            hint = did_you_mean(self.style, STYLES)
            raise BadInput(f"a pointer has no style {shown(self.style)}{hint}; there are {', '.join(STYLES)}")
        object.__setattr__(self, "while_states", _names(self.while_states, "while_states"))


@dataclass(frozen=True)
class Watch:
    """A line of text about a process.

    Args:
        text: holes ``{variable}`` take the value of a variable, ``{variable:len}`` how many are in it.
        when: the variable that must not be empty for the line to be shown; by default the first in the text.
        while_states: show it only in these states; in all if empty.
    """

    text: str
    when: str | None = None
    while_states: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        rest = _HOLE.sub("", self.text)
        if "{" in rest or "}" in rest:
            raise BadInput(f"a hole is written {{variable}} or {{variable:len}}, not as in {shown(self.text)}")
        object.__setattr__(self, "while_states", _names(self.while_states, "while_states"))

    @property
    def variables(self) -> tuple[str, ...]:
        """The variables that the text and the condition need."""
        found = [match.group(1) for match in _HOLE.finditer(self.text)]
        return tuple(dict.fromkeys(found if self.when is None else [self.when, *found]))

    def line(self, values: Mapping[str, Any]) -> str:
        """The text for one process, empty if there is nothing to say."""
        decides = self.variables[:1]
        if decides and values.get(decides[0]) in (None, "", 0, False, [], {}, ()):
            return ""
        return _HOLE.sub(lambda match: _filled(values.get(match.group(1)), match.group(2)), self.text)


@dataclass(frozen=True)
class Marks:
    """A variable that holds processes, drawn as a mark at the holder's end of the link to each of them.

    Args:
        variable: its name.
        slot: the state whose colour the marks have.
        word: how the legend calls it.
    """

    variable: str
    slot: int = 4
    word: str = ""


@dataclass(frozen=True)
class Animation:
    """How the executions of one protocol are drawn.

    Args:
        states: slot of each state, 0..15 (from 8 on the same looks with a double outline).
        messages: kind of each class of message, timer or command, 0..5.
        words: how states are called in legends and sentences; by their name if not here.
        labels: how messages are called in legends; by their class if not here.
        pointers: variables that name a process.
        watch: a line under each process; a text alone means ``Watch(text)``.
        badge: a variable whose size (or number) stands at the corner of a process where the line has no room.
        marks: variables that hold processes.
        phrases: (state, message) -> one sentence that says what it means when a process in this state gets this
            message, timer or command (``"INIT"`` for the start), in the place of the first sentence of the action's
            docstring; ``{peer}`` is the other process, ``{variable}`` and ``{variable:len}`` as they are afterwards.
        name: the protocol, or empty for the generic drawing.
        problem: why the declared animation could not be used, as a sentence.
    """

    states: Mapping[str, int] = field(default_factory=dict)
    messages: Mapping[str, int] = field(default_factory=dict)
    words: Mapping[str, str] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)
    pointers: tuple[Pointer, ...] = ()
    watch: Watch | str | None = None
    badge: str | None = None
    marks: tuple[Marks, ...] = ()
    phrases: Mapping[tuple[str, str], str] = field(default_factory=dict)
    name: str = ""
    problem: str | None = None

    def __post_init__(self) -> None:
        for what, limit in (("states", 16), ("messages", 6)):
            table: Any = getattr(self, what)
            if not isinstance(table, Mapping):
                raise BadInput(f"{what} is a table from names to numbers, not {shown(table)}")
            for key, number in table.items():
                if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number < limit:
                    raise BadInput(f"{what}[{key!r}] is a number from 0 to {limit - 1}, not {shown(number)}")
        for what, kind in (("pointers", Pointer), ("marks", Marks)):
            items: Any = getattr(self, what)
            items = (items,) if isinstance(items, kind) else items
            if not isinstance(items, Sequence) or any(not isinstance(item, kind) for item in items):
                raise BadInput(f"{what} is a list of {kind.__name__}(...), not {shown(items)}")
            object.__setattr__(self, what, tuple(items))
        _check_phrases(self.phrases)
        if isinstance(self.watch, str):
            object.__setattr__(self, "watch", Watch(self.watch))
        elif self.watch is not None and not isinstance(self.watch, Watch):
            raise BadInput(f"watch is a text with {{variables}} in it, not {shown(self.watch)}")

    def __hash__(self) -> int:
        return hash((self.name, tuple(self.states.items()), self.pointers, self.watch, self.badge))

    def slot(self, state: str) -> int:
        """The slot of a state: declared, else 0."""
        return self.states.get(state, 0)

    def kind(self, label: str) -> int:
        """The kind of a message: declared, else 0."""
        return self.messages.get(label, 0)

    def word(self, state: str) -> str:
        """How a state is called."""
        return self.words.get(state, state)

    def label(self, label: str) -> str:
        """How a message is called."""
        return self.labels.get(label, label)

    def phrase(self, state: str, label: str, values: Mapping[str, Any]) -> str:
        """What it means that a process in ``state`` gets ``label``; empty if nothing was declared for that.

        Args:
            values: what the holes stand for: ``peer``, and the variables after the event.
        """
        text = self.phrases.get((state, label), "")
        return _HOLE.sub(lambda match: _filled(values.get(match.group(1)), match.group(2)), text)

    def completed(self, states: Collection[str], labels: Collection[str]) -> Animation:
        """The same animation with the looks that are free given to the states and messages it does not name."""
        return replace(
            self,
            states={**_dealt(states, self.states, 8), **self.states},
            messages={**_dealt(labels, self.messages, 6), **self.messages},
        )


def generic(states: Collection[str] = (), labels: Collection[str] = ()) -> Animation:
    """The drawing of a protocol that declares nothing: slots and kinds in order of declaration."""
    return Animation().completed(states, labels)


def load_animation(path: Path | str) -> Animation:
    """The animation in a file.

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
        raise BadInput(f"this is not Python: {error.msg}", file=path, place=f"line {error.lineno}") from None
    except Exception as error:  # noqa: BLE001 - the file may do anything
        what = f"the animation fails with {type(error).__name__}: {error}"
        raise BadInput(what, file=path, place=_line(error, path)) from None
    found = space.get("animation")
    if not isinstance(found, Animation):
        raise BadInput("there is no animation = Animation(...) in the file", file=path)
    return replace(found, name=found.name or path.stem)


def animation_for(source: Trace | str | None, folder: Path | None = None) -> Animation:
    """The animation for an execution, or for a protocol by name.

    The experiment may name one; else it is the file named like the protocol; else the generic drawing.  A file that
    cannot be used leads to the generic drawing, with the reason in ``problem``.  The same question gets the same
    object, until the file changes.

    Args:
        source: a trace, or the name of a protocol, or ``None``.
        folder: look for ``NAME.py`` here instead of in the archive.
    """
    name, states, labels = _asked(source)
    path = _path(name, folder)
    key = (path, _age(path), name, states, labels)
    if key not in _known:
        if len(_known) > 200:
            _known.clear()
        _known[key] = _made(path, states, labels)
    return _known[key]


_known: dict[tuple[Any, ...], Animation] = {}


def _made(path: Path | None, states: tuple[str, ...], labels: tuple[str, ...]) -> Animation:
    if path is None:
        return generic(states, labels)
    try:
        return load_animation(path).completed(states, labels)
    except BadInput as error:
        return replace(generic(states, labels), problem=str(error))


def _asked(source: Trace | str | None) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    if source is None or isinstance(source, str):
        return source or "", (), ()
    name = source.experiment.get("animation") or source.experiment.get("protocol") or ""
    return str(name), source.states, source.labels


def _path(name: str, folder: Path | None) -> Path | None:
    if not name:
        return None
    if folder is not None:
        path = folder / f"{Path(name).stem}.py"
        return path if path.is_file() else None
    asked: str = Path(name).stem if "/" in name or "\\" in name or name.endswith(".py") else name
    return archive().animation_path(asked)


def _age(path: Path | None) -> tuple[int, int] | None:
    try:
        status = path.stat() if path is not None else None
    except OSError:
        return None
    return None if status is None else (status.st_mtime_ns, status.st_size)


def _dealt(names: Collection[str], taken: Mapping[str, int], size: int) -> dict[str, int]:
    """A number for every name that has none: first those not taken, in order, then all again."""
    missing = [name for name in names if name not in taken]
    free = [number for number in range(size) if number not in taken.values()] if taken else list(range(size))
    order = free + [number for number in range(size) if number not in free]
    twice = order + [number + size for number in range(size)] if size == 8 else order
    return {name: twice[i % len(twice)] for i, name in enumerate(missing)}


def _check_phrases(phrases: Any) -> None:
    if not isinstance(phrases, Mapping):
        raise BadInput(f"phrases is a table from (state, message) to a sentence, not {shown(phrases)}")
    for key, text in phrases.items():
        if not isinstance(key, tuple) or len(key) != 2 or any(not isinstance(part, str) for part in key):
            raise BadInput(f'phrases has keys such as ("waiting", "Ack"), not {shown(key)}')
        rest = _HOLE.sub("", text) if isinstance(text, str) else "{"
        if "{" in rest or "}" in rest:
            raise BadInput(f"phrases[{key!r}] is a sentence with holes such as {{peer}}, not {shown(text)}")


def _names(value: Any, what: str) -> tuple[str, ...]:
    names = (value,) if isinstance(value, str) else value
    if not isinstance(names, Sequence | set | frozenset) or any(not isinstance(name, str) for name in names):
        raise BadInput(f"{what} is a list of names of states, not {shown(value)}")
    return tuple(names)


def _filled(value: Any, size: str | None) -> str:
    if size is None:
        return value_text(value, is_set=isinstance(value, list))
    return str(len(value)) if hasattr(value, "__len__") else value_text(value)


def _line(error: BaseException, path: Path) -> str | None:
    frames = [entry for entry in traceback.extract_tb(error.__traceback__) if entry.filename == str(path)]
    return f"line {frames[-1].lineno}" if frames else None
