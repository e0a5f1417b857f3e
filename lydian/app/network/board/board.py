"""The drawing board: the drawn network, the selection and the current tool.

The canvas, tables and panels of the editor refer to the board and not to each other. They change the network with
:meth:`Board.do`, so that every change is a step of one history.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import QMimeData, QObject, Signal
from PySide6.QtGui import QGuiApplication

from lydian.language import tr, trc, trn
from lydian.model.editing.links import Pair
from lydian.model.editing.parts import part, paste
from lydian.model.editing.processes import delete, set_initiators
from lydian.model.editing.undo import OPENED, Document
from lydian.model.errors import BadInput, LydianError
from lydian.model.network import Link, Network, netfile
from lydian.views.words.words import joined, plural

__all__ = ["NOTHING", "TOOLS", "Board", "Chosen", "starts_text"]

#: Tool -> its key; "select" is the default tool.
TOOLS = {"select": "V", "process": "P", "link": "L", "pan": "H", "initiator": "I", "failure": "X", "brush": "B"}
#: The distance between a copy and its original.
SHIFT = 24.0
#: The type of the data that the clipboard contains in addition to text.
MIME = "application/x-lydian-network+json"


@dataclass(frozen=True)
class Chosen:
    """A selection: processes by name, links by their two processes."""

    processes: frozenset[str] = frozenset()
    links: frozenset[Pair] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.processes or self.links)


NOTHING = Chosen()


class Board(QObject):
    """The state that the parts of the network editor share.

    Attributes:
        document: the network and its history.
        chosen: the selection.
        tool: the current tool, one of :data:`TOOLS`.
        ghost: a network shown faintly over the drawing (the preview of a generator), or ``None``.
        hovered: the process (its name) or the link (its pair) that is lit in the canvas and the tables, or ``None``.
        brush: the edit that the brush makes to the links it touches, or ``None`` if the brush is empty; ``brush_text``
            is the name of that step: "Brush lognormal(mean=3.5, sd=2.1)".
        announced: the name of a step -> what is said in the drawing after it, if anything.
    """

    #: Emitted when the network has changed: an edit, undo, redo, or another document.
    changed = Signal()
    #: Emitted when another document has been opened on the board.
    opened = Signal()
    chosen_changed = Signal()
    tool_changed = Signal()
    ghost_changed = Signal()
    hovered_changed = Signal()
    #: Emitted with a sentence for the user and whether it is a problem.
    said = Signal(str, bool)

    def __init__(self, network: Network | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.document = Document(Network("Untitled", (), ()) if network is None else network)
        self.announced: dict[str, str] = {}
        self._unlisten = self.document.listen(self._changed)
        self.chosen = NOTHING
        self.tool = "select"
        self.ghost: Network | None = None
        self.hovered: str | Pair | None = None
        self.brush: Callable[[Network, Iterable[Pair]], Network] | None = None
        self.brush_text = ""
        self._pasted = 0

    # ------------------------------------------------------------------ the network

    @property
    def network(self) -> Network:
        """The network as it is drawn now."""
        return self.document.network

    def open(self, network: Network, path: Path | None = None, text: str = OPENED) -> None:
        """Put another network on the board, with a new history."""
        self._unlisten()
        self.document = Document(network, path, text)
        self._unlisten = self.document.listen(self._changed)
        chosen, ghost = self.chosen, self.ghost
        self.chosen, self.ghost, self.hovered = NOTHING, None, None
        self.opened.emit()
        self.changed.emit()
        if chosen:
            self.chosen_changed.emit()
        if ghost is not None:
            self.ghost_changed.emit()

    def do(
        self,
        text: str,
        edit: Callable[[Network], Network],
        *,
        group: str | None = None,
        choose: Chosen | None = None,
        told: str = "",
    ) -> bool:
        """Edit the network as one step of the history; report an edit that is not possible.

        Args:
            text: the name of the step: "Delete link 4-9".
            edit: a function from the network to the new one.
            group: consecutive steps of one group become one step.
            choose: the selection after the edit.
            told: what is said in the drawing after the step, with a button that undoes it; empty: nothing.

        Returns:
            whether anything changed.
        """
        try:
            network = edit(self.network)
        except LydianError as error:
            self.said.emit(str(error), True)
            return False
        self.announced[text] = told
        done = self.document.do(text, network, group)
        if choose is not None:
            self.choose(choose)
        return done

    def once(self, text: str, edit: Callable[[Network], Network], *, told: str = "") -> bool:
        """Edit the network as a step that is never merged with others; return True if anything changed."""
        self.document.settle()
        done = self.do(text, edit, told=told)
        self.document.settle()
        return done

    def join(self, group: str, *sources: Any) -> None:
        """Merge the edits of a group into one step until a source settles; undo them if it cancels."""
        for source in sources:
            source.settled.connect(lambda: self.document.settle())
            source.cancelled.connect(lambda: self.document.cancel(group))

    def _changed(self) -> None:
        self._trim()
        self.changed.emit()

    # ------------------------------------------------------------------ the selection

    def choose(self, chosen: Chosen, *, add: bool = False, toggle: bool = False) -> None:
        """Replace the selection, extend it (``add``), or toggle a part of it (``toggle``)."""
        if toggle:
            chosen = Chosen(self.chosen.processes ^ chosen.processes, self.chosen.links ^ chosen.links)
        elif add:
            chosen = Chosen(self.chosen.processes | chosen.processes, self.chosen.links | chosen.links)
        if chosen != self.chosen:
            self.chosen = chosen
            self._trim()
            self.chosen_changed.emit()

    def choose_processes(self, names: Iterable[str]) -> None:
        self.choose(Chosen(processes=frozenset(names)))

    def choose_links(self, pairs: Iterable[Pair]) -> None:
        self.choose(Chosen(links=frozenset(pairs)))

    def choose_all(self) -> None:
        network = self.network
        self.choose(Chosen(frozenset(network.processes), frozenset((link.a, link.b) for link in network.links)))

    def chosen_links(self) -> list[Link]:
        """Return the selected links, in the order of the network."""
        chosen = self.chosen.links
        return [link for link in self.network.links if (link.a, link.b) in chosen] if chosen else []

    def chosen_processes(self) -> list[str]:
        """Return the names of the selected processes, in the order of the network."""
        chosen = self.chosen.processes
        return [name for name in self.network.processes if name in chosen] if chosen else []

    def _trim(self) -> None:
        """Remove processes and links that no longer exist from the selection."""
        chosen, network = self.chosen, self.network
        processes = frozenset(name for name in chosen.processes if name in network.index)
        links = chosen.links
        if links:
            links &= {(link.a, link.b) for link in network.links}
        if (processes, links) != (chosen.processes, chosen.links):
            self.chosen = Chosen(processes, links)
            self.chosen_changed.emit()

    # ------------------------------------------------------------------ tool, ghost, hover

    def take(self, tool: str) -> None:
        """Choose a tool; it stays current until another one is chosen."""
        if tool not in TOOLS:
            raise KeyError(tool)
        if tool != self.tool:
            self.tool = tool
            self.tool_changed.emit()

    def take_brush(self, text: str, brush: Callable[[Network, Iterable[Pair]], Network]) -> None:
        """Load the brush and choose it as the tool; ``text`` is the name of the steps it makes."""
        self.brush, self.brush_text = brush, text
        self.take("brush")

    def show_ghost(self, network: Network | None) -> None:
        if network is not self.ghost:
            self.ghost = network
            self.ghost_changed.emit()

    def hover(self, what: str | Pair | None) -> None:
        if what != self.hovered:
            self.hovered = what
            self.hovered_changed.emit()

    # ------------------------------------------------------------------ edits of the selection

    def delete_chosen(self) -> None:
        """Delete the selected processes and links."""
        chosen = self.chosen
        if chosen:
            words = _words(chosen)
            self.do(
                tr("Delete {selection}", selection=words),
                lambda network: delete(network, chosen.processes, chosen.links),
                told=tr("Deleted {selection}", selection=words),
            )

    def copy(self) -> bool:
        """Copy the selected processes and the links between them to the clipboard; return False if none is selected."""
        if not self.chosen.processes:
            return False
        text = netfile.dumps(part(self.network, self.chosen.processes))
        data = QMimeData()
        data.setData(MIME, text.encode())
        data.setText(text)
        QGuiApplication.clipboard().setMimeData(data)
        self._pasted = 0
        return True

    def cut(self) -> None:
        """Copy the selected processes to the clipboard and delete them."""
        if self.copy():
            chosen = Chosen(processes=self.chosen.processes)
            words = _words(chosen)
            self.do(
                trc("command", "Cut {selection}", selection=words),
                lambda network: delete(network, chosen.processes),
                told=trc("what was done", "Cut {selection}", selection=words),
            )

    def paste(self, at: tuple[float, float] | None = None) -> None:
        """Paste the network from the clipboard, centred on a point or beside the original and earlier copies."""
        data = QGuiApplication.clipboard().mimeData()
        text = ""
        if data is not None:  # there is no data before the first copy
            text = bytes(data.data(MIME).data()).decode() if data.hasFormat(MIME) else data.text()
        if not text.strip():
            self.said.emit(tr("The clipboard is empty: copy some processes first."), False)
            return
        try:
            pasted = netfile.loads(text)
        except BadInput as error:
            self.said.emit(tr("The clipboard contains no network: {reason}", reason=error), True)
            return
        self._pasted += 1
        text = trn("Paste {count:,} process", "Paste {count:,} processes", pasted.n)
        self.put(pasted, text, at, self._pasted * SHIFT)

    def duplicate(self) -> None:
        """Add a copy of the selected processes beside them."""
        if self.chosen.processes:
            copied = part(self.network, self.chosen.processes)
            text = tr("Duplicate {selection}", selection=_words(Chosen(self.chosen.processes)))
            self.put(copied, text, None, SHIFT)

    def put(self, network: Network, text: str, at: tuple[float, float] | None, shift: float = 0.0) -> None:
        """Add another network and select it, moved by ``shift`` or centred on a point."""
        offset = (shift, shift)
        if at is not None and network.n:
            points = network.coordinates
            middle = (points.min(axis=0) + points.max(axis=0)) / 2
            offset = (at[0] - float(middle[0]), at[1] - float(middle[1]))
        grown, names = paste(self.network, network, offset)
        self.do(text, lambda _network: grown, choose=Chosen(processes=frozenset(names)))

    def toggle_initiators(self, names: Iterable[str]) -> None:
        """Make the processes initiators, or remove them as initiators if all of them are."""
        names = list(names)
        if not names:
            return
        starting = set(self.network.initiators)
        on = not starting.issuperset(names)
        after = starting | set(names) if on else starting - set(names)
        self.do(starts_text(names, on=on), lambda network: set_initiators(network, after))


def starts_text(names: Sequence[str], *, on: bool) -> str:
    """Return the name of a step that makes processes initiators, or removes them as initiators."""
    if on:
        return trn(
            "Make process {process} an initiator",
            "Make {count:,} processes initiators",
            len(names),
            process=next(iter(names)),
        )
    return trn(
        "Remove process {process} as an initiator",
        "Remove {count:,} processes as initiators",
        len(names),
        process=next(iter(names)),
    )


def _words(chosen: Chosen) -> str:
    """Return a selection in words: "process 4", "link 4-9", "3 processes and 2 links"."""
    if len(chosen.processes) == 1 and not chosen.links:
        return tr("process {process}", process=next(iter(chosen.processes)))
    if len(chosen.links) == 1 and not chosen.processes:
        a, b = next(iter(chosen.links))
        return tr("link {process}-{neighbour}", process=a, neighbour=b)
    parts = [plural(len(some), noun) for some, noun in ((chosen.processes, "process"), (chosen.links, "link")) if some]
    return joined(parts)
