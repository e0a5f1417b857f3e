"""The contents of the transition table: states, events, and for each pair the action."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from lydian.authoring.cannot import marked_impossible, open_cells, reached_states
from lydian.language import tr, trc, trn
from lydian.model.protocol.rules import column
from lydian.model.source.draft import Draft
from lydian.model.source.outline import EventOutline, Outline
from lydian.pieces.animation import Animation, animation_for
from lydian.views.words.words import joined

__all__ = ["CellLook", "EventLook", "StateLook", "TableLook", "looks_for", "open_words", "table_look"]

#: The column for the start of a process, which every protocol has.
INIT = "INIT"
#: The beginning of the name of a column for a guarded action.
RULE = column("")


@dataclass(frozen=True)
class StateLook:
    """A row: the state, the slot with which it is drawn, and whether it can be reached."""

    name: str
    slot: int
    start: bool
    reachable: bool
    line: int = 0


@dataclass(frozen=True)
class EventLook:
    """A column: ``kind`` is init, message, timer, command or rule; ``number`` determines how the message is drawn."""

    name: str
    kind: str
    number: int
    fields: str = ""
    doc: str = ""
    line: int = 0

    @property
    def title(self) -> str:
        """The heading of the column."""
        return trc("the event that wakes a process", "start") if self.kind == "init" else self.name


#: Kind of a cell without a function of its own -> its text.
_WORDS = {"ignore": trc("what a cell of the table does", "ignore"), "impossible": tr("cannot happen"),
          "open": tr("choose…")}  # fmt: skip


@dataclass(frozen=True)
class CellLook:
    """A cell.

    Attributes:
        kind: ``action``, ``ignore``, ``impossible`` (it cannot happen) or ``open`` (not chosen yet).
        function: the name of the function, "" if there is none.
        line: the line of the function, 0 if there is none.
        inherited: whether the cell is filled for every state (``ANY``).
        count: how often the cell ran in the latest run, ``None`` if that is unknown.
        failing: whether the latest run stopped here.
        tip: the tooltip, a sentence.
        elsewhere: whether the event belongs to a layer other than that of the row.
    """

    kind: str
    function: str = ""
    line: int = 0
    inherited: bool = False
    count: int | None = None
    failing: bool = False
    tip: str = ""
    elsewhere: bool = False

    @property
    def words(self) -> str:
        """The text of the cell."""
        if self.elsewhere:
            return ""
        return _WORDS.get(self.kind, self.function)

    @property
    def unused(self) -> bool:
        """Whether there was a run in which the cell never ran."""
        return self.kind == "action" and self.count == 0


@dataclass(frozen=True)
class TableLook:
    """The whole table; ``functions`` are those used in cells, ``helpers`` the other methods of the protocol."""

    name: str = ""
    states: tuple[StateLook, ...] = ()
    events: tuple[EventLook, ...] = ()
    cells: Mapping[tuple[str, str], CellLook] = field(default_factory=dict)
    functions: tuple[str, ...] = ()
    helpers: tuple[str, ...] = ()

    @property
    def open(self) -> int:
        """The number of open cells."""
        return sum(cell.kind == "open" for cell in self.cells.values())


def open_words(count: int) -> str:
    """Describe a number of open cells: ``1 open cell; it stops the run when reached``; "" for none."""
    if not count:
        return ""
    return trn(
        "{count:,} open cell; it stops the run when reached",
        "{count:,} open cells; they stop the run when reached",
        count,
    )


def looks_for(name: str, states: tuple[str, ...], labels: tuple[str, ...]) -> Animation:
    """Return the animation of a protocol, named after its file, for the looks of states and events."""
    return animation_for(name or None).completed(states, labels)


def table_look(
    draft: Draft,
    outline: Outline,
    name: str = "",
    counts: Mapping[tuple[str, str], int] | None = None,
    failing: tuple[str, str] | None = None,
) -> TableLook:
    """Return the table of a text.

    Args:
        draft, outline: the text as it was read.
        name: the name of the file, which determines how states and events are drawn.
        counts: how often each cell ran.
        failing: the (state, event) at which the run stopped.
    """
    labels = tuple(e.name for e in (*outline.messages, *outline.timers, *outline.commands))
    looks = looks_for(name, outline.state_names, labels)
    reached, still = reached_states(draft), open_cells(draft)
    marked = marked_impossible(draft)
    states = tuple(
        StateLook(s.name, looks.slot(s.name), s.name == outline.start, s.name in reached, s.line)
        for s in outline.states
    ) + tuple(StateLook(row.name, 0, False, True, row.line) for row in outline.layers)
    order = [e for e in outline.events if e != INIT]
    events = [EventLook(INIT, "init", 0, doc=tr("A process is woken and starts."))]
    for label in order:
        event = outline.event(label)
        if event is not None:
            events.append(_event_look(event, looks))
        elif (rule := outline.rule(label)) is not None:
            doc = rule.doc.split("\n")[0]
            doc = doc or tr("A daemon may choose the rule while its guard is true.")
            events.append(EventLook(label, "rule", 0, rule.guard, doc, rule.line))
    cells = {}
    for state in states:
        for event_look in events:
            key = (state.name, event_look.name)
            cell = outline.cells.get(key)
            count = None if counts is None else _count(counts, key, outline)
            if cell is None:
                kind = "open" if key in still else "impossible"
                other = _elsewhere(key, outline)
                tip = other or _why_empty(key, kind, state, key in marked)
                cells[key] = CellLook(kind, count=count, failing=key == failing, tip=tip, elsewhere=bool(other))
            else:
                kind = cell.kind if cell.kind in ("action", "ignore") else "impossible"
                look = CellLook(kind, cell.function, cell.line, cell.for_any, count, key == failing)
                cells[key] = CellLook(kind, cell.function, cell.line, cell.for_any, count, key == failing, _tip(look))
    actions = dict.fromkeys(cell.function for cell in outline.cells.values() if cell.function)
    helpers = tuple(name for name in outline.functions if name not in actions)
    return TableLook(outline.name, states, tuple(events), cells, tuple(actions), helpers)


def _count(counts: Mapping[tuple[str, str], int], key: tuple[str, str], outline: Outline) -> int:
    """Return how often a cell ran; for a layer, how often its event occurred, as the trace has the process's state."""
    if not any(row.name == key[0] for row in outline.layers):
        return int(counts.get(key, 0))
    return sum(n for (_, event), n in counts.items() if event == key[1])


def _elsewhere(key: tuple[str, str], outline: Outline) -> str:
    """Return a sentence if an event belongs to another layer, or to the process itself, and "" otherwise."""
    below = {row.name: row.name.split(":")[0] for row in outline.layers}
    owners = {below.get(row, "") for row, event in outline.cells if event == key[1]}
    own = below.get(key[0], "")
    if not below or not owners or own in owners or key[1] == INIT:
        return ""
    layers = [tr("the layer {layer}", layer=each) for each in sorted(owners) if each]
    whose = joined([*layers, *([tr("the process itself")] if "" in owners else [])])
    return tr("{event} belongs to {owners}.", event=key[1], owners=whose)


def _event_look(event: EventOutline, looks: Animation) -> EventLook:
    fields = ", ".join(
        f"{f.name}: {f.type}" + (f" = {f.default}" if f.default is not None else "") for f in event.fields
    )
    return EventLook(event.name, event.kind, looks.kind(event.name), fields, event.doc.split("\n")[0], event.line)


def _tip(cell: CellLook) -> str:
    said = (
        tr("{function} does nothing", function=cell.function)
        if cell.kind == "ignore"
        else tr("{function}, line {line}", function=cell.function, line=cell.line)
    )
    if cell.inherited:
        said += tr(", for every state (ANY)")
    said += "."
    if cell.failing:
        return f"{said} {tr('The run stopped here.')}"
    if cell.unused:
        return f"{said} {tr('Never ran: try another network.')}"
    if cell.count:
        return f"{said} {trn('Ran {count:,} time.', 'Ran {count:,} times.', cell.count)}"
    return said


def _why_empty(key: tuple[str, str], kind: str, state: StateLook, marked: bool) -> str:
    if kind == "open":
        return tr(
            "No action has been chosen for {event} in state {state}; the run stops if it happens.",
            event=key[1],
            state=key[0],
        )
    if marked:
        return tr(
            "{event} is marked as impossible in state {state}; the run stops if it happens.",
            event=key[1],
            state=key[0],
        )
    if not state.reachable:
        return tr("No action leads to the state {state} yet.", state=key[0])
    if key[1].startswith(RULE):
        return tr("The rule {rule} does not exist in state {state}.", rule=key[1].removeprefix(RULE), state=key[0])
    if key[1] == INIT and not state.start:
        return tr("A process is woken only in its initial state.")
    return tr("This cannot happen; the run stops if it does.")
