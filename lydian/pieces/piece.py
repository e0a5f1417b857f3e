"""The registry of pieces of animation, each of which is a module of this package that registers itself here.

A piece is a declaration in an animation, such as a grid, a queue or a countdown. Its module contains the class that an
animation calls, with its checks; its state at a moment; its entries in the legend; and its data for a page that plays a
run. A painter and a script of the page draw it; both are named in its registration::

    register(Piece("countdown", Countdown, at=left_at, legend=legend, page=page,
                   painter="lydian.app.painters.pieces.countdowns.CountdownPainter", script="player.countdowns.js"))

Animations, frames, legends, pages and painters ask this module for the pieces when they need them, so a package that
registers a piece of its own need not change any of them.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from lydian.model.errors import BadInput, shown
from lydian.plugins import Registry, load

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "LegendItem", "Moment", "Occurring", "Piece", "Teller", "declarable", "declared_in", "every", "fields", "is_wide",
    "piece_of", "piece_with", "pieces", "register", "rest_of", "states_at", "unregister",
]  # fmt: skip


@dataclass(frozen=True)
class LegendItem:
    """An entry of the legend.

    Args:
        sort: ``"state"``, ``"message"``, ``"crashed"``, ``"liar"`` or ``"lost"``, or one of the signs of a piece.
        number: slot of a state, kind of a message; for what an animation declares its index there.
        word: what it is called.
        count: how many there are now; None for what is not counted.
        most: the largest count there can be, so that the legend need not change its size.
        widest: the longest word that can appear here.
        look: what a piece needs in addition to draw the sign; for a kind of messages whether it has no colour of its
            own, as that of each message is the colour of what it carries.
    """

    sort: str
    number: int
    word: str
    count: int | None = None
    most: int = 0
    widest: str = ""
    look: Any = None

    @classmethod
    def plain(cls, sort: str, number: int, word: str) -> LegendItem:
        """Return an entry without a count."""
        return cls(sort, number, word, None, 0, word)


@dataclass(frozen=True, eq=False)
class Moment:
    """The moment at which the state of a piece is requested.

    Args:
        scene: the execution and its network.
        k: the number of events that have happened.
        t: simulated time.
        crashed: which processes of the network are crashed.
        cut: which links carry nothing.
        flights: the messages under way.
        asked: what the variables of the processes say (:class:`~lydian.pieces.channels.Asked`).
        standing: the positions of processes, if they come from their variables.
        selection: what is selected.
    """

    scene: Any
    k: int
    t: float
    crashed: NDArray[np.bool_]
    cut: NDArray[np.bool_]
    flights: Any
    asked: Any
    standing: Any
    selection: Any

    def number(self, declared: Any) -> int:
        """Return the index of a declaration in its field."""
        found = getattr(self.scene.animation, piece_of(declared).field)
        return next(i for i, each in enumerate(found if isinstance(found, tuple) else (found,)) if each is declared)


@dataclass(frozen=True, eq=False)
class Occurring:
    """The parts of a run for which pieces have entries in the legend.

    Args:
        scene: the execution and its network.
        states: what is seen of pieces now, by field.
        used: returns the variables that are ever set.
    """

    scene: Any
    states: Mapping[str, Any]
    used: Callable[[], frozenset[str]]

    @property
    def run(self) -> Any:
        return self.scene.run

    @property
    def needed(self) -> bool:
        """True if the animation draws any variable."""
        return bool(self.scene.animation_needs_variables)

    def occurs(self, variable: str, states: tuple[str, ...] = ()) -> bool:
        """Return True if a variable is ever set and one of these states occurs; an empty argument is not checked."""
        seen = {self.run.states[code] for code in self.scene.seen_states} if states else {""}
        return (not variable or variable in self.used()) and (not states or not seen.isdisjoint(states))

    @property
    def labels(self) -> set[str]:
        """The classes of the messages of the run."""
        return {self.run.labels[code] for code in self.scene.seen_labels}


@dataclass(frozen=True, eq=False)
class Teller:
    """The tools with which a piece writes its data for a page that plays a run.

    Args:
        scene: the execution and its network.
        codes: the code of each process of the network on the page.
        text: gives a number to a text.
        column: packs numbers.
    """

    scene: Any
    codes: NDArray[np.int64]
    text: Callable[[str], int]
    column: Callable[[Any], dict[str, str]]


@dataclass(frozen=True, eq=False)
class Piece:
    """A registered piece of animation.

    Args:
        name: of the piece.
        declares: the class with which an animation declares it.
        field: the name under which an animation declares it, and under which frames and pages have it; by default the
            name. Several pieces may share a field.
        most: how many of them an animation may declare; None for any number. A field of one piece at most holds what is
            declared or None, any other one a tuple.
        parts: further classes of which a declaration is made.
        needs: a field without which it means nothing, and why.
        channels: what it reads of the variables of each process, from what there is in the run, its index in the field,
            and what is declared; the page is told of each change (:mod:`lydian.pieces.channels`).
        at: what is seen of it at a moment, None for nothing; without this it is asked for in some other way.
        nothing: what a frame has of it where nothing is seen; an empty tuple where a field holds several.
        panel: ``"tall"`` or ``"low"`` for a panel beside (or, if low, below) the network that its frame needs.
        legend: its entries, from what occurs in the run, its index in the field, and what is declared.
        signs: the sorts of its entries; by default the name.
        wide: those of its signs that are wider than they are high.
        page: what a page is told, ready for JSON; None for nothing.
        painter: a class that draws it, as ``"package.module.Class"``; see :mod:`lydian.app.painters.pieces.piece`.
        script: the script of the page that draws it: a file in ``resources/templates``, or its whole path; it sets
            ``scripts.NAME`` to a class (see ``player.piece.js``).
        order: pieces come in this order in legends, and those drawn at one time are drawn in it; those of this program
            come first.
    """

    name: str
    declares: type
    field: str = ""
    most: int | None = 1
    parts: tuple[type, ...] = ()
    needs: tuple[str, str] = ("", "")
    channels: Callable[[Any, int, Any], Iterable[Any]] | None = None
    at: Callable[[Moment, Any], Any] | None = None
    nothing: Any = None
    panel: str = ""
    legend: Callable[[Occurring, int, Any], Iterable[LegendItem]] | None = None
    signs: tuple[str, ...] = ()
    wide: tuple[str, ...] = ()
    page: Callable[[Teller, Any], Mapping[str, Any] | None] | None = None
    painter: str = ""
    script: str = ""
    order: int = 1_000

    def __post_init__(self) -> None:
        object.__setattr__(self, "field", self.field or self.name)
        object.__setattr__(self, "signs", self.signs or (self.name,))
        if self.nothing is None and self.most != 1:
            object.__setattr__(self, "nothing", ())


class _Pieces(Registry[Piece]):
    def register(self, piece: Piece) -> Piece:
        for other in self._things.values():
            if other.declares is piece.declares:
                raise ValueError(f"a piece {other.name!r} for {other.declares.__name__} already exists")
        _forget()
        return super().register(piece)

    def discard(self, name: str) -> None:
        super().discard(name)
        _forget()


_GROUP = "lydian.pieces"
_pieces = _Pieces(_GROUP, Piece)
_loaded: list[bool] = []


def register(piece: Piece) -> Piece:
    """Add a piece to those that animations can declare.

    Raises:
        ValueError: there is one of this name, or its class declares another one.
    """
    return _pieces.register(piece)


def unregister(name: str) -> None:
    """Remove a piece that was registered."""
    _pieces.discard(name)


def _forget() -> None:
    for each in (pieces, fields, _by_class):
        each.cache_clear()


@cache
def pieces() -> tuple[Piece, ...]:
    """Return all pieces in order; the modules of this package are loaded on first use."""
    if not _loaded:
        _loaded.append(True)
        import lydian.pieces

        for each in pkgutil.iter_modules(lydian.pieces.__path__):
            import_module(f"lydian.pieces.{each.name}")
        load(_GROUP)
    return tuple(sorted(_pieces.registered.values(), key=lambda piece: piece.order))


@cache
def fields() -> dict[str, tuple[Piece, ...]]:
    """Return the fields of an animation, each with its pieces."""
    found: dict[str, tuple[Piece, ...]] = {}
    for piece in pieces():
        found[piece.field] = (*found.get(piece.field, ()), piece)
    return found


@cache
def _by_class() -> dict[type, Piece]:
    return {piece.declares: piece for piece in pieces()}


def declarable() -> dict[str, type]:
    """Return the classes with which an animation declares pieces, by name."""
    return {each.__name__: each for piece in pieces() for each in (piece.declares, *piece.parts)}


def piece_of(declared: Any) -> Piece:
    """Return the piece to which a declaration belongs."""
    return _by_class()[type(declared)]


def piece_with(sign: str) -> Piece | None:
    """Return the piece that has this sort of entry in legends."""
    return next((piece for piece in pieces() if sign in piece.signs), None)


def is_wide(sign: str) -> bool:
    """Return True if this sort of entry in legends is wider than it is high."""
    piece = piece_with(sign)
    return piece is not None and sign in piece.wide


def rest_of(field: str) -> Any:
    """Return the value of a field of an animation in which nothing is declared.

    Raises:
        KeyError: there is no such field.
    """
    return () if fields()[field][0].most != 1 else None


def declared_in(field: str, given: Any) -> Any:
    """Return the checked declarations of a field of an animation: one or None, or a tuple of them.

    Raises:
        BadInput: it is something else, or there are too many of them.
    """
    known = fields()[field]
    kinds, most = tuple(piece.declares for piece in known), known[0].most
    names = ", ".join(f"{kind.__name__}(...)" for kind in kinds)
    if most == 1:
        if given is not None and not isinstance(given, kinds):
            raise BadInput(f"{field} must be {names}, not {shown(given)}")
        return given
    items = (given,) if isinstance(given, kinds) else () if given is None else given
    if not isinstance(items, list | tuple) or any(not isinstance(item, kinds) for item in items):
        what = f"a list of {names}" if len(kinds) == 1 else f"{names} or a list of them"
        raise BadInput(f"{field} must be {what}, not {shown(given)}")
    if most is not None and len(items) > most:
        raise BadInput(f"an animation must have at most {most} {field}s, not {len(items)}")
    return tuple(items)


def every(declared: Mapping[str, Any]) -> Iterator[tuple[Piece, int, Any]]:
    """Yield all declarations of an animation, in the order of pieces: piece, index in the field, declaration."""
    for piece in pieces():
        found = declared.get(piece.field)
        for number, each in enumerate(found if isinstance(found, tuple) else () if found is None else (found,)):
            if type(each) is piece.declares:
                yield piece, number, each


def states_at(moment: Moment) -> dict[str, Any]:
    """Return the state of everything that the animation declares, by field: one state or a tuple of them."""
    found: dict[str, Any] = {}
    for field, declared in moment.scene.animation.pieces.items():
        several = declared if isinstance(declared, tuple) else (declared,)
        known = [(piece_of(each), each) for each in several]
        states = [piece.at(moment, each) for piece, each in known if piece.at is not None]
        if isinstance(declared, tuple):
            found[field] = tuple(state for state in states if state is not None)
        elif states and states[0] is not None:
            found[field] = states[0]
    return found
