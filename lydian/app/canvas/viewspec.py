"""The views there are: name, title, icon, the module that computes a frame, the painter that draws it, and options."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

from lydian.app.look.theme import Theme
from lydian.views.time.occupation import SHOWN
from lydian.views.time.ordering import SORTS
from lydian.views.time.spacetime import COLORS
from lydian.views.time.timescale import SCALES

__all__ = ["VIEWS", "Choice", "ViewSpec"]


@dataclass(frozen=True)
class Choice:
    """An option of a view: its name in ``frame()``, its title in the menu, value -> words; the first is default.

    A ``shared`` one is chosen for all views that have it at once.
    """

    name: str
    title: str
    values: Mapping[Any, str]
    shared: bool = False


@dataclass(frozen=True)
class ViewSpec:
    """A view, loaded when its canvas is made.

    ``kind`` says how the mouse moves it: ``"map"`` (zoom, pan), ``"time"`` (shared time, dragging scrubs),
    ``"list"`` (wheel scrolls) or ``"still"``; ``room`` is its folder in lydian/views.
    """

    name: str
    room: str
    title: str
    icon: str
    painter: str
    kind: str
    about: str
    empty: str
    choices: tuple[Choice, ...] = field(default=())

    def module(self) -> ModuleType:
        return importlib.import_module(f"lydian.views.{self.room}.{self.name}")

    def make_painter(self, theme: Theme) -> Any:
        return getattr(importlib.import_module(f"lydian.app.painters.{self.name}"), self.painter)(theme)

    def accepted(self) -> frozenset[str]:
        """The options that the view's ``frame`` takes beyond timeline, time and selection."""
        return frozenset(list(inspect.signature(self.module().frame).parameters)[3:])


_FUTURE = Choice("future", "What is still to come", {True: "Show it pale", False: "Hide it"})
_AXIS = Choice("axis", "Horizontal axis", SCALES, shared=True)
_ROWS = Choice("sort", "Order of the rows", SORTS, shared=True)

VIEWS: tuple[ViewSpec, ...] = (
    ViewSpec(
        "basic",
        "network",
        "Network",
        "network",
        "BasicPainter",
        "map",
        "Processes by state, links, and every message at the exact fraction of its way.",
        "Open an experiment to see its network",
    ),
    ViewSpec(
        "communication",
        "others",
        "Communication",
        "communication",
        "CommunicationPainter",
        "still",
        "One column a process: what it has sent so far, by kind of message; the line is the mean.",
        "Run to see who sends how much",
        (
            Choice("what", "Count", {"sent": "Messages sent", "received": "Messages received", "bits": "Bits sent"}),
            Choice(
                "sort",
                "Order",
                {
                    "id": "By name",
                    "value": "Most first",
                    "degree": "Most links first",
                    "cluster": "Neighbours beside each other",
                },
            ),
            Choice("degree", "Number of links", {False: "Hide it", True: "Mark it"}),
            _FUTURE,
        ),
    ),
    ViewSpec(
        "causality",
        "time",
        "Causality",
        "causality",
        "CausalityPainter",
        "time",
        "Time runs to the right, one row a process; a line is a message from its sending to its arrival.",
        "Run to see who told whom",
        (
            Choice(
                "highlighted",
                "Of the selected event show",
                {
                    "both": "What led to it and what came of it",
                    "past": "What led to it",
                    "future": "What came of it",
                    "longest": "The longest chain so far",
                    None: "Nothing more",
                },
            ),
            Choice("color", "Colour of the messages", COLORS),
            _AXIS,
            _ROWS,
            _FUTURE,
        ),
    ),
    ViewSpec(
        "step",
        "others",
        "Process",
        "process",
        "StepPainter",
        "list",
        "One process: its state, its variables, and its own events in order.",
        "Run, then click a process",
    ),
    ViewSpec(
        "occupation",
        "time",
        "Occupation",
        "occupation",
        "OccupationPainter",
        "time",
        "One bar a process, coloured by its state; black ticks where it handles an event.",
        "Run to see who waits for how long",
        (
            Choice("show", "Bars show", SHOWN),
            Choice("column", "Shares beside the bars", {False: "Hide them", True: "Show them"}),
            _AXIS,
            _ROWS,
            _FUTURE,
        ),
    ),
    ViewSpec(
        "knowledge",
        "others",
        "Knowledge",
        "knowledge",
        "KnowledgePainter",
        "still",
        "Row by row, what each process can know: a cell is filled once something of the column's process lies in its"
        " causal past.",
        "Run to see who has heard of whom",
        (
            Choice("sort", "Order", {"id": "By name", "knows": "Hears early first", "known": "Heard of early first"}),
            Choice("shade", "Shade", {"recent": "How recent", "lamport": "Lamport time", "first": "First heard"}),
            _FUTURE,
        ),
    ),
)
