"""The views there are: commands, menus, docks, pictures, movies, lessons and the guide ask here.

A view is declared once, as ``VIEW`` at the end of the module that computes it; one line in
:data:`lydian.model.viewnames.PLACES` says where. Its painter is the only other part. Another package calls
:func:`register`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from lydian.language import tr
from lydian.model.errors import BadInput, did_you_mean
from lydian.model.viewnames import PLACES
from lydian.plugins import Registry, load

__all__ = ["Choice", "View", "names", "register", "unregister", "usual", "view", "views", "views_of"]


@dataclass(frozen=True)
class Choice:
    """An option of a view: its name in ``frame()``, its title in the menu, value -> words; the first is the default.

    A ``shared`` one is chosen for all views that have it at once.
    """

    name: str
    title: str
    values: Mapping[Any, str]
    shared: bool = False


@dataclass(frozen=True, kw_only=True)
class View:
    """A view: its names, the function that computes its frames, the class that paints them, and its place in windows.

    Attributes:
        name: its name in files and on the command line.
        entry: its title in the menu, with ``&`` before its access key: ``"C&ausality"``.
        icon: the name of its icon.
        frame: computes a frame from the timeline, the time and the selection; the ``animation`` of the protocol and
            the view's own options are keyword arguments.
        painter: the dotted path of the class that paints a frame; it is loaded when it is first needed.
        mouse: ``"map"`` (zoom, pan), ``"time"`` (shared time, dragging scrubs), ``"list"`` (wheel scrolls),
            ``"space"`` (turn and walk) or ``"still"``.
        about: one or two sentences on what the view shows.
        empty: the text that is shown before there is a run.
        shows: what it shows, as the end of "Show or hide ...".
        another: the title of the menu entry that opens a second such view; by default "One more view of ...".
        keys: the keys that show and hide it.
        choices: its options in the menu.
        usual: whether it is one of the views that ``all`` selects, which are useful for every protocol.
        beside: the dock next to which it is placed.
        how: its place relative to that dock in a wide window: ``tab`` (in the same place), ``right``, ``below``,
            ``left`` or ``above``.
        narrow: the dock with which it shares a place in a narrow window, if this is not ``beside``.
        layouts: those of :data:`lydian.app.panels.arrangement.LAYOUTS` that show it; otherwise it is closed until asked
            for.
    """

    name: str
    entry: str
    icon: str
    frame: Callable[..., Any]
    painter: str
    mouse: str
    about: str
    empty: str
    shows: str
    another: str = ""
    keys: str = ""
    choices: tuple[Choice, ...] = ()
    usual: bool = False
    beside: str = "checks"
    how: str = "tab"
    narrow: str = ""
    layouts: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """Its name for people."""
        return self.entry.replace("&", "")

    def options(self) -> frozenset[str]:
        """Return the names of the arguments of ``frame`` after the timeline, the time and the selection."""
        return frozenset(list(inspect.signature(self.frame).parameters)[3:])

    def painter_class(self) -> Any:
        """Return the class of its painter, whose constructor takes a theme."""
        module, _, name = self.painter.rpartition(".")
        return getattr(import_module(module), name)


class _Views(Registry[View]):
    def register(self, view: View) -> View:
        if view.name in PLACES:
            raise ValueError(f"a view named {view.name!r} already exists")
        super().register(view)
        PLACES[view.name] = view.frame.__module__
        return view

    def discard(self, name: str) -> None:
        super().discard(name)
        PLACES.pop(name, None)


_GROUP = "lydian.views"
_others = _Views(_GROUP, View)


def register(view: View) -> None:
    """Add a view; whatever lists views from now on has it too.

    Raises:
        ValueError: there is a view of that name.
    """
    _others.register(view)


def unregister(name: str) -> None:
    """Remove a view that was registered."""
    _others.discard(name)


def names() -> tuple[str, ...]:
    """Return the names of all views in the order in which they are listed; none of ours is loaded for it."""
    load(_GROUP)
    return tuple(PLACES)


def view(name: str) -> View:
    """Return the view of that name.

    Raises:
        KeyError: there is none.
    """
    if name in PLACES and name not in _others.registered:
        found: View = import_module(PLACES[name]).VIEW
        return found
    return _others[name]


def views() -> list[View]:
    """Return all views in the order in which they are listed."""
    return [view(name) for name in names()]


def usual() -> tuple[str, ...]:
    """Return the names of the views that ``all`` stands for."""
    return tuple(each.name for each in views() if each.usual)


def views_of(view: str | Iterable[str]) -> tuple[str, ...]:
    """Return the names of the views: from a name, names separated by commas, ``all``, or a list of names; each once.

    Raises:
        BadInput: there is no such view.
    """
    chosen = [name.strip() for name in view.split(",")] if isinstance(view, str) else list(view)
    known = names()
    for name in chosen:
        if name not in known and name != "all":
            raise BadInput(
                tr(
                    "unknown view '{view}'{suggestion}; choose from {views}, all",
                    view=name,
                    suggestion=did_you_mean(name, known),
                    views=", ".join(known),
                )
            )
    return usual() if "all" in chosen or not chosen else tuple(dict.fromkeys(chosen))
