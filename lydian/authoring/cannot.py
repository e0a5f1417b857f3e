"""Cells without an action: those that are still open, and those that cannot happen.

The simulator treats both alike: the run stops. The cells that a student has declared impossible are listed in the
file, in a comment before the actions, which the table reads and writes::

    # cannot happen: (SLEEPING, Ack), (DONE, Ack)

A cell that the text itself rules out (a state to which no action leads; ``INIT`` in a state other than the first)
needs no such comment.
"""

from __future__ import annotations

from collections.abc import Iterable

from lydian.authoring.celledits import remove_cell, set_cell
from lydian.authoring.edits import quoted, readable, rename_state
from lydian.model.source.draft import Draft
from lydian.model.source.marked import LINE, PAIR, marked_impossible
from lydian.model.source.outline import event_names, table_of
from lydian.model.source.problems import reachable, reading_of
from lydian.model.source.text import Edit, apply_edits

__all__ = ["choose_cell", "marked_impossible", "open_cells", "reached_states", "rename_state_everywhere"]

_WIDTH = 120


def reached_states(draft: Draft) -> frozenset[str]:
    """Return the states reachable by actions from the initial state; the result may be too large, never too small."""
    try:
        return frozenset(reachable(draft, reading_of(draft), table_of(draft)))
    except (SyntaxError, RecursionError):
        return frozenset(draft.states)


def open_cells(draft: Draft) -> frozenset[tuple[str, str]]:
    """Return the cells (state, event) that may happen, according to the text, but for which nothing was chosen.

    Every declared message, timer and command may occur in every reachable state; a process can be woken in its first
    state unless the file has an action for ``INIT`` or a command.
    """
    if draft.process is None:
        return frozenset()
    cells, marked = table_of(draft), marked_impossible(draft)
    can_be = reached_states(draft)
    reached = [state for state in draft.states if state in can_be]
    columns = {event for state, event in cells if state in draft.states} if draft.layers else set(event_names(draft))
    may = {(state, record.name) for state in reached for record in draft.records if record.name in columns}
    begins = any(event == "INIT" for _, event in cells) or any(each.kind == "command" for each in draft.records)
    if not begins and draft.process.start in draft.states:
        may.add((str(draft.process.start), "INIT"))
    return frozenset(may - set(cells) - marked)


def choose_cell(source: str, state: str, event: str, kind: str, function: str = "") -> str:
    """Return the file with another choice for a cell: apply :func:`set_cell` and update the comment.

    Args:
        kind: ``action``, ``ignore``, ``impossible`` (it cannot happen) or ``open`` (choose later).
    """
    if kind in ("action", "ignore"):
        return _marked(set_cell(source, state, event, kind, function), state, event, False)
    bare = _marked(remove_cell(source, state, event), state, event, False)
    if kind == "impossible" and (state, event) in open_cells(readable(bare)):
        return _marked(bare, state, event, True)
    return bare


def rename_state_everywhere(source: str, old: str, new: str) -> str:
    """Apply :func:`rename_state`, also to the comment about cells that cannot happen."""
    before = readable(source)
    pairs = [pair for pair in _in_order(before, marked_impossible(before)) if pair[0] == old]
    renamed = rename_state(source, old, new)
    if not pairs:
        return renamed
    after = readable(renamed)
    was, now = _written(before, old), _written(after, new)
    edits = []
    for number, line in enumerate(after.text.lines, 1):
        match = LINE.match(line.rstrip("\r\n"))
        for pair in PAIR.finditer(match[2]) if match else ():
            if match is not None and pair[1] == was:
                at = after.text.offset(number, match.start(2) + pair.start(1))
                edits.append(Edit(at, at + len(was), now))
    return apply_edits(renamed, edits)


def _in_order(draft: Draft, cells: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    events = ["INIT", *(each.name for each in draft.records)]
    return sorted((c for c in cells if c[1] in events), key=lambda c: (draft.states.index(c[0]), events.index(c[1])))


def _written(draft: Draft, state: str) -> str:
    return draft.words.get(state) or quoted(state)


def _marked(source: str, state: str, event: str, on: bool) -> str:
    """Return the text with a cell added to the comment or removed from it; an empty comment is removed."""
    draft = readable(source)
    if ((state, event) in marked_impossible(draft)) == on:
        return source
    return _with_mark(draft, state, event) if on else _without_mark(draft, state, event)


def _without_mark(draft: Draft, state: str, event: str) -> str:
    text, written = draft.text, _written(draft, state)
    for number, line in enumerate(text.lines, 1):
        match = LINE.match(line.rstrip("\r\n"))
        if match is None:
            continue
        pairs = [p[0] for p in PAIR.finditer(match[2])]
        rest = [
            p[0] for p in PAIR.finditer(match[2])
            if not (p[2] == event and p[1] in (written, quoted(state), repr(state)))
        ]  # fmt: skip
        if len(rest) == len(pairs):
            continue
        if rest:
            start = text.offset(number, match.start(2))
            return apply_edits(text.source, [Edit(start, text.offset(number, match.end(2)), " " + ", ".join(rest))])
        last = number + 1
        alone = not text.line(number - 1).strip() or text.line(number - 1).rstrip().endswith(":")
        if alone and not text.line(last).strip() and last <= len(text.lines):
            last += 1
        return apply_edits(text.source, [Edit(text.offset(number), text.offset(last), "")])
    return text.source


def _with_mark(draft: Draft, state: str, event: str) -> str:
    text = draft.text
    pair = f"({_written(draft, state)}, {event})"
    at = -1
    for number, line in enumerate(text.lines, 1):
        match = LINE.match(line.rstrip("\r\n"))
        if match is not None:
            at = number
            if len(text.line(number).rstrip()) + len(pair) + 2 <= _WIDTH:
                end = text.offset(number, len(text.line(number).rstrip()))
                lead = ", " if PAIR.search(match[2]) else " "
                return apply_edits(text.source, [Edit(end, end, lead + pair)])
    nl = text.newline
    if at > 0:
        start = text.offset(at + 1)
        return apply_edits(text.source, [Edit(start, start, f"{text.indent(at)}# cannot happen: {pair}{nl}")])
    process = draft.process
    assert process is not None
    own = [a.function for a in draft.actions if a.function.node in process.node.body]
    if own:
        first = min(each.first_line for each in own)
        start = text.offset(first)
        return apply_edits(text.source, [Edit(start, start, f"{text.indent(first)}# cannot happen: {pair}{nl}{nl}")])
    last = process.node.body[-1]
    start = text.offset((last.end_lineno or 0) + 1)
    lead = "" if text.source[:start].endswith(("\n", "\r")) else nl
    indent = " " * process.node.body[0].col_offset
    return apply_edits(text.source, [Edit(start, start, f"{lead}{nl}{indent}# cannot happen: {pair}{nl}")])
